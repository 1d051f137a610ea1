"""YEA 6.3, exp and nbf as time passes: one token, judged anew at each request that it comes with."""

from harness.check import check
from harness.context import Context
from harness.errors import Untested
from harness.refusals import unchanged

LEAD = 7  # seconds until a grant begins or ends
CLOSE = 3  # seconds before that, from which an answer proves nothing: clocks may be two seconds apart
AFTER = 4  # seconds past it, after which it must count


@check("yea/6.3/a-grant-begins-at-its-nbf", "YEA-6.3-17", needs=("undoable",), commits=2, waits=True)
async def begins(t: Context) -> None:
    """A token that was refused before its nbf commits after it."""
    offer = await t.offer("undoable")
    before = await offer.state()
    start = int(t.now()) + LEAD
    held = t.grant(offer.agent, nbf=start)
    early = await t.send(offer.commit(grants=[held]))
    if t.now() > start - CLOSE:
        raise Untested(f"the answer to a COMMIT took until the nbf, {LEAD} s")
    t.expect_error("YEA-6.3-17", early, "forbidden")
    await unchanged(t, "YEA-6.3-17", offer, before, "a COMMIT before the nbf of its grant")
    await t.until(start + AFTER)
    exchange = await t.send(offer.commit(grants=[held]))
    wanted = "RECEIPT under the same token after its nbf"
    t.expect("YEA-6.3-17", exchange.kind == "RECEIPT", wanted=wanted, got=exchange)


@check("yea/6.3/a-grant-ends-at-its-exp", "YEA-6.3-16", "YEA-4.4-27", needs=("undoable",), commits=3, waits=True)
async def ends(t: Context) -> None:
    """A token that committed before its exp does nothing after it: no COMMIT, no repeat of one, no UNDO."""
    agent = t.agent()
    first, second = await t.offer("undoable", agent=agent), await t.offer("undoable", agent=agent)
    end = int(t.now()) + LEAD
    held = t.grant(agent, exp=end)
    done = await t.commit(first, first.commit(grants=[held]))
    before, after = await second.state(), await first.state()
    await t.until(end + AFTER)
    exchange = await t.send(second.commit(grants=[held]))
    wanted = "ERROR forbidden to a COMMIT under a token that committed before its exp"
    t.expect("YEA-6.3-16", exchange.code == "forbidden", wanted=wanted, got=exchange)
    await unchanged(t, "YEA-6.3-16", second, before, "a COMMIT after the exp of its grant")
    t.expect_error("YEA-4.4-27", await t.send(first.commit(grants=[held])), "forbidden")
    t.expect_error("YEA-6.3-16", await t.send(first.undo(done.reply["receipt"], grants=[held])), "forbidden")
    await unchanged(t, "YEA-6.3-16", first, after, "an UNDO after the exp of its grant")
    t.expect_kind("YEA-6.3-16", await t.send(second.commit()), "RECEIPT")
