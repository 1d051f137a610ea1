"""YEA 5.2, receipts beside the proposals that they are of."""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.encoding import shown
from harness.errors import Untested
from reference.yea.types import as_integer

Receipt = dict[str, Any]
LEEWAY = 5  # seconds that two clocks may be apart
WINDOW = 300  # seconds that a proof may be off: a clock further away than that could not be worked with
ROLES = ("undoable", "irreversible", "uses", "risky", "multi", "slow-commit")


@check("yea/5.2/receipt-names-its-proposal", "YEA-5.2-02", "YEA-5.2-10", needs=("undoable",), commits=1)
async def names(t: Context) -> None:
    """A receipt names the committed proposal and its capability, and undoes nothing."""
    for role in filter(t.has, ROLES):
        offer = await t.offer(role)
        receipt = (await t.commit(offer)).reply["receipt"]
        for member, name in (("proposal", "id"), ("capability", "capability")):
            due, given = offer.proposal.get(name), receipt.get(member)
            t.expect("YEA-5.2-02", same(due, given), wanted=f"{member} {shown(due)}", got=f"{member} {shown(given)}")
        got = f"undoes {shown(receipt.get('undoes'))}"
        t.expect("YEA-5.2-10", receipt.get("undoes") is None, wanted="no undoes on the receipt of a COMMIT", got=got)


@check("yea/5.2/at-is-the-second-of-the-commit", "YEA-5.2-03", needs=("undoable",), commits=1)
async def at(t: Context) -> None:
    """A receipt's at is the unix second in which the commit happened."""
    offer = await t.offer("undoable")
    begun = t.now()
    receipt = (await t.commit(offer)).reply["receipt"]
    ended = t.now()
    when = as_integer(receipt.get("at"))
    wanted = f"a second from {begun:.0f} to {ended:.0f}"
    near = when is not None and begun - WINDOW <= when <= ended + WINDOW
    if t.expect("YEA-5.2-03", near, wanted=wanted, got=f"at {shown(receipt.get('at'))}") and when is not None:
        # A target whose clock is somewhat off tells the second by that clock.
        exact = begun - LEEWAY <= when <= ended + LEEWAY
        t.expect("YEA-5.2-03", exact, wanted=wanted, got=f"at {when}", open_question="YEA-Q71")


@check("yea/5.2/receipt-repeats-uses", "YEA-5.2-04", needs=("undoable",), commits=1)
async def uses(t: Context) -> None:
    """A receipt carries the uses of its proposal, and none when that had none."""
    for role in filter(t.has, ROLES):
        offer = await t.offer(role)
        receipt = (await t.commit(offer)).reply["receipt"]
        due, given = offer.proposal.get("uses"), receipt.get("uses")
        right = same(due, given) or (not due and not given)
        t.expect("YEA-5.2-04", right, wanted=f"uses {shown(due)}", got=f"uses {shown(given)}")


@check("yea/5.2/until-is-at-and-the-window", "YEA-5.2-06", "YEA-5.2-07", needs=("undoable",), commits=1)
async def until(t: Context) -> None:
    """The receipt of an undoable action says until when: the commit's second and the proposal's window."""
    for role in filter(t.has, ("undoable", "uses", "risky", "multi", "short-undo")):
        offer = await t.offer(role)
        undo = offer.proposal.get("undo")
        if not offer.undoable and role != "undoable":
            t.lacks("YEA-5.2-07", f"the proposal for the role {role} cannot be undone")
            continue
        window = as_integer(undo.get("window")) if isinstance(undo, dict) else None
        if window is None:
            raise Untested(f"the proposal for the role {role} has undo {shown(undo)}")
        receipt = (await t.commit(offer)).reply["receipt"]
        given = receipt.get("undo")
        end = as_integer(given.get("until")) if isinstance(given, dict) else None
        if t.expect("YEA-5.2-06", end is not None, wanted="undo with an integer until", got=f"undo {shown(given)}"):
            _expect_until(t, end or 0, as_integer(receipt.get("at")), window)


def _expect_until(t: Context, end: int, at: int | None, window: int) -> None:
    due = None if at is None else at + window
    wanted = f"until {due}: at {at} and a window of {window}"
    near = due is not None and abs(end - due) <= 1  # YEA-Q61: perhaps of two readings of a clock
    t.expect("YEA-5.2-07", near, wanted=wanted, got=f"until {end}")


@check("yea/5.2/an-undo-receipt-is-final", "YEA-5.2-09", "YEA-5.2-10", needs=("undoable",), commits=1)
async def undo_receipt(t: Context) -> None:
    """The receipt of an UNDO has undoes, the undone receipt's id, and undo null."""
    offer = await t.offer("undoable")
    receipt = (await t.commit(offer)).reply["receipt"]
    undone = await t.send(offer.undo(receipt))
    reversal = undone.reply.get("receipt")
    if undone.kind != "RECEIPT" or not isinstance(reversal, dict):
        raise Untested(f"a right UNDO for the role undoable got {undone.seen()}")
    given = reversal.get("undoes")
    t.expect("YEA-5.2-10", same(given, receipt["id"]), wanted=f"undoes {receipt['id']}", got=f"undoes {shown(given)}")
    got = f"undo {shown(reversal.get('undo', '(missing)'))}"
    t.expect("YEA-5.2-09", reversal.get("undo") is None, wanted="undo null", got=got)
    if "undo" not in reversal:
        t.expect("YEA-5.2-09", False, wanted="undo null, said", got="no undo", open_question="YEA-Q60")
