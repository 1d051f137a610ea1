"""BYOB 1 and 5 to 9 on a live host: sessions at tables of every topology, compared with the models of the text.

After each post the floor must be where a fair reading of the text has it, and a post is answered as one allows. What
was posted is shown to whom it may be, tasks go the steps that their states allow, and whatever the host has shown obeys
the laws of ledgers and projections.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from fuzz import table_clauses
from fuzz.models import visibility
from fuzz.models.floor import OK, Floor
from fuzz.properties import HOST, event, sessions
from fuzz.stateful import WHICH, Found, Machine, of
from fuzz.targets import Failing, Host, Posted, Shape, Sight, Table
from reference.byob.tasks import EVENTS, TRANSITIONS

Result = TypeVar("Result")
ROUNDS = {"broadcast": (1, 2, 5), "debate": (1, 2, 5), "pipeline": (1,), "hub_spoke": (2, 4), "delegation": (2, 4)}
KINDS = ("say", "say", "say", "pass", "proposal", "decision", "raise_hand")
TOKENS = st.sampled_from((0, 3, 12))
SELDOM = st.integers(0, 4)
"""What is done only where this is 0."""

PATTERNS = ((), ("*.say",), ("*.pass", "*.raise_hand"))


def _can_close(kind: str, decider: int | None) -> bool:
    """Whether somebody may decide, without which a host may refuse a table that a decision closes."""
    return decider is not None or kind != "broadcast"


SHAPES = st.builds(
    lambda kind, rounds, depth, budget, human, decider, decides, override: Shape(
        kind,
        ROUNDS[kind][rounds % len(ROUNDS[kind])],
        depth,
        budget,
        human,
        decider,
        decides and _can_close(kind, decider),
        override,
    ),
    st.sampled_from(sorted(ROUNDS)),
    WHICH,
    st.sampled_from((100, 3, 5)),
    st.sampled_from((10_000, 30)),
    st.booleans(),
    st.none() | WHICH,
    st.booleans(),
    st.none() | st.tuples(WHICH, st.sampled_from(PATTERNS)),
)
STEPS = tuple(each for each in EVENTS if each != "watchdog")
DOUBTED = frozenset({("running", "status:failed"), ("running", "status:running")})
"""Steps that the text does not draw, so that they may be refused."""

FEW = st.integers(0, 3)
GUESTS = ("nothing", "reads", "says")
"""What one who joins late may do first."""

MOST_TURNS = 12
IN_FORCE = "BYOB-6-05"
MISSTEPS = {"another owner approves": "BYOB-9-28", "the executor verifies": "BYOB-9-37"}
MOST_TABLES = 2


@dataclass
class _Played:
    """A table, what the text says of it, who holds the floor there, and what was posted."""

    table: Table
    number: int
    floor: Floor
    holder: str | None = None
    open: bool = True
    posts: list[Posted] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)

    @property
    def topology(self) -> str:
        """Its kind."""
        return str(self.table.config["topology"]["kind"])

    @property
    def seats(self) -> list[str]:
        """All seats."""
        return list(self.table.seats)


@sessions(
    "byob/sessions",
    *("BYOB-7-01", "BYOB-7-07", "BYOB-8-01", "BYOB-8-02", "BYOB-8-03", "BYOB-8-05", "BYOB-8-06", "BYOB-8-10"),
    *("BYOB-8-17", "BYOB-8-27", "BYOB-1-04", "BYOB-1-06", "BYOB-5-40", "BYOB-5-43", "BYOB-5-44", "BYOB-5-45"),
    *("BYOB-5-46", "BYOB-6-09", "BYOB-9-40", "BYOB-9-41", "BYOB-9-42", "BYOB-9-44", "BYOB-9-45", "BYOB-9-46"),
    over=HOST,
)
class Sessions(Machine):
    """However a table is played, floor, sight, tasks and ledger are as the text allows."""

    def __init__(self, target: Host, found: Found) -> None:
        super().__init__(target, found)
        self.tables: list[_Played] = []
        self._ask(target.begin)

    @initialize(shape=SHAPES)
    def first(self, shape: Shape) -> None:
        """Open a table."""
        self._open(shape, None)

    @rule(shape=SHAPES, below=st.booleans())
    def second(self, shape: Shape, below: bool) -> None:
        """Open another table, or a sub-table."""
        if len(self.tables) < MOST_TABLES:
            parent = self.tables[0].table if below and self.tables and self.tables[0].open else None
            self._open(shape, parent)

    def _open(self, shape: Shape, below: Table | None) -> None:
        human, own = ", with a human" if shape.human else "", f", visibility {shape.override}" if shape.override else ""
        self.note(
            f"{'sub-table' if below is not None else 'table'} {len(self.tables) + 1}: {shape.kind}, {shape.rounds} "
            f"rounds, max_bot_depth {shape.depth}, budget_tokens {shape.budget}{human}{_ruling(shape)}{own}"
        )
        table = self._ask(self.target.open, shape, below)
        if table is None:
            return
        event(f"a table: {shape.kind}")
        played = _Played(table, len(self.tables) + 1, Floor(table.config, table.seats))
        self.tables.append(played)
        self._look_at_floor(played)

    @rule(which=WHICH, kind=st.sampled_from(("bot", "human")), before=FEW, after=FEW, then=st.sampled_from(GUESTS))
    def join(self, which: int, kind: str, before: int, after: int, then: str) -> None:
        """Let one who is named nowhere join amidst the talk, or try it again, and then read, or say something."""
        played = of([each for each in self.tables if each.table.guest], which)
        if played is None:
            return
        seat = played.table.guest
        self._talk(played, before)
        self._join(played, seat, kind)
        self._talk(played, after)
        if seat in played.table.seats and then == "reads":
            self._look(played, seat)
        if seat in played.table.seats and then == "says":
            self._post(played, seat, "say", None, 0)

    def _join(self, played: _Played, seat: str, kind: str) -> None:
        taken = seat in played.table.seats
        event("a join again" if taken else "a later join")
        self.note(f"table {played.number}: {seat} joins as a {kind}")
        got = self._ask(played.table.join, kind)
        self.got(got.seen)
        if got.ok and taken:
            self.wrong(f"a second join of {seat} passed", "BYOB-4-27")
        if got.ok and not played.open:
            self.wrong("a join of a closed table passed", "BYOB-4-28")
        if not got.ok and played.open and not taken:
            self.wrong(f"a right join got {got.seen}", "BYOB-4-25")
        if got.ok:
            played.floor.join(seat, kind)
        self._look_at_floor(played)

    # Posts

    @rule(which=WHICH, kind=st.sampled_from(KINDS), to=st.none() | WHICH, tokens=TOKENS)
    def turn(self, which: int, kind: str, to: int | None, tokens: int) -> None:
        """Let whoever holds the floor post."""
        played = of(self.tables, which)
        if played is not None and played.holder is not None:
            self._post(played, played.holder, kind, to, tokens)

    @rule(which=WHICH, seat=WHICH, kind=st.sampled_from(KINDS), to=st.none() | WHICH, tokens=TOKENS)
    def post(self, which: int, seat: int, kind: str, to: int | None, tokens: int) -> None:
        """Let anybody post."""
        played = of(self.tables, which)
        if played is not None:
            self._post(played, played.seats[seat % len(played.seats)], kind, to, tokens)

    @rule(which=WHICH, turns=st.integers(1, 6))
    def talk(self, which: int, turns: int) -> None:
        """Let whoever holds the floor say something, several times over."""
        played = of(self.tables, which)
        if played is not None:
            self._talk(played, turns)

    def _talk(self, played: _Played, turns: int) -> None:
        for _ in range(turns):
            if played.holder is not None:
                self._post(played, played.holder, "say", None, 0)

    @rule(which=WHICH, times=st.integers(1, 3))
    def decide(self, which: int, times: int) -> None:
        """Let whoever holds the floor decide if it may, and pass on, until there are so many decisions."""
        played = of(self.tables, which)
        for _ in range(MOST_TURNS if played is not None else 0):
            if played is None or played.holder is None or times == 0:
                return
            may = played.holder in played.floor.deciders()
            self._post(played, played.holder, "decision" if may else "say", None, 0)
            times -= may

    def _certain(self, played: _Played, name: str, kind: str) -> bool:
        """Whether a post is one that the text decides: hands of holders and humans may be refused (BYOB-Q067)."""
        if kind != "raise_hand":
            return True
        return played.open and name not in played.floor.holders() and played.table.seats[name] == "bot"

    def _post(self, played: _Played, name: str, kind: str, other: int | None, tokens: int) -> None:
        if not self._certain(played, name, kind):
            return
        event(kind if name == played.holder else f"{kind} out of turn")
        to = ("*",) if other is None or kind != "say" else (f"@{played.seats[other % len(played.seats)]}",)
        allowed, marker = played.floor.answers(name, kind, to), f"marker-{token_hex(6)}-"
        addressed = f" to {to[0]}" if kind == "say" else ""
        self.note(f"table {played.number}: {name} {kind}{addressed}, {tokens} tokens")
        got = self._ask(played.table.post, name, kind, to, marker, tokens)
        self.got(got.seen)
        if (OK if got.ok else got.code) not in allowed:
            problem = f"{name}'s {kind} got {got.seen}; the text allows {' or '.join(sorted(allowed))}"
            self.wrong(problem, *table_clauses.of_post(kind, allowed))
        if not got.ok:
            return
        played.floor.post(name, kind, to, tokens)
        if kind == "proposal":
            played.tasks.append(self._ask(played.table.task_of, got.seq))
        else:
            played.posts.append(Posted(name, kind, to, got.seq, marker if kind == "say" else ""))
        self._look_at_floor(played)

    def _look_at_floor(self, played: _Played) -> None:
        allowed = played.floor.holders()
        holder, is_open = self._ask(played.table.holder, [each for each in allowed if each is not None])
        if not played.floor.saw(holder, closed=not is_open):
            got = f"{holder or 'nobody'} on {'an open' if is_open else 'a closed'} table"
            names = " or ".join(sorted(each or "nobody, on a closed table" for each in allowed))
            clauses = table_clauses.FLOOR[played.topology]
            self.wrong(f"the floor of table {played.number} is with {got}; the text has it with {names}", *clauses)
        played.holder, played.open = holder, is_open

    # Tasks

    @rule(which=WHICH, task=WHICH, step=st.sampled_from(STEPS), least=st.integers(1, 2))
    def task(self, which: int, task: int, step: str, least: int) -> None:
        """Take a step of a task, one of so many at least, that its state allows or another."""
        played = of(self.tables, which)
        for _ in range(least):
            if played is not None and len(played.tasks) < least and played.holder is not None:
                self._post(played, played.holder, "proposal", None, 0)
        if played is None or not played.tasks:
            return
        name = played.tasks[task % len(played.tasks)]
        before = self._ask(played.table.state_of, name)
        self.note(f"table {played.number}: {step} of task {played.tasks.index(name) + 1}, which is {before}")
        got = self._ask(played.table.step, name, step)
        self.got(got.seen)
        after, wanted = self._ask(played.table.state_of, name), TRANSITIONS.get((before, step))
        event(f"task {before}, {step}")
        if got.ok and wanted is None:
            self.wrong(f"{step} of a task that is {before} passed", *table_clauses.TRANSITION)
        if not got.ok and wanted is not None and played.open and (before, step) not in DOUBTED:
            self.wrong(f"{step} of a task that is {before} got {got.seen}", *table_clauses.TRANSITION)
        if after not in (wanted if got.ok else before, "stalled"):
            told = f"after {step}, {'accepted' if got.ok else 'refused'}, the task is {after}; it was {before}"
            self.wrong(told, *table_clauses.TRANSITION)

    @rule(which=WHICH, task=WHICH, how=st.sampled_from(sorted(MISSTEPS)))
    def misstep(self, which: int, task: int, how: str) -> None:
        """Let one who may not do it try to take a step of a task."""
        played = of([each for each in self.tables if each.tasks], which)
        if played is None:
            return
        name = played.tasks[task % len(played.tasks)]
        before = self._ask(played.table.state_of, name)
        self.note(f"table {played.number}: {how} task {played.tasks.index(name) + 1}, which is {before}")
        got = self._ask(played.table.misstep, name, how)
        self.got(got.seen)
        event(how)
        after = self._ask(played.table.state_of, name)
        if got.ok:
            self.wrong(f"{how} a task that is {before}, and it passed", MISSTEPS[how])
        if after not in (before, "stalled"):
            self.wrong(f"{how}, and is refused; the task was {before} and is {after}", MISSTEPS[how])

    # Ends, and what is seen

    @rule(which=WHICH, seldom=SELDOM)
    def close(self, which: int, seldom: int) -> None:
        """Let the admin close a table."""
        played = of([each for each in self.tables if each.open], which)
        if played is None or seldom:
            return
        event("a close")
        self.note(f"table {played.number}: the admin closes it")
        got = self._ask(played.table.close)
        self.got(got.seen)
        if not got.ok:
            self.wrong(f"the close of an open table got {got.seen}", "BYOB-8-47")
        played.floor.close()
        self._look_at_floor(played)

    @rule(which=WHICH, seat=WHICH)
    def look(self, which: int, seat: int) -> None:
        """Let a seat get all that it can, and look whether that is what it may see."""
        played = of(self.tables, which)
        if played is None:
            return
        self._look(played, played.seats[seat % len(played.seats)])

    def _look(self, played: _Played, name: str) -> None:
        event("a look")
        self.note(f"table {played.number}: {name} reads everything")
        for posted, sight in zip(played.posts, self._ask(played.table.sight, name, played.posts), strict=True):
            self._judge_sight(played, name, posted, sight)
        newest = max((each.seq for each in played.posts if each.kind == "decision"), default=None)
        if newest is not None and newest not in self._ask(played.table.decided, name):
            self.wrong(f"{name} does not get the newest decision, with seq {newest}, among those in force", IN_FORCE)
        self._laws()

    def _judge_sight(self, played: _Played, name: str, posted: Posted, sight: Sight) -> None:
        entry: dict[str, Any] = {"seat": posted.seat, "kind": posted.kind}
        entry |= {"to": list(posted.to)} if posted.kind == "say" else {}
        sees = visibility.sees(played.table.config, name, entry)
        what = f"{posted.seat}'s {posted.kind} with seq {posted.seq}"
        clauses = table_clauses.of_sight(
            played.topology,
            posted.kind,
            own=posted.seat == name,
            overridden=name in played.table.config.get("visibility", {}),
        )
        if sees is True and not sight.shown:
            self.wrong(f"{name} may see {what}, and it is {sight.seen}", *clauses)
        if sees is False and not sight.hidden:
            self.wrong(f"{name} may not see {what}, and it is {sight.seen}", *clauses)
        if sees is None and not (sight.shown or sight.hidden):
            self.wrong(f"{name} half sees {what}: it is {sight.seen}", *clauses)
        if sight.leak and not sight.shown:
            self.wrong(f"{name} may not see {what}, and its text stands in {sight.leak}", *clauses)

    @rule(seldom=SELDOM)
    def restart(self, seldom: int) -> None:
        """Kill the host and start it again: everything is as it was."""
        if seldom or not self._ask(self.target.restart):
            return
        event("a restart")
        self.note("the host is killed and started again")
        for played in self.tables:
            self._look_at_floor(played)
        self._laws()

    def _laws(self) -> None:
        problem, clause = self._ask(self.target.broken)
        if problem:
            self.wrong(problem, clause)

    def _ask(self, call: Callable[..., Result], *arguments: Any) -> Result:
        try:
            return call(*arguments)
        except Failing as problem:
            self.wrong(str(problem))


def _ruling(shape: Shape) -> str:
    """Return in words who may decide, where it is not the topology's own, and what that does."""
    who = f", decision_by seat {shape.decider + 1}" if shape.decider is not None else ""
    return who + (", a decision closes it" if shape.decides else "")
