"""A session on a table: who holds the floor, what may be refused, and when it ends (BYOB 8), as a set of states.

    model = Floor(config, {"a": "bot", "b": "bot", "h": "human"})
    model.saw("a")                     True: a may hold the floor at the start
    model.answers("b", "say")          {"E_NOT_FLOOR"}
    model.post("a", "say", tokens=3)   an accepted post
    model.saw("b")                     narrows the states to those that agree; False when none does

Every state is one fair reading of the text so far. What a host shows narrows them; a host that agrees with none has
broken the text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fuzz.models import turns
from fuzz.models.turns import Place, Turn

Config = Mapping[str, Any]
OK = "ok"
CLOSED = "closed"
ENDS_TURN = ("say", "pass")
COUNTED = ("say", "proposal", "decision")
FLOOR_PLANE = ("say", "pass", "proposal", "decision")
MOST_PER_POST = 4  # entries: the post, a grant, a task and its state, or notes
DEFAULT_DEPTH = 32
DECIDERS = {"debate": ("judge",), "hub_spoke": ("hub",), "delegation": ("hub",)}


@dataclass(frozen=True)
class State:
    """One reading of what has happened.

    Args:
        place: the policy's turn; while a human holds the floor on the depth limit, the turn that waits for it.
        human: the human who holds the floor on the depth limit.
        hands: raised and not served, the first one first.
        depth: consecutive bot says.
        closed: why the table is closed; empty while it is open.
    """

    place: Place | None
    human: str = ""
    hands: tuple[str, ...] = ()
    depth: int = 0
    closed: str = ""

    @property
    def holder(self) -> str | None:
        """Who holds the floor."""
        if self.closed:
            return None
        return self.human or (self.place.holder if self.place is not None else None)


@dataclass
class Floor:
    """A model of one table, all seats of which have joined.

    Args:
        config: the table's, with `spokes` and the map form of `reports`.
        seats: seat ids with their kinds, `bot` or `human`.

    `tokens` and `posts` count what was accepted, and are no matter of reading.
    """

    config: Config
    seats: Mapping[str, str]
    states: frozenset[State] = frozenset()
    tokens: int = 0
    posts: int = 0
    _humans: tuple[str, ...] = field(init=False)
    _most_entries: int = field(init=False)

    def __post_init__(self) -> None:
        self.states = frozenset({State(turns.opening(self.config["topology"]))})
        self._most_entries = MOST_PER_POST * (1 + len(self.seats))
        self._humans = tuple(seat for seat, kind in self.seats.items() if kind == "human")

    # What a host may show

    def holders(self) -> set[str | None]:
        """Return who may hold the floor now; None for nobody, on a closed table."""
        return {state.holder for state in self.states}

    def may_be_open(self) -> bool:
        """Whether the table may be open."""
        return any(not state.closed for state in self.states)

    def must_be_open(self) -> bool:
        """Whether the table has to be open."""
        return all(not state.closed for state in self.states)

    def saw(self, holder: str | None, *, closed: bool = False) -> bool:
        """Take note of who holds the floor and whether the table is closed; False when no reading agrees.

        The states are then left as they were, so that one deviation is not reported again and again.
        """
        left = frozenset(s for s in self.states if (bool(s.closed) == closed) and (closed or s.holder == holder))
        if left:
            self.states = left
        return bool(left)

    def reasons(self) -> set[str]:
        """Return why the table may be closed."""
        return {state.closed for state in self.states if state.closed}

    def answers(self, seat: str, kind: str, to: Sequence[str] = ("*",)) -> set[str]:
        """Return what a right request of this kind may be answered: `ok` or error codes.

        Args:
            seat: a joined seat.
            kind: say, pass, raise_hand, proposal or decision.
            to: the addresses of a say.
        """
        found: set[str] = set()
        for state in self.states:
            found |= set(self._answers(state, seat, kind, to))
        return found

    def _answers(self, state: State, seat: str, kind: str, to: Sequence[str]) -> Iterator[str]:
        holds = seat == state.holder
        free = kind == "raise_hand" or (kind == "say" and seat in self._humans)
        if state.closed:
            yield "E_TABLE_CLOSED"
            if kind == "raise_hand":
                yield OK  # BYOB-Q086
            elif not free:
                yield "E_NOT_FLOOR"  # nobody holds it either: BYOB-Q116
            return
        wrong = []
        if not holds and not free:
            wrong.append("E_NOT_FLOOR")
        if kind == "decision" and seat not in self.deciders():
            wrong.append("E_NOT_DECIDER")
        if kind == "say" and any(name not in self.known() for name in named(to)):
            wrong.append("E_ADDRESS")
        yield from wrong or [OK]
        if not wrong and kind == "say" and self._past_reports(seat, to):
            yield "E_ADDRESS"  # BYOB-Q072

    def _past_reports(self, seat: str, to: Sequence[str]) -> bool:
        topology = self.config["topology"]
        if topology["kind"] != "delegation":
            return False
        return any(name not in topology["reports"].get(seat, ()) for name in named(to))

    def deciders(self) -> tuple[str, ...]:
        """Return who may decide (BYOB 7's table, unless the config says)."""
        topology = self.config["topology"]
        stated = self.config.get("floor", {}).get("decision_by")
        if stated is not None:
            return tuple(stated)
        if topology["kind"] == "pipeline":
            return (topology["stages"][-1],)
        return tuple(topology[name] for name in DECIDERS.get(topology["kind"], ()))

    def known(self) -> set[str]:
        """Return the seats that can be addressed: joined, or named by the topology."""
        return {*self.seats, *_strings(self.config["topology"])}

    # What happens

    def post(self, seat: str, kind: str, to: Sequence[str] = ("*",), tokens: int = 0) -> bool:
        """Take an accepted post: the states are then all that may follow it.

        Args:
            seat, kind, to: of the post.
            tokens: what it counts for, reported or estimated.

        Returns:
            False when it could be accepted under no reading; the states are then left as they were.
        """
        self.posts += kind in FLOOR_PLANE
        self._most_entries += MOST_PER_POST
        self.tokens += tokens if kind in COUNTED else 0
        after = [each for state in self.states for each in self._after(state, seat, kind, to)]
        if after:
            self.states = frozenset(ended for each in after for ended in self._ended(each, kind))
        return bool(after)

    def join(self, seat: str, kind: str) -> None:
        """Take a join of a seat that the topology does not name, `bot` or `human`: nothing else changes by it."""
        self.seats = {**self.seats, seat: kind}
        self._humans = (*self._humans, seat) if kind == "human" else self._humans
        self._most_entries += 1

    def close(self) -> None:
        """Take a close by the admin."""
        self.states = frozenset(replace(state, closed=state.closed or "admin") for state in self.states)

    def _after(self, state: State, seat: str, kind: str, to: Sequence[str]) -> Iterable[State]:
        if state.closed:
            return (state,)
        if kind == "raise_hand":
            return (state if seat in state.hands else replace(state, hands=(*state.hands, seat)),)
        if seat in self._humans and seat != state.holder:
            return self._interjected(state)
        if seat != state.holder:
            return ()  # no reading in which this post could be accepted
        if state.human:
            return self._answered(state, kind)
        counted = self._counted(state, seat, kind)
        if kind in ENDS_TURN:
            return [made for each in counted for made in self._next(each, kind, to)]
        if kind == "decision":  # BYOB-Q068: it ends the turn, or it does not
            return [made for each in counted for made in (each, *self._next(each, "say", ()))]
        return counted

    def _interjected(self, state: State) -> Iterable[State]:
        """A human's say out of turn: the count starts anew; with another human on the limit that may be enough."""
        fresh = replace(state, depth=0)
        return (fresh, *self._answered(state, "say")) if state.human else (fresh,)

    def _answered(self, state: State, kind: str) -> Iterable[State]:
        """A post of the human who holds the floor on the depth limit; a pass may do or not (BYOB-Q080)."""
        over = "" if state.place is not None else "rounds_exhausted"
        resumed = replace(state, human="", depth=0, closed=over)
        if kind == "say":  # a hand raised by the waiting seat itself may be served by its turn, or after it
            return (resumed, *self._granted(resumed), *self._hands_first(resumed))
        uncounted = replace(resumed, depth=state.depth)
        return (resumed, uncounted, state, replace(state, depth=0)) if kind in ("pass", "decision") else (state,)

    def _hands_first(self, state: State) -> Iterator[State]:
        """Yield what follows if a hand that was raised during the human's turn is served right after it."""
        if state.place is None:
            return
        for hand in state.hands:
            place = turns.before(self.config["topology"], state.place, hand)
            yield replace(state, place=place, hands=tuple(each for each in state.hands if each != hand))

    def _counted(self, state: State, seat: str, kind: str) -> Iterable[State]:
        """Count bot says in a row; whether anything else in between starts the count anew is open (BYOB-Q080)."""
        if kind != "say":
            return {state, replace(state, depth=0)}
        return (replace(state, depth=0 if seat in self._humans else state.depth + 1),)

    def _next(self, state: State, kind: str, to: Sequence[str]) -> Iterator[State]:
        """Yield what may follow a turn: the policy's next turns, unless the depth limit gives the floor to a human."""
        assert state.place is not None  # noqa: S101 - an open table without a turn would be closed
        topology = self.config["topology"]
        for place in turns.after(topology, state.place, Turn(kind, named(to)), state.hands):
            if place is None:
                yield replace(state, place=None, closed="rounds_exhausted")
                if state.depth < self.max_depth():
                    continue
            for moved in self._granted(replace(state, place=place)):
                if moved.depth >= self.max_depth():
                    yield from self._too_deep(moved)
                else:
                    yield moved

    def _granted(self, state: State) -> Iterator[State]:
        """Yield a state whose place was just granted: a hand of its holder is served; by a regular turn, or not."""
        hands = tuple(hand for hand in state.hands if hand != state.holder)
        yield replace(state, hands=hands)
        if hands != state.hands and state.place is not None and not state.place.extra:
            yield state

    def _too_deep(self, state: State) -> Iterator[State]:
        if not self._humans:
            yield replace(state, closed="depth_exhausted")
        for human in self._humans:
            yield replace(state, human=human)

    def max_depth(self) -> int:
        """Return how many bot says may follow one another."""
        return int(self.config.get("floor", {}).get("max_bot_depth", DEFAULT_DEPTH))

    # How it ends

    def _ended(self, state: State, kind: str) -> Iterator[State]:
        """Yield the state, closed where a condition is met; conditions are alternatives (BYOB 3)."""
        if state.closed:
            yield state
            return
        reasons = {reason for reason in map(self._reason, self.config["termination"]["any"]) if reason}
        if kind == "decision" and "decision" in self.config["termination"]["any"]:
            reasons.add("decision")
        if not reasons - {"max_entries?"}:
            yield state
        for reason in reasons:
            yield replace(state, closed=reason.rstrip("?"))

    def _reason(self, condition: Any) -> str:
        if not isinstance(condition, Mapping):
            return ""
        if self.tokens > condition.get("budget_tokens", self.tokens):
            return "budget_tokens"
        limit = condition.get("max_entries")
        if limit is None:
            return ""
        # BYOB-Q084: all entries count, or only posts; when the limit is reached, or exceeded.
        sure, possible = self.posts > limit, self._most_entries >= limit
        return "max_entries" if sure else "max_entries?" if possible else ""


def named(to: Sequence[str]) -> tuple[str, ...]:
    """Return the seats that addresses name with `@`."""
    return tuple(address[1:] for address in to if address.startswith("@"))


def _strings(value: Any) -> Iterator[str]:
    level = [value]
    while level:
        inner = level.pop()
        if isinstance(inner, str):
            yield inner
        elif isinstance(inner, Mapping):
            level += [*inner.keys(), *inner.values()]
        elif isinstance(inner, (list, tuple)):
            level += inner
