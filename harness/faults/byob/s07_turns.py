"""BYOB 7: topologies that give the floor to the wrong seat, have too few turns or too many, or other deciders."""

from collections.abc import Callable, Mapping
from typing import Any

from harness.faults import Fault, add
from reference.byob.addressing import named_seats
from reference.byob.table import Table
from reference.byob.topologies import POLICIES, Grant, Turn

ROUND = "byob/7/broadcast-goes-round"
HAND = "byob/7/raised-hand-is-served-next"
DEBATE = "byob/7/debate-ends-with-the-judge"
PIPE = "byob/7/pipeline-goes-by-stages"
HUB = "byob/7/hub-hands-the-floor-to-a-spoke"
NOBODY = "byob/7/hub-without-a-spoke-keeps-the-floor"
SPOKE = "byob/7/spokes-hand-the-floor-to-nobody"
TREE = "byob/7/tree-hands-the-floor-down-and-up"
PAST = "byob/7/tree-hands-to-direct-reports-only"
ROUNDS = "byob/7/rounds-are-turns-of-the-head"
PASSING = "byob/7/head-that-passes-ends-the-rounds"
DECIDERS = "byob/7/default-deciders"
RANDOM = {
    "broadcast": "byob/7/broadcast-random-session",
    "debate": "byob/7/debate-random-session",
    "pipeline": "byob/7/pipeline-random-session",
    "hub_spoke": "byob/7/hub-random-session",
    "delegation": "byob/7/tree-random-session",
}
Config = Mapping[str, Any]
Method = Callable[..., Any]


def ruled(kind: str, **methods: Method) -> type[Table]:
    """Make a table whose policy of one topology has other methods; each gets the right policy before its arguments."""
    right = POLICIES[kind]

    def bound(method: Method) -> Method:
        return lambda self, *given: method(right, *given)

    broken = type("Ruled", (type(right),), {name: bound(method) for name, method in methods.items()})()
    return type("RuledTable", (Table,), {"policies": {**Table.policies, kind: broken}})


def _rows(kind: str, *rows: tuple[str, str, tuple[str, ...], dict[str, Method]]) -> None:
    """Add a fault for each row: its words, what it does, the checks that must fail, the methods."""
    for words, says, kills, methods in rows:
        add(Fault(f"byob/{words}", says, kills, ruled(kind, **methods)))


# A fixed order: `speaker` says whose turn a number is.


def _ends(topology: Config, turn: int, size: int, more: int) -> bool:
    return turn > size * (int(topology["rounds"]) + more)


def _backwards(right: Any, topology: Config, turn: int) -> str | None:
    order = topology.get("order") or topology["stages"]
    return None if _ends(topology, turn, len(order), 0) else str(order[-turn % len(order)])


def _rounds(more: int, rounds: int | None = None) -> Method:
    """Make a speaker that counts some more rounds, or so many whatever is configured."""

    def speaker(right: Any, topology: Config, turn: int) -> str | None:
        given = rounds if rounds is not None else int(topology["rounds"]) + more
        who: str | None = right.speaker({**topology, "rounds": given}, turn)
        return who

    return speaker


def _each_twice(right: Any, topology: Config, turn: int) -> str | None:
    stages, rounds = topology["stages"], int(topology["rounds"])
    return str(stages[(turn - 1) // rounds]) if turn <= len(stages) * rounds else None


def _unserved(right: Any, config: Config, state: Config, turn: Turn) -> Grant | None:
    who = right.speaker(config["topology"], state["turn"] + 1)
    return None if who is None else Grant(who, {"turn": state["turn"] + 1})


def _hand_is_the_turn(right: Any, config: Config, state: Config, turn: Turn) -> Grant | None:
    grant: Grant | None = right.after(config, state, turn)
    return Grant(grant.holder, {"turn": state["turn"] + 1}) if grant is not None else None


def _con_first(right: Any, topology: Config, turn: int) -> str | None:
    who: str | None = right.speaker({**topology, "pro": topology["con"], "con": topology["pro"]}, turn)
    return who


def _judge_between(right: Any, topology: Config, turn: int) -> str | None:
    parts = [topology["pro"], topology["con"], topology["judge"]]
    return None if _ends(topology, turn, 3, 0) else str(parts[(turn - 1) % 3])


def _no_judge(right: Any, topology: Config, turn: int) -> str | None:
    who = right.speaker(topology, turn)
    return None if who == topology["judge"] else str(who)


def _after_judge(right: Any, topology: Config, turn: int) -> str | None:
    return str(right.speaker(topology, turn) or topology["pro"])


_rows(
    "broadcast",
    ("broadcast-goes-backwards", "Goes round a broadcast from the last seat on.", (ROUND, RANDOM["broadcast"]),
     {"speaker": _backwards}),
    ("broadcast-has-a-round-too-many", "Gives a broadcast one round more.", (ROUND,), {"speaker": _rounds(1)}),
    ("broadcast-has-a-round-too-few", "Gives a broadcast one round less.", (ROUND,), {"speaker": _rounds(-1)}),
    ("hands-are-not-served", "Goes on with the round when a hand is raised.", (HAND,), {"after": _unserved}),
    ("hands-take-the-next-turn", "Leaves out who was next after serving a hand.", (HAND,),
     {"after": _hand_is_the_turn}),
)  # fmt: skip
_rows(
    "debate",
    ("con-begins", "Lets con begin a debate.", (DEBATE, RANDOM["debate"]), {"speaker": _con_first}),
    ("judge-follows-every-round", "Gives the judge a turn in every round.", (DEBATE,), {"speaker": _judge_between}),
    ("judge-has-no-turn", "Ends a debate without the judge's turn.", (DEBATE,), {"speaker": _no_judge}),
    ("pro-follows-the-judge", "Gives pro the floor after the judge.", (DEBATE,), {"speaker": _after_judge}),
    ("debate-has-one-round", "Plays one round of a debate, whatever is configured.", (DEBATE,),
     {"speaker": _rounds(0, 1)}),
)  # fmt: skip
_rows(
    "pipeline",
    ("stages-go-backwards", "Begins a pipeline with its last stage.", (PIPE, RANDOM["pipeline"]),
     {"speaker": _backwards}),
    ("pipeline-goes-through-once", "Plays the stages once, whatever rounds says.", (PIPE,), {"speaker": _rounds(0, 1)}),
    ("pipeline-goes-on", "Plays one round of the stages more.", (PIPE,), {"speaker": _rounds(1)}),
    ("stages-speak-twice-in-a-row", "Lets each stage have all its rounds before the next.", (PIPE,),
     {"speaker": _each_twice}),
)  # fmt: skip


# A hub, and a tree: `opening`, `may_hand` and `after`.


def _first_below(right: Any, config: Config) -> Grant:
    topology = config["topology"]
    below = topology["reports"][topology["hub"]] if "reports" in topology else topology["spokes"]
    return Grant(below[0], {"turn": 1, "stack": [topology["hub"]]})


def _never(right: Any, topology: Config, holder: str, seat: str) -> bool:
    return False


def _anybody(right: Any, topology: Config, holder: str, seat: str) -> bool:
    return holder != seat


def _by_the_root(right: Any, topology: Config, holder: str, seat: str) -> bool:
    return bool(holder == topology["hub"] and right.may_hand(topology, holder, seat))


def _to_everybody(right: Any, config: Config, state: Config, turn: Turn) -> Grant | None:
    topology = config["topology"]
    if turn.holder == topology["hub"] and turn.kind == "say" and not named_seats(turn.to):
        return Grant(topology["spokes"][0], {"turn": state["turn"], "stack": [turn.holder]})
    grant: Grant | None = right.after(config, state, turn)
    return grant


def _kept(*kinds: str) -> Method:
    """Make an `after` that leaves the floor with a spoke whose turn ended like this."""

    def after(right: Any, config: Config, state: Config, turn: Turn) -> Grant | None:
        if state["stack"] and turn.kind in kinds:
            return Grant(turn.holder, dict(state))
        grant: Grant | None = right.after(config, state, turn)
        return grant

    return after


def _straight_up(right: Any, config: Config, state: Config, turn: Turn) -> Grant | None:
    grant: Grant | None = right.after(config, state, turn)
    down = grant is not None and len(grant.state["stack"]) > len(state["stack"])
    return grant if down or not state["stack"] else right.after(config, {**state, "stack": state["stack"][:1]}, turn)


def _every_turn(right: Any, config: Config, state: Config, turn: Turn) -> Grant | None:
    grant: Grant | None = right.after(config, state, turn)
    over = grant is None or state["turn"] >= config["topology"]["rounds"] + 1
    return None if over or grant is None else Grant(grant.holder, {**grant.state, "turn": state["turn"] + 1})


def _endless(right: Any, config: Config, state: Config, turn: Turn) -> Grant | None:
    grant: Grant | None = right.after({**config, "topology": {**config["topology"], "rounds": 10_000}}, state, turn)
    return grant


def _one_less(right: Any, config: Config, state: Config, turn: Turn) -> Grant | None:
    rounds = config["topology"]["rounds"] - 1
    grant: Grant | None = right.after({**config, "topology": {**config["topology"], "rounds": rounds}}, state, turn)
    return grant


def _pass_goes_on(right: Any, config: Config, state: Config, turn: Turn) -> Grant | None:
    grant: Grant | None = right.after(config, state, Turn(turn.holder, "say", turn.to, turn.hands))
    return grant


def _any_pass_ends(right: Any, config: Config, state: Config, turn: Turn) -> Grant | None:
    grant: Grant | None = None if turn.kind == "pass" else right.after(config, state, turn)
    return grant


_rows(
    "hub_spoke",
    ("first-spoke-begins", "Gives a spoke the floor first.", (HUB,), {"opening": _first_below}),
    ("hub-hands-nothing-over", "Keeps the floor with the hub, whoever is addressed.", (HUB, RANDOM["hub_spoke"]),
     {"may_hand": _never}),
    ("hub-to-everybody-hands-over", "Gives a spoke the floor when the hub speaks to everybody.",
     (NOBODY, RANDOM["hub_spoke"]), {"after": _to_everybody}),
    ("spokes-keep-the-floor", "Leaves the floor with a spoke that has said.", (HUB,), {"after": _kept("say")}),
    ("spokes-that-pass-keep-the-floor", "Leaves the floor with a spoke that passes.", (HUB,),
     {"after": _kept("pass")}),
    ("spokes-hand-the-floor-on", "Lets a spoke hand the floor to another one.", (SPOKE,), {"may_hand": _anybody}),
)  # fmt: skip
_rows(
    "delegation",
    ("first-report-begins", "Gives a report of the root the floor first.", (TREE,), {"opening": _first_below}),
    ("only-the-root-hands-over", "Lets no manager but the root hand the floor over.", (TREE,),
     {"may_hand": _by_the_root}),
    ("floor-goes-to-anybody", "Lets a seat of a tree hand the floor to anybody.", (PAST,), {"may_hand": _anybody}),
    ("floor-returns-to-the-root", "Gives the floor back to the root past the managers between.",
     (TREE, RANDOM["delegation"]), {"after": _straight_up}),
)  # fmt: skip
for _kind, _short in (("hub_spoke", "hub"), ("delegation", "tree")):
    _rows(
        _kind,
        (f"{_short}-counts-every-turn", "Counts the turns of all seats as rounds.", (ROUNDS,), {"after": _every_turn}),
        (f"{_short}-counts-no-rounds", "Goes on whatever rounds says.", (ROUNDS,), {"after": _endless}),
        (f"{_short}-has-a-round-less", "Gives the hub or root one turn less.", (ROUNDS,), {"after": _one_less}),
        (f"{_short}-goes-on-after-a-pass", "Takes a pass of the hub or root for any turn.", (PASSING,),
         {"after": _pass_goes_on}),
        (f"{_short}-ends-by-any-pass", "Ends the rounds when anybody passes.", (PASSING,), {"after": _any_pass_ends}),
    )  # fmt: skip


# Who decides.


def _everybody(right: Any, config: Config) -> tuple[str, ...]:
    return tuple(right.seats(config))


def _nobody(right: Any, config: Config) -> tuple[str, ...]:
    return ()


for _kind in POLICIES:
    _rows(_kind, (f"all-seats-decide-in-a-{_kind.replace('_', '-')}", f"Lets every seat of a {_kind} decide.",
                  (DECIDERS,), {"deciders": _everybody}))  # fmt: skip
    if _kind != "broadcast":
        _rows(_kind, (f"no-seat-decides-in-a-{_kind.replace('_', '-')}", f"Lets no seat of a {_kind} decide.",
                      (DECIDERS,), {"deciders": _nobody}))  # fmt: skip
