"""BYOB 2: the event stream that wakes a seat up."""

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import DUO, PIPE
from harness.check import check
from reference.yea import jsontext

SOON = 2.0
TRIES = 3
QUIET = 1.0


@check("byob/2/events-are-a-stream-that-says-hello", "BYOB-2-05", "BYOB-2-07", "BYOB-2-08")
async def hello(t: Context) -> None:
    """GET events is answered by an event stream, with the protocol header, whose first event is hello."""
    table = await t.table(DUO)
    stream = await table.events("a")
    head = stream.answer
    streams = head.status == 200 and head.content_type == "text/event-stream"
    if not t.expect("BYOB-2-07", streams, wanted="200 with text/event-stream", got=head):
        return
    t.expect("BYOB-2-05", head.headers.get("byob-protocol") == "byob/0.1", wanted="byob-protocol: byob/0.1", got=head)
    first = await stream.next(SOON)
    t.expect("BYOB-2-08", first is not None and first.name == "hello", wanted="an event hello at first", got=first)
    t.expect(
        "BYOB-2-07", not stream.parser.problems, wanted="well-formed events", got="; ".join(stream.parser.problems)
    )


@check("byob/2/events-of-visible-entries", "BYOB-2-09")
async def wakes(t: Context) -> None:
    """A seat is told by an entry event that an entry was appended which it may see."""
    table = await t.table(DUO)
    async with t.listening(table, "b") as stream:
        for _ in range(TRIES):  # delivery is at most once: one may be lost
            await table.turn()
            event = await stream.named("entry", SOON)
            if event is not None:
                break
        t.expect("BYOB-2-09", event is not None, wanted="an event entry after a say", got=str(stream.events))
        seq = _seq(event.data) if event is not None else None
        if seq is not None:
            real = seq <= await table.last_seq()
            t.expect("BYOB-2-09", real, wanted="a seq of the ledger", got=f"seq {seq}")


def _seq(data: str) -> int | None:
    """Return the seq in an event's data, if it is JSON that has one (BYOB-Q008)."""
    try:
        value = jsontext.loads(data)
    except ValueError:
        return None
    return reading.seq_of(value) or None


@check("byob/2/events-hide-what-the-seat-may-not-see", "BYOB-2-10")
async def hides(t: Context) -> None:
    """The stream of a seat shows nothing of what a hidden entry says."""
    table = await t.table(PIPE)
    async with t.listening(table, "s3") as stream:
        await stream.named("hello", SOON)
        marker = f"marker{t.unique()}"
        entry = await table.turn(body=marker)
        await table.need_holder("s2")
        await t.after(QUIET)
        raw = bytes(stream.raw).decode("utf-8", "replace")
        t.expect("BYOB-2-10", marker not in raw, wanted="nothing of the say of s1", got=raw)
        told = [event for event in stream.events if _seq(event.data) == reading.seq_of(entry)]
        named = [event for event in told if "s1" in event.data or '"say"' in event.data]
        wanted = "neither kind nor author of a hidden entry"
        t.expect("BYOB-2-10", not named, wanted=wanted, got=str(named), open_question="BYOB-Q009")


@check("byob/2/an-entry-is-announced-once", "BYOB-2-11")
async def once(t: Context) -> None:
    """On one connection an entry is announced at most once."""
    table = await t.table(DUO)
    async with t.listening(table, "b") as stream:
        await stream.named("hello", SOON)
        before = await table.last_seq()
        backlog = stream.count("entry")
        await table.turns(5)
        await t.after(QUIET)
        appended = await table.last_seq() - before
        got = stream.count("entry") - backlog
        t.expect("BYOB-2-11", got <= appended, wanted=f"at most {appended} events for as many entries", got=f"{got}")
        seqs = [seq for event in stream.events if (seq := _seq(event.data)) is not None]
        t.expect("BYOB-2-11", len(seqs) == len(set(seqs)), wanted="each seq once", got=str(seqs))


@check("byob/2/nothing-is-announced-again-after-a-reconnect", "BYOB-2-12")
async def reconnected(t: Context) -> None:
    """What was announced to a seat is not announced again when it reconnects, with or without Last-Event-ID."""
    table = await t.table(DUO)
    async with t.listening(table, "b") as stream:
        await stream.named("hello", SOON)
        await table.turn()
        event = await stream.named("entry", SOON)
        await t.after(QUIET)
        known = {seq for each in stream.events if (seq := _seq(each.data)) is not None}
    headers = [{}, {"last_event_id": event.id if event is not None and event.id else "1"}]
    for more in headers:
        again = await table.events("b", **more)
        await t.after(QUIET)
        repeated = [each for each in again.events if each.name == "entry" and _is_old(each.data, known)]
        t.expect("BYOB-2-12", not repeated, wanted="no event of an entry that was announced", got=str(repeated))
        await again.close()


def _is_old(data: str, known: set[int]) -> bool:
    """Whether an event announces what is known; one without a seq counts where nothing new was appended."""
    seq = _seq(data)
    return seq is None or seq in known


@check("byob/2/a-seat-without-a-stream-catches-up", "BYOB-2-13")
async def catches_up(t: Context) -> None:
    """A seat that heard nothing finds what it missed in the projection from its last cursor."""
    table = await t.table(DUO)
    cursor = (await table.projection("b", 0)).get("cursor")
    missed = [reading.seq_of(await table.turn()) for _ in range(3)]
    seqs = {reading.seq_of(entry) for entry in await table.tail("b", cursor)}
    t.expect("BYOB-2-13", set(missed) <= seqs, wanted=f"the seqs {missed} in the tail", got=str(sorted(seqs)))
