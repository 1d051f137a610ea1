"""YEA 1, 4.1 and 9.2: BRIEFs that say too little or something else, and asks that plan."""

from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.making import Change, dropping, reshaped, setting
from reference.yea.service import Ask, Frame, Request, Service
from reference.yea.service.steps import Work
from reference.yea.types import Json

ONLY_READ = "yea/1/ask-capabilities-only-read"
KIND = "yea/1/capabilities-are-ask-or-intent"
SERVICE = "yea/4.1/brief-says-who-it-is"
MEMBERS = "yea/4.1/capabilities-have-their-members"
NAMES = "yea/4.1/capability-names-differ"
RISK = "yea/4.1/capability-risk-is-a-level"
SUMMARIES = "yea/9.2/summaries-are-given"
BRIEF = "yea/5/brief-has-its-members"
TRAFFIC = "yea/2.3/last-frame-ends-in-a-newline or yea/2.4/posts-get-200"


def _service(**members: Json) -> Change:
    """A change of the BRIEF's `service`; None leaves a member out."""

    def change(frame: Frame) -> None:
        merged = {**dict(frame["service"]), **members}  # type: ignore[arg-type]
        frame["service"] = {name: value for name, value in merged.items() if value is not None}

    return change


def _last(**members: Json) -> Change:
    """A change of the last capability in a BRIEF; None leaves a member out."""

    def change(frame: Frame) -> None:
        *others, last = list(frame["capabilities"])  # type: ignore[arg-type]
        merged = {**dict(last), **members}  # type: ignore[arg-type]
        kept: dict[str, Any] = {name: value for name, value in merged.items() if value is not None}
        frame["capabilities"] = [*others, kept]

    return change


def _twice(frame: Frame) -> None:
    listed = list(frame["capabilities"])  # type: ignore[arg-type]
    frame["capabilities"] = [*listed, listed[-1]]


# BRIEFs: (id, what it does, the monitor, the change, what the monitor's row is then).
BRIEFS: tuple[tuple[str, str, str, Change, str], ...] = (
    ("third-kind-of-capability", "Lists a capability of kind `tool`.", KIND, _last(kind="tool"), "failed"),
    ("kind-in-capitals", "Lists a capability of kind `INTENT`.", KIND, _last(kind="INTENT"), "failed"),
    ("capability-without-kind", "Lists a capability without a kind.", KIND, _last(kind=None), "failed"),
    ("service-as-text", "Sends its name in place of `service`.", SERVICE, setting(service="x"), "failed"),
    ("service-without-id", "Sends a BRIEF whose service has no id.", SERVICE, _service(id=None), "failed"),
    ("service-without-name", "Sends a BRIEF whose service has no name.", SERVICE, _service(name=None), "failed"),
    ("numeric-service-id", "Sends a number as service.id.", SERVICE, _service(id=7), "failed"),
    ("service-summary-is-a-list", "Sends a list as service.summary.", SERVICE, _service(summary=["x"]), "failed"),
    ("capabilities-by-name", "Sends an object of capabilities.", MEMBERS, setting(capabilities={"a": {}}), "failed"),
    ("capabilities-are-names", "Lists names of capabilities.", MEMBERS, setting(capabilities=["a.b"]), "failed"),
    ("capability-without-name", "Lists a capability without a name.", MEMBERS, _last(name=None), "failed"),
    ("capability-summary-is-a-number", "Sends a number as a summary.", MEMBERS, _last(summary=5), "failed"),
    ("params-as-text", "Sends a capability's params as text.", MEMBERS, _last(params="order: string"), "failed"),
    ("params-as-a-list", "Sends a capability's params as a list.", MEMBERS, _last(params=["order"]), "failed"),
    ("risk-is-a-number", "Sends a number as a capability's risk.", MEMBERS, _last(risk=2), "failed"),
    ("capability-listed-twice", "Lists a capability twice.", NAMES, _twice, "warned"),
    ("risk-is-extreme", "Lists a capability of risk `extreme`.", RISK, _last(risk="extreme"), "warned"),
    ("service-without-summary", "Gives no summary of itself.", SUMMARIES, _service(summary=None), "warned"),
    ("service-summary-is-empty", "Gives an empty summary of itself.", SUMMARIES, _service(summary=""), "warned"),
    ("capability-without-summary", "Gives no summary of a capability.", SUMMARIES, _last(summary=None), "warned"),
    ("brief-without-capabilities", "Sends a BRIEF without capabilities.", BRIEF, dropping("capabilities"), "failed"),
    ("brief-without-service", "Sends a BRIEF without service.", BRIEF, dropping("service"), "failed"),
)
for _id, _says, _kills, _change, _outcome in BRIEFS:
    add(Fault(f"yea/{_id}", _says, (_kills,), reshaped(_change, "BRIEF"), outcome=_outcome, traffic=TRAFFIC))


@fault("yea/asks-can-be-planned", ONLY_READ)
class PlansAsks(Service):
    """Answers an INTENT of an ask capability by PROPOSALS."""

    def intent(self, request: Request) -> Work:
        """Offer nothing for it."""
        if isinstance(self.find_capability(request), Ask):
            return {"kind": "PROPOSALS", "proposals": []}
        return (yield from super().intent(request))


@fault("yea/asks-are-committed-by-auto", ONLY_READ)
class CommitsAsks(Service):
    """Answers an auto INTENT of an ask capability by a RECEIPT."""

    def intent(self, request: Request) -> Work:
        """Make one up."""
        if request.auto and isinstance(self.find_capability(request), Ask):
            return {"kind": "RECEIPT", "receipt": {"id": "r_0", "summary": "done"}, "auto": True}
        return (yield from super().intent(request))


@fault("yea/intent-of-an-ask-is-not-found", ONLY_READ, outcome="warned")
class OtherCode(Service):
    """Refuses an INTENT of an ask capability as not_found."""

    def intent(self, request: Request) -> Work:
        """Use that code."""
        if isinstance(self.find_capability(request), Ask):
            return {"kind": "ERROR", "code": "not_found", "message": "no such intent"}
        return (yield from super().intent(request))
