"""YEA 2.1: members of a request that the service does not know are ignored, wherever they stand."""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.errors import Untested
from harness.expanding import reader
from harness.targets.base import Exchange

EXTRA: dict[str, Any] = {
    "x": 1,
    "nested": {"a": [1, {"b": None}], "verb": "COMMIT"},
    "lens": "x",
    "": "",
    "éxtra": True,
    "null-member": None,
    "constructor": {},
    "long": "y" * 2000,
    "fraction": 1.5,
    "tiny": 1e-7,
}
MANY: dict[str, Any] = {f"unknown{number}": number for number in range(200)}
KINDS = ("BRIEF", "ANSWER", "PROPOSALS", "RECEIPT", "ERROR")
SETS = {"eight unknown members": EXTRA, "two hundred unknown members": MANY}


def _same_kind(t: Context, clause: str, plain: Exchange, extra: Exchange, what: str) -> bool:
    """Expect the reply to be of the same kind, and the same code, as the one without the members."""
    if plain.kind not in KINDS:
        raise Untested(f"the request without {what} got {plain.seen()}")
    ok = (extra.kind, extra.code) == (plain.kind, plain.code)
    return t.expect(clause, ok, wanted=f"{plain.seen()}, as without {what}", got=extra)


@check("yea/2.1/unknown-members-are-ignored-on-hello", "YEA-2.1-15", "YEA-2.1-16")
async def on_hello(t: Context) -> None:
    """HELLO with members nobody knows, in the frame and inside `agent`, is answered as without them."""
    plain = await t.hello()
    for what, members in SETS.items():
        extra = await t.hello(**members)
        if _same_kind(t, "YEA-2.1-15", plain, extra, what):
            ok = same(extra.reply.get("service"), plain.reply.get("service"))
            t.expect("YEA-2.1-15", ok, wanted="the same service as without them", got=extra.reply.get("service"))
    for agent in ({"name": "n", "x": 1}, {"name": "n", **EXTRA}):
        t.expect_kind("YEA-2.1-16", await t.hello(agent=agent), "BRIEF")


@check("yea/2.1/unknown-members-are-ignored-on-unknown-names", "YEA-2.1-15")
async def on_unknown_names(t: Context) -> None:
    """ASK, INTENT, EXPAND, COMMIT and UNDO of what does not exist get the same error with unknown members."""
    requests: tuple[tuple[str, dict[str, Any]], ...] = (
        ("ASK", {"capability": "no.such.capability"}),
        ("INTENT", {"capability": "no.such.capability", "goal": "none"}),
        ("EXPAND", {"handle": "h_none"}),
        ("COMMIT", {"proposal": "p_none", "hash": "A" * 43}),
        ("UNDO", {"receipt": "r_none"}),
    )
    for verb, members in requests:
        plain = await t.send(t.frame(verb, **members))
        for what, more in SETS.items():
            _same_kind(t, "YEA-2.1-15", plain, await t.send({**t.frame(verb, **members), **more}), f"{what} on {verb}")


@check("yea/2.1/members-in-another-case-are-unknown", "YEA-2.1-13", "YEA-2.1-15")
async def in_another_case(t: Context) -> None:
    """Members whose names differ from those of a frame in case alone are unknown ones: `Verb` is no `verb`."""
    others: dict[str, Any] = {"Yea": 2, "VERB": "PING", "Grants": 5}
    extra = await t.hello(**others)
    t.expect("YEA-2.1-15", extra.kind == "BRIEF", wanted=f"BRIEF to a HELLO with {', '.join(others)}", got=extra)
    for verb in ("ASK", "INTENT"):
        members = {"capability": "no.such.capability"}
        plain = await t.send(t.frame(verb, **members))
        extra = await t.send(t.frame(verb, **members, Capability=5, Grants=5, PARAMS=[]))
        _same_kind(t, "YEA-2.1-15", plain, extra, f"Capability, Grants and PARAMS on {verb}")
    without = await t.send({"yea": 1, "id": t.frame_id(), "Verb": "HELLO"})
    t.expect("YEA-2.1-13", without.code == "bad_frame", wanted="ERROR bad_frame to Verb and no verb", got=without)


@check("yea/2.1/unknown-members-are-ignored-on-ask", "YEA-2.1-15", needs=("ask",))
async def on_ask(t: Context) -> None:
    """ASK with unknown members gets an ANSWER, as it does without them."""
    role = await t.role("ask")
    plain = await t.ask(role.capability, role.params)
    if plain.kind != "ANSWER":
        raise Untested(f"a right ASK got {plain.seen()}")
    for what, members in SETS.items():
        _same_kind(t, "YEA-2.1-15", plain, await t.ask(role.capability, role.params, **members), what)


@check("yea/2.1/unknown-members-are-ignored-on-expand", "YEA-2.1-15", needs=("big-ask",))
async def on_expand(t: Context) -> None:
    """EXPAND of a handle with unknown members gets an ANSWER, as it does without them."""
    asking = await reader(t, "big-ask")
    for what, members in SETS.items():
        _, entries = await asking.cut()
        plain = await asking.expand(entries[0].handle)
        if plain.kind != "ANSWER":
            raise Untested(f"a right EXPAND got {plain.seen()}")
        _, entries = await asking.cut()
        extra = await t.send({**asking.frame(entries[0].handle), **members})
        _same_kind(t, "YEA-2.1-15", plain, extra, what)


@check(
    "yea/2.1/unknown-members-are-ignored-on-intent-commit-and-undo",
    "YEA-2.1-15",
    "YEA-2.1-16",
    needs=("undoable",),
    commits=2,
)
async def on_intent_commit_and_undo(t: Context) -> None:
    """INTENT, COMMIT and UNDO with unknown members, also inside `proof`, succeed as without them."""
    instance, agent = await t.role("undoable"), t.agent()
    plain = await t.offer(instance, agent=agent)
    receipt = (await t.commit(plain)).reply["receipt"]
    undone = await t.send(plain.undo(receipt))
    if undone.kind != "RECEIPT":
        raise Untested(f"a right UNDO without unknown members got {undone.seen()}")
    token = t.grant(agent)
    extra = await t.send({**t.intent(instance, agent, [token]), **EXTRA})
    t.expect_kind("YEA-2.1-15", extra, "PROPOSALS")
    offer = await t.offer(instance)
    frame = offer.commit()
    frame = {**frame, **EXTRA, "proof": {**frame["proof"], "x": 1, "nested": {"a": [1]}}}
    committed = await t.send(frame)
    t.expect_kind("YEA-2.1-15", committed, "RECEIPT")
    if not t.expect_kind("YEA-2.1-16", committed, "RECEIPT"):
        return
    receipt = committed.reply.get("receipt")
    if not isinstance(receipt, dict) or not isinstance(receipt.get("id"), str):
        raise Untested("the receipt of a COMMIT has no string id")
    frame = offer.undo(receipt)
    undone = await t.send({**frame, **EXTRA, "proof": {**frame["proof"], "x": 1}})
    t.expect_kind("YEA-2.1-15", undone, "RECEIPT")
    t.expect_kind("YEA-2.1-16", undone, "RECEIPT")
