"""Cause-bound refusals: a refusal proves something only if the same request without its one fault is accepted.

The order is always: a control is accepted; each case changes one thing, is refused with the code the spec fixes, and
leaves the state as it was; at the end the unchanged request is accepted. A case that is wrongly accepted is a finding,
and the rest go on with a fresh proposal or receipt. The controls are the caller's own kind of request.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from harness.context import Context
from harness.cuts import objects_in, same
from harness.encoding import exact, shown
from harness.errors import Untested
from harness.offers import Instance, Offer
from harness.targets.base import Exchange

Frame = dict[str, Any]
LONG_NAME = 8  # characters; a shorter name may stand in a text by chance
Source = str | Callable[[], Awaitable[Offer]]  # a role, or what makes an offer of one


@dataclass(frozen=True)
class Refusal:
    """One fault in an otherwise right request.

    Args:
        name: the fault in a few words, as it reads after "a COMMIT with".
        clause: the clause that the refusal proves.
        change: returns the faulty frame, made from the offer (and for UNDO the receipt).
        codes: acceptable ERROR codes; none for any code.
        open_question: the open question that the code rests on; a wrong one then only warns.
        fits: whether an UNDO of this offer and receipt would have the fault; the case is left out where it would not.
    """

    name: str
    clause: str
    change: Callable[..., Frame]
    codes: tuple[str, ...] = ()
    open_question: str | None = None
    fits: Callable[..., bool] = lambda offer, receipt: True


async def refused_commits(t: Context, role: Source, cases: Sequence[Refusal], *, accept: str = "YEA-4.4-01") -> None:
    """Run cases on COMMIT. `change` gets the offer; `accept` is the closing control's clause, declared by the check.

    Sends at most 2 COMMITs that succeed, and one more for each case that is wrongly accepted.
    """
    await t.commit(await _offer(t, role))
    offer = await _offer(t, role)
    before = await offer.state()
    for case in cases:
        exchange = await t.send(case.change(offer))
        accepted = not _refused(t, case, exchange, "COMMIT")
        await unchanged(t, case.clause, offer, before, f"a COMMIT with {case.name}")
        if accepted and exchange.kind == "RECEIPT":
            offer = await _offer(t, role)
            before = await offer.state()
    t.expect_kind(accept, await t.send(offer.commit()), "RECEIPT")


async def refused_replays(t: Context, role: Source, cases: Sequence[Refusal], *, accept: str = "YEA-4.4-23") -> None:
    """Run cases on the COMMIT of a proposal that was committed; the controls are replays.

    Nothing of a refused replay may hold the receipt. Sends one COMMIT that executes.
    """
    offer = await _offer(t, role)
    receipt = (await t.commit(offer)).reply["receipt"]
    before = await offer.state()
    again = await t.send(offer.commit())
    if again.kind != "RECEIPT":
        raise Untested(f"a right COMMIT of a committed proposal got {again.seen()}")
    for case in cases:
        exchange = await t.send(case.change(offer))
        _refused(t, case, exchange, "COMMIT of a committed proposal")
        silent = not shows_receipt(exchange, receipt["id"])
        t.expect(case.clause, silent, wanted=f"no receipt for one with {case.name}", got=exchange)
        await unchanged(t, case.clause, offer, before, f"a COMMIT of a committed proposal with {case.name}")
    t.expect_kind(accept, await t.send(offer.commit()), "RECEIPT")


def shows_receipt(exchange: Exchange, name: str) -> bool:
    """Return whether a reply holds a receipt, or its name where that cannot be by chance.

    A short name counts as a whole string only, outside of what names other things; one that the request holds itself
    (a service may call a receipt as its proposal) tells nothing.
    """
    reply = {key: value for key, value in exchange.reply.items() if key not in ("id", "re")}
    if isinstance(reply.get("receipt"), dict):
        return True
    if name in exact(exchange.request):
        return False
    if len(name) >= LONG_NAME:
        return name in exact(reply)
    return any(
        value == name
        for holder in objects_in(reply)
        for key, value in holder.items()
        if key not in ("proposal", "code")
    )


async def refused_undos(t: Context, role: str, cases: Sequence[Refusal], *, accept: str = "YEA-4.5-01") -> None:
    """Run cases on UNDO. `change` gets the offer and the receipt; the control is an UNDO of another receipt.

    Sends 2 COMMITs, and one more for each case that is wrongly accepted.
    """
    control = await t.offer(role)
    undone = await t.send(control.undo((await t.commit(control)).reply["receipt"]))
    if undone.kind != "RECEIPT":
        raise Untested(f"a right UNDO for the role {role} got {undone.seen()}")
    offer, receipt, before = await _committed(t, role)
    for case in cases:
        if not case.fits(offer, receipt):
            continue
        exchange = await t.send(case.change(offer, receipt))
        accepted = not _refused(t, case, exchange, "UNDO")
        await unchanged(t, case.clause, offer, before, f"an UNDO with {case.name}")
        if accepted and exchange.kind == "RECEIPT":
            offer, receipt, before = await _committed(t, role)
    t.expect_kind(accept, await t.send(offer.undo(receipt)), "RECEIPT")


async def refused_requests(
    t: Context, control: Callable[[], Frame], cases: Sequence[Refusal], kind: str, *, accept: str
) -> None:
    """Run cases on a request that changes nothing (ASK, INTENT, EXPAND).

    Args:
        control: returns a right frame, fresh at each call; its reply is of `kind`.
        cases: their `change` gets a right frame and returns the faulty one.
        kind: the right reply's kind.
        accept: the clause of the closing control.
    """
    first = await t.send(control())
    if first.kind != kind:
        raise Untested(f"a right {control()['verb']} got {first.seen()}")
    for case in cases:
        frame = case.change(control())
        _refused(t, case, await t.send(frame), str(frame.get("verb")))
    t.expect_kind(accept, await t.send(control()), kind)


async def unchanged(t: Context, clause: str, offer: Offer | Instance, before: Any, after_what: str) -> None:
    """Expect, by this clause, that the offer's object reads as before, where the profile says how to read it."""
    instance = offer.instance if isinstance(offer, Offer) else offer
    if not instance.watched:
        t.lacks(clause, f"the profile names no state ask for the role {instance.role.name}")
    else:
        after = await instance.state()
        wanted = f"state {shown(before)} as before {after_what}"
        t.expect(clause, same(after, before), wanted=wanted, got=f"state {shown(after)}", of=instance)


async def _offer(t: Context, source: Source) -> Offer:
    return await (t.offer(source) if isinstance(source, str) else source())


def _refused(t: Context, case: Refusal, exchange: Exchange, verb: str) -> bool:
    codes = " or ".join(case.codes)
    wanted = f"ERROR {codes}".strip() + f" to a {verb} with {case.name}"
    refused = exchange.kind == "ERROR"
    if not refused:
        return t.expect(case.clause, False, wanted=wanted, got=exchange)
    right = not case.codes or exchange.code in case.codes
    return t.expect(case.clause, right, wanted=wanted, got=exchange, open_question=case.open_question)


async def _committed(t: Context, role: str) -> tuple[Offer, Frame, Any]:
    offer = await t.offer(role)
    receipt = (await t.commit(offer)).reply["receipt"]
    return offer, receipt, await offer.state()


def with_member(frame: Frame, name: str, value: Any) -> Frame:
    """Return the frame with one member set, null and absent being different things here."""
    return {**frame, name: value}


def without(frame: Frame, *names: str) -> Frame:
    """Return the frame without these members."""
    return {name: value for name, value in frame.items() if name not in names}
