"""Faults of the memory of auto INTENTs (YEA 4.3.1)."""

from harness.faults import fault
from reference.yea.conformance.calendar import EventIntent
from reference.yea.errors import YeaError
from reference.yea.jsontext import dumps
from reference.yea.service import Body, Reply, Request, Service
from reference.yea.service.executing import Authorized
from reference.yea.service.steps import Work
from reference.yea.service.store import AutoRecord, ProposalRecord

RECEIPT = "yea/4.3.1/repeat-returns-the-receipt"
PROPOSALS = "yea/4.3.1/repeat-returns-the-proposals"


@fault("yea/auto-is-not-remembered", RECEIPT, PROPOSALS, "yea/4.3.1/repeat-over-another-transport")
class NotRemembered(Service):
    """Plans and commits a repeat anew."""

    def recall_auto(self, name: str, request: Request) -> AutoRecord | None:
        return None


@fault("yea/auto-repeat-conflicts", RECEIPT)
class RepeatConflicts(Service):
    """Answers a repeat by an ERROR conflict."""

    def repeat_auto(self, request: Request, body: Body) -> Reply:
        raise YeaError("conflict", "this frame id was used before")


@fault("yea/auto-repeat-is-no-replay", RECEIPT)
class RepeatNoReplay(Service):
    """Leaves replay out of the reply to a repeat."""

    def repeat_auto(self, request: Request, body: Body) -> Reply:
        return self.reply(request.id, body)


@fault("yea/auto-repeat-forgets-auto", "yea/4.3.1/repeat-keeps-auto", outcome="warned")
class RepeatForgetsAuto(Service):
    """Leaves auto out of the reply to a repeat."""

    def repeat_auto(self, request: Request, body: Body) -> Reply:
        return super().repeat_auto(request, {name: value for name, value in body.items() if name != "auto"})


@fault("yea/auto-repeats-share-an-id", RECEIPT, PROPOSALS, transports=("tcp",))
class RepeatsShareAnId(Service):
    """Gives all repeats of an auto INTENT one reply id, on one connection too."""

    def repeat_auto(self, request: Request, body: Body) -> Reply:
        return self.made({**super().repeat_auto(request, body).frame, "id": f"s_{request.id}"})


@fault("yea/auto-repeat-names-the-reply", RECEIPT, PROPOSALS)
class RepeatNamesTheReply(Service):
    """Answers a repeat with another `re` than the frame's id."""

    def repeat_auto(self, request: Request, body: Body) -> Reply:
        return self.made({**super().repeat_auto(request, body).frame, "re": self.UNREADABLE})


@fault("yea/only-receipts-are-remembered", PROPOSALS)
class OnlyReceipts(Service):
    """Remembers an auto INTENT only when it was committed."""

    def recall_auto(self, name: str, request: Request) -> AutoRecord | None:
        known = super().recall_auto(name, request)
        return known if known is None or known.body is None or known.body["kind"] == "RECEIPT" else None


@fault("yea/running-autos-are-not-remembered", "yea/4.3.1/simultaneous-repeats-commit-once")
class RunningNotRemembered(Service):
    """Remembers an auto INTENT only once it is answered."""

    def recall_auto(self, name: str, request: Request) -> AutoRecord | None:
        known = super().recall_auto(name, request)
        return None if known is not None and known.body is None else known


@fault("yea/auto-memory-has-params", "yea/4.3.1/repeat-never-commits-other-params")
class MemoryHasParams(Service):
    """Knows a repeat by its params too."""

    def auto_name(self, request: Request) -> str | None:
        name = super().auto_name(request)
        return name and f"{name} {dumps(request.params)}"


@fault("yea/auto-memory-has-the-signature", "yea/4.3.1/repeat-signed-anew")
class MemoryHasSignature(Service):
    """Knows a repeat by its signature too."""

    def auto_name(self, request: Request) -> str | None:
        name = super().auto_name(request)
        return name and request.proof and f"{name} {request.proof.sig}"


@fault("yea/auto-memory-without-the-key", "yea/4.3.1/same-id-of-another-key")
class MemoryWithoutKey(Service):
    """Knows a repeat by its frame id alone."""

    def auto_name(self, request: Request) -> str | None:
        return super().auto_name(request) and request.id


@fault("yea/auto-memory-is-short", "yea/4.3.1/auto-memory-lasts")
class MemoryShort(Service):
    """Forgets an auto INTENT after 20 seconds."""

    AUTO_MEMORY = 20.0


@fault("yea/auto-memory-is-600-s", "yea/4.3.1/auto-memory-lasts-900-s")
class Memory600(Service):
    """Forgets an auto INTENT after 600 seconds."""

    AUTO_MEMORY = 600.0


@fault("yea/auto-memory-ends-before-the-proof", "yea/4.3.1/auto-memory-outlives-its-proof")
class MemoryFromArrival(Service):
    """Counts the memory of an auto INTENT from its arrival, also when its proof's time is later."""

    def auto_until(self, request: Request) -> float:
        return request.now + self.AUTO_MEMORY


@fault("yea/auto-repeat-judges-limits", "yea/4.3.1/repeat-ignores-used-up-totals")
class RepeatJudgesLimits(Service):
    """Judges the limits of a repeat again."""

    def repeat_auto(self, request: Request, body: Body) -> Reply:
        receipt = body.get("receipt")
        if isinstance(receipt, dict):
            record = self.find_proposal(str(receipt["proposal"]))
            if self.auto_authorized(request, record) is None:
                raise YeaError("consent_required", "a limit is passed")
        return super().repeat_auto(request, body)


@fault("yea/failed-auto-has-effects", "yea/4.3.1/failed-auto-commits-at-most-once")
class FailedAutoHasEffects(Service):
    """Applies an auto-commit that it says has failed."""

    def execute(self, record: ProposalRecord, request: Request, authorized: Authorized, *, auto: bool = False) -> Work:
        try:
            return (yield from super().execute(record, request, authorized, auto=auto))
        except YeaError:
            capability, change = self.capabilities[str(record.proposal["capability"])], record.job["change"]
            if auto and isinstance(capability, EventIntent) and isinstance(change, dict):
                capability.world.add(str(record.job["object"]), "", change)
            raise


@fault("yea/failed-autos-commit-each-time", "yea/4.3.1/failed-auto-commits-at-most-once")
class FailedAutosRepeat(Service):
    """Forgets an auto INTENT that failed once, and then every repeat of it too."""

    def recall_auto(self, name: str, request: Request) -> AutoRecord | None:
        flaky = request.frame.get("capability") == "shop.flaky"
        return None if flaky else super().recall_auto(name, request)
