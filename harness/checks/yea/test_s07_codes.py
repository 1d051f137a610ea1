"""YEA 7, error codes: which refusal is which, and that what an ERROR advises is true.

The shapes of all ERRORs are watched by monitors; that each rule gives its code is checked where the rule stands.
"""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.encoding import shown
from harness.errors import NotApplicable, Untested
from harness.histories import at_once
from harness.offers import Offer, proposals_in
from harness.patches import merged
from harness.recipes.caveats import UNKNOWN
from harness.recipes.chains import FORBIDDEN_TOO, HOLDING, LATER_SIGNATURES, LINKS, ROOT_SIGNATURES
from harness.recipes.scene import text_token
from harness.recipes.spelling import NUMBERS, PREFIXES, UNDECODABLE
from harness.recipes.structure import BLOCKS, FIELDS, SIGNATURES, SURROGATES
from harness.recipes.wire import scene_of, undo_refusals
from harness.refusals import Refusal, refused_commits, refused_undos

Frame = dict[str, Any]
PAST = 2  # seconds beyond the end of a window
UNDO_SAMPLE = (
    *(PREFIXES[1], NUMBERS[0], UNDECODABLE[1], FIELDS[2], BLOCKS[0], SIGNATURES[0], SURROGATES[0]),
    *(ROOT_SIGNATURES[0], LATER_SIGNATURES[2], LINKS[-1], HOLDING[1], FORBIDDEN_TOO[0]),
)


def _missing(frame: Any) -> dict[str, Any]:
    """Return changes that take the authority out of a request; `frame` makes one with members replaced."""
    return {
        "no grants": lambda *made: frame(*made, grants=None),
        "grants null": lambda *made: {**frame(*made), "grants": None},
        "an empty list of grants": lambda *made: frame(*made, grants=[]),
        "no proof": lambda *made: frame(*made, proof=None),
        "a proof without a signature": lambda *made: _unsigned(frame(*made)),
        "neither grants nor proof": lambda *made: frame(*made, grants=None, proof=None),
    }


def _unsigned(frame: Frame) -> Frame:
    return {**frame, "proof": {name: value for name, value in frame["proof"].items() if name != "sig"}}


@check(
    "yea/7/missing-authority-is-unauthorized", "YEA-7-08", "YEA-4.4-01", "YEA-4.5-01", needs=("undoable",), commits=10
)
async def missing_authority(t: Context) -> None:
    """A COMMIT or UNDO without grants or without a whole proof is unauthorized."""
    made = _missing(Offer.commit).items()
    commits = [Refusal(name, "YEA-7-08", change, ("unauthorized",)) for name, change in made]
    await refused_commits(t, "undoable", commits)
    made = _missing(Offer.undo).items()
    undos = [Refusal(name, "YEA-7-08", change, ("unauthorized",)) for name, change in made]
    await refused_undos(t, "undoable", undos)


@check("yea/7/invalid-grants-are-unauthorized-on-undo", "YEA-7-08", "YEA-4.5-01", needs=("undoable",), commits=2)
async def unauthorized_on_undo(t: Context) -> None:
    """An UNDO under a grant that does not verify is unauthorized, as a COMMIT is."""
    await refused_undos(t, "undoable", undo_refusals(UNDO_SAMPLE, clause="YEA-7-08"))


@check("yea/7/unknown-caveats-forbid-an-undo", "YEA-7-09", "YEA-4.5-01", needs=("undoable",), commits=2)
async def forbidden_on_undo(t: Context) -> None:
    """An UNDO under a valid grant with a caveat that nobody knows is forbidden, as a COMMIT is."""
    await refused_undos(t, "undoable", undo_refusals(UNKNOWN, clause="YEA-7-09"))


@check("yea/7/need-lists-what-blocked", "YEA-7-05", needs=("undoable",), commits=2)
async def need(t: Context) -> None:
    """The need of a forbidden lists caveats of the grant, and the one that blocked is among them."""
    offer = await t.offer("undoable")
    for blocked in ({"can": ["other.naysayer"]}, {"naysayer": 1}):
        scene = scene_of(offer)
        exchange = await t.send(offer.commit(grants=[scene.grant(blocked)]))
        given = exchange.reply.get("need")
        if exchange.code != "forbidden" or given is None:
            t.lacks("YEA-7-05", f"a COMMIT under a grant that does not cover it got {exchange.seen()} without need")
            continue
        listed = given if isinstance(given, list) else []
        among = any(same(caveat, blocked) for caveat in listed)
        t.expect("YEA-7-05", among, wanted=f"{shown(blocked)} in need", got=f"need {shown(given)}")
        held = [*scene.scope(), blocked]
        own = all(any(same(caveat, mine) for mine in held) for caveat in listed)
        t.expect("YEA-7-05", own, wanted="only caveats of the grant in need", got=f"need {shown(given)}")
    if not t.findings:
        raise NotApplicable("the target's ERROR forbidden has no need")


@check("yea/7/fixes-lead-on", "YEA-7-04", needs=("undoable",), principals=1, basis="open")
async def fixes(t: Context) -> None:
    """A fix's params, merged into those of the request, do not meet with the same ERROR again (YEA-Q76)."""
    for role, verb in (("ask", "ASK"), ("state", "ASK"), ("undoable", "INTENT"), ("uses", "INTENT")):
        if t.has(role):
            instance = await t.role(role)
            for params in _spoilt(instance.params):
                await _follow(t, verb, instance.capability, params)
    if not t.findings:
        raise NotApplicable("no ERROR that wrong params provoked has a fix with params")


def _spoilt(params: Frame) -> list[Frame]:
    """Return params that are probably wrong: without each member, and with each of another type."""
    return [
        *({name: value for name, value in params.items() if name != left_out} for left_out in params),
        *({**params, name: {"naysayer": [1]}} for name in params),
        {**params, "naysayer_unknown": 1},
    ]


async def _follow(t: Context, verb: str, capability: str, params: Frame) -> None:
    refused = await t.send(t.with_grants(verb, capability, None, params=params))
    fixes = refused.reply.get("fix")
    for fix in fixes if refused.kind == "ERROR" and isinstance(fixes, list) else ():
        patch = fix.get("params") if isinstance(fix, dict) else None
        if not isinstance(patch, dict):
            continue
        again = await t.send(t.with_grants(verb, capability, None, params=merged(params, patch)))
        repeated = again.code == refused.code and same(again.reply.get("message"), refused.reply.get("message"))
        wanted = f"another answer than before once the fix {shown(patch)} is merged in"
        t.expect("YEA-7-04", again.kind != "ERROR" or not repeated, wanted=wanted, got=again)


@check("yea/7/what-is-past-is-expired", "YEA-7-10", needs=("short-undo",), commits=1, waits=True)
async def past(t: Context) -> None:
    """An UNDO after its window is expired, and so is an EXPAND of a handle that is not there any more."""
    offer = await t.offer("short-undo")
    receipt = (await t.commit(offer)).reply["receipt"]
    undo = receipt.get("undo")
    until = undo.get("until") if isinstance(undo, dict) else None
    if not isinstance(until, int):
        raise Untested(f"the receipt for the role short-undo has undo {shown(undo)}")
    await t.until(until + PAST)
    t.expect_error("YEA-7-10", await t.send(offer.undo(receipt)), "expired")
    t.expect_error("YEA-7-10", await t.send(t.frame("EXPAND", handle=f"h_{t.unique()}")), "expired")


@check("yea/7/a-stale-proposal-conflicts", "YEA-7-11", needs=("racing",), commits=3)
async def stale(t: Context) -> None:
    """A proposal that another commit made stale is committed all the same or a conflict, and a new INTENT leads on."""
    offer = await t.offer("racing")
    if len(offer.proposals) < 2:
        raise Untested("the INTENT for the role racing got a single proposal")
    await t.commit(offer)
    exchange = await t.send(offer.commit(offer.proposals[1]))
    if t.expect_kind("YEA-7-11", exchange, "RECEIPT", "ERROR") and exchange.kind == "ERROR":
        t.expect_error("YEA-7-11", exchange, "conflict", open_question="YEA-Q51")
    anew = await t.send(t.intent(offer.instance, offer.agent, [offer.grant]))
    leads_on = anew.kind in ("PROPOSALS", "CLARIFY") or (anew.kind == "ERROR" and anew.code != "conflict")
    t.expect("YEA-7-11", leads_on, wanted="PROPOSALS, CLARIFY or an ERROR other than conflict", got=anew)
    proposals = proposals_in(anew)
    if proposals:
        renewed = Offer(offer.instance, offer.agent, offer.grant, anew, proposals)
        again = await t.send(renewed.commit())
        t.expect("YEA-7-11", again.code != "conflict", wanted="no conflict for the new proposal", got=again)


ODD: tuple[Any, ...] = (None, True, -1, 1.5, "\x00", [None], {}, "é" * 300)  # as many as may be in flight at once


@check("yea/7/odd-members-are-no-internal-failure", "YEA-7-13", needs=("ask", "undoable"), principals=1)
async def odd_members(t: Context) -> None:
    """A request whose members are of any type whatever never gets internal."""
    ask, intent = await t.role("ask"), await t.role("undoable")
    agent = t.agent()
    right = {
        "HELLO": t.frame("HELLO", agent={"name": "n"}),
        "ASK": t.with_grants("ASK", ask.capability, agent, params=ask.params, budget=800),
        "INTENT": t.intent(intent, agent, [t.grant(agent)], goal="g"),
        "COMMIT": t.frame("COMMIT", proposal="p", hash="h", grants=[t.grant(agent)], proof=agent.proof("COMMIT", "h")),
        "UNDO": t.frame("UNDO", receipt="r", grants=[t.grant(agent)], proof=agent.proof("UNDO", "r")),
        "EXPAND": t.frame("EXPAND", handle="h", proof=agent.proof("EXPAND", "h")),
    }
    control = await t.send({**right["ASK"], "id": t.frame_id()})
    if control.kind != "ANSWER":
        raise Untested(f"a right ASK got {control.seen()}")
    for verb, frame in right.items():
        for name in (name for name in frame if name not in ("yea", "id", "verb")):
            await _never_internal(t, {f"{verb} with {name} {shown(odd, 30)}": {**frame, name: odd} for odd in ODD})
    proof = right["ASK"]["proof"]
    for name in proof:
        odds = {shown(odd, 30): {**right["ASK"], "proof": {**proof, name: odd}} for odd in ODD}
        await _never_internal(t, {f"ASK with proof.{name} {what}": frame for what, frame in odds.items()})


async def _never_internal(t: Context, frames: dict[str, Frame]) -> None:
    """Send these frames at once, each with an id of its own."""
    exchanges = await at_once(t, [({**frame, "id": t.frame_id()}, None) for frame in frames.values()])
    for what, exchange in zip(frames, exchanges, strict=True):
        t.expect("YEA-7-13", exchange.code != "internal", wanted=f"anything but internal to {what}", got=exchange)


DEPTH = 20_000
MALFORMED = (UNDECODABLE, NUMBERS, BLOCKS, SIGNATURES, FIELDS, SURROGATES)


@check("yea/7/malformed-grants-are-no-internal-failure", "YEA-7-13", needs=("undoable",), commits=2)
async def malformed_grants(t: Context) -> None:
    """A COMMIT under grants that are malformed in any way never gets internal, and one more COMMIT still works."""
    offer = await t.offer("undoable")
    scene = scene_of(offer)
    tokens = {recipe.name: recipe.make(scene) for table in MALFORMED for recipe in table}
    tokens["a token of deep lists"] = text_token("[" * DEPTH + "]" * DEPTH)
    tokens["a token of a deep caveat"] = text_token('[{"p":' + '{"a":' * DEPTH + "1" + "}" * DEPTH + ',"s":"x"}]')
    tokens["a token of a long number"] = text_token('[{"p":{"iat":' + "9" * 5000 + '},"s":"x"}]')
    listed = list(tokens.values())
    exchange = await t.send(offer.commit(grants=listed))
    wanted = f"anything but internal to a COMMIT with {len(listed)} malformed grants"
    if not t.expect("YEA-7-13", exchange.code != "internal", wanted=wanted, got=exchange):
        for name, held in tokens.items():
            await _never_internal(t, {f"a COMMIT with {name}": offer.commit(grants=[held])})
    t.expect_kind("YEA-7-13", await t.send(offer.commit()), "RECEIPT")
