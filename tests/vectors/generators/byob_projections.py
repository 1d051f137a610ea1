"""The table of projections (BYOB 6): ledgers, and what each seat reads of them.

A ledger is written down entry by entry; beside it stands by hand what follows from it: which entries a seat does not
see, which bodies are cut, who has the floor from which entry on, and how a task stands. The cases ask at some points.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.vectors.generators.byob_second import JENNY, OMAR, TAO, digest
from tests.vectors.generators.documents import Json, slug

OWNERS = {name: {"public_key": key.public} for name, key in {"tao": TAO, "jenny": JENNY, "omar": OMAR}.items()}
LONG = "The first hundred characters are enough. "  # 41 characters
SURE = ("approved", "running")  # the executor's list holds such a task; the rest is open (BYOB-Q063)
Steps = Sequence[tuple[int, Any]]
"""What holds from an entry on: (seq, what), in order."""


@dataclass
class Ledger:
    """A ledger in the making."""

    config: Json
    entries: list[Json] = field(default_factory=list)

    def add(self, seat: str, kind: str, **members: Any) -> int:
        """Write an entry; returns its seq."""
        seq = len(self.entries) + 1
        ts = f"2026-11-03T12:{seq // 60:02}:{seq % 60:02}.000Z"
        head = {"seq": seq, "table": self.config["id"], "seat": seat, "kind": kind}
        self.entries.append({**head, **members, "ts": ts})
        return seq

    def opened(self) -> None:
        """The first entry."""
        self.add("core", "system", event="table_opened", config=self.config)

    def joined(self, seat: str, owner: str, kind: str = "bot", role: str | None = None, **card: Any) -> Json:
        """A seat's entry; returns what a prefix shows of the seat."""
        made = {"bot": f"the bot of {seat}", "proxy": False, "capabilities": [], **card}
        roles = {} if role is None else {"role": role}
        self.add("core", "system", event="seat_joined", joined=seat, owner=owner, member=kind, **roles, card=made)
        return {"seat": seat, "owner": owner, "kind": kind, **roles, **made}

    def granted(self, seat: str, turn: int) -> int:
        """The floor for a seat."""
        more = {} if "max_chars" not in self.config["floor"] else {"max_chars": self.config["floor"]["max_chars"]}
        return self.add("core", "system", event="floor_granted", holder=seat, policy={"turn": turn}, **more)

    def said(self, seat: str, body: str, *to: str, **members: Any) -> int:
        """A say."""
        return self.add(seat, "say", to=list(to or ("*",)), body=body, **members)


@dataclass
class Scene:
    """A ledger and what follows from it.

    Args:
        prefixes: the prefix from an entry on.
        floor: the holder and the seq of the grant, from an entry on.
        tasks: task id to its state, from an entry on.
        hidden: for each seat the entries that it does not see.
        open: for each seat the entries that it may see or not.
        cut: the entries whose bodies are longer than the limit.
        involved: the seats that a task is surely listed for.
        strangers: the seats that it is surely not listed for.
    """

    name: str
    ledger: Ledger
    prefixes: Steps
    floor: Steps
    hidden: Mapping[str, Sequence[int]] = field(default_factory=dict)
    open: Mapping[str, Sequence[int]] = field(default_factory=dict)
    cut: Sequence[int] = ()
    tasks: Steps = ()
    involved: Sequence[str] = ()
    strangers: Sequence[str] = ()
    closed: int | None = None

    def group(self, asked: Sequence[tuple[str, int, int, str]]) -> Json:
        """The group of cases. asked: seat, since, how many entries there are, and the clauses that it shows."""
        prefixes = [{"from": seq, "prefix": prefix, "hash": digest(prefix)} for seq, prefix in self.prefixes]
        cases = [self._case(*each) for each in asked]
        config = self.ledger.config
        return {
            "name": self.name,
            "config": config,
            "ledger": self.ledger.entries,
            "prefixes": prefixes,
            "cases": cases,
        }

    def _case(self, seat: str, since: int, at: int, clauses: str) -> Json:
        new = range(since + 1, at + 1)
        open_ = [seq for seq in new if seq in self.open.get(seat, ())]
        tail = [seq for seq in new if seq not in self.hidden.get(seat, ()) and seq not in open_]
        holder, grant = _at(self.floor, at) or (None, None)
        expected = {
            "tail": tail,
            **({"open": open_} if open_ else {}),
            "cut": [seq for seq in (*tail, *open_) if seq in self.cut],
            "cursor": [tail[-1] if tail else min(since, at), at],
            "floor": {"holder": holder, "grant_seq": grant},
            "status": "closed" if self.closed is not None and at >= self.closed else "open",
            "my_tasks": self._tasks(seat, at),
        }
        name = slug(f"{self.name} {seat} of {at} since {since}")
        ids = [f"BYOB-{number}" for number in clauses.split()]
        return {
            "id": f"projections/{name}",
            "clauses": ids,
            "seat": seat,
            "since": since,
            "at": at,
            "expected": expected,
        }

    def _tasks(self, seat: str, at: int) -> Json:
        tasks: dict[str, str] = _at(self.tasks, at) or {}
        sure = {task: state for task, state in tasks.items() if seat in self.involved and state in SURE}
        return {"listed": sure, "not_listed": sorted(tasks) if seat in self.strangers else []}


def _at(steps: Steps, at: int) -> Any:
    return next((what for seq, what in reversed(steps) if seq <= at), None)


def _prefix(config: Json, seats: Sequence[Json], decisions: Sequence[Json] = ()) -> Json:
    rules = {name: config[name] for name in ("topology", "floor", "termination")}
    return {"topic": config["topic"], "rules": rules, "seats": list(seats), "decisions": list(decisions)}


def _config(name: str, topology: Json, **members: Any) -> Json:
    floor = {"max_chars": 200}
    head = {"id": name, "topic": f"The topic of {name}", "owners": OWNERS, "topology": topology, "floor": floor}
    return {**head, "termination": {"any": ["decision", "rounds_exhausted"]}, **members}


def _debate() -> Json:
    config = _config(
        "t-debate",
        {"kind": "debate", "pro": "p", "con": "c", "judge": "j", "rounds": 1},
        projection={"inline_limit": 40},
    )
    ledger = Ledger(config)
    ledger.opened()  # 1
    p = ledger.joined("p", "tao", role="pro")  # 2
    c = ledger.joined("c", "jenny", proxy=True)  # 3
    j = ledger.joined("j", "jenny", "human", description="sits in the chair")  # 4
    j_shown = {name: value for name, value in j.items() if name != "description"}
    ledger.granted("p", 1)  # 5
    ledger.said("p", LONG * 3, "*")  # 6, cut
    ledger.granted("c", 2)  # 7
    ledger.add("j", "raise_hand")  # 8
    ledger.add("p", "raise_hand")  # 9, not for the judge
    ledger.add("c", "pass")  # 10, not for the judge
    ledger.granted("j", 3)  # 11
    ledger.said("p", "x" * 40, "@j", refs=["entry:6", "notes-1"], reply_to=6)  # 12: just the limit
    body = "p has it."
    ledger.add("j", "decision", to=["*"], body=body, reply_to=6)  # 13
    ledger.add("core", "system", event="table_closed", reason="decision")  # 14
    scene = Scene(
        "debate",
        ledger,
        prefixes=[
            (1, _prefix(config, [])),
            (2, _prefix(config, [p])),
            (3, _prefix(config, [p, c])),
            (4, _prefix(config, [p, c, j_shown])),
            (13, _prefix(config, [p, c, j_shown], [{"seq": 13, "seat": "j", "body": body}])),
        ],
        floor=[(5, ("p", 5)), (6, None), (7, ("c", 7)), (10, None), (11, ("j", 11)), (14, None)],
        hidden={"j": [9, 10]},
        cut=[6],
        closed=14,
    )
    return scene.group(
        [
            ("p", 0, 2, "6-01 6-07"),
            ("p", 0, 4, "6-02 6-03 6-04"),
            ("p", 0, 6, "6-25 6-26"),
            ("c", 0, 7, "6-25 6-29"),
            ("c", 6, 7, "6-12 6-29"),
            ("j", 0, 8, "6-25 6-16"),
            ("j", 0, 10, "6-14 7-24"),
            ("p", 7, 10, "6-13 7-25"),
            ("j", 8, 10, "6-14 7-24"),
            ("j", 10, 10, "6-12 6-18"),
            ("c", 5, 12, "6-27 6-26"),
            ("j", 11, 12, "6-27 7-23"),
            ("c", 0, 14, "6-05 6-08"),
            ("c", 5, 14, "6-08 6-26"),
            ("j", 12, 14, "6-05 6-31"),
            ("p", 14, 14, "6-12 6-31"),
        ]
    )


def _pipeline() -> Json:
    config = _config(
        "t-pipeline",
        {"kind": "pipeline", "stages": ["s1", "s2", "s3"], "rounds": 1},
        visibility={"s3": ["s1.say"]},
        projection={"inline_limit": 60},
        floor={"decision_by": ["s3"]},
    )
    ledger = Ledger(config)
    ledger.opened()  # 1
    seats = [ledger.joined("s1", "tao"), ledger.joined("s2", "jenny"), ledger.joined("s3", "tao")]  # 2 3 4
    ledger.granted("s1", 1)  # 5
    ledger.said("s1", LONG * 5, "@s3", budget={"tokens_used": 60})  # 6, cut
    ledger.granted("s2", 2)  # 7
    watcher = ledger.joined("z", "jenny", "human")  # 8
    ledger.said("z", "Go on.", "*")  # 9: a human, out of turn
    ledger.add("s2", "pass", to=["*"])  # 10
    ledger.granted("s3", 3)  # 11
    ledger.add("core", "system", event="note", body="A note of the table.")  # 12
    scene = Scene(
        "pipeline",
        ledger,
        prefixes=[
            (1, _prefix(config, [])),
            (2, _prefix(config, seats[:1])),
            (3, _prefix(config, seats[:2])),
            (4, _prefix(config, seats)),
            (8, _prefix(config, [*seats, watcher])),
        ],
        floor=[(5, ("s1", 5)), (6, None), (7, ("s2", 7)), (10, None), (11, ("s3", 11))],
        hidden={"s1": [9, 10], "s2": [9], "s3": [9, 10]},
        cut=[6],
    )
    return scene.group(
        [
            ("s1", 0, 5, "6-04 6-30"),
            ("s2", 4, 6, "7-29 6-25"),
            ("s3", 4, 6, "7-09 6-26"),
            ("s1", 0, 10, "7-30 6-14"),
            ("s2", 0, 10, "7-29 6-13"),
            ("s3", 0, 10, "7-08 7-09"),
            ("z", 0, 10, "7-31 6-07"),
            ("z", 8, 12, "7-31 6-12"),
            ("s3", 10, 12, "7-03 6-29"),
        ]
    )


def _hub() -> Json:
    config = _config(
        "t-hub",
        {"kind": "hub_spoke", "hub": "h", "spokes": ["x", "y", "o"], "rounds": 5},
        floor={"max_chars": 90},
        termination={"any": [{"max_entries": 500}]},
    )
    capability = {"resource": "taskboard", "actions": ["reorder"]}
    effects = [{"owner": "jenny", "resource": "taskboard", "action": "reorder", "args": {"order": [461, 459]}}]
    ledger = Ledger(config)
    ledger.opened()  # 1
    h, x = ledger.joined("h", "tao"), ledger.joined("x", "tao", role="writer")  # 2 3
    y, o = ledger.joined("y", "jenny", capabilities=[capability]), ledger.joined("o", "omar")  # 4 5
    ledger.granted("h", 1)  # 6
    ledger.said("h", "x, your turn.", "@x")  # 7
    ledger.granted("x", 2)  # 8
    ledger.add("x", "proposal", to=["@h"], body=LONG * 2, effects=effects)  # 9: no limit, so never cut
    opened = {"task": "task-9", "state": "awaiting_approval", "owner": "jenny", "executor": "y"}
    ledger.add("core", "system", event="task_opened", **opened, effects=effects, opened_by=9)  # 10
    ledger.said("x", "For the hub alone.", "@h")  # 11
    ledger.granted("h", 3)  # 12
    ledger.add("owner:jenny", "approval", task="task-9", decision="approve")  # 13
    ledger.add("core", "system", event="task_state", task="task-9", state="approved", executor="y")  # 14
    ledger.add("y", "status", task="task-9", state="running")  # 15
    ledger.add("y", "receipt", task="task-9", artifact={"log": LONG * 4, "lines": [1, 2]})  # 16
    ledger.said("h", "Who is there?", "*")  # 17
    ledger.granted("h", 4)  # 18
    ledger.said("h", "y, then.", "@y")  # 19
    ledger.granted("y", 5)  # 20
    ledger.said("y", "Hello to all.", "*")  # 21
    ledger.granted("h", 6)  # 22
    ledger.add("x", "verify", task="task-9", result="pass", body="Looked at it.")  # 23
    states = {10: "awaiting_approval", 14: "approved", 15: "running", 16: "reported", 23: "verified"}
    turns = [(6, ("h", 6)), (7, None), (8, ("x", 8)), (11, None), (12, ("h", 12)), (17, None), (18, ("h", 18))]
    scene = Scene(
        "hub spoke",
        ledger,
        prefixes=[
            (1, _prefix(config, [])),
            (2, _prefix(config, [h])),
            (3, _prefix(config, [h, x])),
            (4, _prefix(config, [h, x, y])),
            (5, _prefix(config, [h, x, y, o])),
        ],
        floor=[*turns, (19, None), (20, ("y", 20)), (21, None), (22, ("h", 22))],
        hidden={"y": [11], "o": [11]},
        open={"x": [21], "o": [21]},
        tasks=[(seq, {"task-9": state}) for seq, state in states.items()],
        involved=["y"],
        strangers=["o"],
    )
    return scene.group(
        [
            ("h", 0, 6, "6-04 6-30"),
            ("x", 6, 8, "7-39 6-29"),
            ("x", 8, 11, "7-04 7-03"),
            ("y", 6, 11, "7-40 7-04"),
            ("h", 8, 12, "7-38 6-29"),
            ("o", 8, 12, "7-40 6-32"),
            ("y", 10, 13, "7-40 7-05"),
            ("y", 0, 14, "6-32 7-05"),
            ("y", 0, 15, "6-32 7-06"),
            ("o", 14, 16, "7-06 6-32"),
            ("x", 11, 16, "7-06 6-15"),
            ("y", 16, 18, "7-39 6-18"),
            ("y", 18, 20, "6-29 7-39"),
            ("x", 16, 23, "7-06 6-16"),
            ("h", 20, 23, "7-38 7-06"),
            ("y", 20, 23, "7-07 7-06"),
            ("o", 0, 23, "6-32 6-14"),
        ]
    )


def make() -> Json:
    """The file."""
    head = {"schema": "naysayer-tables/1", "table": "projections", "protocol": "byob", "section": "6"}
    return {**head, "groups": [_debate(), _pipeline(), _hub()]}
