"""YEA 4.6, EXPAND: that it gives the rest of a cut value, to whom, and how long."""

from collections.abc import Callable
from functools import partial
from typing import Any

from harness.check import check
from harness.context import ANOTHER, BIG_BUDGET, Context
from harness.cuts import More, kept_text, losses, more_of, same, still_cuttable
from harness.encoding import shown
from harness.errors import NotApplicable, Untested
from harness.expanding import NOTHING_CUT, Reader, plan, put_together, reader, slice_of
from harness.targets.base import Exchange
from reference.yea.estimate import est
from reference.yea.lens import lens_reply

SMALL = 200
SAMPLE = 40  # characters of a text that are compared


@check("yea/4.6/expand-goes-on-where-it-stopped", "YEA-4.6-01", needs=("big-ask",))
async def goes_on(t: Context) -> None:
    """EXPAND is an ANSWER that begins with the item, or the character, right after the last one that was kept."""
    for role in filter(t.has, ("big-ask", "big-text")):
        await _goes_on(t, await reader(t, role))


async def _goes_on(t: Context, reading: Reader) -> None:
    full = await reading.whole()
    exchange, entries = await reading.cut(SMALL)
    await reading.steady(full)
    lost = {loss.dotted: loss for loss in losses({"data": full}, {"data": exchange.reply.get("data")})}
    for entry in entries[:3]:
        answer = await reading.expand(entry.handle)
        if not t.expect_kind("YEA-4.6-01", answer, "ANSWER"):
            continue
        loss = lost.get(entry.path)
        if loss is not None and loss.what == "items":
            rest = slice_of(answer.reply, "items")
            first = rest[0] if isinstance(rest, list) and rest else None
            following = _at({"data": full}, loss.path)[-loss.missing]
            wanted = f"{shown(following)}, which follows the last item kept at {entry.path}"
            t.expect("YEA-4.6-01", same(first, following), wanted=wanted, got=shown(first))
        elif loss is not None and loss.what == "text":
            rest = slice_of(answer.reply, "text")
            first = rest[:SAMPLE] if isinstance(rest, str) else None
            following = _at({"data": full}, loss.path)[-loss.missing :][:SAMPLE]
            wanted = f"{shown(following)}, which follows what was kept at {entry.path}"
            ok = bool(first) and following.startswith(kept_text(first or ""))
            t.expect("YEA-4.6-01", ok, wanted=wanted, got=shown(first))
        again = await reading.expand(entry.handle)
        alike = again.kind == "ANSWER" and same(again.reply.get("data"), answer.reply.get("data"))
        wanted = "the same slice for the same handle"
        t.expect("YEA-4.6-01", alike, wanted=wanted, got=again, open_question="YEA-Q58")


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


@check("yea/4.6/slices-make-the-whole", "YEA-4.6-03", "YEA-4.6-02", needs=("big-ask",), deadline=300.0)
async def slices_make_the_whole(t: Context) -> None:
    """What was kept and all slices, in order, are the whole value, however small the slices are."""
    for role in ("big-ask", "big-text"):
        if not t.has(role):
            continue
        reading = await reader(t, role)
        full = await reading.whole()
        for budget, slices in ((SMALL, 1000), (500, BIG_BUDGET), (2000, 2000)):
            exchange, _ = await reading.cut(budget)
            whole = await put_together(exchange.reply, partial(reading.expand, budget=slices))
            rest = losses(full, whole.frame.get("data"))
            what = f"the role {role}, read with budget {budget} and expanded with {slices}"
            got = (
                whole.problem
                or "; ".join(f"{loss.what} at {loss.dotted or 'data'}" for loss in rest[:5])
                or "the whole"
            )
            ok = not rest and not whole.problem
            if not ok:
                await reading.steady(full)
            t.expect("YEA-4.6-03", ok, wanted=f"the whole value from the slices of {what}", got=got)
            if whole.further:
                t.expect("YEA-4.6-02", True, wanted="slices may have more themselves", got=f"{whole.further} did")


@check("yea/4.6/handles-live", "YEA-4.6-04", needs=("big-ask",), waits=True)
async def handles_live(t: Context) -> None:
    """A handle can be expanded 10 s after it was made."""
    await _alive_after(t, 10)


@check("yea/4.6/handles-live-ten-minutes", "YEA-4.6-04", needs=("big-ask",), waits=True, slow=True)
async def handles_live_long(t: Context) -> None:
    """A handle can be expanded 590 s after it was made."""
    await _alive_after(t, 590)


async def _alive_after(t: Context, seconds: int) -> None:
    reading = await reader(t, "big-ask")
    made = t.now()
    _, entries = await reading.cut(SMALL)
    await t.until(made + seconds)
    answer = await reading.expand(entries[0].handle)
    wanted = f"ANSWER to EXPAND of a handle that is {seconds} s old"
    t.expect("YEA-4.6-04", answer.kind == "ANSWER", wanted=wanted, got=answer)


Change = Callable[[Reader, str], dict[str, Any]]


@check(
    "yea/4.6/bound-handle-needs-its-key",
    "YEA-4.6-05",
    "YEA-4.6-06",
    "YEA-4.6-07",
    needs=("big-ask",),
    principals=1,
)
async def bound_handle(t: Context) -> None:
    """A handle from a request with a verified proof expands with a proof of that key over it, and with nothing less."""
    owner, other = t.agent(), t.agent()
    cases: dict[str, tuple[str, Change]] = {
        "no proof": ("YEA-4.6-05", lambda reading, handle: reading.frame(handle, proof=None)),
        "no proof, but the owner's grant": (
            "YEA-4.6-05",
            lambda reading, handle: reading.frame(handle, proof=None, grants=[t.grant(owner)]),
        ),
        "another key's proof": (
            "YEA-4.6-06",
            lambda reading, handle: reading.frame(handle, proof=other.proof("EXPAND", handle)),
        ),
        "another key's proof and that key's own grant": (
            "YEA-4.6-06",
            lambda reading, handle: reading.frame(handle, proof=other.proof("EXPAND", handle), grants=[t.grant(other)]),
        ),
        "a proof over another handle": (
            "YEA-4.6-07",
            lambda reading, handle: reading.frame(handle, proof=owner.proof("EXPAND", f"{handle}x")),
        ),
        "a proof over the capability": (
            "YEA-4.6-07",
            lambda reading, handle: reading.frame(handle, proof=owner.proof("EXPAND", reading.instance.capability)),
        ),
        "a proof for ASK over the handle": (
            "YEA-4.6-07",
            lambda reading, handle: reading.frame(handle, proof=owner.proof("ASK", handle)),
        ),
    }
    reading = await reader(t, "big-ask", owner)
    control = (await reading.cut(SMALL))[1][0]
    await _right(t, reading, control)
    entry = (await reading.cut(SMALL))[1][0]
    for what, (clause, change) in cases.items():
        exchange = await t.send(change(reading, entry.handle))
        if not t.expect(clause, exchange.kind == "ERROR", wanted=f"ERROR to EXPAND with {what}", got=exchange):
            entry = (await reading.cut(SMALL))[1][0]
            continue
        usual = exchange.code == "unauthorized"
        wanted = f"ERROR unauthorized to EXPAND with {what}"
        t.expect(clause, usual, wanted=wanted, got=exchange, open_question="YEA-Q57")
    await _right(t, reading, entry)


async def _right(t: Context, reading: Reader, entry: More) -> None:
    exchange = await reading.expand(entry.handle)
    wanted = "ANSWER to EXPAND with a proof over the handle and no grants"
    t.expect("YEA-4.6-07", exchange.kind == "ANSWER", wanted=wanted, got=exchange)


@check("yea/4.6/handles-of-an-intent-are-bound", "YEA-4.6-05", "YEA-4.6-07", needs=("multi",), principals=1)
async def intent_handles(t: Context) -> None:
    """A handle of PROPOSALS is bound to the key whose proof was on the INTENT, as one of an ANSWER is."""
    agent = t.agent()
    entries = more_of((await plan(t, await t.role("multi"), agent, budget=1)).reply)
    if not entries:
        raise NotApplicable(NOTHING_CUT.format(1))
    handle = entries[0].handle
    exchange = await t.send(t.frame("EXPAND", handle=handle, budget=BIG_BUDGET))
    t.expect("YEA-4.6-05", exchange.kind == "ERROR", wanted="ERROR to EXPAND without a proof", got=exchange)
    proof = agent.proof("EXPAND", handle)
    right = await t.send(t.frame("EXPAND", handle=handle, budget=BIG_BUDGET, proof=proof))
    t.expect_kind("YEA-4.6-07", right, "ANSWER")


@check("yea/4.6/further-handles-are-bound-too", "YEA-4.6-09", needs=("big-ask",), principals=1)
async def further_handles(t: Context) -> None:
    """A handle that comes with a bound EXPAND's reply is bound to the same key."""
    owner, other = t.agent(), t.agent()
    reading = await reader(t, "big-ask", owner)
    further = await _further(reading, (await reading.cut(SMALL))[1])
    cases: dict[str, dict[str, Any]] = {
        "no proof": reading.frame(further, proof=None),
        "another key's proof": reading.frame(further, proof=other.proof("EXPAND", further)),
    }
    for what, frame in cases.items():
        exchange = await t.send(frame)
        wanted = f"ERROR to EXPAND of a further handle with {what}"
        t.expect("YEA-4.6-09", exchange.kind == "ERROR", wanted=wanted, got=exchange)
    right = await reading.expand(further)
    wanted = "ANSWER to EXPAND of a further handle by its owner"
    t.expect("YEA-4.6-09", right.kind == "ANSWER", wanted=wanted, got=right)


async def _further(reading: Reader, entries: list[More]) -> str:
    for entry in entries[:5]:
        further = more_of((await reading.expand(entry.handle, SMALL)).reply)
        if further:
            return further[0].handle
    raise NotApplicable(f"no EXPAND with budget {SMALL} had a more of its own")


@check("yea/4.6/unbound-handle-needs-no-proof", "YEA-4.6-08", needs=("big-ask",))
async def unbound_handle(t: Context) -> None:
    """A handle from a request without a proof expands without one, on any connection."""
    if t.facts.demands_grants:
        t.lacks("YEA-4.6-08", "the target demands grants for ASK, so that all its handles are bound")
        entries = more_of((await t.hello(budget=1)).reply)
        if not entries:
            raise NotApplicable("neither ASK nor HELLO gives a handle without a proof")
    else:
        entries = (await (await reader(t, "big-ask")).cut(SMALL))[1]
    for where in t.places:
        frame = t.frame("EXPAND", handle=entries[0].handle, budget=BIG_BUDGET)
        exchange = await t.send(frame, await t.again_over(where))
        if where == ANOTHER and exchange.code == "expired":
            continue  # YEA-Q58: a handle may be good for one EXPAND only
        wanted = f"ANSWER to EXPAND without a proof over {where}"
        t.expect("YEA-4.6-08", exchange.kind == "ANSWER", wanted=wanted, got=exchange)


@check("yea/4.6/expand-has-a-budget-of-its-own", "YEA-4.6-10", "YEA-8-09", needs=("big-ask",))
async def own_budget(t: Context) -> None:
    """EXPAND's own budget shapes its reply: a larger one does not give less, and the reply fits it while it can."""
    reading = await reader(t, "big-ask")
    sizes = []
    for budget in (SMALL, 1000, 5000, BIG_BUDGET):
        entry = (await reading.cut(SMALL))[1][0]
        answer = await reading.expand(entry.handle, budget)
        sizes.append(_size(answer))
        wanted = f"not less under budget {budget} than under a smaller one"
        t.expect("YEA-4.6-10", sizes == sorted(sizes), wanted=wanted, got=f"items or characters: {sizes}")
        size = est(lens_reply(answer.reply))
        fits = size <= budget or not still_cuttable(answer.reply, expanding=True)
        wanted = f"an ANSWER to EXPAND of at most {budget} estimated tokens"
        t.expect("YEA-8-09", fits, wanted=wanted, got=f"{size} estimated tokens")


def _size(answer: Exchange) -> int:
    for name in ("items", "text"):
        rest = slice_of(answer.reply, name)
        if isinstance(rest, (list, str)):
            return len(rest)
    raise Untested(f"EXPAND got {answer.seen()}, with neither items nor text")
