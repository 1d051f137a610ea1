"""YEA 4.4, simultaneous COMMITs of one proposal: one execution, one receipt, one charge."""

from harness.check import check
from harness.context import Context
from harness.encoding import exact
from harness.histories import Change, at_once, expect_times
from harness.offers import Offer
from harness.recipes.limits import limit
from harness.recipes.wire import priced_alike
from harness.targets.base import Exchange

REPEATS = 5


async def _burst(t: Context, offer: Offer, grants: list[str], *, spread: bool) -> list[Exchange]:
    connections = [await t.second() if spread else await t.conn() for _ in range(REPEATS)]
    return await at_once(t, [(offer.commit(grants=grants), connection) for connection in connections])


def _expect_one_receipt(t: Context, exchanges: list[Exchange], where: str) -> None:
    receipts = [exchange.reply["receipt"] for exchange in exchanges if isinstance(exchange.reply.get("receipt"), dict)]
    ids = {exact(receipt.get("id")) for receipt in receipts}
    seen = ", ".join(exchange.seen() for exchange in exchanges)
    wanted = f"one receipt id among {REPEATS} COMMITs at once over {where}"
    t.expect("YEA-4.4-26", len(ids) == 1, wanted=wanted, got=f"{len(ids)} ids: {seen}")
    fresh = [exchange for exchange in exchanges if exchange.kind == "RECEIPT" and not exchange.reply.get("replay")]
    wanted = f"at most one of them without replay, over {where}"
    t.expect("YEA-4.4-26", len(fresh) <= 1, wanted=wanted, got=f"{len(fresh)}: {seen}", open_question="YEA-Q39")


async def _once(t: Context, role: str) -> None:
    change = await Change.of(t, role)
    spreads = {"one connection": False, "five connections": True} if t.shares_state else {"one connection": False}
    for where, spread in spreads.items():
        offer = await t.offer(role)
        before = await offer.state()
        exchanges = await _burst(t, offer, [offer.grant], spread=spread)
        _expect_one_receipt(t, exchanges, where)
        await expect_times(t, "YEA-4.4-26", change, offer, before, 1, f"{REPEATS} COMMITs at once over {where}")


@check("yea/4.4/simultaneous-commits-execute-once", "YEA-4.4-26", needs=("undoable",), commits=1 + 2 * REPEATS)
async def quick(t: Context) -> None:
    """Five COMMITs of one proposal at once, over one connection and over five, execute it once."""
    await _once(t, "undoable")


@check("yea/4.4/simultaneous-slow-commits-execute-once", "YEA-4.4-26", needs=("slow-commit",), commits=1 + 2 * REPEATS)
async def slow(t: Context) -> None:
    """Five COMMITs at once of a proposal that takes a while execute it once."""
    await _once(t, "slow-commit")


@check("yea/4.4/simultaneous-commits-are-charged-once", "YEA-4.4-26", needs=("uses",), commits=REPEATS + 2)
async def charged_once(t: Context) -> None:
    """Five COMMITs of one proposal at once take its quantity from the total once."""
    agent = t.agent()
    offer, second, third = await priced_alike(t, [agent] * 3)
    held = t.grant(agent, total=limit(offer.proposal, times=2))
    await _burst(t, offer, [held], spread=True)
    left = await t.send(second.commit(grants=[held]))
    t.expect("YEA-4.4-26", left.kind == "RECEIPT", wanted="RECEIPT: half of the total is left", got=left)
    over = await t.send(third.commit(grants=[held]))
    t.expect("YEA-4.4-26", over.kind == "ERROR", wanted="no RECEIPT past the total", got=over)
