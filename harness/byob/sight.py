"""What seats do on a table, and what another seat can get to know of it: in tails, entries, memory, errors, events.

acts = await play(t, table, ("a say @b", "b pass", "hands", "a say *"))
sight = await look(t, table, "c", acts)
sight.shows(acts[0])        whether c sees it
sight.leaks(acts[0])        where c gets to know of it although it must not
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.byob import reading
from harness.byob.table import Table
from harness.targets.hosts import Answer, EventStream

if TYPE_CHECKING:
    from harness.byob.context import Context

HANDS = "hands"


@dataclass(frozen=True)
class Act:
    """A post that was accepted: who, of which kind, to whom, its seq, and the text that nobody else writes."""

    seat: str
    kind: str
    to: tuple[str, ...]
    seq: int
    marker: str = ""

    @property
    def entry(self) -> dict[str, Any]:
        """The entry as the model of visibility takes it."""
        return {"seat": self.seat, "kind": self.kind, **({"to": list(self.to)} if self.kind == "say" else {})}

    def __str__(self) -> str:
        return f"{self.seat}'s {self.kind}" + (f" to {', '.join(self.to)}" if self.kind == "say" else "")


async def play(t: "Context", table: Table, script: Sequence[str]) -> list[Act]:
    """Let seats post by a script and return what was accepted.

    Args:
        t: the check's context.
        table: all seats of which have joined.
        script: of `seat kind` or `seat say address`, in an order that the floor allows; `hands` lets everybody but
            the holder raise a hand (BYOB-Q067). A `?` after an address allows for E_ADDRESS, and then the seat passes.
            Seats that did not join are left out.

    Raises Untested when another post is refused.
    """
    acts: list[Act] = []
    for line in script:
        holder = await table.holder() if line == HANDS else None
        for step in [f"{seat} raise_hand" for seat in table.tokens] if line == HANDS else [line]:
            seat, kind, *rest = step.split()
            if seat in table.tokens and not (line == HANDS and seat == holder):
                acts += await _act(t, table, seat, kind, rest[0] if rest else "*")
    return acts


async def _act(t: "Context", table: Table, seat: str, kind: str, address: str) -> list[Act]:
    to, marker = address.rstrip("?"), marked(t)
    if kind != "raise_hand" and table.places[seat].kind == "bot":
        await table.need_holder(seat)
    answer = await (table.say(seat, marker, to=[to]) if kind == "say" else table.post(seat, kind))
    if address.endswith("?") and answer.code == "E_ADDRESS":
        return await _act(t, table, seat, "pass", "*")
    await t.need(answer_of(answer), f"{seat} {kind} {to}")
    return [Act(seat, kind, (to,), reading.seq_of(answer.value), marker if kind == "say" else "")]


def marked(t: "Context") -> str:
    """Return a text that stands in no other one."""
    return f"marker-{t.unique()}-"


async def answer_of(answer: Answer) -> Answer:
    """Return an answer that is there already, for `t.need`."""
    return answer


@dataclass
class Sight:
    """All that a seat got of a table.

    Args:
        seat: who looked.
        tail: the seqs in its tail from the beginning.
        entries: the answers of the entry endpoint, by seq.
        others: every other answer with a name, and the bytes of its stream.
    """

    seat: str
    tail: set[int] = field(default_factory=set)
    entries: dict[int, Answer] = field(default_factory=dict)
    others: dict[str, bytes] = field(default_factory=dict)

    def shows(self, act: Act) -> str:
        """Return how an act is shown, in words: `in its tail and by the entry endpoint` when it is seen."""
        answer = self.entries[act.seq]
        there = "in its tail" if act.seq in self.tail else "not in its tail"
        return f"{there}, and {answer.status}{f' {answer.code}' if answer.code else ''} by the entry endpoint"

    def sees(self, act: Act) -> bool:
        """Whether the act is shown, in the tail and by the entry endpoint."""
        return act.seq in self.tail and self.entries[act.seq].ok

    def hides(self, act: Act) -> bool:
        """Whether the act is hidden: not in the tail, and E_NOT_FOUND from the entry endpoint."""
        answer = self.entries[act.seq]
        return act.seq not in self.tail and answer.status == 404 and answer.code == "E_NOT_FOUND"

    def leaks(self, act: Act) -> list[str]:
        """Return where the text of an act stands in anything that the seat got."""
        if not act.marker:
            return []
        word = act.marker.encode()
        found = [f"the answer for entry {seq}" for seq, answer in self.entries.items() if word in answer.body]
        return found + [name for name, body in self.others.items() if word in body]


async def look(t: "Context", table: Table, seat: str, acts: Sequence[Act], stream: EventStream | None = None) -> Sight:
    """Let a seat get whatever it can get: its projections, memory, every entry, some refusals, its event stream."""
    sight = Sight(seat)
    whole = await t.need(table.proj(seat, 0))
    sight.tail = {reading.seq_of(entry) for entry in reading.objects(whole.members.get("tail"))}
    sight.entries = {act.seq: await table.entry(seat, act.seq) for act in acts}
    sight.others = {
        "its projection": whole.body,
        "its projection since its last read": (await table.proj(seat)).body,
        "its memory": (await table.mem(seat)).body,
        "the refusal of a say to nobody": (await table.say(seat, "to nobody", to=["@nobody-there"])).body,
        "the refusal of an unknown task": (await table.task(seat, "task-99999")).body,
        "the refusal of an unknown entry": (await table.entry(seat, 99_999)).body,
        "its events": bytes(stream.raw) if stream is not None else b"",
    }
    return sight


def held(t: "Context", clause: str, sight: Sight, act: Act, sees: bool | None) -> bool:
    """Expect that a seat sees an act, or gets to know nothing of it; where the text is open, one or the other."""
    if sees is True:
        wanted = f"{act} in {sight.seat}'s tail, and by its entry endpoint"
        return t.expect(clause, sight.sees(act), wanted=wanted, got=sight.shows(act))
    if sees is None and sight.sees(act):
        return True
    wanted = f"{act} hidden from {sight.seat}: not in its tail, and 404 E_NOT_FOUND by the entry endpoint"
    hidden = t.expect(clause, sight.hides(act), wanted=wanted, got=sight.shows(act))
    leaks = sight.leaks(act)
    wanted = f"nothing of {act} in anything that {sight.seat} gets"
    return t.expect(clause, not leaks, wanted=wanted, got=", ".join(leaks)) and hidden
