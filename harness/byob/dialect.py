"""What a host calls the things that the spec does not name: its dialect, learned once per run, never judged.

A profile can set any of it under [dialect]; what it sets is not learned. The report's notes show it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.byob.reading import Entry, Path, at, dotted, holds, walk
from harness.targets.answers import ABSENT

Json = Any
Tree = dict[str, list[str]]

# The shapes that the reports of a delegation may have (BYOB-Q019), made from {manager: [reports]}.
REPORTS: dict[str, Callable[[Tree], Json]] = {
    "map": lambda tree: tree,
    "pairs": lambda tree: [[manager, report] for manager, under in tree.items() for report in under],
    "list": lambda tree: [{"manager": manager, "reports": under} for manager, under in tree.items()],
    "parents": lambda tree: {report: manager for manager, under in tree.items() for report in under},
}
DECISIONS = (("approve", "reject"), ("approved", "rejected"), ("approval", "rejection"))  # BYOB-Q095
HEARTBEATS = (1000, 5000, 60_000)  # BYOB-Q022
PLACES = (
    "floor_granted.holder",
    "seat_joined.seat",
    "seat_joined.owner",
    "seat_joined.kind",
    "seat_joined.role",
    "task_opened.task",
    "task_opened.state",
    "task_opened.executor",
    "task_state.task",
    "task_state.state",
    "task_state.executor",
)
CORE = ("seq", "table", "kind", "event", "ts")


@dataclass
class Dialect:
    """A host's own words.

    Args:
        spokes: whether a hub_spoke config names its spokes.
        reports: which shape of REPORTS a delegation has.
        decisions: the words of an owner decision, for and against.
        decision_names_table: whether an owner decision repeats the table in its body (BYOB-Q096).
        artifact: `any` JSON, or `string` where a receipt takes nothing else (BYOB-Q050).
        heartbeat_ms: the smallest heartbeat that the host takes.
        parent_token: whether a sub-table is created with the parent's admin token (BYOB-Q024).
        places: where system entries keep what they tell: a key of PLACES to a path.
        total: the path of the token total in a memory; None where none was found.
        refuses_extra: topologies that take no seat which they do not name (BYOB-Q036).
        statuses: the status of each kind of success that was seen.
        fixed: what the profile has set, by name.
    """

    spokes: bool = True
    reports: str = "map"
    decisions: tuple[str, str] = DECISIONS[0]
    decision_names_table: bool = False
    artifact: str = "any"
    heartbeat_ms: int = HEARTBEATS[0]
    parent_token: bool = False
    places: dict[str, Path] = field(default_factory=dict)
    total: Path | None = None
    refuses_extra: set[str] = field(default_factory=set)
    statuses: dict[str, int] = field(default_factory=dict)
    fixed: frozenset[str] = frozenset()

    def topology(self, config: Mapping[str, Json]) -> dict[str, Json]:
        """Return a topology as this host takes it, from one with `spokes` and the map form of `reports`."""
        made = dict(config)
        if not self.spokes:
            made.pop("spokes", None)
        if isinstance(made.get("reports"), dict):
            made["reports"] = REPORTS[self.reports](made["reports"])
        return made

    def word(self, decision: Json) -> Json:
        """Return what the host calls `approve` or `reject`; anything else as it is."""
        return dict[Json, Json](zip(DECISIONS[0], self.decisions, strict=True)).get(decision, decision)

    def told(self, entry: Entry, what: str) -> Json:
        """Return what a system entry tells at the place of this host (`holder`, `task`, …); ABSENT when nothing."""
        path = self.places.get(f"{entry.get('event')}.{what}")
        return ABSENT if path is None else at(entry, path)

    def tells(self, entry: Entry, what: str, wanted: Json) -> bool:
        """Whether a system entry tells this: at its place where that is known, else anywhere in it."""
        told = self.told(entry, what)
        return holds(beside(entry), wanted) if told is ABSENT else told == wanted

    def lines(self) -> list[str]:
        """Return the dialect in plain sentences for the report."""
        statuses = ", ".join(f"{name} {status}" for name, status in sorted(self.statuses.items()))
        places = ", ".join(f"{name} at {dotted(path)}" for name, path in sorted(self.places.items()))
        words = [
            f"statuses: {statuses}" if statuses else "",
            "spokes are named" if self.spokes else "spokes are not named",
            f"reports as {self.reports}",
            f"an owner decision says {' or '.join(self.decisions)}",
            "it names its table too" if self.decision_names_table else "",
            "an artifact is a string" if self.artifact == "string" else "",
            f"heartbeat_ms from {self.heartbeat_ms}",
            "a sub-table needs its parent's admin token" if self.parent_token else "",
            f"the token total at {dotted(self.total)}" if self.total else "no token total was found",
            f"no further seats in {', '.join(sorted(self.refuses_extra))}" if self.refuses_extra else "",
            places,
        ]
        return [f"Dialect of the host, learned or set in the profile: {'; '.join(word for word in words if word)}."]


def beside(entry: Entry) -> Entry:
    """Return an entry without the members that every entry has."""
    return {name: value for name, value in entry.items() if name not in CORE}


def place_of(cases: list[tuple[Entry, Json]]) -> Path | None:
    """Return the nearest path at which each entry holds its value, or None. No case shows nothing."""
    common: list[Path] | None = None
    for entry, wanted in cases:
        here = [path for path, inner in walk(beside(entry)) if path and inner == wanted]
        common = here if common is None else [path for path in common if path in here]
    return min(common, key=len) if common else None
