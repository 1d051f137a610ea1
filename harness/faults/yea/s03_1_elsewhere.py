"""YEA 3.1: rules for budget, goal, proof and params that a service keeps on some verbs only."""

from typing import Any

from harness.faults import Fault, add
from reference.yea.errors import YeaError
from reference.yea.service import Frame, Request, Service
from reference.yea.types import Json

BUDGETS = "yea/3.1/bad-budgets-fail-no-verb"
GOALS = "yea/3.1/odd-goals-are-ignored-on-ask-and-auto"
PARAMS = "yea/3.1/params-come-before-proof-and-grants"
UNNEEDED = "yea/3.1/malformed-proof-is-ignored-where-none-is-needed"
ON_UNDO = "yea/3.1/malformed-proof-is-none-on-undo"


def _strict(member: str, verb: str, code: str) -> type[Service]:
    """A service that refuses a malformed budget, goal or proof on one verb."""

    class Strict(Service):
        """Refuses what it should take for nothing."""

        def read_request(self, value: Json, raw: bytes, now: float) -> Request:
            """Look at the member."""
            request = super().read_request(value, raw, now)
            if request.verb == verb and member in request.frame and _is_odd(request, member):
                raise YeaError(code, f"`{member}` is malformed")
            return request

    return Strict


def _is_odd(request: Request, member: str) -> bool:
    value: Any = request.frame[member]
    if member == "budget":
        return value != request.budget or value is True
    return not isinstance(value, str) if member == "goal" else request.proof is None


# (member, verb, code, the check that finds it).
ODD: tuple[tuple[str, str, str, str], ...] = (
    *(("budget", verb, "bad_frame", BUDGETS) for verb in ("INTENT", "COMMIT", "UNDO", "EXPAND")),
    ("goal", "ASK", "bad_frame", GOALS),
    *(("proof", verb, "unauthorized", UNNEEDED) for verb in ("HELLO", "INTENT", "EXPAND")),
    ("proof", "UNDO", "bad_frame", ON_UNDO),
)
for _member, _verb, _code, _kills in ODD:
    _words = f"odd-{_member}-is-{_code.replace('_', '-')}-on-{_verb.lower()}"
    add(Fault(f"yea/{_words}", f"Refuses a malformed {_member} on {_verb}.", (_kills,), _strict(_member, _verb, _code)))


class _StrictAuto(Service):
    """Refuses an auto INTENT whose goal is no string."""

    def read_goal(self, frame: Frame) -> str | None:
        """Look at it."""
        goal = super().read_goal(frame)
        if frame.get("auto") is True and "goal" in frame and goal is None:
            raise YeaError("invalid_params", "`goal` is a string")
        return goal


add(Fault("yea/odd-goal-is-invalid-params-on-auto", str(_StrictAuto.__doc__), (GOALS,), _StrictAuto))


def _late(verb: str) -> type[Service]:
    class Late(Service):
        """Looks at params once it knows who asks."""

        def read_params(self, frame: Frame) -> dict[str, Json]:
            """Look at the proof and the grants of that verb first."""
            try:
                return super().read_params(frame)
            except YeaError:
                tokens = self.read_grants(frame)
                known = self.read_proof(frame) is not None and all(map(self.decode_grant, tokens))
                if frame.get("verb") == verb and tokens and not known:
                    raise YeaError("unauthorized", "the request needs a proof and valid grants") from None
                raise

    return Late


for _verb in ("ASK", "INTENT"):
    _says = f"Looks at the proof and grants of {_verb} before its params."
    add(Fault(f"yea/params-come-last-on-{_verb.lower()}", _says, (PARAMS,), _late(_verb)))
