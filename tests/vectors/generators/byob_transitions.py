"""byob.transition: every state of a task with every event, and words that are neither (BYOB 9)."""

from typing import Any

from tests.vectors.generators.documents import Json, case, document, group, ok, refused

OP = "byob.transition"
NOTES = {
    "arrow-missing": ("refuses a step that the state machine draws", "BYOB-9-40 BYOB-9-43 BYOB-9-46 BYOB-9-49"),
    "owner-late": ("lets an owner decide twice, or on a task that has left awaiting_approval", "BYOB-9-55 BYOB-9-75"),
    "runs-unapproved": ("lets an executor begin before the owner has approved", "BYOB-9-52 BYOB-9-53"),
    "receipt-anywhere": ("takes a receipt for a task that is not running", "BYOB-9-56 BYOB-9-62 BYOB-9-76"),
    "verdict-anywhere": ("takes a verdict on a task that has not been reported", "BYOB-9-54 BYOB-9-57 BYOB-9-59"),
    "ended-reopens": ("lets a task leave rejected, verified or failed", "BYOB-9-64 BYOB-9-68 BYOB-9-72"),
    "words-unknown": ("guesses at words that are no state or no event", "BYOB-9-42 BYOB-9-45"),
    "watchdog-anywhere": ("lets the watchdog stall what is neither approved nor running", "BYOB-9-79 BYOB-9-80"),
}
EVENTS = ("approve", "reject", "status:running", "status:failed", "receipt", "verify:pass", "verify:fail", "watchdog")
# The diagram: for each state its arrows, event and next state and clause.
DRAWN: dict[str, dict[str, tuple[str, str]]] = {
    "awaiting_approval": {"approve": ("approved", "BYOB-9-40"), "reject": ("rejected", "BYOB-9-41")},
    "approved": {
        "status:running": ("running", "BYOB-9-42"),
        "status:failed": ("failed", "BYOB-9-43"),
        "watchdog": ("stalled", "BYOB-9-48"),
    },
    "running": {"receipt": ("reported", "BYOB-9-44"), "watchdog": ("stalled", "BYOB-9-49")},
    "reported": {"verify:pass": ("verified", "BYOB-9-45"), "verify:fail": ("failed", "BYOB-9-46")},
    "stalled": {"status:running": ("running", "BYOB-9-47")},
    "rejected": {},
    "verified": {},
    "failed": {},
}
# What it does not draw: for each state the clauses that refuse an owner's decision, a status, a receipt, a verdict.
REFUSED: dict[str, dict[str, str]] = {
    "awaiting_approval": {"status": "BYOB-9-52", "receipt": "BYOB-9-53", "verify": "BYOB-9-54"},
    "approved": {"owner": "BYOB-9-55", "receipt": "BYOB-9-56", "verify": "BYOB-9-57"},
    "running": {"owner": "BYOB-9-58", "verify": "BYOB-9-59"},
    "reported": {"owner": "BYOB-9-60", "status": "BYOB-9-61", "receipt": "BYOB-9-62"},
    "verified": {"owner": "BYOB-9-63", "status": "BYOB-9-64", "receipt": "BYOB-9-65", "verify": "BYOB-9-66"},
    "failed": {"owner": "BYOB-9-67", "status": "BYOB-9-68", "receipt": "BYOB-9-69", "verify": "BYOB-9-70"},
    "rejected": {"owner": "BYOB-9-71", "status": "BYOB-9-72", "receipt": "BYOB-9-73", "verify": "BYOB-9-74"},
    "stalled": {"owner": "BYOB-9-75", "receipt": "BYOB-9-76", "verify": "BYOB-9-77"},
}
FLAGS = {"owner": "owner-late", "receipt": "receipt-anywhere", "verify": "verdict-anywhere"}
UNWATCHED = {"awaiting_approval": "BYOB-9-79", "reported": "BYOB-9-80"}  # the ended ones: BYOB-9-81
ENDED = ("rejected", "verified", "failed")
NO = refused("E_TASK_STATE")


def _case(state: str, event: str, *expected: Json, **options: Any) -> Json:
    return case(OP, f"{state} {event}", {"state": state, "event": event}, *expected, **options)


def _drawn() -> Json:
    cases = [
        _case(state, event, ok(state=following), clauses=clause, flags="arrow-missing")
        for state, arrows in DRAWN.items()
        for event, (following, clause) in arrows.items()
    ]
    return group("the arrows of the state machine", "", cases)


def _undrawn() -> Json:
    cases = []
    for state, clauses in REFUSED.items():
        for event in EVENTS:
            word = {"approve": "owner", "reject": "owner"}.get(event, event.partition(":")[0])
            if word not in clauses or event in DRAWN[state]:
                continue
            flags = [FLAGS[word]] if word in FLAGS else []
            flags += ["ended-reopens"] if state in ENDED else []
            flags += ["runs-unapproved"] if state == "awaiting_approval" and word in ("status", "receipt") else []
            cases.append(_case(state, event, NO, clauses=clauses[word], flags=" ".join(flags)))
    return group("what no arrow allows", "", cases)


def _open() -> Json:
    more: dict[str, Any] = {"basis": "open"}
    watchdogs = [
        _case(
            state,
            "watchdog",
            refused(),
            ok(state=state),
            clauses=UNWATCHED.get(state, "BYOB-9-81" if state in ENDED else "BYOB-9-79"),
            question="BYOB-Q101",
            flags="watchdog-anywhere",
            comment="refused, or nothing happens",
            **more,
        )
        for state in ("awaiting_approval", "reported", "verified", "failed", "rejected", "stalled")
    ]
    return group(
        "what the text leaves open",
        "",
        [
            _case(
                "running",
                "status:failed",
                ok(state="failed"),
                NO,
                clauses="BYOB-9-50",
                question="BYOB-Q098",
                comment="not drawn; the rule for a withheld receipt needs it",
                **more,
            ),
            _case(
                "running",
                "status:running",
                ok(state="running"),
                NO,
                clauses="BYOB-9-51",
                question="BYOB-Q099",
                comment="not drawn; an executor that shows that it lives",
                **more,
            ),
            _case(
                "stalled",
                "status:failed",
                NO,
                ok(state="failed"),
                clauses="BYOB-9-78",
                question="BYOB-Q100",
                comment="not drawn; an executor that gives up",
                **more,
            ),
            *watchdogs,
        ],
    )


def _words() -> Json:
    words = (
        ("done", "verify:pass", "BYOB-9-45", "a bot that says done has said something"),
        ("Approved", "status:running", "BYOB-9-42", "the states are written in lower case"),
        ("reported", "verify:done", "BYOB-9-45", "a verdict is pass or fail"),
        ("approved", "status:reported", "BYOB-9-42", "a status is running or failed"),
        ("running", "say", "BYOB-9-44", "speech is no event of a task"),
        ("", "approve", "BYOB-9-40", "no state at all"),
    )
    cases = [
        case(
            OP,
            f"unknown {state or 'empty'} {event}",
            {"state": state, "event": event},
            refused(),
            clauses=clause,
            comment=comment,
            flags="words-unknown",
        )
        for state, event, clause, comment in words
    ]
    return group("words that are no state or no event", "", cases)


def make() -> Json:
    """The file."""
    return document(OP, "9", [_drawn(), _undrawn(), _open(), _words()], NOTES)
