"""YEA 5.1, what a proposal promises beside what its commit does: the value it sets, and how long it can be undone."""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.drafts import SOON, expiry
from harness.encoding import shown
from harness.errors import NotApplicable
from harness.offers import Offer
from reference.yea.types import as_integer

CHANGING = ("undoable", "uses", "risky", "multi")  # roles whose commits show in their state
LATE = 2  # seconds by which the undo window, counted from the proposal, is over
ROOM = 10  # seconds that a proposal has to live after that
Effect = dict[str, Any]


@check("yea/5.1/updates-come-true", "YEA-5.1-07", needs=("undoable",), commits=4)
async def come_true(t: Context) -> None:
    """Where an effect says from which value to which a member of the object goes, it goes there, and no further."""
    seen = False
    for role in filter(t.has, CHANGING):
        offer = await t.offer(role)
        before = await offer.state()
        effect = _about_the_state(offer, before)
        if effect is None:
            continue
        seen = True
        await t.commit(offer)
        after = await offer.state()
        wanted = f"{effect['field']} {shown(effect['to'])}, as declared from {shown(before)}"
        t.expect("YEA-5.1-07", same(after, effect["to"]), wanted=wanted, got=f"state {shown(after)}", of=offer)
    if not seen:
        raise NotApplicable("no proposal declares an update of the member that its role's state reads")


def _about_the_state(offer: Offer, before: Any) -> Effect | None:
    """Return the one update of what the state reads: of the object's own name, of that member, from that value."""
    ask, name = offer.instance.role.state, offer.instance.values.get("unique")
    effects = offer.proposal.get("effects")
    if ask is None or not isinstance(name, str) or not isinstance(effects, list):
        return None
    member = ask.path.rpartition(".")[2]
    found = [effect for effect in effects if isinstance(effect, dict) and effect.get("field") == member]
    if not member or len(found) != 1 or found[0].get("op") != "update" or not {"from", "to"} <= found[0].keys():
        return None
    its_own = name in str(found[0].get("target")) and same(found[0]["from"], before)
    return found[0] if its_own and not same(found[0]["from"], found[0]["to"]) else None


@check("yea/5.1/the-undo-window-counts-from-the-commit", "YEA-5.2-07", needs=("short-undo",), commits=1, waits=True)
async def from_the_commit(t: Context) -> None:
    """A commit that came later than a whole window after its proposal can be undone for a window from then on."""
    offer = await t.offer("short-undo")
    undo = offer.proposal.get("undo")
    window = as_integer(undo.get("window")) if isinstance(undo, dict) else None
    if window is None or window > SOON or expiry(offer) < t.now() + window + LATE + ROOM:
        raise NotApplicable("the proposal for the role short-undo does not outlive its own undo window")
    await t.until(t.now() + window + LATE)
    receipt = (await t.commit(offer)).reply["receipt"]
    exchange = await t.send(offer.undo(receipt))
    wanted = (
        f"RECEIPT to an UNDO right after a commit {window + LATE} s after its proposal, with a window of {window} s"
    )
    t.expect("YEA-5.2-07", exchange.kind == "RECEIPT", wanted=wanted, got=exchange)
