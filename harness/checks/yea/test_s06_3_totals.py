"""YEA 6.3, totals: histories of commits under one grant, its delegations, its retries and its undos.

What is checked is the whole history: how much was committed in the end, not what each answer was.
"""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.errors import NotApplicable
from harness.histories import Change, at_once, expect_times
from harness.offers import Offer
from harness.recipes.limits import limit, measured
from harness.recipes.scene import block, token
from harness.recipes.wire import priced_alike, scene_of
from harness.refusals import unchanged
from harness.targets.base import Exchange

BURST = 8
ADMITTED = 2


async def _under(t: Context, offer: Offer, held: str) -> Exchange:
    """Commit an offer under a token."""
    return await t.send(offer.commit(grants=[held]))


def _total(offer: Offer, times: int) -> dict[str, Any]:
    return {"total": limit(offer.proposal, times=times)}


@check("yea/6.3/a-total-adds-up", "YEA-6.3-19", "YEA-6.6-05", "YEA-6.3-35", needs=("uses",), commits=4)
async def adds_up(t: Context) -> None:
    """Commits stop with consent_required where their sum would pass the total; another root has its own total."""
    agent = t.agent()
    first, second, third = await priced_alike(t, [agent] * 3)
    held = t.grant(agent, _total(first, 2))
    for offer, nth in ((first, "first"), (second, "second")):
        exchange = await _under(t, offer, held)
        wanted = f"RECEIPT for the {nth} of two under a total of two"
        t.expect("YEA-6.3-19", exchange.kind == "RECEIPT", wanted=wanted, got=exchange)
    before = await third.state()
    stopped = await _under(t, third, held)
    for clause in ("YEA-6.3-19", "YEA-6.6-05"):
        t.expect_error(clause, stopped, "consent_required")
    await unchanged(t, "YEA-6.3-19", third, before, "a COMMIT past the total")
    twin = t.grant(agent, _total(first, 2))
    t.expect_kind("YEA-6.3-35", await _under(t, third, twin), "RECEIPT")


@check("yea/6.3/a-burst-stays-within-a-total", "YEA-6.3-34", needs=("uses",), commits=BURST + 1)
async def burst(t: Context) -> None:
    """Of eight COMMITs at once under a total that admits two, at most two are carried out."""
    await _burst(t, "uses")


@check("yea/6.3/a-slow-commit-is-charged-before-it-ends", "YEA-6.3-34", needs=("slow-commit",), commits=BURST + 1)
async def slow_burst(t: Context) -> None:
    """Of eight slow COMMITs at once under a total that admits two, at most two are carried out."""
    await _need_measure(t, "slow-commit")
    await _burst(t, "slow-commit")


async def _need_measure(t: Context, role: str) -> None:
    if measured((await t.offer(role)).proposal) is None:
        raise NotApplicable(f"the proposal for the role {role} reports no measure above 0")


async def _burst(t: Context, role: str) -> None:
    agent = t.agent()
    change = await Change.of(t, role)
    offers = await priced_alike(t, [agent] * BURST, role)
    held = t.grant(agent, _total(offers[0], ADMITTED))
    befores = [await offer.state() for offer in offers]
    connections = [await t.second() for _ in range(BURST // 2)]
    requests = [
        (offer.commit(grants=[held]), connections[number % len(connections)]) for number, offer in enumerate(offers)
    ]
    exchanges = await at_once(t, requests)
    receipts = [exchange for exchange in exchanges if exchange.kind == "RECEIPT"]
    seen = ", ".join(exchange.seen() for exchange in exchanges)
    wanted = f"at most {ADMITTED} RECEIPTs of {BURST} COMMITs at once, and not none"
    t.expect("YEA-6.3-34", 0 < len(receipts) <= ADMITTED, wanted=wanted, got=seen)
    for offer, before, exchange in zip(offers, befores, exchanges, strict=True):
        times = int(exchange.kind == "RECEIPT")
        await expect_times(t, "YEA-6.3-34", change, offer, before, times, f"a burst that answered {exchange.seen()}")


@check(
    "yea/6.3/every-total-of-the-chain-is-charged",
    "YEA-6.3-33",
    "YEA-6.3-35",
    "YEA-6.3-36",
    needs=("uses",),
    commits=6,
)
async def every_total(t: Context) -> None:
    """The tightest total of a chain stops it, in the root or the child, and siblings share that of their root alone."""
    for tight in ("root", "child"):
        agent, sibling = t.agent(), t.agent()
        mine, more, theirs = await priced_alike(t, (agent, agent, sibling))
        scene = scene_of(mine)
        narrow, wide = _total(mine, 1), _total(mine, 3)
        root = scene.root_to_friend(narrow if tight == "root" else wide)
        link = scene.link(root, wide if tight == "root" else narrow)
        held = token(root, block(scene.friend, link))
        first = await _under(t, mine, held)
        what = f"a total of one in the {tight} and of three beside it"
        t.expect("YEA-6.3-33", first.kind == "RECEIPT", wanted=f"RECEIPT for the first under {what}", got=first)
        second = await _under(t, more, held)
        ok = second.code == "consent_required"
        t.expect("YEA-6.3-33", ok, wanted=f"consent_required for the second under {what}", got=second)
        # In the second round the sibling has a total of one as well, in a block of its own.
        theirs_held = token(root, block(scene.friend, {**link, "sub": sibling.public}))
        other = await _under(t, theirs, theirs_held)
        ok = other.code == "consent_required" if tight == "root" else other.kind == "RECEIPT"
        wanted = (
            "consent_required: its root's total is used up" if tight == "root" else "RECEIPT: nothing is used of its"
        )
        clause = "YEA-6.3-36" if tight == "root" else "YEA-6.3-35"
        t.expect(clause, ok, wanted=f"{wanted}, for a sibling under {what}", got=other)


@check("yea/6.3/a-total-said-twice-counts-once", "YEA-6.3-37", needs=("uses",), commits=3)
async def said_twice(t: Context) -> None:
    """Two totals of one measure in one block do not charge a commit twice."""
    agent = t.agent()
    offers = await priced_alike(t, [agent] * 3)
    held = t.grant(agent, _total(offers[0], 2), _total(offers[0], 2))
    first, second, third = [await _under(t, offer, held) for offer in offers]
    t.expect_kind("YEA-6.3-37", first, "RECEIPT")
    t.expect_kind("YEA-6.3-37", second, "RECEIPT", open_question="YEA-Q69")
    t.expect("YEA-6.3-37", third.kind == "ERROR", wanted="no third commit within a total of two", got=third)


@check("yea/6.3/a-failed-commit-gives-its-total-back", "YEA-6.3-38", needs=("failing-commit",), commits=6)
async def given_back(t: Context) -> None:
    """A commit that failed leaves the total as it was, so the retry fits; after two of two it is used up."""
    agent = t.agent()
    await _need_measure(t, "failing-commit")
    *offers, more = await priced_alike(t, [agent] * 3, "failing-commit")
    held = t.grant(agent, _total(more, len(offers)))
    for offer in offers:
        failed = await _under(t, offer, held)
        if failed.kind == "RECEIPT":
            t.lacks("YEA-6.3-38", "the commit for the role failing-commit did not fail")
            return
        t.expect_kind("YEA-6.3-38", await _under(t, offer, held), "RECEIPT")
    for attempt in ("first", "second"):
        exchange = await _under(t, more, held)
        wanted = f"no RECEIPT at the {attempt} attempt past the total"
        t.expect("YEA-6.3-38", exchange.kind == "ERROR", wanted=wanted, got=exchange)


@check("yea/6.3/undo-gives-nothing-back-to-a-total", "YEA-6.3-39", needs=("uses",), commits=2)
async def undone(t: Context) -> None:
    """What an undone commit used up stays used up."""
    agent = t.agent()
    offer, more = await priced_alike(t, [agent] * 2)
    held = t.grant(agent, _total(offer, 1))
    receipt = (await t.commit(offer, offer.commit(grants=[held]))).reply["receipt"]
    if not isinstance(receipt.get("undo"), dict):
        t.lacks("YEA-6.3-39", "what the role uses does cannot be undone")
        return
    undone = await t.send(offer.undo(receipt, grants=[held]))
    if undone.kind != "RECEIPT":
        t.lacks("YEA-6.3-39", f"a right UNDO for the role uses got {undone.seen()}")
        return
    t.expect_error("YEA-6.3-39", await _under(t, more, held), "consent_required")


@check("yea/6.3/a-replay-uses-nothing-up", "YEA-4.4-25", "YEA-6.3-19", needs=("uses",), commits=5)
async def replayed(t: Context) -> None:
    """Repeating a COMMIT takes nothing more from the total."""
    agent = t.agent()
    first, second, third = await priced_alike(t, [agent] * 3)
    held = t.grant(agent, _total(first, 2))
    await t.commit(first, first.commit(grants=[held]))
    for _ in range(2):
        t.expect_kind("YEA-4.4-25", await _under(t, first, held), "RECEIPT")
    t.expect_kind("YEA-4.4-25", await _under(t, second, held), "RECEIPT")
    t.expect_error("YEA-6.3-19", await _under(t, third, held), "consent_required")
