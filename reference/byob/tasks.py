"""What may happen to a task: one table (BYOB 9)."""

from collections.abc import Mapping

from reference.byob.errors import ByobError

STATES = ("awaiting_approval", "approved", "rejected", "running", "reported", "verified", "failed", "stalled")
"""The eight states of a task."""

EVENTS = (
    "approve",
    "reject",
    "status:running",
    "status:failed",
    "receipt",
    "verify:pass",
    "verify:fail",
    "watchdog",
)
"""What can happen to a task: an owner's decision, a post of the executor or a verifier, or silence."""

ENDED = frozenset({"rejected", "verified", "failed"})
"""The states that nothing leaves."""

WATCHED = frozenset({"approved", "running"})
"""The states in which the watchdog waits for progress."""

TRANSITIONS: dict[tuple[str, str], str] = {
    ("awaiting_approval", "approve"): "approved",
    ("awaiting_approval", "reject"): "rejected",
    ("approved", "status:running"): "running",
    ("approved", "status:failed"): "failed",
    ("approved", "watchdog"): "stalled",
    ("running", "receipt"): "reported",
    ("running", "watchdog"): "stalled",
    # BYOB 9 draws neither of these two. A withheld receipt becomes a failed status, which falls due while
    # running; and an executor shows progress by saying once more that it is running.
    ("running", "status:failed"): "failed",
    ("running", "status:running"): "running",
    ("reported", "verify:pass"): "verified",
    ("reported", "verify:fail"): "failed",
    ("stalled", "status:running"): "running",
}
"""(state, event) → the next state. What is not listed is refused (BYOB 9)."""


def event_of(post: Mapping[str, object]) -> str:
    """The event that a post of kind status, receipt or verify is to its task: `status:running`, `receipt`, …"""
    word = {"status": "state", "verify": "result"}.get(str(post["kind"]))
    return f"{post['kind']}:{post[word]}" if word else str(post["kind"])


def after(state: str, event: str, transitions: Mapping[tuple[str, str], str] = TRANSITIONS) -> str:
    """The state that follows `state` when `event` happens (BYOB 9).

    Raises ByobError E_TASK_STATE when the event is not allowed in that state, and ValueError for a word that is
    no state or no event.
    """
    if state not in STATES:
        raise ValueError(f"{state!r} is no state of a task: {', '.join(STATES)}")
    if event not in EVENTS:
        raise ValueError(f"{event!r} is nothing that happens to a task: {', '.join(EVENTS)}")
    following = transitions.get((state, event))
    if following is None:
        possible = [word for at, word in transitions if at == state]
        raise ByobError("E_TASK_STATE", f"{event} is not allowed while the task is {state}: {_listed(possible)}")
    return following


def _listed(events: list[str]) -> str:
    return f"it takes {', '.join(events)}" if events else "nothing changes it any more"
