"""BYOB 7: tables that hide what governs or what is a seat's own, and read overrides wrongly."""

from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add
from harness.faults.byob.s07_visibility import BROADCAST, DEBATE, HUB, PIPE, TREE
from reference.byob import visibility
from reference.byob.errors import ByobError
from reference.byob.table import Table
from reference.byob.types import GOVERNANCE, Entry

MATRICES = (BROADCAST, DEBATE, PIPE, HUB, TREE)
ONE = "byob/7/overrides-of-one-seat"
EVERY = "byob/7/overrides-in-every-topology"
GOVERNS = "byob/7/all-topologies-take-the-same-posts"
HIDING = "byob/7/overrides-hide-no-governance"


def sighted(sees: Callable[[Table, str, Entry], bool | None]) -> type[Table]:
    """Make a table that shows an entry or hides it by `sees`; None leaves it to the rules."""

    class Sighted(Table):
        """Sees otherwise."""

        def sees(self, seat: str, entry: Entry) -> bool:
            """Ask the change first."""
            changed = sees(self, seat, entry)
            return super().sees(seat, entry) if changed is None else changed

    return Sighted


def _by_policy(table: Table, seat: str, entry: Entry) -> bool:
    state = table.state
    return entry["seat"] == seat or state.policy.sees(state.config, seat, entry, state.seats)


def _hidden_like_says(kind: str) -> type[Table]:
    return sighted(lambda table, seat, entry: _by_policy(table, seat, entry) if entry["kind"] == kind else None)


for _kind in GOVERNANCE:
    add(Fault(f"byob/{_kind}-entries-follow-the-topology", f"Shows {_kind} entries to those only who see their writer.",
              (GOVERNS,), _hidden_like_says(_kind)))  # fmt: skip
add(Fault("byob/own-entries-are-hidden", "Does not show a seat what it wrote itself.", MATRICES,
          sighted(lambda t, s, e: False if e["seat"] == s and e["kind"] not in GOVERNANCE else None)))  # fmt: skip


def _override(table: Table, seat: str) -> list[str] | None:
    patterns: list[str] | None = table.state.config.get("visibility", {}).get(seat)
    return patterns


def _free(table: Table, seat: str, entry: Entry) -> bool:
    """Whether an override decides on an entry."""
    return entry["kind"] not in GOVERNANCE and entry["seat"] != seat and _override(table, seat) is not None


def _matched(table: Table, seat: str, entry: Entry, matches: Callable[[str, Entry], bool]) -> bool:
    return any(matches(pattern, entry) for pattern in _override(table, seat) or ())


def _by_pattern(matches: Callable[[str, Entry], bool]) -> type[Table]:
    """Make a table whose override patterns match otherwise."""
    return sighted(lambda t, seat, e: _matched(t, seat, e, matches) if _free(t, seat, e) else None)


def _by_both(both: Callable[[bool, bool], bool]) -> type[Table]:
    """Make a table that looks at the topology and at the override."""

    def sees(table: Table, seat: str, entry: Entry) -> bool | None:
        pattern = _matched(table, seat, entry, visibility.matches)
        return both(_by_policy(table, seat, entry), pattern) if _free(table, seat, entry) else None

    return sighted(sees)


def _parts(pattern: str) -> tuple[str, str]:
    seat, _, kind = pattern.rpartition(".")
    return seat, kind


def _for_all(table: Table, seat: str, entry: Entry) -> bool | None:
    overrides = table.state.config.get("visibility", {})
    if not overrides or entry["kind"] in GOVERNANCE or entry["seat"] == seat:
        return None
    return any(visibility.matches(pattern, entry) for patterns in overrides.values() for pattern in patterns)


OVERRIDES: tuple[tuple[str, str, tuple[str, ...], type[Table]], ...] = (
    ("overrides-are-ignored", "Looks at no override.", (ONE, EVERY),
     sighted(lambda t, seat, e: _by_policy(t, seat, e) if _free(t, seat, e) else None)),
    ("overrides-only-take-away", "Shows by an override only what the topology shows as well.", (ONE, EVERY),
     _by_both(lambda policy, pattern: policy and pattern)),
    ("overrides-only-add", "Hides by an override nothing that the topology shows.", (ONE, EVERY),
     _by_both(lambda policy, pattern: policy or pattern)),
    ("empty-overrides-are-none", "Takes an empty override for none.", (ONE, EVERY),
     sighted(lambda t, s, e: _by_policy(t, s, e) if _free(t, s, e) and not _override(t, s) else None)),
    ("overrides-hold-for-all", "Applies the overrides of one seat to all.", (ONE, EVERY), sighted(_for_all)),
    ("overrides-hide-governance", "Hides by an override what governs.", (HIDING,),
     sighted(lambda t, s, e: _matched(t, s, e, visibility.matches) if _override(t, s) is not None else None)),
    ("overrides-hide-own-entries", "Hides by an override what the seat wrote itself.", (ONE, EVERY),
     sighted(lambda t, s, e: _matched(t, s, e, visibility.matches)
             if e["kind"] not in GOVERNANCE and _override(t, s) is not None else None)),
    ("patterns-ignore-the-kind", "Shows by a pattern every kind of its seat.", (ONE, EVERY),
     _by_pattern(lambda pattern, e: _parts(pattern)[0] in ("*", e["seat"]))),
    ("patterns-ignore-the-seat", "Shows by a pattern its kind of every seat.", (ONE, EVERY),
     _by_pattern(lambda pattern, e: _parts(pattern)[1] in ("*", e["kind"]))),
    ("star-is-no-seat", "Takes `*` in the place of a seat for a name.", (ONE, EVERY),
     _by_pattern(lambda pattern, e: _parts(pattern)[0] == e["seat"] and _parts(pattern)[1] in ("*", e["kind"]))),
    ("star-is-no-kind", "Takes `*` in the place of a kind for a name.", (ONE, EVERY),
     _by_pattern(lambda pattern, e: _parts(pattern)[0] in ("*", e["seat"]) and _parts(pattern)[1] == e["kind"])),
    ("only-the-first-pattern-counts", "Looks at the first pattern of an override only.", (ONE, EVERY),
     sighted(lambda t, s, e: any(visibility.matches(p, e) for p in (_override(t, s) or ())[:1])
             if _free(t, s, e) else None)),
)  # fmt: skip
for _words, _says, _kills, _made in OVERRIDES:
    add(Fault(f"byob/{_words}", _says, _kills, _made))


# Topologies that do not take what the others take


def _refusing(kind: str, topology: str) -> type[Table]:
    class Refusing(Table):
        """Refuses a kind on one topology."""

        def post(self, seat: str, body: Any, now: int) -> Entry:
            """Find its shape wrong."""
            if body.get("kind") == kind and self.state.config["topology"]["kind"] == topology:
                raise ByobError("E_SCHEMA", f"a {topology} takes no {kind}")
            return super().post(seat, body, now)

    return Refusing


for _topology, _kind in (("pipeline", "proposal"), ("debate", "verify"), ("hub_spoke", "status"),
                         ("delegation", "receipt"), ("broadcast", "decision")):  # fmt: skip
    add(Fault(f"byob/no-{_kind}-in-a-{_topology.replace('_', '-')}", f"Takes no {_kind} on a {_topology}.", (GOVERNS,),
              _refusing(_kind, _topology)))  # fmt: skip
