"""The clauses that a breach in a session at a table is told with (BYOB 7 to 9)."""

from fuzz.models.floor import OK

TRANSITION = (
    *("BYOB-9-40", "BYOB-9-41", "BYOB-9-42", "BYOB-9-43", "BYOB-9-44", "BYOB-9-45", "BYOB-9-46", "BYOB-9-47"),
)
FLOOR = {
    "broadcast": (
        "BYOB-7-14",
        "BYOB-7-15",
        "BYOB-7-16",
        "BYOB-7-17",
        "BYOB-8-09",
        "BYOB-8-17",
        "BYOB-8-21",
        "BYOB-8-27",
    ),
    "debate": ("BYOB-7-20", "BYOB-7-21", "BYOB-7-22", "BYOB-8-09", "BYOB-8-17", "BYOB-8-21", "BYOB-8-27"),
    "pipeline": ("BYOB-7-27", "BYOB-7-28", "BYOB-8-09", "BYOB-8-17", "BYOB-8-21", "BYOB-8-27"),
    "hub_spoke": (
        "BYOB-7-33",
        "BYOB-7-34",
        "BYOB-7-35",
        "BYOB-7-36",
        "BYOB-7-52",
        "BYOB-7-53",
        "BYOB-8-17",
        "BYOB-8-21",
        "BYOB-8-27",
    ),
    "delegation": (
        "BYOB-7-43",
        "BYOB-7-44",
        "BYOB-7-45",
        "BYOB-7-46",
        "BYOB-7-52",
        "BYOB-7-53",
        "BYOB-8-17",
        "BYOB-8-21",
        "BYOB-8-27",
    ),
}
SIGHT = {
    "broadcast": ("BYOB-7-18",),
    "debate": ("BYOB-7-23", "BYOB-7-24", "BYOB-7-25"),
    "pipeline": ("BYOB-7-29", "BYOB-7-30", "BYOB-7-31"),
    "hub_spoke": ("BYOB-7-38", "BYOB-7-39", "BYOB-7-40", "BYOB-7-41"),
    "delegation": ("BYOB-7-47", "BYOB-7-48", "BYOB-7-49", "BYOB-7-50"),
}
NO_FLOOR = {"say": "BYOB-8-01", "pass": "BYOB-8-02", "proposal": "BYOB-8-03", "decision": "BYOB-8-04"}
CLOSED = {"say": "BYOB-8-37", "pass": "BYOB-8-38", "proposal": "BYOB-8-39", "decision": "BYOB-8-40"}
DECIDERS = ("BYOB-7-19", "BYOB-7-26", "BYOB-7-32", "BYOB-7-42", "BYOB-7-51")
REFUSALS = {"E_NOT_FLOOR": NO_FLOOR, "E_TABLE_CLOSED": CLOSED}


def of_post(kind: str, allowed: set[str]) -> tuple[str, ...]:
    """Return the clauses by which a post of a kind was due one of these answers."""
    found = [known[kind] for code, known in REFUSALS.items() if code in allowed and kind in known]
    found += DECIDERS if "E_NOT_DECIDER" in allowed or (kind == "decision" and OK in allowed) else ()
    if found:
        return tuple(found)
    return {"say": ("BYOB-8-05", "BYOB-8-07"), "raise_hand": ("BYOB-8-06",)}.get(kind, ("BYOB-7-01",))


def of_sight(topology: str, kind: str, *, own: bool, overridden: bool) -> tuple[str, ...]:
    """Return the clauses by which a seat may see a post, or may not.

    Args:
        topology: of the table.
        kind: of the post.
        own: whether it is the seat's own.
        overridden: whether the seat has a visibility of its own.
    """
    if own:
        return ("BYOB-7-07",)
    if kind == "decision":
        return ("BYOB-7-04",)
    return ("BYOB-7-08", "BYOB-7-09", "BYOB-7-10") if overridden else SIGHT[topology]
