"""Random histories of tables: every topology, several owners, bots and humans, tasks, sub-tables, a moving clock."""

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

from reference.byob.state import State
from reference.byob.table import Table
from reference.byob.types import Entry
from tests.reference.byob.playing import DEBATE, OWNERS, Play, capability, code, effect, order

SEATS = ("a", "b", "c", "d")
TOPOLOGIES: tuple[dict[str, Any], ...] = (
    order("a", "b", "c", rounds=3),
    {**DEBATE, "pro": "a", "con": "b", "judge": "c", "rounds": 2},
    {"kind": "pipeline", "stages": ["a", "b", "c", "a"], "rounds": 2},
    {"kind": "hub_spoke", "hub": "a", "spokes": ["b", "c", "d"], "rounds": 5},
    {"kind": "delegation", "hub": "a", "reports": {"a": ["b", "c"], "c": ["d"]}, "rounds": 4},
)
CARDS = (
    [],
    [capability(requires_approval=True)],
    [capability(auto_approve=True), capability("lamp", "on", "off")],
    [capability(), capability("lamp", "on")],
    [capability(), capability("lamp", "on", auto_approve=True)],
)


CONDITIONS = ("decision", "rounds_exhausted", {"budget_tokens": 120}, {"max_entries": 80})
WORDS = ("Yes.", "Nothing to add to this.", "漢字かな", "naïve \U0001f600 \u2028", "x" * 20, "\ud800")


class Shadowed(Table):
    """A table that holds its state, after every entry, against a replay of what is written down of it."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.shadow = State()

    def write(self, *arguments: Any) -> Entry:
        entry = super().write(*arguments)
        self.shadow.apply(json.loads(json.dumps(entry)))
        assert vars(self.shadow) == vars(self.state)
        return entry

    def replay(self, batches: Any) -> None:
        super().replay(batches)
        for entry in self.state.entries:
            self.shadow.apply(entry)


@dataclass
class History:
    """A history in the making. Each step does something that is mostly allowed; what, `random` says."""

    play: Play
    random: Random
    tables: list[str] = field(default_factory=list)

    def any(self, *choices: Any) -> Any:
        """One of these."""
        return self.random.choice(choices)

    def some(self, *choices: Any, least: int = 0) -> list[Any]:
        """A few of these, in any order."""
        return self.random.sample(choices, self.random.randint(least, len(choices)))

    def step(self) -> None:
        """One request on one of the tables, or time that passes. A refusal is fine."""
        acts = {"speak": 50, "work": 25, "decide": 10, "wait": 8, "join": 3, "restart": 2, "create": 1, "close": 1}
        [act] = self.random.choices([*acts], [*acts.values()])
        code(getattr(self, act))

    def config(self) -> dict[str, Any]:
        """The members of a table config beside id and owners."""
        members = {
            "floor": {"max_chars": self.random.randint(1, 12), "max_bot_depth": self.random.randint(1, 5)},
            "watchdog": {"heartbeat_ms": 5000},
            "projection": {"inline_limit": 3},
            "visibility": {seat: self.some("a.say", "*.pass", "b.*", "*.*") for seat in self.some(*SEATS)},
        }
        kept = {name: members[name] for name in self.some(*members)}
        if "floor" in kept and self.any(True, False):
            members["floor"]["decision_by"] = self.some(*SEATS)
        required = {"topology": self.any(*TOPOLOGIES), "termination": {"any": self.some(*CONDITIONS, least=1)}}
        return {**kept, **required}

    def create(self) -> None:
        """A table, perhaps below another."""
        members = self.config()
        if self.tables and self.any(True, False):
            members["parent"] = self.any(*self.tables)
        name = f"t{len(self.tables)}"
        self.play.create(name, **members)
        self.tables.append(name)
        for seat in self.some(*SEATS, *SEATS, "h", "i", least=5):
            code(self.seat, name, seat)

    def join(self) -> None:
        """A further seat, which may be taken."""
        self.seat(self.any(*self.tables), self.any(*SEATS, "h", "i"))

    def seat(self, table: str, seat: str) -> None:
        """A bot, or a human for h and i, with some card."""
        kind = "human" if seat in "hi" else self.any("bot", "bot", "bot", "human")
        owner, caps, role = self.any(*OWNERS), self.any(*CARDS), self.any("critic", "clerk")
        self.play.join(seat, owner, on=table, kind=kind, caps=caps, role=role)

    def seated(self, table: str) -> list[str]:
        """The seats of a table, its holder first."""
        seats = [seat for where, seat in self.play.tokens if where == table]
        return sorted(seats, key=lambda seat: seat != self.play.holder(table))

    def speak(self) -> None:
        """A post on the floor plane or a raised hand, mostly by the holder."""
        table = self.any(*self.tables)
        seats = self.seated(table)
        if not seats:
            return self.join()
        kind = self.any("say", "say", "say", "say", "pass", "raise_hand", "proposal", "proposal", "decision")
        members: dict[str, Any] = {"body": self.any(*WORDS)}
        if self.any(True, False):
            members["to"] = self.any(["@b"], ["@c", "@d"], ["role:clerk"], ["*"])
        if kind == "proposal" or (kind == "decision" and self.any(True, False)):
            members["effects"] = [self.effect() for _ in range(self.any(1, 1, 2))]
        if self.any(True, False, False):
            members["budget"] = {"tokens_used": self.any(0, 1, 30)}
        self.play.post(self.any(*seats[:1] * 5, *seats), kind, on=table, **members)
        return None

    def effect(self) -> dict[str, Any]:
        """An effect on somebody."""
        return effect(self.any(*OWNERS), *self.any(("board", "reorder"), ("lamp", "on")))

    def work(self) -> None:
        """A report on a task, mostly by its executor and mostly in time."""
        table, task = self.task()
        if task is None:
            return self.speak()
        word = {"approved": 0, "stalled": 0, "running": 1, "reported": 2}.get(task["state"], self.any(0, 1, 2))
        kind, members = (
            ("status", {"state": self.any("running", "running", "failed")}),
            ("receipt", {"artifact": self.any({"ok": [1, None]}, "done", 1.5, -0.0, 1e30)}),
            ("verify", {"result": self.any("pass", "fail")}),
        )[word]
        author = self.any(task["executor"], *self.seated(table)) if kind == "verify" else task["executor"]
        self.play.post(author, kind, on=table, task=task["id"], **members)
        return None

    def decide(self) -> None:
        """An owner's decision on a task."""
        table, task = self.task()
        if task is None:
            return self.join()
        owner = self.any(task["owner"], task["owner"], *OWNERS)
        body = self.play.decision(task["id"], owner, self.any("approve", "approve", "reject"), on=table)
        self.play.host.approve(table, body, self.play.now)
        return None

    def task(self) -> tuple[str, dict[str, Any] | None]:
        """A table and one of its last tasks, None where it has none."""
        table = self.any(*self.tables)
        tasks = self.play.memory(table)["tasks"] if self.seated(table) else []
        return table, self.any(*tasks[-3:]) if tasks else None

    def wait(self) -> None:
        """Time passes, and the watchdogs look."""
        self.play.now += self.any(0.5, 2, 6)
        self.play.host.tick(self.play.now)

    def restart(self) -> None:
        """The host begins again."""
        self.play.restart()

    def close(self) -> None:
        """The admin closes a table."""
        self.play.close(self.any(*self.tables))
