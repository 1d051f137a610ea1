"""YEA 8, budgets: what is never cut, and the lists that lose whole items from their end."""

from typing import Any

from harness.check import check
from harness.context import BIG_BUDGET, Context
from harness.cuts import is_cut_text, losses, more_of, same
from harness.drafts import draft
from harness.encoding import exact, shown
from harness.errors import NotApplicable, Untested
from harness.expanding import NOTHING_CUT, brief, listed, plan, put_together
from harness.people import Agent
from harness.profile import READ_ROLES
from harness.targets.base import Exchange
from reference.yea.canonical import CanonicalError
from reference.yea.proposals import proposal_hash

SMALL_BUDGETS = (1, 100, 200)
VOLATILE = ("id", "hash", "expires", "data")

Body = dict[str, Any]


def hashes_right(proposal: Body) -> bool:
    """Return whether a proposal's hash is that of the proposal."""
    try:
        return bool(proposal_hash(proposal) == proposal.get("hash"))
    except CanonicalError:
        return False


@check("yea/8/proposals-stay-whole", "YEA-8-16", needs=("undoable",), principals=1, deadline=180.0)
async def proposals_stay_whole(t: Context) -> None:
    """Under any budget each proposal's hash verifies, and none of its texts and lists but data is cut."""
    for role in t.profile.roles:
        if role in READ_ROLES or role == "clarify":
            continue
        instance = await t.role(role)
        plans = [await plan(t, instance, t.agent(), BIG_BUDGET) for _ in range(2)]
        wide, again = [listed(exchange.reply, "proposals") for exchange in plans]
        steady = _steady(wide, again)
        if not steady:
            t.lacks("YEA-8-16", f"the plans for the role {role} are others each time")
        sound = all(map(hashes_right, wide))  # if they are not, no budget is to blame: that is a matter of 5.1
        for budget in SMALL_BUDGETS:
            narrow = listed((await plan(t, instance, t.agent(), budget)).reply, "proposals")
            what = f"the proposals of the role {role} under budget {budget}"
            if sound:
                wrong = [shown(proposal.get("id")) for proposal in narrow if not hashes_right(proposal)]
                got = f"another one for {', '.join(wrong)}" if wrong else "they are"
                t.expect("YEA-8-16", not wrong, wanted=f"hashes that are those of {what}", got=got)
            cut = [loss for pair in zip(wide, narrow, strict=False) for loss in _cut(*pair)] if steady else []
            t.expect(
                "YEA-8-16", not cut, wanted=f"nothing cut in {what}", got=f"cut at {', '.join(cut)}" if cut else "none"
            )


def _steady(first: list[Body], second: list[Body]) -> bool:
    """Return whether two plans of one intent are alike, so that a third one can be compared with them."""
    alike = same([*map(_gist, first)], [*map(_gist, second)])
    return alike and not any(_cut(*pair) or _cut(*reversed(pair)) for pair in zip(first, second, strict=True))


def _cut(wide: Body, narrow: Body) -> list[str]:
    """Return where a proposal is a shortened form of another; that they differ otherwise is no matter."""
    names = [name for name in wide if name not in VOLATILE]
    pairs = {name: (wide[name], narrow.get(name)) for name in names}
    return [
        f"{name}.{loss.dotted}".strip(".")
        for name, (full, kept) in pairs.items()
        for loss in losses(full, kept)
        if loss.what != "changed"
    ]


@check("yea/8/proposals-are-dropped-from-the-end", "YEA-8-18", "YEA-8-20", "YEA-8-16", needs=("multi",), principals=1)
async def proposals_from_the_end(t: Context) -> None:
    """A small budget drops whole proposals from the end, announced at `proposals`, and EXPAND brings them back."""
    instance = await t.role("multi")
    agent = t.agent()
    wide, again = [listed((await plan(t, instance, agent, BIG_BUDGET)).reply, "proposals") for _ in range(2)]
    if not _steady(wide, again):
        raise NotApplicable("the target plans otherwise each time, so two plans do not tell what one of them lost")
    dropped = False
    for budget in SMALL_BUDGETS:
        reply = (await plan(t, instance, agent, budget)).reply
        kept = listed(reply, "proposals")
        what = f"PROPOSALS of the role multi under budget {budget}"
        ok = same([_gist(item) for item in kept], [_gist(item) for item in wide[: len(kept)]])
        t.expect(
            "YEA-8-18", ok, wanted=f"the first {len(kept)} of {len(wide)} in {what}", got=shown([*map(_gist, kept)])
        )
        if len(kept) < len(wide):
            dropped = True
            await _announced(t, reply, agent, len(wide) - len(kept), what, sound=all(map(hashes_right, wide)))
    if not dropped:
        raise NotApplicable(NOTHING_CUT.format(1))


def _gist(proposal: Body) -> list[Any]:
    """Return what tells the proposals of one plan apart and is the same when it is planned again."""
    effects = listed(proposal, "effects")
    told = [*map(proposal.get, ("capability", "risk", "undo")), proposal.get("uses") or None]  # an empty uses is none
    return told + [effect.get("op") for effect in effects]


async def _announced(t: Context, reply: Body, agent: Agent, missing: int, what: str, *, sound: bool) -> None:
    entry = next((entry for entry in more_of(reply) if entry.path == "proposals"), None)
    got = f"remaining {entry.remaining}" if entry else f"paths {[e.path for e in more_of(reply)]}"
    ok = entry is not None and entry.remaining == missing
    t.expect("YEA-8-20", ok, wanted=f"more at proposals with remaining {missing} in {what}", got=got)
    if entry is None:
        return

    async def expand(handle: str) -> Exchange:
        proof = agent.proof("EXPAND", handle)
        return await t.send(t.frame("EXPAND", handle=handle, budget=BIG_BUDGET, proof=proof))

    whole = await put_together({**reply, "more": [{**vars(entry)}]}, expand)
    rest = listed(whole.frame, "proposals")[len(listed(reply, "proposals")) :]
    wanted = f"{missing} proposals more by EXPAND, for {what}"
    t.expect("YEA-8-20", len(rest) == missing, wanted=wanted, got=whole.problem or f"{len(rest)}")
    right = not sound or all(map(hashes_right, rest))
    t.expect("YEA-8-16", right, wanted=f"right hashes on the proposals that EXPAND gave, for {what}", got="a wrong one")


@check("yea/8/capabilities-stay-whole", "YEA-8-17", "YEA-8-18", "YEA-8-20")
async def capabilities_stay_whole(t: Context) -> None:
    """A small BRIEF lists whole entries, the first ones, and says at `capabilities` how many are missing."""
    full = listed(await brief(t, BIG_BUDGET), "capabilities")
    dropped = False
    for budget in (1, 50, 200, 400):
        reply = await brief(t, budget)
        kept = listed(reply, "capabilities")
        what = f"the BRIEF under budget {budget}"
        prefix = [exact(entry.get("name")) for entry in full[: len(kept)]]
        names = [exact(entry.get("name")) for entry in kept]
        t.expect("YEA-8-18", names == prefix, wanted=f"{', '.join(prefix)} in {what}", got=", ".join(names) or "none")
        altered = [
            name for name, pair in zip(names, zip(full, kept, strict=False), strict=False) if _altered(*pair, reply)
        ]
        got = f"{', '.join(altered)} altered" if altered else "they are"
        t.expect("YEA-8-17", not altered, wanted=f"entries as in the whole BRIEF in {what}", got=got)
        if len(kept) < len(full):
            dropped = True
            counts = [entry.remaining for entry in more_of(reply) if entry.path == "capabilities"]
            missing = len(full) - len(kept)
            wanted = f"more at capabilities with remaining {missing} in {what}"
            t.expect("YEA-8-20", counts == [missing], wanted=wanted, got=f"remaining {counts or 'not given'}")
    if not dropped:
        t.lacks("YEA-8-20", "the target drops no capability, whatever the budget")


def _altered(full: Body, kept: Body, reply: Body) -> bool:
    """Whether an entry is another than the whole one; params may be left out beside a `more` (YEA-Q29)."""
    if same(full, kept):
        return False
    bare = {name: value for name, value in full.items() if name != "params"}
    return not (same(bare, kept) and reply.get("more"))


@check("yea/8/questions-and-errors-are-never-cut", "YEA-8-19")
async def questions_and_errors(t: Context) -> None:
    """Under budget 1, an ERROR's message, fixes and consent and a CLARIFY's question and options stay as they are."""
    name = f"naysayer.{'x' * 300}.{t.unique()}"
    texts = {"an ERROR": [await t.ask(name, {}, budget=budget) for budget in (BIG_BUDGET, 1)]}
    if t.has("clarify") and t.profile.seeds:
        instance, agent = await t.role("clarify"), t.agent()
        grants = [t.grant(agent)]
        texts["a CLARIFY"] = [
            await t.send(t.intent(instance, agent, grants, budget=budget)) for budget in (BIG_BUDGET, 1)
        ]
    if t.has("undoable") and t.profile.seeds:
        offer = await draft(t, "undoable")
        texts["a consent_required ERROR"] = [await t.send(offer.commit(budget=budget)) for budget in (BIG_BUDGET, 1)]
    for what, (wide, narrow) in texts.items():
        if not what.endswith(wide.kind or "?") or narrow.kind != wide.kind:
            raise Untested(f"what should be {what} is {wide.seen()}, and {narrow.seen()} under budget 1")
        cut = [name for name in ("message", "fix", "consent", "question", "options") if _is_cut(wide, narrow, name)]
        got = f"shorter {', '.join(cut)}" if cut else "the same"
        t.expect("YEA-8-19", not cut, wanted=f"nothing cut in {what} under budget 1", got=got)


def _is_cut(wide: Exchange, narrow: Exchange, name: str) -> bool:
    return name in wide.reply and any(
        loss.what != "changed" for loss in losses(wide.reply[name], narrow.reply.get(name))
    )


@check("yea/8/receipts-keep-all-but-their-result", "YEA-8-19", needs=("undoable",), commits=2)
async def receipts_stay_whole(t: Context) -> None:
    """Under budget 1 nothing but the result of a RECEIPT is cut, as replays under a huge budget show."""
    offer = await t.offer("undoable")
    receipt = (await t.commit(offer, offer.commit(budget=1))).reply["receipt"]
    wide = await t.send(offer.commit(budget=BIG_BUDGET))
    whole = wide.reply.get("receipt")
    if wide.kind != "RECEIPT" or not isinstance(whole, dict):
        raise Untested(f"a right COMMIT of a committed proposal got {wide.seen()}")
    cut = [name for name in whole if name != "result" and _shortened(whole[name], receipt.get(name))]
    got = f"shorter {', '.join(cut)}" if cut else "the same"
    t.expect("YEA-8-19", not cut, wanted="nothing but the result cut in the receipt", got=got)
    undone = await t.send(offer.undo(receipt, budget=1))
    again = await t.send(offer.undo(receipt, budget=BIG_BUDGET))
    if undone.kind == again.kind == "RECEIPT":
        small, big = undone.reply.get("receipt"), again.reply.get("receipt")
        pair = (big, small) if isinstance(big, dict) and isinstance(small, dict) else ({}, {})
        cut = [name for name in pair[0] if name != "result" and _shortened(pair[0][name], pair[1].get(name))]
        lacking = len(listed(pair[1], "effects")) < len(listed(whole, "effects"))
        got = f"shorter {', '.join(cut) or 'effects'}" if cut or lacking else "the same"
        t.expect("YEA-8-19", not cut and not lacking, wanted="nothing but the result cut in the reversal", got=got)


def _shortened(full: Any, kept: Any) -> bool:
    if isinstance(full, str) and isinstance(kept, str):
        return is_cut_text(full, kept)
    return any(loss.what != "changed" for loss in losses(full, kept))


@check("yea/8/events-are-never-cut", "YEA-8-19", needs=("slow-commit",), commits=2)
async def events_stay_whole(t: Context) -> None:
    """Under budget 1 the messages of EVENTs are as long as ever."""
    messages = []
    for budget in (BIG_BUDGET, 1):
        offer = await t.offer("slow-commit")
        exchange = await t.commit(offer, offer.commit(budget=budget))
        messages.append([frame.value.get("message") for frame in exchange.events])
    wide, narrow = messages
    cut = [shown(kept) for full, kept in zip(wide, narrow, strict=False) if _shortened(full, kept)]
    if not wide or not narrow:
        raise Untested("a commit for the role slow-commit sent no EVENT")
    t.expect("YEA-8-19", not cut, wanted="uncut messages of EVENTs under budget 1", got=", ".join(cut) or "uncut")
