"""BYOB 2: what each endpoint answers."""

from typing import Any

from harness.byob import reading
from harness.byob.context import Context, named
from harness.byob.recipes import DUO, INHERITED, PIPE, WORK, Place
from harness.byob.tasks import state_of
from harness.byob.tokens import token_in
from harness.check import check

WIDE = {"max_chars": 1000}
TIMED = ("ts",)
MEMBERS = ("prefix", "prefix_hash", "tail", "cursor", "floor", "status")


@check("byob/2/creations-and-joins-name-what-they-made", "BYOB-2-24", "BYOB-2-27")
async def made(t: Context) -> None:
    """A creation names the table and an admin token, a join the seat and its token, which works at once."""
    config, people = t.config(DUO)
    answer = await t.need(t.create(config))
    table_id = named(answer.members.get("table"), "id", "")
    t.expect("BYOB-2-24", bool(table_id), wanted="the table's id under table", got=answer.members.get("table"))
    t.expect("BYOB-2-24", bool(token_in(answer.value, "admin_token")), wanted="a string admin_token", got=answer)
    table = t.made(config, people, answer)
    joined = await t.need(table.join(Place("a", "A")))
    seat = named(joined.members.get("seat"), "seat", "")
    t.expect("BYOB-2-27", seat == "a", wanted="the seat a under seat", got=joined.members.get("seat"))
    if t.expect("BYOB-2-27", bool(token_in(joined.value, "seat_token")), wanted="a string seat_token", got=joined):
        t.expect_ok("BYOB-2-27", await table.mem("a"), "2xx with the new token")


@check("byob/2/a-post-is-answered-with-its-entry", "BYOB-2-28")
async def posted(t: Context) -> None:
    """A post is answered with the entry that was appended."""
    table = await t.table(DUO)
    text = t.words()
    answer = await t.need(table.say("a", text))
    entry = answer.members
    wanted = {"table": table.id, "seat": "a", "kind": "say", "body": text}
    same = all(entry.get(name) == value for name, value in wanted.items()) and reading.seq_of(entry) > 0
    t.expect("BYOB-2-28", same, wanted=f"an entry with a seq and {wanted}", got=entry)
    _is_in_ledger(t, "BYOB-2-28", entry, await table.entries())


def _is_in_ledger(t: Context, clause: str, entry: dict[str, Any], entries: list[reading.Entry]) -> None:
    """Expect an entry of the ledger with this seq, whose members agree wherever both have them."""
    found = [each for each in entries if reading.seq_of(each) == reading.seq_of(entry)]
    if t.expect(
        clause, len(found) == 1, wanted=f"seq {entry.get('seq')} once in the ledger", got=f"{len(found)} entries"
    ):
        both = [name for name in entry if name in found[0] and name not in TIMED]
        differing = [name for name in both if entry[name] != found[0][name]]
        t.expect(clause, not differing, wanted="the same entry in the ledger", got={n: found[0][n] for n in differing})


@check("byob/2/a-seat-reads-its-projection", "BYOB-2-29")
async def projected(t: Context) -> None:
    """GET projection is answered with the seat's projection."""
    table = await t.table(DUO)
    answer = await table.proj("a", 0)
    t.expect_ok("BYOB-2-29", answer)
    missing = [
        name for name in ("prefix", "prefix_hash", "tail", "cursor", "floor", "status") if name not in answer.members
    ]
    t.expect("BYOB-2-29", not missing, wanted="all members of a projection", got=f"without {', '.join(missing)}")


@check("byob/2/a-single-entry-is-whole", "BYOB-2-30")
async def single(t: Context) -> None:
    """GET entries/{seq} gives the full entry, whatever a projection cuts."""
    table = await t.table(DUO, floor=WIDE, projection={"inline_limit": 100})
    text = t.words(300)
    seq = reading.seq_of((await t.need(table.say("a", text))).value)
    answer = await table.entry("b", seq)
    got = answer.members.get("body", answer.seen())
    t.expect("BYOB-2-30", got == text, wanted="all 300 characters of the body", got=got)


@check("byob/2/memory-tells-decisions-and-status", "BYOB-2-33", "BYOB-2-35")
async def decided(t: Context) -> None:
    """The memory lists the decisions so far, and says whether the table is open."""
    table = await t.table(DUO, floor={"decision_by": ["a"]}, termination={"any": ["decision"]})
    before = await table.memory("b")
    t.expect("BYOB-2-33", before.get("decisions") == [], wanted="no decisions at first", got=before.get("decisions"))
    t.expect("BYOB-2-35", before.get("status") == "open", wanted="status open", got=before.get("status"))
    answer = await t.need(table.decision("a", text := t.words()))
    after = await table.memory("b")
    listed = after.get("decisions")
    one = isinstance(listed, list) and len(listed) == 1
    told = reading.holds(listed, reading.seq_of(answer.value)) or reading.holds(listed, text)
    t.expect("BYOB-2-33", one and told, wanted="one decision, with its seq or body", got=listed)
    t.expect("BYOB-2-35", after.get("status") == "closed", wanted="status closed", got=after.get("status"))


@check("byob/2/memory-lists-tasks", "BYOB-2-34")
async def tasks_listed(t: Context) -> None:
    """The memory lists each task with its state."""
    task = await t.task("approved")
    memory = await task.table.memory("v")
    tasks = memory.get("tasks")
    mine = tasks.get(task.id) if isinstance(tasks, dict) else None
    mine = mine or next((each for each in reading.objects(tasks) if reading.holds(each, task.id)), None)
    good = state_of(mine) == "approved" if isinstance(mine, dict) else mine == "approved"
    t.expect("BYOB-2-34", good, wanted=f"{task.id} with the state approved", got=tasks)


@check("byob/2/memory-tells-the-token-total", "BYOB-2-36")
async def total(t: Context) -> None:
    """The memory states the sum of the tokens counted so far."""
    table = await t.table(DUO)
    for seat, count in (("a", 7), ("b", 5)):
        await table.need_holder(seat)
        await t.need(table.say(seat, budget={"tokens_used": count}))
    memory = await table.memory()
    t.expect("BYOB-2-36", t.total_in(memory) == 12, wanted="a token total of 12", got=memory)


@check("byob/2/any-seat-reads-a-task", "BYOB-2-37", "BYOB-2-38")
async def task_read(t: Context) -> None:
    """GET tasks/{task} gives any seat the task, and says of others that there is none."""
    task = await t.propose(await t.table(WORK))
    answer = await task.table.task("v", task.id)
    t.expect_ok("BYOB-2-37", answer, "2xx to a seat that is neither proposer nor executor")
    named_so = reading.holds(answer.value, task.id)
    t.expect(
        "BYOB-2-37", named_so and state_of(answer.value) is not None, wanted="its id and a state", got=answer.value
    )
    for unknown in ("task-99999", INHERITED):
        t.expect_refused("BYOB-2-38", await task.table.task("a", unknown), "E_NOT_FOUND")


@check("byob/2/an-owner-decision-is-answered-with-its-entry", "BYOB-2-40")
async def approved(t: Context) -> None:
    """An owner decision is answered with the appended entry."""
    task = await t.task("awaiting_approval")
    answer = await t.need(task.decide("approve"))
    entry = answer.members
    good = entry.get("kind") == "approval" and reading.seq_of(entry) > 0
    t.expect("BYOB-2-40", good, wanted="an approval with a seq", got=entry)
    _is_in_ledger(t, "BYOB-2-40", entry, await task.table.entries())


@check("byob/2/a-close-is-answered-with-the-memory", "BYOB-2-42", "BYOB-2-43")
async def closed(t: Context) -> None:
    """A close is answered with the memory, closed, and its reason is in the ledger."""
    table = await t.table(DUO)
    before = await table.memory()
    answer = await t.need(table.close(reason := f"reason {t.unique()}"))
    missing = [name for name in ("decisions", "tasks", "status") if name in before and name not in answer.members]
    t.expect("BYOB-2-42", not missing, wanted="the members of the memory", got=answer.value)
    status = answer.members.get("status")
    t.expect("BYOB-2-42", status == "closed", wanted="status closed", got=status)
    ended = reading.events(await table.entries(), "table_closed")
    told = any(reading.mentions(entry, reason) for entry in ended)
    t.expect("BYOB-2-43", told, wanted=f"table_closed with {reason}", got=ended)


@check("byob/2/the-ledger-has-every-post", "BYOB-2-45")
async def whole(t: Context) -> None:
    """The ledger gives all entries, whatever their visibility."""
    table = await t.table(PIPE)
    posted = [reading.seq_of(await table.turn()) for _ in range(3)]
    seqs = {reading.seq_of(entry) for entry in await table.entries()}
    t.expect("BYOB-2-45", set(posted) <= seqs, wanted=f"the seqs {posted}", got=str(sorted(seqs)))
