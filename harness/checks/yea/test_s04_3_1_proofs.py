"""YEA 4.3.1, auto-commit: what the proof of an auto INTENT is over, and an auto INTENT without one."""

from collections.abc import Callable
from typing import Any

from harness.autos import Auto, auto_target, committed_auto, send_auto
from harness.check import check
from harness.context import Context
from harness.errors import Untested
from harness.profile import INTENT_ROLES
from harness.refusals import unchanged

Frame = dict[str, Any]


@check("yea/4.3.1/auto-proof-target", "YEA-4.3.1-20", needs=("undoable",), commits=11)
async def auto_proof_target(t: Context) -> None:
    """The proof of an auto INTENT is over auto:{capability}:{frame id}; over anything else it is unauthorized."""
    await committed_auto(t, "undoable")
    instance = await t.role("undoable")
    targets: dict[str, Callable[[Frame], str]] = {
        "the capability": lambda frame: frame["capability"],
        "another frame id": lambda frame: f"{auto_target(frame)}x",
        "the frame id": lambda frame: frame["id"],
        "another capability": lambda frame: f"auto:naysayer.other:{frame['id']}",
        "no frame id": lambda frame: f"auto:{frame['capability']}",
        "no capability": lambda frame: f"auto:{frame['id']}",
        "the frame id before the capability": lambda frame: f"auto:{frame['id']}:{frame['capability']}",
        "the target in capitals": lambda frame: auto_target(frame).upper(),
    }
    agent = t.agent()
    before = await instance.state()
    for what, target in targets.items():
        frame = t.intent(instance, agent, [t.grant(agent)], auto=True)
        frame["proof"] = agent.proof("INTENT", target(frame))
        exchange = await t.send(frame)
        wanted = f"ERROR unauthorized to a proof over {what}"
        t.expect("YEA-4.3.1-20", exchange.code == "unauthorized", wanted=wanted, got=exchange)
        await unchanged(t, "YEA-4.3.1-20", instance, before, f"an auto INTENT with a proof over {what}")
    closing = await send_auto(t, instance, agent=agent)
    t.expect_kind("YEA-4.3.1-20", closing.exchange, "RECEIPT")


FRAME_IDS = {
    "colons": "a:b::c:",
    "capitals": "AbC",
    "letters beyond ASCII": "Zo\u00eb-\u03a9-\u65e5\u672c",
    "a letter and its accent apart": "e\u0301",
    "signs that HTML escapes": "<b>R&D's</b>",
    "quotes, slashes and backslashes": '"/\\"',
    "characters beyond the BMP": "\U0001f680",
    "blanks": " a  b ",
    "200 letters": "x" * 200,
}


@check("yea/4.3.1/auto-ids-are-any-text", "YEA-4.3.1-20", needs=("undoable",), commits=len(FRAME_IDS) + 1)
async def any_frame_id(t: Context) -> None:
    """The proof of an auto INTENT is over its frame id as it is, whatever text that is."""
    await committed_auto(t, "undoable")
    for what, text in FRAME_IDS.items():
        instance, agent = await t.role("undoable"), t.agent()
        frame = t.intent(instance, agent, [t.grant(agent)], auto=True)
        frame["id"] = text + frame["id"]
        frame["proof"] = agent.proof("INTENT", auto_target(frame))
        exchange = await t.send(frame)
        wanted = f"RECEIPT to an auto INTENT whose id holds {what}"
        t.expect("YEA-4.3.1-20", exchange.kind == "RECEIPT", wanted=wanted, got=exchange)


@check("yea/4.3.1/forged-repeat-gets-nothing", "YEA-4.3.1-20", needs=("undoable",), commits=4)
async def forged_repeat(t: Context) -> None:
    """Whoever knows the id of a committed auto INTENT, but cannot sign for it, does not get its receipt."""
    made = await committed_auto(t, "undoable")
    forgeries: dict[str, Frame] = {
        "a proof over another frame id": made.again(proof=made.agent.proof("INTENT", f"{auto_target(made.frame)}x")),
        "a signature by another key": made.again(proof=forged(t, made)),
    }
    for what, frame in forgeries.items():
        exchange = await t.send(frame, await t.second())
        wanted = f"ERROR unauthorized to the repeat of an auto INTENT with {what}"
        t.expect("YEA-4.3.1-20", exchange.code == "unauthorized", wanted=wanted, got=exchange)
    closing = await t.send(made.again(), await t.second())
    t.expect_kind("YEA-4.3.1-20", closing, "RECEIPT")


def forged(t: Context, made: Auto) -> Frame:
    """Return a proof for the frame that names its agent's key and is signed by another one."""
    right = made.frame["proof"]
    return {**t.agent().proof("INTENT", auto_target(made.frame), ts=right["ts"]), "key": right["key"]}


@check("yea/4.3.1/auto-proof-is-for-auto-only", "YEA-4.3.1-21", needs=("undoable",), principals=1)
async def auto_target_without_auto(t: Context) -> None:
    """An INTENT without auto whose proof is over the auto target is unauthorized."""
    instance, agent = await t.role("undoable"), t.agent()
    await t.offer(instance, agent=agent)
    for auto in (None, False):
        frame = t.intent(instance, agent, [t.grant(agent)], auto=auto)
        frame["proof"] = agent.proof("INTENT", auto_target(frame))
        exchange = await t.send(frame)
        shown = "absent" if auto is None else "false"
        wanted = f"ERROR unauthorized to auto {shown} with a proof over the auto target"
        t.expect("YEA-4.3.1-21", exchange.code == "unauthorized", wanted=wanted, got=exchange)
    closing = await t.send(t.intent(instance, agent, [t.grant(agent)]))
    t.expect_kind("YEA-4.3.1-21", closing, "PROPOSALS")


@check("yea/4.3.1/auto-without-grants-is-plain", "YEA-4.3.1-15", needs=("undoable",), principals=1, commits=4)
async def auto_without_grants(t: Context) -> None:
    """An auto INTENT without grants is a plain one: it gets PROPOSALS, also with the id of one that was committed."""
    if t.facts.demands("INTENT"):
        t.lacks("YEA-4.3.1-15", "the target demands grants for INTENT")
    committed = await committed_auto(t, "undoable")
    instance = await t.role("undoable")
    before = await instance.state()
    used = {"id": committed.frame["id"], "proof": forged(t, committed)}
    cases: dict[str, Frame] = {
        "no grants and no proof": {},
        "no grants, under the id of one that was committed, with a forged proof": used,
        "an empty list of grants": {"grants": []},
    }
    for what, members in cases.items():
        frame = {**t.frame("INTENT", capability=instance.capability, params=instance.params, auto=True), **members}
        exchange = await t.send(frame, await t.second())
        # YEA-Q23, Q26: an empty list may count as grants that are present, and a wrong proof may be refused
        refusable = t.facts.demands("INTENT") or bool(members)
        ok = exchange.kind == "PROPOSALS" or (refusable and exchange.code == "unauthorized")
        wanted = f"PROPOSALS to an auto INTENT with {what}"
        t.expect("YEA-4.3.1-15", ok, wanted=wanted, got=exchange)
        await unchanged(t, "YEA-4.3.1-15", instance, before, f"an auto INTENT with {what}")


@check(
    "yea/4.3.1/any-intent-may-carry-auto",
    "YEA-4.3.1-01",
    needs=("undoable",),
    commits=1,
    deadline=180.0,
    also=INTENT_ROLES,
)
async def any_intent_may_carry_auto(t: Context) -> None:
    """`auto` is no reason to refuse an INTENT, whichever capability it names."""
    for role in filter(t.has, INTENT_ROLES):
        instance, agent = await t.role(role), t.agent()
        grants = [t.grant(agent, verbs=["INTENT"])]
        plain = await t.send(t.intent(instance, agent, grants))
        if plain.kind not in ("PROPOSALS", "CLARIFY", "ERROR"):
            raise Untested(f"an INTENT for the role {role} got {plain.seen()}")
        made = Auto(instance, agent, frame := t.intent(instance, agent, grants, auto=True), await t.send(frame))
        refused = made.exchange.code in ("bad_frame", "invalid_params") and plain.code != made.exchange.code
        wanted = f"{plain.seen()}, as without auto, for the role {role}"
        t.expect("YEA-4.3.1-01", not refused, wanted=wanted, got=made.exchange)
