"""YEA 10: a request frame that holds a lone surrogate is refused before it is acted on; a paired one is text."""

import json
from typing import Any

from harness.check import check
from harness.context import Context
from harness.encoding import encode
from harness.errors import Untested
from harness.refusals import Refusal, refused_commits, unchanged
from harness.targets.base import Exchange

NOWHERE = "no.such.capability"
# A surrogate alone, at the end, after a pair's second half, doubled, and in the wrong order.
LONE = ("\ud800", "x\udfff", "\udc00x", "\ud83c\ud83c", "\udf89\ud83c", "a😀\udbff")
DEEP = 12  # 24 levels; a parser may stop at 64, or at another depth (RFC 8259, 9)


def _nested(value: Any) -> Any:
    for _ in range(DEEP):
        value = [{"a": value}]
    return value


async def _refused(t: Context, clause: str, frame: dict[str, Any], what: str) -> None:
    exchange = await t.send(frame)
    wanted = f"ERROR bad_frame to {frame['verb']} with {what}"
    t.expect(clause, exchange.code == "bad_frame", wanted=wanted, got=exchange)


@check("yea/10/lone-surrogate-in-a-string-is-bad-frame", "YEA-10-11", "YEA-10-14")
async def in_strings(t: Context) -> None:
    """A request with a lone surrogate in any string, however deep and wherever it is, gets bad_frame."""
    control = await t.hello(agent={"name": "é☃😀"}, x=_nested("😀"))
    t.expect_kind("YEA-10-14", control, "BRIEF")
    for text in LONE:
        where = f"{text!a} in"
        await _refused(t, "YEA-10-11", t.frame("HELLO", agent={"name": text}), f"{where} agent.name")
        await _refused(t, "YEA-10-11", t.frame("HELLO", x=_nested(text)), f"{where} an unknown member, deep")
        await _refused(t, "YEA-10-11", t.frame("ASK", capability=NOWHERE, params={"a": text}), f"{where} params")
        await _refused(t, "YEA-10-11", t.frame("ASK", capability=text), f"{where} capability")
        await _refused(t, "YEA-10-11", t.frame("INTENT", capability=NOWHERE, goal=text), f"{where} goal")
        await _refused(t, "YEA-10-11", t.frame("EXPAND", handle=text), f"{where} handle")
        await _refused(t, "YEA-10-11", t.frame("COMMIT", proposal=text, hash="A" * 43), f"{where} proposal")
        await _refused(t, "YEA-10-11", t.frame("UNDO", receipt="r_none", proof={"sig": text}), f"{where} proof.sig")
    frame = t.frame("HELLO", agent={"name": "\ud800"})
    escaped = await (await t.conn()).raw(encode(frame).replace(b"\\ud800", b"\\uD800"), re=frame["id"])
    wanted = "ERROR bad_frame to HELLO with a lone surrogate as an escape in capitals"
    t.expect("YEA-10-11", escaped.code == "bad_frame", wanted=wanted, got=escaped)


@check("yea/10/lone-surrogate-in-a-key-is-bad-frame", "YEA-10-12", "YEA-10-14")
async def in_keys(t: Context) -> None:
    """A request with a lone surrogate in any key, however deep and wherever it is, gets bad_frame."""
    control = await t.hello(x={"😀": _nested({"é": 1})})
    t.expect_kind("YEA-10-14", control, "BRIEF")
    for text in LONE:
        where = f"{text!a} as a key in"
        await _refused(t, "YEA-10-12", t.frame("ASK", capability=NOWHERE, params={text: 1}), f"{where} params")
        await _refused(t, "YEA-10-12", t.frame("HELLO", x={text: 1}), f"{where} an unknown member")
        await _refused(t, "YEA-10-12", t.frame("HELLO", x=_nested({text: 1})), f"{where} an unknown member, deep")
        await _refused(t, "YEA-10-12", {**t.frame("HELLO"), text: 1}, f"{where} the frame")


@check("yea/10/lone-surrogate-in-params-is-bad-frame", "YEA-10-11", "YEA-10-12", needs=("ask", "undoable"))
async def in_params(t: Context) -> None:
    """ASK and INTENT that would succeed get bad_frame for a lone surrogate in params or goal, and are not planned."""
    for verb, name, kind in (("ASK", "ask", "ANSWER"), ("INTENT", "undoable", "PROPOSALS")):
        role = await t.role(name)
        control = await t.send(t.with_grants(verb, role.capability, None, params=role.params))
        if control.kind != kind:
            raise Untested(f"a right {verb} got {control.seen()}")
        for text in LONE[:3]:
            frame = t.with_grants(verb, role.capability, None, params={**role.params, "x": text})
            await _refused(t, "YEA-10-11", frame, f"{text!a} in params")
            frame = t.with_grants(verb, role.capability, None, params={**role.params, text: 1})
            await _refused(t, "YEA-10-12", frame, f"{text!a} as a key in params")
            frame = t.with_grants(verb, role.capability, None, params=role.params, goal=text)
            await _refused(t, "YEA-10-11", frame, f"{text!a} in goal")
        after = await t.send(t.with_grants(verb, role.capability, None, params=role.params))
        t.expect_kind("YEA-10-11", after, kind)


@check("yea/10/lone-surrogate-stops-a-commit", "YEA-10-13", "YEA-4.4-01", needs=("undoable",), commits=6)
async def stops_a_commit(t: Context) -> None:
    """A right COMMIT with a lone surrogate in an unknown member gets bad_frame and does nothing."""
    cases = [
        Refusal(
            "a lone surrogate in an unknown member",
            "YEA-10-13",
            lambda offer: {**offer.commit(), "x": "\ud800"},
            ("bad_frame",),
        ),
        Refusal(
            "a lone surrogate as a key in proof",
            "YEA-10-13",
            lambda offer: {**offer.commit(), "proof": {**offer.commit()["proof"], "\udfff": 1}},
            ("bad_frame",),
        ),
    ]
    await refused_commits(t, "undoable", cases)
    offer = await t.offer("undoable")
    await t.send({**offer.commit(), "x": "\ud800"})
    clean = await t.send(offer.commit())
    ok = clean.kind == "RECEIPT" and clean.reply.get("replay") is not True
    t.expect("YEA-10-13", ok, wanted="RECEIPT without replay to the clean COMMIT afterwards", got=clean)


@check("yea/10/lone-surrogate-stops-an-auto-intent", "YEA-10-13", needs=("undoable",), commits=2)
async def stops_an_auto_intent(t: Context) -> None:
    """An auto INTENT with a lone surrogate in an unknown member gets bad_frame and commits nothing."""
    control, agent = await t.role("undoable"), t.agent()
    accepted = await t.send(t.intent(control, agent, [t.grant(agent)], auto=True))
    if accepted.kind not in ("RECEIPT", "PROPOSALS"):
        raise Untested(f"a right auto INTENT got {accepted.seen()}")
    offer = await t.offer("undoable")
    before = await offer.state()
    frame = t.intent(offer.instance, offer.agent, [offer.grant], auto=True)
    await _refused(t, "YEA-10-13", {**frame, "x": {"y": "\udc00"}}, "a lone surrogate in an unknown member")
    await unchanged(t, "YEA-10-13", offer, before, "the refused auto INTENT")


def _escaped(frame: dict[str, Any]) -> bytes:
    """Return a frame's line with everything outside ASCII as \\u escapes."""
    return json.dumps(frame).encode("ascii")


@check("yea/10/paired-surrogate-escapes-are-text", "YEA-10-14")
async def paired_escapes(t: Context) -> None:
    """A character written as a pair of surrogate escapes is accepted wherever text is."""
    conn = await t.conn()
    frames = (
        t.frame("HELLO", agent={"name": "🎉"}),
        t.frame("HELLO", x={"🎉": ["\U0010ffff", "𐀀"]}),
        {**t.frame("HELLO"), "id": t.frame_id() + "🎉"},
    )
    for frame in frames:
        exchange: Exchange = await conn.raw(_escaped(frame), re=frame["id"])
        t.expect_kind("YEA-10-14", exchange, "BRIEF")


@check("yea/10/escapes-that-only-look-lone-are-text", "YEA-10-14")
async def looks_lone(t: Context) -> None:
    """A backslash, itself escaped, before the letters of a surrogate escape is plain text."""
    for text in ("\\ud800", "\\\\udfff", "ud800", "\\u0041"):
        t.expect_kind("YEA-10-14", await t.hello(agent={"name": text}, x={text: text}), "BRIEF")
