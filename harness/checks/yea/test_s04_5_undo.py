"""YEA 4.5, UNDO: that it reverses, for whom and how long, and that it happens once."""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.encoding import exact, shown
from harness.errors import Untested
from harness.histories import at_once
from harness.offers import Offer
from harness.people import delegate
from harness.refusals import Refusal, refused_undos, unchanged
from harness.targets.base import Exchange

Receipt = dict[str, Any]
REVERSIBLE = ("undoable", "uses", "risky", "multi")
PAST = 2  # YEA-Q48: seconds that checks stay away from the end of a window


async def committed(t: Context, role: str) -> tuple[Offer, Receipt]:
    """Commit the first proposal of a role for a new object and return the offer and the receipt."""
    offer = await t.offer(role)
    return offer, (await t.commit(offer)).reply["receipt"]


def receipt_of(exchange: Exchange) -> Receipt:
    """Return the receipt of a RECEIPT, or an empty object."""
    receipt = exchange.reply.get("receipt")
    return receipt if exchange.kind == "RECEIPT" and isinstance(receipt, dict) else {}


@check("yea/4.5/undo-gets-a-receipt", "YEA-4.5-01", needs=("undoable",), commits=1)
async def undo_gets_a_receipt(t: Context) -> None:
    """A right UNDO is answered by a new RECEIPT that undoes the first, and is no replay."""
    offer, receipt = await committed(t, "undoable")
    exchange = await t.send(offer.undo(receipt))
    if t.expect_kind("YEA-4.5-01", exchange, "RECEIPT"):
        reversal = receipt_of(exchange)
        name, undoes, flag = reversal.get("id"), reversal.get("undoes"), exchange.reply.get("replay")
        got = f"undoes {shown(undoes)}"
        t.expect("YEA-4.5-01", same(undoes, receipt["id"]), wanted=f"undoes {receipt['id']}", got=got)
        new = isinstance(name, str) and name != receipt["id"]
        t.expect("YEA-4.5-01", new, wanted="a receipt id of its own", got=f"id {shown(name)}")
        t.expect("YEA-4.5-01", flag in (None, False), wanted="replay absent or false", got=f"replay {shown(flag)}")


@check(
    "yea/4.5/undo-restores-the-state",
    "YEA-4.5-02",
    needs=("undoable", "state"),
    commits=1,
    deadline=180.0,
    also=REVERSIBLE[1:],
)
async def undo_restores(t: Context) -> None:
    """After UNDO the object reads as before COMMIT, whatever it was that was done."""
    for role in filter(t.has, REVERSIBLE):
        offer = await t.offer(role)
        if not offer.instance.watched:
            continue
        if not offer.undoable:
            t.lacks("YEA-4.5-02", f"the proposal for the role {role} cannot be undone")
            continue
        before = await offer.state()
        receipt = (await t.commit(offer)).reply["receipt"]
        between = await offer.state()
        undone = await t.send(offer.undo(receipt))
        if t.expect("YEA-4.5-02", undone.kind == "RECEIPT", wanted=f"RECEIPT to UNDO for the role {role}", got=undone):
            if same(between, before):
                raise Untested(f"a COMMIT for the role {role} does not show in its state")
            await unchanged(t, "YEA-4.5-02", offer, before, f"COMMIT and UNDO for the role {role}")


@check("yea/4.5/closed-window-is-expired", "YEA-4.5-03", needs=("short-undo",), commits=2, waits=True)
async def closed_window(t: Context) -> None:
    """UNDO after the window gets expired and reverses nothing; within it, it works."""
    control, first = await committed(t, "short-undo")
    t.expect_kind("YEA-4.5-03", await t.send(control.undo(first)), "RECEIPT")
    offer, receipt = await committed(t, "short-undo")
    before = await offer.state()
    await t.until(_end(receipt) + PAST)
    t.expect_error("YEA-4.5-03", await t.send(offer.undo(receipt)), "expired")
    await unchanged(t, "YEA-4.5-03", offer, before, "an UNDO after the window")


def _end(receipt: Receipt) -> int:
    undo = receipt.get("undo")
    until = undo.get("until") if isinstance(undo, dict) else None
    if not isinstance(until, int):
        raise Untested(f"the receipt of the role short-undo has undo {shown(undo)}, without an until")
    return until


@check("yea/4.5/undo-is-for-the-same-principal", "YEA-4.5-04", needs=("undoable",), principals=2, commits=3)
async def same_principal(t: Context) -> None:
    """Another principal's grant does not authorize the UNDO of a commit, not even the committing agent's."""
    cases = [
        Refusal(
            "only a grant of another principal",
            "YEA-4.5-04",
            lambda offer, receipt: offer.undo(receipt, grants=[t.grant(offer.agent, by="b")]),
            ("forbidden",),
        ),
        Refusal(
            "another agent and only another principal's grant",
            "YEA-4.5-04",
            lambda offer, receipt: offer.undo(receipt, agent=stranger, grants=[t.grant(stranger, by="b")]),
            ("forbidden",),
        ),
    ]
    stranger = t.agent()
    await refused_undos(t, "undoable", cases, accept="YEA-4.5-04")


@check("yea/4.5/another-agent-may-undo", "YEA-4.5-05", needs=("undoable",), commits=2)
async def another_agent(t: Context) -> None:
    """Another agent of the same principal may undo, under a delegated grant or one of its own."""
    for how in ("a delegated grant", "a grant of its own"):
        offer, receipt = await committed(t, "undoable")
        other = t.agent()
        token = delegate(offer.grant, offer.agent, other, iat=int(t.now()))
        grants = [token if how == "a delegated grant" else t.grant(other)]
        exchange = await t.send(offer.undo(receipt, agent=other, grants=grants))
        wanted = f"RECEIPT to another agent of the same principal with {how}"
        ok = exchange.kind == "RECEIPT"
        t.expect("YEA-4.5-05", ok, wanted=wanted, got=exchange, open_question="YEA-Q54")


@check("yea/4.5/repeated-undo-is-a-replay", "YEA-4.5-06", "YEA-4.5-07", needs=("undoable",), commits=1)
async def repeated_undo(t: Context) -> None:
    """UNDO of an undone receipt returns the first reversal's receipt with replay true, and reverses nothing more."""
    offer, receipt = await committed(t, "undoable")
    first = await t.send(offer.undo(receipt))
    if not receipt_of(first):
        raise Untested(f"a right UNDO got {first.seen()}")
    after = await offer.state()
    for where in t.places:
        again = await t.send(offer.undo(receipt), await t.again_over(where))
        expect_reversal(t, first, again, f"UNDO again over {where}")
        await unchanged(t, "YEA-4.5-07", offer, after, f"UNDO again over {where}")


def expect_reversal(t: Context, first: Exchange, again: Exchange, what: str, question: str | None = None) -> None:
    """Expect the first reversal's receipt once more, marked as a replay."""
    receipt, flag = receipt_of(again), again.reply.get("replay")
    if question:
        ok = again.kind == "RECEIPT"
        if not t.expect("YEA-4.5-06", ok, wanted=f"RECEIPT to {what}", got=again, open_question=question):
            return
    ok = bool(receipt) and same(receipt, receipt_of(first))
    wanted = f"the first reversal, {shown(receipt_of(first).get('id'))}, to {what}"
    t.expect("YEA-4.5-06", ok, wanted=wanted, got=shown(receipt.get("id")) if receipt else again)
    t.expect("YEA-4.5-06", flag is True, wanted=f"replay true to {what}", got=f"replay {shown(flag)}")


@check(
    "yea/4.5/repeated-undo-after-the-window", "YEA-4.5-06", "YEA-4.5-07", needs=("short-undo",), commits=1, waits=True
)
async def repeated_late(t: Context) -> None:
    """UNDO of an undone receipt after its window still returns the first reversal's receipt."""
    offer, receipt = await committed(t, "short-undo")
    first = await t.send(offer.undo(receipt))
    if not receipt_of(first):
        raise Untested(f"a right UNDO got {first.seen()}")
    after = await offer.state()
    await t.until(_end(receipt) + PAST)
    expect_reversal(t, first, await t.send(offer.undo(receipt)), "UNDO again after the window", "YEA-Q56")
    await unchanged(t, "YEA-4.5-07", offer, after, "UNDO again after the window")


@check(
    "yea/4.5/simultaneous-undos-reverse-once",
    "YEA-4.5-07",
    "YEA-4.5-06",
    needs=("undoable",),
    commits=2,
    also=("slow-commit",),
)
async def simultaneous_undos(t: Context) -> None:
    """Four UNDOs of one receipt at once reverse it once, beside another commit that stays."""
    for role in ("undoable", "slow-commit"):
        if not t.has(role):
            continue
        offer = await t.offer(role)
        if not offer.undoable:
            t.lacks("YEA-4.5-07", f"the proposal for the role {role} cannot be undone")
            continue
        before = await offer.state()
        receipt = (await t.commit(offer)).reply["receipt"]
        connections = [await t.conn(), await t.conn(), await t.second(), await t.second(elsewhere=True)]
        replies = await at_once(t, [(offer.undo(receipt), conn) for conn in connections])
        names = {exact(receipt_of(reply).get("id")) for reply in replies if reply.kind == "RECEIPT"}
        what = f"4 UNDOs at once for the role {role}"
        got = f"{', '.join(sorted(reply.seen() for reply in replies))} with ids {', '.join(sorted(names)) or 'none'}"
        t.expect("YEA-4.5-07", len(names) == 1, wanted=f"one reversal among the replies to {what}", got=got)
        fresh = [reply for reply in replies if reply.kind == "RECEIPT" and reply.reply.get("replay") is not True]
        wanted = f"at most one RECEIPT without replay to {what}"
        got = f"{len(fresh)} without replay"
        t.expect("YEA-4.5-06", len(fresh) <= 1, wanted=wanted, got=got, open_question="YEA-Q39")
        await unchanged(t, "YEA-4.5-07", offer, before, f"COMMIT and {what}")


@check(
    "yea/4.5/simultaneous-undos-fail-each",
    "YEA-4.5-13",
    "YEA-2.2-02",
    needs=("irreversible",),
    commits=1,
)
async def simultaneous_failures(t: Context) -> None:
    """Four UNDOs at once that cannot succeed get an ERROR each, to its own request."""
    offer, receipt = await committed(t, "irreversible")
    frames = [offer.undo(receipt) for _ in range(4)]
    conn = await t.conn()
    replies = await at_once(t, [(frame, conn) for frame in frames])
    for number, (frame, reply) in enumerate(zip(frames, replies, strict=True), 1):
        what = f"UNDO {number} of {len(frames)} at once of what cannot be undone"
        t.expect("YEA-4.5-13", reply.kind == "ERROR", wanted=f"ERROR to {what}", got=reply)
        re = reply.reply.get("re")
        t.expect("YEA-2.2-02", re == frame["id"], wanted=f"re {frame['id']} on the reply to {what}", got=shown(re))


@check("yea/4.5/irreversible-cannot-be-undone", "YEA-4.5-13", needs=("irreversible",), commits=1)
async def irreversible(t: Context) -> None:
    """UNDO of a receipt whose undo is null is refused, and nothing is reversed."""
    offer, receipt = await committed(t, "irreversible")
    before = await offer.state()
    t.expect_error("YEA-4.5-13", await t.send(offer.undo(receipt)))
    await unchanged(t, "YEA-4.5-13", offer, before, "an UNDO of something irreversible")


@check("yea/4.5/undo-cannot-be-undone", "YEA-4.5-13", needs=("undoable",), commits=1)
async def undo_of_an_undo(t: Context) -> None:
    """UNDO of a reversal's receipt is refused, and what was undone stays so."""
    offer, receipt = await committed(t, "undoable")
    reversal = receipt_of(await t.send(offer.undo(receipt)))
    if not isinstance(reversal.get("id"), str):
        raise Untested("a right UNDO got no receipt with an id")
    before = await offer.state()
    t.expect_error("YEA-4.5-13", await t.send(offer.undo(reversal)))
    await unchanged(t, "YEA-4.5-13", offer, before, "an UNDO of an UNDO")
