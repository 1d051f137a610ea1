"""YEA 4.3.1, auto-commit: a repeat of (proof key, frame id) gets the first reply and never commits again."""

from typing import Any

from harness.autos import Auto, committed_auto, send_auto
from harness.check import check
from harness.context import SAME, Context
from harness.cuts import same
from harness.encoding import exact, shown
from harness.errors import NotApplicable, Untested
from harness.histories import Change, at_once
from harness.measures import limit, steady_measure
from harness.offers import Offer, proposals_in
from harness.refusals import unchanged
from harness.targets.base import STREAMS, Exchange


def expect_replay(t: Context, clause: str, made: Auto, again: Exchange, what: str) -> bool:
    """Expect the first receipt once more, marked as a replay."""
    receipt = again.reply.get("receipt")
    first = again.kind == "RECEIPT" and same(receipt, made.receipt)
    name = made.receipt["id"]
    got = shown(receipt.get("id")) if isinstance(receipt, dict) else again
    ok = t.expect(clause, first, wanted=f"the first receipt, {name}, to {what}", got=got)
    if ok:
        flag = again.reply.get("replay")
        t.expect(clause, flag is True, wanted=f"replay true to {what}", got=f"replay {shown(flag)}")
    return ok


@check(
    "yea/4.3.1/repeat-returns-the-receipt",
    "YEA-4.3.1-24",
    "YEA-4.3.1-25",
    "YEA-4.3.1-27",
    needs=("undoable",),
    commits=4,
)
async def repeat_returns_the_receipt(t: Context) -> None:
    """A repeat of a committed auto INTENT gets the first receipt, in a new frame with replay true."""
    instance = await t.role("undoable")
    made = await committed_auto(t, instance)
    after = await instance.state()
    seen = {exact(made.exchange.reply.get("id"))}
    for where in (*t.places, SAME):
        again = await t.send(made.frame, await t.again_over(where))
        what = f"the same frame over {where}"
        expect_replay(t, "YEA-4.3.1-24", made, again, what)
        expect_fresh_frame(t, made, again, seen if where == SAME else set(), what)
        await unchanged(t, "YEA-4.3.1-25", instance, after, what)


def expect_fresh_frame(t: Context, made: Auto, again: Exchange, seen: set[str], what: str) -> None:
    """Expect that a repeat's reply is a frame of its own: a new id, and `re` the frame's id.

    Args:
        seen: the ids that came over its connection before; over HTTP each POST is a connection (YEA-Q11).
    """
    name, re = exact(again.reply.get("id")), again.reply.get("re")
    if t.transport in STREAMS:
        t.expect("YEA-4.3.1-27", name not in seen, wanted=f"a fresh id on the reply to {what}", got=f"id {name} again")
    t.expect("YEA-4.3.1-27", re == made.frame["id"], wanted=f"re {made.frame['id']}", got=f"re {shown(re)}")
    seen.add(name)


@check("yea/4.3.1/repeat-keeps-auto", "YEA-4.3.1-24", needs=("undoable",), commits=2, basis="open")
async def repeat_keeps_auto(t: Context) -> None:
    """The reply to a repeat says auto true, as the original reply did."""
    made = await committed_auto(t, "undoable")
    again = await t.send(made.frame, await t.second())
    flag = again.reply.get("auto")
    t.expect("YEA-4.3.1-24", flag is True, wanted="auto true on the reply to a repeat", got=f"auto {shown(flag)}")


@check(
    "yea/4.3.1/repeat-returns-the-proposals",
    "YEA-4.3.1-26",
    "YEA-4.3.1-27",
    "YEA-4.3.1-16",
    needs=("undoable",),
    commits=5,
)
async def repeat_returns_the_proposals(t: Context) -> None:
    """A repeat of an auto INTENT that got PROPOSALS gets those same proposals, and they can be committed."""
    agent = t.agent()
    instance = await t.role("undoable")
    made = await send_auto(t, instance, agent=agent, grants=[t.grant(agent, verbs=["INTENT"])])
    first = made.exchange.reply.get("proposals")
    if made.exchange.kind != "PROPOSALS" or not isinstance(first, list):
        raise Untested(f"an auto INTENT under a grant for INTENT only got {made.exchange.seen()}")
    seen = {exact(made.exchange.reply.get("id"))}
    for where in (*t.places, SAME):
        again = await t.send(made.again(), await t.again_over(where))
        what = f"the same frame, signed anew, over {where}"
        proposals = again.reply.get("proposals")
        wanted = f"the first proposals, {_ids(first)}, to {what}"
        t.expect("YEA-4.3.1-26", same(proposals, first), wanted=wanted, got=_ids(proposals) or again)
        expect_fresh_frame(t, made, again, seen if where == SAME else set(), what)
    offers = proposals_in(made.exchange)
    if offers:
        stopped = Offer(instance, agent, t.grant(agent), made.exchange, offers)
        wanted = "RECEIPT to a COMMIT of what an auto INTENT stopped at"
        committed = await t.send(stopped.commit())
        t.expect("YEA-4.3.1-16", committed.kind == "RECEIPT", wanted=wanted, got=committed)


def _ids(proposals: Any) -> str:
    listed = proposals if isinstance(proposals, list) else []
    return ", ".join(shown(item.get("id")) for item in listed if isinstance(item, dict))


@check("yea/4.3.1/repeat-signed-anew", "YEA-4.3.1-31", "YEA-4.3.1-25", needs=("undoable",), commits=2)
async def repeat_signed_anew(t: Context) -> None:
    """A repeat is known by its key and id, whenever its proof was signed."""
    instance, agent = await t.role("undoable"), t.agent()
    frame = t.intent(instance, agent, [t.grant(agent)], auto=True)
    made = Auto(instance, agent, frame, Exchange(frame))
    made.frame = made.again(ts=int(t.now()) - 20)
    made.exchange = await t.send(made.frame)
    if not isinstance(made.receipt.get("id"), str):
        raise Untested(f"a right auto INTENT got {made.exchange.seen()}")
    after = await instance.state()
    again = await t.send(made.again(), await t.second())
    expect_replay(t, "YEA-4.3.1-31", made, again, "the same frame with a new proof")
    await unchanged(t, "YEA-4.3.1-25", instance, after, "a repeat with a new proof")


@check("yea/4.3.1/repeat-ignores-used-up-totals", "YEA-4.3.1-24", "YEA-4.3.1-25", needs=("uses",), commits=2)
async def repeat_over_a_total(t: Context) -> None:
    """A repeat gets the receipt though its own commit has used up the grant's total."""
    of, quantity = await steady_measure(t)
    instance, agent = await t.role("uses"), t.agent()
    token = t.grant(agent, {"total": limit(of, quantity)})
    made = await committed_auto(t, instance, agent=agent, grants=[token])
    after = await instance.state()
    expect_replay(t, "YEA-4.3.1-24", made, await t.send(made.again(), await t.second()), "a repeat")
    await unchanged(t, "YEA-4.3.1-25", instance, after, "a repeat under a used-up total")


@check("yea/4.3.1/repeat-never-commits-other-params", "YEA-4.3.1-25", needs=("undoable",), commits=2)
async def changed_params(t: Context) -> None:
    """A frame with a used key and id, but other params, commits nothing (YEA-Q38: what it gets is open)."""
    made = await committed_auto(t, "undoable")
    other = await t.role("undoable")
    before = await other.state()
    again = await t.send(made.again(params=other.params), await t.second())
    receipt = again.reply.get("receipt")
    new = again.kind == "RECEIPT" and isinstance(receipt, dict) and not same(receipt.get("id"), made.receipt["id"])
    t.expect("YEA-4.3.1-25", not new, wanted="no new receipt for a used id with other params", got=again)
    await unchanged(t, "YEA-4.3.1-25", other, before, "a used id with other params")


@check(
    "yea/4.3.1/simultaneous-repeats-commit-once",
    "YEA-4.3.1-25",
    needs=("undoable",),
    commits=6,
    deadline=180.0,
    also=("slow-commit",),
)
async def simultaneous_repeats(t: Context) -> None:
    """Identical auto frames sent at once, over several connections, commit once."""
    t.need_shared_state()
    for role in ("undoable", "slow-commit"):
        if t.has(role):
            await _at_once(t, role)
    if not t.findings:
        raise Untested("a right auto INTENT got no RECEIPT")


async def _at_once(t: Context, role: str) -> None:
    ordinary = await t.role(role)
    before = await ordinary.state()
    if (await send_auto(t, ordinary)).exchange.kind != "RECEIPT":
        t.note(f"an auto INTENT for the role {role} is not committed, perhaps for a commit found in doubt")
        return
    once = await ordinary.state()

    instance, agent = await t.role(role), t.agent()
    start = await instance.state()
    frame = t.intent(instance, agent, [t.grant(agent)], auto=True)
    connections = [await t.second(), await t.second(), await t.second(elsewhere=True), await t.second(elsewhere=True)]
    replies = await at_once(t, [(frame, conn) for conn in connections])
    receipts = [reply.reply.get("receipt") for reply in replies if reply.kind == "RECEIPT"]
    names = {exact(receipt.get("id")) for receipt in receipts if isinstance(receipt, dict)}
    what = f"4 identical auto INTENTs at once for the role {role}"
    got = f"{', '.join(sorted(reply.seen() for reply in replies))} with ids {', '.join(sorted(names)) or 'none'}"
    t.expect("YEA-4.3.1-25", len(names) == 1, wanted=f"one receipt id among the replies to {what}", got=got)
    if instance.watched:
        after = await instance.state()
        times = Change(before, once).happened(start, after)
        if times is not None:  # what differs from object to object does not tell
            wanted = f"one auto INTENT changes {shown(before)} to {shown(once)}, so one of them after {what}"
            got = f"from {shown(start)} to {shown(after)}"
            t.expect("YEA-4.3.1-25", times == 1, wanted=wanted, got=got, of=instance)


@check("yea/4.3.1/repeat-over-another-transport", "YEA-4.3.1-28", "YEA-4.3.1-25", needs=("undoable",), commits=2)
async def repeat_elsewhere(t: Context) -> None:
    """What an auto INTENT got is remembered by the service, not by the connection or transport it came over."""
    t.need_shared_state()
    instance = await t.role("undoable")
    made = await committed_auto(t, instance, conn=await t.second())
    after = await instance.state()
    conn = await t.second(elsewhere=True)
    expect_replay(t, "YEA-4.3.1-28", made, await t.send(made.again(), conn), f"a repeat over {conn.transport}")
    await unchanged(t, "YEA-4.3.1-25", instance, after, "a repeat over another connection")


@check("yea/4.3.1/same-id-of-another-key", "YEA-4.3.1-29", needs=("undoable",), commits=3)
async def same_id_of_another_key(t: Context) -> None:
    """Another agent's auto INTENT with the same frame id is planned and committed on its own."""
    made = await committed_auto(t, "undoable")
    instance, other = await t.role("undoable"), t.agent()
    before = await instance.state()
    second = await send_auto(t, instance, agent=other, id=made.frame["id"], conn=await t.second())
    name = second.receipt.get("id")
    new = isinstance(name, str) and name != made.receipt["id"]
    got = shown(second.receipt.get("id")) if second.receipt else second.exchange
    t.expect("YEA-4.3.1-29", new, wanted="a receipt of its own for the second agent", got=got)
    flag = second.exchange.reply.get("replay")
    t.expect("YEA-4.3.1-29", flag is not True, wanted="no replay for the second agent", got=f"replay {shown(flag)}")
    if instance.watched:
        after = await instance.state()
        wanted = f"another state than {shown(before)}"
        t.expect("YEA-4.3.1-29", not same(after, before), wanted=wanted, got=f"state {shown(after)}", of=instance)
    again = await t.send(made.again(), await t.second())
    expect_replay(t, "YEA-4.3.1-29", made, again, "a repeat by the first agent afterwards")


@check("yea/4.3.1/auto-memory-lasts", "YEA-4.3.1-30", "YEA-4.3.1-25", needs=("undoable",), commits=3, waits=True)
async def memory_lasts(t: Context) -> None:
    """A repeat 5 s and 30 s later still gets the first receipt."""
    await _remembered(t, (5, 30))


@check(
    "yea/4.3.1/auto-memory-lasts-900-s",
    "YEA-4.3.1-30",
    "YEA-4.3.1-25",
    needs=("undoable",),
    commits=2,
    waits=True,
    slow=True,
)
async def memory_lasts_long(t: Context) -> None:
    """A repeat 850 s later still gets the first receipt."""
    await _remembered(t, (850,))


@check(
    "yea/4.3.1/auto-memory-outlives-its-proof",
    "YEA-4.3.1-30",
    "YEA-4.3.1-25",
    needs=("undoable",),
    commits=2,
    waits=True,
    slow=True,
)
async def memory_outlives_the_proof(t: Context) -> None:
    """When the proof's ts is 250 s ahead, a repeat 1100 s later still gets the first receipt."""
    await _remembered(t, (1100,), ahead=250)


async def _remembered(t: Context, delays: tuple[int, ...], ahead: int = 0) -> None:
    instance, agent = await t.role("undoable"), t.agent()
    frame = t.intent(instance, agent, [t.grant(agent)], auto=True)
    made = Auto(instance, agent, frame, Exchange(frame))
    begun = t.now()
    made.exchange = await t.send(made.again(ts=int(begun) + ahead))
    if not isinstance(made.receipt.get("id"), str):
        raise Untested(f"a right auto INTENT got {made.exchange.seen()}")
    after = await instance.state()
    for delay in delays:
        await t.until(begun + delay)
        what = f"a repeat {delay} s later"
        expect_replay(t, "YEA-4.3.1-30", made, await t.send(made.again(), await t.second()), what)
        await unchanged(t, "YEA-4.3.1-25", instance, after, what)


@check("yea/4.3.1/failed-auto-commits-at-most-once", "YEA-4.3.1-25", needs=("failing-commit",), commits=4)
async def failed_auto(t: Context) -> None:
    """An auto INTENT whose execution fails leaves nothing behind, and its repeats commit at most once (YEA-Q44)."""
    instance = await t.role("failing-commit")
    if not (await t.offer(instance)).undoable:
        raise NotApplicable("what the role failing-commit does cannot be undone, so no auto INTENT executes it")
    before = await instance.state()
    made = await send_auto(t, instance)
    if made.exchange.kind == "RECEIPT":
        raise Untested("the first commit of the role failing-commit did not fail")
    await unchanged(t, "YEA-4.3.1-25", instance, before, "an auto INTENT whose execution failed")
    receipts, moved = [], []
    for _ in range(2):
        again = await t.send(made.again(), await t.second())
        receipt = again.reply.get("receipt")
        receipts += [exact(receipt.get("id"))] if again.kind == "RECEIPT" and isinstance(receipt, dict) else []
        state = await instance.state()
        moved += [] if same(state, before) else [exact(state)]
    once = len(set(receipts)) <= 1
    t.expect("YEA-4.3.1-25", once, wanted="at most one receipt id from its repeats", got=", ".join(receipts))
    wanted = f"state {shown(before)} changed at most once by its repeats"
    got = f"then {', then '.join(moved) or 'as it was'}"
    t.expect("YEA-4.3.1-25", len(set(moved)) <= 1, wanted=wanted, got=got, of=instance)
