"""YEA 4.3.1, what a repeat is: the same proof key and frame id, exactly, whatever else changed or happened since."""

from typing import Any

from harness.autos import Auto, auto_target, committed_auto, send_auto
from harness.check import check
from harness.checks.yea.test_s04_3_1_repeats import expect_fresh_frame, expect_replay
from harness.context import Context
from harness.cuts import same
from harness.encoding import exact, shown
from harness.errors import NotApplicable
from harness.offers import receipt_of
from harness.refusals import unchanged
from harness.targets.base import Exchange

ALIKE = ("{}", "{}-a", "{}-A", "{}-A ", " {}-A", "{}-e\u0301", "{}-\u00e9", "x" * 300 + "{}-1", "x" * 300 + "{}-2")


@check("yea/4.3.1/ids-nearly-alike-are-two", "YEA-4.3.1-29", needs=("undoable",), commits=9, deadline=180.0)
async def nearly_alike(t: Context) -> None:
    """Auto INTENTs of one key whose ids differ in case, blanks, normal form or a late character are each committed."""
    agent, name, seen = t.agent(), t.frame_id(), set[str]()
    await committed_auto(t, "undoable", agent=agent)
    for form in ALIKE:
        instance = await t.role("undoable")
        frame = t.intent(instance, agent, [t.grant(agent)], auto=True)
        frame["id"] = form.format(name)
        frame["proof"] = agent.proof("INTENT", auto_target(frame))
        made = Auto(instance, agent, frame, await t.send(frame))
        receipt = exact(made.receipt.get("id"))
        new = made.exchange.kind == "RECEIPT" and receipt not in seen
        wanted = f"a receipt of its own for the id {shown(frame['id'], 40)}"
        t.expect("YEA-4.3.1-29", new, wanted=wanted, got=f"{receipt} again" if receipt in seen else made.exchange)
        seen.add(receipt)


@check("yea/4.3.1/repeat-never-commits-in-other-words", "YEA-4.3.1-25", needs=("undoable",), commits=7)
async def other_words(t: Context) -> None:
    """A frame with a used key and id commits nothing more for another goal, budget, grant or capability (YEA-Q38)."""
    instance, agent = await t.role("undoable"), t.agent()
    made = await committed_auto(t, instance, agent=agent)
    after = await instance.state()
    changes: dict[str, dict[str, Any]] = {
        "another goal": {"goal": "the same once more"},
        "another budget": {"budget": 1500},
        "another grant": {"grants": [t.grant(agent)]},
        "no goal, but an unknown member": {"naysayer": 1},
    }
    if "b" in t.profile.seeds:
        changes["a grant of another principal"] = {"grants": [t.grant(agent, by="b")]}
    for what, members in changes.items():
        again = await t.send(made.again(**members), await t.second())
        _no_second(t, made, again, what)
        await unchanged(t, "YEA-4.3.1-25", instance, after, f"a used id with {what}")


def _no_second(t: Context, made: Auto, again: Exchange, what: str) -> None:
    receipt = again.reply.get("receipt")
    new = again.kind == "RECEIPT" and isinstance(receipt, dict) and not same(receipt.get("id"), made.receipt["id"])
    t.expect("YEA-4.3.1-25", not new, wanted=f"no new receipt for a used id with {what}", got=again)


@check("yea/4.3.1/repeat-after-an-undo", "YEA-4.3.1-24", "YEA-4.3.1-25", needs=("undoable",), commits=2)
async def after_an_undo(t: Context) -> None:
    """A repeat of an auto-commit that was undone gets its receipt, and does not commit it anew."""
    instance = await t.role("undoable")
    made = await committed_auto(t, instance)
    name = made.receipt["id"]
    proof = made.agent.proof("UNDO", name)
    receipt_of(await t.send(t.frame("UNDO", receipt=name, grants=made.frame["grants"], proof=proof)))
    before = await instance.state()
    expect_replay(t, "YEA-4.3.1-24", made, await t.send(made.again(), await t.second()), "a repeat after the UNDO")
    await unchanged(t, "YEA-4.3.1-25", instance, before, "a repeat after the UNDO")


@check("yea/4.3.1/repeat-of-a-question-is-a-new-frame", "YEA-4.3.1-27", needs=("clarify",), principals=1, commits=2)
async def repeated_question(t: Context) -> None:
    """A repeat of an auto INTENT that got CLARIFY gets the same question, in a new frame."""
    made = await send_auto(t, "clarify")
    if made.exchange.kind != "CLARIFY":
        raise NotApplicable(f"an auto INTENT for the role clarify got {made.exchange.seen()}")
    again = await t.send(made.again())
    first = made.exchange.reply
    alike = all(same(again.reply.get(name), first.get(name)) for name in ("kind", "question", "options"))
    t.expect("YEA-4.3.1-27", alike, wanted="the same CLARIFY to a repeat", got=again)
    expect_fresh_frame(t, made, again, {exact(made.exchange.reply.get("id"))}, "a repeat of a CLARIFY")
