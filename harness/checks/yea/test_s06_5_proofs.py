"""YEA 6.5, proof of possession: what each verb's proof is over, for how long, and by whom."""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.errors import NotApplicable, Untested
from harness.expanding import NOTHING_CUT, cut_nothing
from harness.offers import Offer
from harness.people import Agent
from harness.recipes.proofs import (
    COMMIT_TARGETS,
    NAME_TARGETS,
    SAYS_OTHERWISE,
    UNDO_TARGETS,
    WRONG_SIGNERS,
    WRONG_TIMES,
)
from harness.recipes.recipe import clauses
from harness.recipes.spelling import otherwise
from harness.recipes.wire import proof_refusals, request_refusals
from harness.refusals import refused_commits, refused_requests, refused_undos

PROOFS = (SAYS_OTHERWISE, WRONG_TIMES, WRONG_SIGNERS)
CLAUSES = clauses(*PROOFS)
OTHER = "other.naysayer"


def _others(offer: Offer, *receipt: dict[str, Any]) -> dict[str, str]:
    """Return what a proof of COMMIT or UNDO could be over by mistake."""
    text = str(offer.proposal["hash"])
    return {
        "the proposal's id": str(offer.proposal["id"]),
        "the proposal's hash": text,
        "the capability": offer.capability,
        "another hash": otherwise(text),
        "nothing": "",
    }


def _names(capability: str) -> dict[str, str]:
    return {
        "another capability": OTHER,
        "the name with auto before it": f"auto:{capability}",
        "nothing": "",
    }


@check("yea/6.5/a-right-proof-opens-a-read", "YEA-6.5-07", needs=("ask", "undoable"), commits=1)
async def opens_a_read(t: Context) -> None:
    """An ASK under the grant and with the key that a COMMIT succeeds with is not refused for want of authority."""
    offer = await t.offer("undoable")
    await t.commit(offer)  # the principal is trusted, and the grant verifies
    instance, agent = await t.role("ask"), offer.agent
    frame = t.frame("ASK", capability=instance.capability, params=instance.params, grants=[offer.grant])
    exchange = await t.send({**frame, "proof": agent.proof("ASK", instance.capability)})
    ok = exchange.code not in ("unauthorized", "forbidden")
    wanted = "ANSWER to an ASK with a proof over its capability, under a grant for everything"
    t.expect("YEA-6.5-07", ok, wanted=wanted, got=exchange)
    if ok and exchange.kind != "ANSWER":
        raise Untested(f"a right ASK got {exchange.seen()}")


@check(
    "yea/6.5/a-wrong-proof-fails-a-read",
    *CLAUSES,
    "YEA-6.5-07",
    "YEA-6.5-10",
    "YEA-6.5-01",
    needs=("ask",),
    principals=1,
)
async def on_ask(t: Context) -> None:
    """An ASK with grants and a proof for anything else, from any other time or key, is no anonymous one either."""
    instance, agent = await t.role("ask"), t.agent()
    await refused_requests(
        t,
        lambda: t.with_grants("ASK", instance.capability, agent, params=instance.params),
        [
            *request_refusals(t, agent, _names(instance.capability), *PROOFS, NAME_TARGETS),
            *request_refusals(t, agent, {}, WRONG_SIGNERS, WRONG_TIMES[:1], clause="YEA-6.5-10"),
        ],
        "ANSWER",
        accept="YEA-6.5-01",
    )


@check(
    "yea/6.5/a-wrong-proof-fails-an-intent",
    "YEA-6.5-10",
    "YEA-6.5-07",
    needs=("undoable",),
    principals=1,
)
async def on_intent(t: Context) -> None:
    """An INTENT with grants and a wrong proof is unauthorized, and not taken for an anonymous one."""
    instance, agent = await t.role("undoable"), t.agent()
    tokens = [t.grant(agent)]
    cases = [
        *request_refusals(t, agent, _names(instance.capability), *PROOFS, clause="YEA-6.5-10"),
        *request_refusals(t, agent, _names(instance.capability), NAME_TARGETS),
    ]
    await refused_requests(t, lambda: t.intent(instance, agent, tokens), cases, "PROPOSALS", accept="YEA-6.5-07")


@check(
    "yea/6.5/a-wrong-proof-fails-a-commit",
    *CLAUSES,
    "YEA-6.5-05",
    "YEA-6.5-01",
    needs=("undoable",),
    commits=sum(map(len, PROOFS)) + len(COMMIT_TARGETS) + 2,
)
async def on_commit(t: Context) -> None:
    """A COMMIT whose proof is for anything but its proposal's hash, or from any other time or key, is unauthorized."""
    await refused_commits(
        t, "undoable", proof_refusals("COMMIT", _others, *PROOFS, COMMIT_TARGETS), accept="YEA-6.5-01"
    )


@check("yea/6.5/a-wrong-proof-fails-an-undo", *CLAUSES, "YEA-6.5-06", needs=("undoable",), commits=2)
async def on_undo(t: Context) -> None:
    """An UNDO whose proof is for anything but its receipt, or from any other time or key, is unauthorized."""
    cases = proof_refusals("UNDO", _others, *PROOFS, UNDO_TARGETS)
    await refused_undos(t, "undoable", cases, accept="YEA-6.5-06")


@check("yea/6.5/a-proof-counts-for-300-seconds", "YEA-6.5-09", needs=("undoable",), commits=3)
async def proof_window(t: Context) -> None:
    """A proof of 200 s ago or ahead still counts, on a COMMIT and on its repeat."""
    await t.commit(await t.offer("undoable"))
    offer = await t.offer("undoable")
    for seconds in (-200, 200):
        exchange = await t.send(offer.commit(ts=int(t.now()) + seconds))
        wanted = f"RECEIPT to a COMMIT whose proof is {seconds:+} s off"
        t.expect("YEA-6.5-09", exchange.kind == "RECEIPT", wanted=wanted, got=exchange)


@check("yea/6.5/an-expand-proof-is-over-the-handle", "YEA-6.5-08", needs=("big-ask",), principals=1)
async def on_expand(t: Context) -> None:
    """A handle that was made for a proven request is expanded by a proof over the handle, and by no other."""
    agent = t.agent()
    handle = await _bound_handle(t, agent)
    for what, proof in {
        "over the capability": agent.proof("EXPAND", (await t.role("big-ask")).capability),
        "over nothing": agent.proof("EXPAND", ""),
        "for the verb ASK": agent.proof("ASK", handle),
        "that the ASK itself came with": agent.proof("ASK", (await t.role("big-ask")).capability),
        "of 400 s ago": agent.proof("EXPAND", handle, ts=int(t.now()) - 400),
        "for another audience": agent.proof("EXPAND", handle, aud="other.naysayer.example"),
    }.items():
        exchange = await t.send(t.frame("EXPAND", handle=handle, proof=proof))
        t.expect("YEA-6.5-08", exchange.kind == "ERROR", wanted=f"ERROR to a proof {what}", got=exchange)
    right = await t.send(t.frame("EXPAND", handle=handle, proof=agent.proof("EXPAND", handle)))
    t.expect_kind("YEA-6.5-08", right, "ANSWER")


async def _bound_handle(t: Context, agent: Agent) -> str:
    instance = await t.role("big-ask")
    exchange = await t.ask(instance.capability, instance.params, agent=agent, budget=200)
    if cut_nothing(exchange, 200):
        raise NotApplicable(NOTHING_CUT.format(200))
    more = exchange.reply.get("more")
    first = more[0] if isinstance(more, list) and more and isinstance(more[0], dict) else {}
    handle = first.get("handle")
    if exchange.kind != "ANSWER" or not isinstance(handle, str):
        raise Untested(f"the role big-ask under a budget of 200 got {exchange.seen()} without a handle")
    return handle
