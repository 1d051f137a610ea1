"""Faults of `byob.transition`: for each step that the state machine allows, and for each that it refuses (BYOB 9).

Both families are made from the diagram: an arrow that is missing, an arrow that leads elsewhere, an arrow too many.
"""

from collections.abc import Mapping

from harness.faults.adapter import AdapterFault, Answer, Arguments, add
from reference.byob.errors import ByobError
from reference.byob.tasks import EVENTS, STATES, TRANSITIONS, after

OP = "byob.transition"
Step = tuple[str, str]
UNDRAWN = frozenset({("running", "status:failed"), ("running", "status:running"), ("stalled", "status:failed")})
"""What the diagram does not draw and the text leaves open: no case can fail there."""
LEADS = {
    "approve": "approved",
    "reject": "rejected",
    "status:running": "running",
    "status:failed": "failed",
    "receipt": "reported",
    "verify:pass": "verified",
    "verify:fail": "failed",
    "watchdog": "stalled",
}
"""Where each event leads, if it leads anywhere."""


def _answered(transitions: Mapping[Step, str], arguments: Arguments) -> Answer:
    """The operation over another table of steps."""
    try:
        return {"ok": {"state": after(arguments["state"], arguments["event"], transitions)}}
    except ByobError as refusal:
        return {"error": {"code": refusal.code, "message": "refused"}}
    except ValueError as unknown:
        return {"error": {"message": str(unknown)}}


def _add(words: str, says: str, transitions: Mapping[Step, str], *steps: Step) -> None:
    kills = tuple(f"{OP}/{_words(*step)}" for step in steps)
    add(AdapterFault(f"adapter/{OP}/{words}", OP, says, kills, lambda arguments: _answered(transitions, arguments)))


def _words(state: str, event: str) -> str:
    return f"{state}-{event}".replace("_", "-").replace(":", "-")


DRAWN = {step: following for step, following in TRANSITIONS.items() if step not in UNDRAWN}
FREE = [(state, event) for state in STATES for event in EVENTS if event != "watchdog"]

for step, following in DRAWN.items():
    rest = {other: state for other, state in TRANSITIONS.items() if other != step}
    _add(f"{_words(*step)}-refused", f"Refuses {step[1]} in {step[0]}.", rest, step)
    elsewhere = "stalled" if following != "stalled" else "failed"
    wrong = {**TRANSITIONS, step: elsewhere}
    _add(f"{_words(*step)}-leads-elsewhere", f"Goes to {elsewhere} on {step[1]} in {step[0]}.", wrong, step)

for step in FREE:
    if step not in TRANSITIONS and step not in UNDRAWN:
        more = {**TRANSITIONS, step: LEADS[step[1]]}
        _add(f"{_words(*step)}-allowed", f"Allows {step[1]} in {step[0]}.", more, step)


def _other_code(arguments: Arguments) -> Answer:
    made = _answered(TRANSITIONS, arguments)
    return {"error": {"code": "E_NOT_OWNER"}} if "error" in made else made


def _stays(arguments: Arguments) -> Answer:
    made = _answered(TRANSITIONS, arguments)
    return {"ok": {"state": arguments["state"]}} if "code" in made.get("error", {}) else made


def _guesses(arguments: Arguments) -> Answer:
    """A word that is no state is taken for the nearest, and one that is no event for success."""
    state = arguments["state"].lower()
    known = state if state in STATES else "verified" if state == "done" else "awaiting_approval"
    event = arguments["event"] if arguments["event"] in EVENTS else "verify:pass"
    return _answered({**TRANSITIONS, ("verified", "verify:pass"): "verified"}, {"state": known, "event": event})


add(
    AdapterFault(
        f"adapter/{OP}/other-code",
        OP,
        "Refuses with another code.",
        (f"{OP}/approved-receipt", f"{OP}/verified-verify-pass"),
        _other_code,
    )
)
add(
    AdapterFault(
        f"adapter/{OP}/stays",
        OP,
        "Answers with the same state instead of refusing.",
        (f"{OP}/approved-receipt", f"{OP}/rejected-status-running", f"{OP}/verified-verify-pass"),
        _stays,
    )
)
add(
    AdapterFault(
        f"adapter/{OP}/guesses",
        OP,
        "Guesses at words that are no state or no event.",
        (f"{OP}/unknown-done-verify-pass", f"{OP}/unknown-approved-status-running", f"{OP}/unknown-empty-approve"),
        _guesses,
    )
)
