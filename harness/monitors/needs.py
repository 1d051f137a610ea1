"""Which roles of a profile make a thing appear that monitors look at: without any of them, seeing none is no gap."""

from collections.abc import Container

from harness.profile import INTENT_ROLES, READ_ROLES

SHOWN_BY: dict[str, tuple[str, ...]] = {
    "ANSWER": tuple(sorted(READ_ROLES)),
    "CLARIFY": ("clarify",),
    "uses": ("uses",),
    "cut": ("big-ask", "big-text"),
    "more": ("big-ask", "big-text"),
    **dict.fromkeys(("PROPOSALS", "proposal", "RECEIPT", "receipt", "effect"), INTENT_ROLES),
}


def missing(thing: str, offered: Container[str]) -> str:
    """Return why nothing shows a thing to a monitor: the profile offers none of its roles. Empty when one does."""
    roles = SHOWN_BY.get(thing, ())
    if not roles or any(role in offered for role in roles):
        return ""
    return f"the profile offers no role {' or '.join(roles[:2])}"
