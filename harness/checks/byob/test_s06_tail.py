"""BYOB 6: the tail of a projection, its cursor, its cuts, and what it must not carry."""

from typing import Any

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import DUO, DUO_H, PIPE, TRIO, WORK
from harness.byob.table import Table
from harness.check import check

SHORT = {"inline_limit": 100}
ROOMY = {"max_chars": 1000}


def _seqs(entries: list[dict[str, Any]]) -> list[int]:
    return [reading.seq_of(entry) for entry in entries]


@check("byob/6/tail-is-all-above-since", "BYOB-6-12", "BYOB-6-13", "BYOB-6-16")
async def above(t: Context) -> None:
    """For every since the tail is exactly the visible entries above it, in order of seq."""
    table = await t.table(TRIO)
    await table.turns(4)
    await t.need(table.out_of_turn(table.raise_hand))
    everything = _seqs(await table.entries())
    for since in range(len(everything) + 1):
        got = _seqs(await table.tail("b", since))
        low = [seq for seq in got if seq <= since]
        t.expect("BYOB-6-12", not low, wanted=f"no entry up to {since} in the tail since {since}", got=low)
        missing = [seq for seq in everything if seq > since and seq not in got]
        t.expect("BYOB-6-13", not missing, wanted=f"every visible entry above {since}", got={"missing": missing})
        t.expect("BYOB-6-16", got == sorted(set(got)), wanted="ascending seqs, each once", got=got)


@check("byob/6/since-beyond-the-end", "BYOB-6-12")
async def beyond(t: Context) -> None:
    """A since beyond the last seq, or an odd one, never crashes the host and never shows what is not above it."""
    table = await t.table(DUO)
    last = await table.last_seq()
    answer = await table.proj("a", last + 1000)
    empty = not answer.ok or answer.members.get("tail") == []
    t.expect("BYOB-6-12", empty, wanted="an empty tail, or a refusal, for a since beyond the end", got=answer)
    for odd in ("-1", "1.5", "abc", "", "1e3", "0x1", "99999999999999999999"):
        answer = await table.proj("a", odd)
        t.expect("BYOB-6-12", answer.status < 500, wanted=f"2xx or 4xx to since={odd}", got=answer)


@check("byob/6/hidden-entries-stay-hidden", "BYOB-6-13", "BYOB-6-14")
async def hidden(t: Context) -> None:
    """A tail holds no entry that its seat may not see, and all that it may."""
    table = await t.table(PIPE)
    says = {seat: reading.seq_of(await table.turn()) for seat in ("s1", "s2", "s3")}
    for reader, seen in {"s1": {"s1"}, "s2": {"s1", "s2"}, "s3": {"s2", "s3"}}.items():
        tail = _seqs(await table.tail(reader))
        shown = {seat for seat, seq in says.items() if seq in tail}
        t.expect(
            "BYOB-6-14", shown <= seen, wanted=f"{reader} to see the says of {sorted(seen)} only", got=sorted(shown)
        )
        t.expect("BYOB-6-13", shown >= seen, wanted=f"{reader} to see the says of {sorted(seen)}", got=sorted(shown))


@check("byob/6/same-range-same-entries", "BYOB-6-17", "BYOB-6-15")
async def again(t: Context) -> None:
    """Reading a range again gives the same entries, which equal those of the ledger but for ts."""
    table = await t.table(WORK)
    await t.propose(table)
    early = await table.tail("b", 0)
    await table.turns(3)
    late = await table.tail("b", 0)
    t.expect(
        "BYOB-6-17", late[: len(early)] == early, wanted="the early tail as the beginning of the late one", got=late
    )
    audit = {reading.seq_of(each): each for each in await table.entries()}
    for entry in late:
        ledger = {name: value for name, value in audit.get(reading.seq_of(entry), {}).items() if name != "ts"}
        t.expect("BYOB-6-15", entry == ledger, wanted="the ledger's entry without ts", got=entry)


@check("byob/6/cursor-marks-how-far", "BYOB-6-18", "BYOB-2-13")
async def cursor(t: Context) -> None:
    """The cursor is at or behind the tail's last entry; reading from it gives what is new and nothing else."""
    table = await t.table(DUO)
    await table.turns(2)
    projection = await table.projection("b", 0)
    mark, last = projection.get("cursor"), max(_seqs(reading.objects(projection.get("tail"))), default=0)
    whole = isinstance(mark, int) and not isinstance(mark, bool)
    if not t.expect("BYOB-6-18", whole, wanted="an integer cursor", got=mark) or not isinstance(mark, int):
        return
    fair = last <= mark <= await table.last_seq()
    t.expect("BYOB-6-18", fair, wanted=f"a cursor from {last} to the last seq of the ledger", got=mark)
    tail = await table.tail("b", mark)
    t.expect("BYOB-6-18", tail == [], wanted="an empty tail since the cursor while nothing is appended", got=tail)
    said = [reading.seq_of(await table.turn()) for _ in range(3)]
    got = [seq for seq in _seqs(await table.tail("b", mark)) if seq in said]
    t.expect("BYOB-2-13", got == said, wanted="all three says since the old cursor", got=got)


@check("byob/6/reads-go-on-from-the-last", "BYOB-6-19", "BYOB-6-20", "BYOB-6-21")
async def without_since(t: Context) -> None:
    """Without since a seat reads from its own last read on, the first time from the beginning."""
    table = await t.table(DUO)
    for reader in ("a", "b"):
        everything = _seqs(await table.entries())
        first = _seqs(reading.objects((await table.projection(reader)).get("tail")))
        clause = "BYOB-6-20" if reader == "a" else "BYOB-6-21"
        missing = [seq for seq in everything if seq not in first]
        wanted = f"every visible entry in {reader}'s first read without since"
        t.expect(clause, not missing, wanted=wanted, got={"missing": missing})
    new = reading.seq_of((await t.need(table.say("a", t.words()))).value)
    for reader in ("a", "b"):
        got = _seqs(reading.objects((await table.projection(reader)).get("tail")))
        only_new = new in got and min(got, default=0) >= new
        t.expect("BYOB-6-19", only_new, wanted=f"the new entries only, from {new} on", got=got)


VOLATILE = ("ts", "time", "timestamp", "date", "online", "presence", "last_seen", "now")


@check("byob/6/nothing-volatile", "BYOB-6-22", "BYOB-6-23", "BYOB-6-24")
async def volatile(t: Context) -> None:
    """Two reads of the same state are equal, whoever listens meanwhile, and carry no time."""
    task = await t.task("approved")
    table = task.table
    await table.turn()
    first = await table.projection("b", 0)
    async with t.listening(table, "a"):
        listened = await table.projection("b", 0)
    await t.after(2.5)
    second = await table.projection("b", 0)
    for got, when in ((listened, "while another seat listens"), (second, "a while later")):
        t.expect("BYOB-6-24", got == first, wanted=f"the same projection {when}", got=_difference(first, got))
    for name in VOLATILE:
        found = reading.members({**second, "tail": []}, name)
        t.expect("BYOB-6-22", not found, wanted=f"no member {name} in a projection", got=found)
    stamped = [entry for entry in reading.objects(second.get("tail")) if "ts" in entry]
    t.expect("BYOB-6-23", not stamped, wanted="no ts in tail entries", got=stamped)


def _difference(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    return {name: other.get(name) for name in {*one, *other} if one.get(name) != other.get(name)}


@check("byob/6/long-bodies-are-references", "BYOB-6-25", "BYOB-6-26", "BYOB-6-28", "BYOB-2-30")
async def long_bodies(t: Context) -> None:
    """A body above inline_limit is shortened in the tail, with a reference to the whole, which is kept."""
    table = await t.table(DUO, floor=ROOMY, projection=SHORT)
    body = t.words(300)
    posted = await t.need(table.by_holder(lambda seat: table.say(seat, body, refs=["mem-1"])))
    seq = reading.seq_of(posted.value)
    shown = await _shown(table, seq)
    got = str(shown.get("body"))
    short = len(got) < len(body) and got[:50] == body[:50]
    t.expect("BYOB-6-25", short, wanted="a shorter body that begins as the original does", got=shown)
    refs = shown.get("refs")
    named = isinstance(refs, list) and {"mem-1", f"entry:{seq}"} <= {str(each) for each in refs}
    t.expect("BYOB-6-26", named, wanted=f"refs with mem-1 and entry:{seq}", got=refs)
    whole = (await t.need(table.entry("b", seq))).members
    t.expect(
        "BYOB-2-30", whole.get("body") == body, wanted="all 300 characters from the single-entry endpoint", got=whole
    )
    kept = next((each for each in await table.entries() if reading.seq_of(each) == seq), {})
    t.expect("BYOB-6-28", kept.get("body") == body, wanted="all 300 characters in the ledger", got=kept)


@check("byob/6/short-bodies-are-whole", "BYOB-6-27")
async def short_bodies(t: Context) -> None:
    """A body of at most inline_limit characters is left alone in the tail."""
    table = await t.table(DUO, projection=SHORT)
    for length in (99, 100):
        body = t.words(length)
        seq = reading.seq_of(await table.turn(body=body))
        shown = await _shown(table, seq)
        refs = shown.get("refs") or []
        whole = shown.get("body") == body and f"entry:{seq}" not in refs
        t.expect(
            "BYOB-6-27", whole, wanted=f"a body of {length} characters whole, without a reference to itself", got=shown
        )


async def _shown(table: Table, seq: int) -> dict[str, Any]:
    return next((each for each in await table.tail("b") if reading.seq_of(each) == seq), {})


@check("byob/6/floor-tells-holder-grant-and-size", "BYOB-6-29", "BYOB-6-30")
async def floor(t: Context) -> None:
    """Every seat reads the same holder, who alone has the floor, and the grant with its size."""
    table = await t.table(DUO_H)
    for _ in range(3):
        holder = await table.need_holder()
        grants = _seqs(reading.events(await table.entries(), "floor_granted"))
        for seat in ("a", "b", "h"):
            got = await table.floor(seat)
            right = got.get("holder") == holder and got.get("you_have_floor") is (seat == holder)
            t.expect(
                "BYOB-6-29", right, wanted=f"holder {holder}, and you_have_floor {seat == holder} for {seat}", got=got
            )
            told = got.get("grant_seq") in grants and got.get("max_chars") == table.config["floor"]["max_chars"]
            t.expect("BYOB-6-30", told, wanted=f"a grant_seq of {grants} and max_chars as configured", got=got)
        await table.turn()


@check("byob/6/status-is-open-or-closed", "BYOB-6-31", "BYOB-2-35", "BYOB-2-42", "BYOB-2-43")
async def status(t: Context) -> None:
    """Projection and memory say open before the close and closed after it; the close is answered with the memory."""
    table = await t.table(DUO)
    reason = t.words()

    async def told() -> tuple[Any, Any]:
        return (await table.projection("b", 0)).get("status"), (await table.memory("b")).get("status")

    for clause, got in zip(("BYOB-6-31", "BYOB-2-35"), await told(), strict=True):
        t.expect(clause, got == "open", wanted="status open", got=got)
    answer = await table.close(reason)
    names = set(await table.memory("b"))
    right = answer.ok and answer.members.get("status") == "closed" and names <= set(answer.members)
    t.expect("BYOB-2-42", right, wanted=f"the memory ({', '.join(sorted(names))}) with status closed", got=answer)
    for clause, got in zip(("BYOB-6-31", "BYOB-2-35"), await told(), strict=True):
        t.expect(clause, got == "closed", wanted="status closed", got=got)
    closed = reading.events(await table.entries(), "table_closed")
    t.expect("BYOB-2-43", reading.mentions(closed, reason), wanted="the admin's reason in table_closed", got=closed)


@check("byob/6/my-tasks", "BYOB-6-32")
async def my_tasks(t: Context) -> None:
    """An approved task is among the executor's tasks, and not among those of a seat that has nothing to do with it."""
    task = await t.task("approved")
    mine = (await task.table.projection("b", 0)).get("my_tasks")
    t.expect("BYOB-6-32", task.id in reading.task_ids(mine), wanted=f"{task.id} in the executor's my_tasks", got=mine)
    theirs = (await task.table.projection("v", 0)).get("my_tasks")
    t.expect("BYOB-6-32", task.id not in reading.task_ids(theirs), wanted=f"{task.id} not in v's my_tasks", got=theirs)
