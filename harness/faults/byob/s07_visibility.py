"""BYOB 7: topologies that show seats too little or too much."""

from collections.abc import Callable, Mapping
from typing import Any

from harness.faults import Fault, add
from harness.faults.byob.s07_turns import RANDOM, ruled
from reference.byob.table import Table
from reference.byob.types import Entry

BROADCAST = "byob/7/broadcast-shows-everything"
DEBATE = "byob/7/debate-shows-the-judge-the-says-of-the-sides"
PIPE = "byob/7/pipeline-shows-the-stage-before"
HUB = "byob/7/spokes-see-the-hub-and-what-is-theirs"
TREE = "byob/7/tree-shows-managers-reports-and-what-is-addressed"
When = Callable[[Mapping[str, Any], str, Entry], bool]


def seeing(kind: str, when: When, shows: bool) -> type[Table]:
    """Make a table whose topology shows or hides an entry of others where `when(topology, viewer, entry)` is true."""

    def sees(right: Any, config: Mapping[str, Any], seat: str, entry: Entry, seats: Any) -> bool:
        return shows if when(config["topology"], seat, entry) else bool(right.sees(config, seat, entry, seats))

    return ruled(kind, sees=sees)


def _to(entry: Entry, seat: str) -> bool:
    return f"@{seat}" in entry.get("to", ())


def _at(stages: list[str], seat: str) -> int:
    return stages.index(seat) if seat in stages else -100


def _reports(topology: Mapping[str, Any], seat: str) -> list[str]:
    return list(topology["reports"].get(seat, ()))


def _manager(topology: Mapping[str, Any], seat: str) -> str:
    return next((manager for manager, under in topology["reports"].items() if seat in under), "")


# Topology, words, what it does, when, shown or hidden, and the checks that see it.
VIEWS: tuple[tuple[str, str, str, When, bool, tuple[str, ...]], ...] = (
    ("broadcast", "addressed-says-are-private", "Shows a say to @seat to that seat only.",
     lambda t, v, e: "*" not in e.get("to", "*") and not _to(e, v), False, (BROADCAST,)),
    ("broadcast", "passes-are-private", "Shows a pass to nobody else.", lambda t, v, e: e["kind"] == "pass", False,
     (BROADCAST,)),
    ("broadcast", "hands-are-private", "Shows a raised hand to nobody else.",
     lambda t, v, e: e["kind"] == "raise_hand", False, (BROADCAST,)),
    ("broadcast", "further-seats-see-nothing", "Shows seats beside the order nothing.",
     lambda t, v, e: v not in t["order"], False, (BROADCAST,)),
    ("debate", "judge-does-not-see-con", "Hides what con says from the judge.",
     lambda t, v, e: v == t["judge"] and e["seat"] == t["con"], False, (DEBATE, RANDOM["debate"])),
    ("debate", "judge-sees-passes", "Shows the judge who passes.",
     lambda t, v, e: v == t["judge"] and e["kind"] == "pass", True, (DEBATE,)),
    ("debate", "judge-sees-hands", "Shows the judge who raises a hand.",
     lambda t, v, e: v == t["judge"] and e["kind"] == "raise_hand", True, (DEBATE,)),
    ("debate", "judge-sees-further-seats", "Shows the judge what seats beside the two sides say.",
     lambda t, v, e: v == t["judge"] and e["kind"] == "say", True, (DEBATE,)),
    ("debate", "sides-do-not-see-each-other-pass", "Hides passes from the sides.",
     lambda t, v, e: v != t["judge"] and e["kind"] == "pass", False, (DEBATE,)),
    ("debate", "sides-do-not-see-the-judge", "Hides what the judge says from the sides.",
     lambda t, v, e: e["seat"] == t["judge"], False, (DEBATE,)),
    ("debate", "sides-do-not-see-further-seats", "Hides what further seats say from the sides.",
     lambda t, v, e: e["seat"] not in t.values(), False, (DEBATE,)),
    ("pipeline", "stages-see-no-other", "Hides the stage before from a stage.",
     lambda t, v, e: v in t["stages"] and e["kind"] == "say", False, (PIPE, RANDOM["pipeline"])),
    ("pipeline", "stages-see-no-passes", "Hides the passes of the stage before.",
     lambda t, v, e: v in t["stages"] and e["kind"] == "pass", False, (PIPE,)),
    ("pipeline", "stages-see-all-before", "Shows a stage all stages before it.",
     lambda t, v, e: 0 <= _at(t["stages"], e["seat"]) < _at(t["stages"], v), True, (PIPE, RANDOM["pipeline"])),
    ("pipeline", "stages-see-the-next", "Shows a stage the one after it.",
     lambda t, v, e: _at(t["stages"], e["seat"]) == _at(t["stages"], v) + 1, True, (PIPE,)),
    ("pipeline", "further-seats-see-no-stage", "Shows a seat that is no stage nothing.",
     lambda t, v, e: v not in t["stages"], False, (PIPE,)),
    ("pipeline", "further-seats-see-the-last-stage", "Shows a seat that is no stage the last stage only.",
     lambda t, v, e: v not in t["stages"] and e["seat"] != t["stages"][-1], False, (PIPE,)),
    ("hub_spoke", "hub-sees-no-passes", "Hides the passes of spokes from the hub.",
     lambda t, v, e: v == t["hub"] and e["kind"] == "pass", False, (HUB,)),
    ("hub_spoke", "hub-sees-what-is-addressed", "Shows the hub only what is addressed to it.",
     lambda t, v, e: v == t["hub"] and not _to(e, v), False, (HUB, RANDOM["hub_spoke"])),
    ("hub_spoke", "spokes-see-what-the-hub-says-to-them", "Hides what the hub says to another spoke.",
     lambda t, v, e: e["seat"] == t["hub"] and e["kind"] == "say" and not _to(e, v), False, (HUB,)),
    ("hub_spoke", "spokes-see-each-other", "Shows spokes what the others say.",
     lambda t, v, e: e["kind"] == "say", True, (HUB, RANDOM["hub_spoke"])),
    ("hub_spoke", "spokes-see-each-other-pass", "Shows spokes who passes.",
     lambda t, v, e: e["kind"] == "pass", True, (HUB,)),
    ("hub_spoke", "spokes-see-hands", "Shows spokes who raises a hand.",
     lambda t, v, e: e["kind"] == "raise_hand", True, (HUB,)),
    ("hub_spoke", "spokes-do-not-see-what-is-addressed-to-them", "Hides from a spoke what another addresses to it.",
     lambda t, v, e: v != t["hub"] and e["seat"] != t["hub"] and _to(e, v), False, (HUB,)),
    ("delegation", "reports-do-not-see-managers", "Hides a manager from its reports unless it is addressed.",
     lambda t, v, e: e["seat"] == _manager(t, v) and not _to(e, v), False, (TREE,)),
    ("delegation", "managers-do-not-see-reports", "Hides reports from their manager.",
     lambda t, v, e: e["seat"] in _reports(t, v), False, (TREE, RANDOM["delegation"])),
    ("delegation", "siblings-see-each-other", "Shows a seat the other reports of its manager.",
     lambda t, v, e: bool(_manager(t, v)) and _manager(t, v) == _manager(t, e["seat"]), True, (TREE,)),
    ("delegation", "grandchildren-see-the-root", "Shows a seat its manager's manager.",
     lambda t, v, e: e["seat"] == _manager(t, _manager(t, v)), True, (TREE, RANDOM["delegation"])),
    ("delegation", "root-sees-grandchildren", "Shows a seat the reports of its reports.",
     lambda t, v, e: v == _manager(t, _manager(t, e["seat"])), True, (TREE, RANDOM["delegation"])),
    ("delegation", "tree-hides-what-is-addressed", "Hides from a seat of a tree what a stranger addresses to it.",
     lambda t, v, e: _to(e, v) and e["seat"] not in (*_reports(t, v), _manager(t, v)), False, (TREE,)),
)  # fmt: skip
for _kind, _words, _says, _when, _shows, _kills in VIEWS:
    add(Fault(f"byob/{_words}", _says, _kills, seeing(_kind, _when, _shows)))
