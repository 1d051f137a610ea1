"""Monitors: rules that hold for everything a target sends, watched over the whole run.

A monitor is one function over one kind of thing (a frame, a proposal, a receipt, …). It returns None, or what is
wrong. Each monitor gives one row per transport when the run closes: *untested* if it saw nothing, failed with the
first offender otherwise. Monitors register themselves as checks do, and their clauses' levels come from the catalogue.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from harness.bridges.things import BRIDGE_THINGS
from harness.byob.things import TABLE_THINGS
from harness.catalogue import catalogue
from harness.check import ID_FORM, package_of, transports_of
from harness.errors import CatalogueError
from harness.monitors.accounts import Account
from harness.registering import import_all
from harness.targets.base import TRANSPORTS, Frame, Junk
from reports.text import cut

Memory = dict[Any, Any]
Judge = Callable[[Any, Memory], str | None]


@dataclass(frozen=True)
class Monitor:
    """A registered monitor.

    Args:
        id: `protocol/section/words`, in one namespace with the checks.
        title: the rule, one sentence.
        clause: the clause it proves.
        over: what it looks at: a key of THINGS, `junk`, `all` (frames and junk), or `answer` (see `accounts`); for BYOB
            a key of TABLE_THINGS, for bridges one of BRIDGE_THINGS.
        judge: (thing, memory) to None or to what is wrong.
        open_question: the open question on which it rests, or None; it can then only warn.
        transports: where it applies.
        remembers: what its memory spans: nothing (""), a "connection", or the whole "run" on a transport.
        soft: the text leaves room for doubt, so it can only warn, though no open question names it.
        optional: a conforming target may never send such a thing; seeing none is then no gap.
    """

    id: str
    title: str
    clause: str
    over: str
    judge: Judge
    open_question: str | None = None
    transports: tuple[str, ...] = TRANSPORTS
    remembers: str = ""
    soft: bool = False
    optional: bool = False

    @property
    def open(self) -> bool:
        """Whether an offence can only warn, whatever the clause's level."""
        return self.soft or self.open_question is not None


@dataclass
class Tally:
    """What a monitor saw on one transport."""

    seen: int = 0
    offences: int = 0
    first: str = ""
    where: str = ""
    excerpt: bytes = b""
    broken: str = ""
    memories: dict[str, Memory] = field(default_factory=dict)

    def memory(self, span: str, connection: str) -> Memory:
        """Return the memory for a span; one that spans nothing is empty each time."""
        if not span:
            return {}
        return self.memories.setdefault(connection if span == "connection" else "", {})


_registry: dict[str, Monitor] = {}


def monitor(monitor_id: str, clause: str, over: str, **options: Any) -> Callable[[Judge], Judge]:
    """Register a monitor; see `Monitor` for the options. Raises CatalogueError for a bad id, clause or thing."""

    def register(judge: Judge) -> Judge:
        title = (judge.__doc__ or "").strip().split("\n")[0]
        options.setdefault("transports", transports_of(monitor_id))
        add(Monitor(monitor_id, title, clause, over, judge, **options))
        return judge

    return register


def add(entry: Monitor) -> None:
    """Register a monitor that was made from a table."""
    catalogue(entry.id.split("/")[0]).clause(entry.clause)
    wrong = not ID_FORM.fullmatch(entry.id) or entry.id in _registry or not entry.title
    if wrong or entry.over not in OF_PROTOCOL.get(entry.id.split("/")[0], {*THINGS, *SPECIAL}):
        raise CatalogueError(f"monitor {entry.id}: malformed or repeated id, no docstring, or an unknown thing")
    _registry[entry.id] = entry


@cache
def load(protocol: str) -> dict[str, Monitor]:
    """Import every monitor of a protocol and return them by id; none where there are none."""
    import_all(f"harness.monitors.{package_of(protocol)}")
    return {i: m for i, m in sorted(_registry.items()) if i.startswith(f"{protocol}/")}


class Watch:
    """All monitors of a run, and what each saw per transport.

    Args:
        monitors: those that the selection includes.
    """

    def __init__(self, monitors: list[Monitor]) -> None:
        self.monitors = monitors
        self._by_thing: dict[str, list[Monitor]] = {}
        for entry in monitors:
            self._by_thing.setdefault(entry.over, []).append(entry)
        self.tallies: dict[tuple[str, str], Tally] = {}
        self._accounts: dict[tuple[str, str], Account] = {}

    def sent(self, transport: str, connection: str, data: bytes) -> None:
        """Show bytes that go to the target: on a stream any piece of it, on HTTP a whole body."""
        account = self._accounts.setdefault((transport, connection), Account())
        if transport == "http":
            account.request(data, len(data))
        else:
            account.stream(data)

    def observe(self, transport: str, connection: str, item: Any) -> None:
        """Show a frame, bytes that are none, or what came from a table host to the monitors."""
        if not isinstance(item, (Frame, Junk)):
            self._find(OTHER_THINGS, item, transport, connection)
            return
        self._show("all", item, item, transport, connection)
        if isinstance(item, Junk):
            self._show("junk", item, item, transport, connection)
            return
        account = self._accounts.get((transport, connection))
        if account is not None:
            self._show("answer", account.answer(item), item, transport, connection)
        self._find(THINGS, item, transport, connection)

    def _find(
        self, things: dict[str, Callable[[Any], Iterator[Any]]], item: Any, transport: str, connection: str
    ) -> None:
        for thing, find in things.items():
            if thing in self._by_thing:
                for found in find(item):
                    self._show(thing, found, item, transport, connection)

    def forget(self, transport: str, check: str) -> None:
        """Let go of what was remembered of the connections of a check that has ended over a transport."""
        own, elsewhere = f"{check} ", f"{check}@{transport} "

        def over(where: str, connection: str) -> bool:
            return connection.startswith(elsewhere) or (where == transport and connection.startswith(own))

        for key in [key for key in self._accounts if over(*key)]:
            del self._accounts[key]
        for (_, where), tally in self.tallies.items():
            for connection in [name for name in tally.memories if over(where, name)]:
                del tally.memories[connection]

    def _show(self, thing: str, found: Any, item: Any, transport: str, connection: str) -> None:
        for entry in self._by_thing.get(thing, ()):
            if transport not in entry.transports:
                continue
            tally = self.tallies.setdefault((entry.id, transport), Tally())
            tally.seen += 1
            try:
                problem = entry.judge(found, tally.memory(entry.remembers, connection))
            except Exception as error:  # ours: it must not look like a fault of the target, nor end the run
                tally.broken = tally.broken or f"{type(error).__name__}: {error}"
                continue
            if problem is not None:
                tally.offences += 1
                if tally.offences == 1:
                    tally.first, tally.where, tally.excerpt = cut(problem), connection, item.start


def _dicts(value: Any) -> Iterator[dict[str, Any]]:
    for element in value if isinstance(value, list) else ():
        if isinstance(element, dict):
            yield element


def _frames(frame: Frame) -> Iterator[Frame]:
    yield frame


def _of_kind(kind: str) -> Callable[[Frame], Iterator[dict[str, Any]]]:
    def find(frame: Frame) -> Iterator[dict[str, Any]]:
        if frame.kind == kind:
            yield frame.value

    return find


def _proposals(frame: Frame) -> Iterator[dict[str, Any]]:
    if frame.kind == "PROPOSALS":
        yield from _dicts(frame.value.get("proposals"))


def _receipts(frame: Frame) -> Iterator[dict[str, Any]]:
    receipt = frame.value.get("receipt")
    if frame.kind == "RECEIPT" and isinstance(receipt, dict):
        yield receipt


def _effects(frame: Frame) -> Iterator[Any]:
    for holder in (*_proposals(frame), *_receipts(frame)):
        effects = holder.get("effects")
        yield from effects if isinstance(effects, list) else ()


def _uses(frame: Frame) -> Iterator[Any]:
    for holder in (*_proposals(frame), *_receipts(frame)):
        if "uses" in holder:
            yield holder["uses"]


def _capabilities(frame: Frame) -> Iterator[Any]:
    listed = frame.value.get("capabilities")
    if frame.kind == "BRIEF" and isinstance(listed, list):
        yield from listed


def _lens(frame: Frame) -> Iterator[Frame]:
    if frame.value.get("lens") is not None:
        yield frame


def _cut(frame: Frame) -> Iterator[Frame]:
    if frame.value.get("more"):
        yield frame


def _more(frame: Frame) -> Iterator[Any]:
    more = frame.value.get("more")
    yield from more if isinstance(more, list) else ()


# What a monitor can look at, and how it is found in a frame.
THINGS: dict[str, Callable[[Any], Iterator[Any]]] = {
    "frame": _frames,
    "BRIEF": _of_kind("BRIEF"),
    "ANSWER": _of_kind("ANSWER"),
    "PROPOSALS": _of_kind("PROPOSALS"),
    "CLARIFY": _of_kind("CLARIFY"),
    "RECEIPT": _of_kind("RECEIPT"),
    "ERROR": _of_kind("ERROR"),
    "EVENT": _of_kind("EVENT"),
    "proposal": _proposals,
    "receipt": _receipts,
    "effect": _effects,
    "uses": _uses,
    "capability": _capabilities,
    "cut": _cut,
    "more": _more,
    "lens": _lens,
}
OF_PROTOCOL = {"byob": TABLE_THINGS, "byob-bridge": BRIDGE_THINGS}
OTHER_THINGS = {**TABLE_THINGS, **BRIDGE_THINGS}
SPECIAL = ("junk", "all", "answer")
