"""YEA 4.3.1, auto-commit: limits, risk and undo windows stop it for review, and what it is then answered."""

from typing import Any

from harness.autos import Held, committed_auto, held_back, send_auto
from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.encoding import exact, shown
from harness.errors import NotApplicable, Untested
from harness.histories import at_once
from harness.measures import limit, steady_measure
from harness.offers import Offer
from harness.people import Agent
from harness.refusals import unchanged
from harness.targets.base import Exchange

RISKS = ("low", "medium", "high")
NEVER = 'undo null on an "irreversible" proposal'


@check("yea/4.3.1/each-limit-stops-auto", "YEA-4.3.1-09", "YEA-4.3.1-02", needs=("uses",), commits=6)
async def over_each(t: Context) -> None:
    """An auto INTENT over an `each` limit, or in another unit than the limit's, gets PROPOSALS and changes nothing."""
    of, quantity = await steady_measure(t)

    def each(change: int, **other: Any) -> Any:
        return lambda agent: [t.grant(agent, {"each": limit(of, quantity, change, **other)})]

    cases = [
        Held("an `each` limit one step too low", "YEA-4.3.1-09", each(-1)),
        Held("an `each` limit in another unit", "YEA-4.3.1-09", each(1, unit="naysayer")),
        Held("an `each` limit above and one below", "YEA-4.3.1-09", lambda a: _both(t, a, of, quantity, "each")),
    ]
    await held_back(t, "uses", cases, control=each(0), accept="YEA-4.3.1-02")
    elsewhere = {"each": {"of": "naysayer.unused", "max": 0}}
    made = await send_auto(t, "uses", agent=(agent := t.agent()), grants=[t.grant(agent, elsewhere)])
    wanted = "RECEIPT under an `each` limit on a measure that the proposal does not report"
    t.expect("YEA-4.3.1-02", made.exchange.kind == "RECEIPT", wanted=wanted, got=made.exchange)


@check("yea/4.3.1/total-limit-stops-auto", "YEA-4.3.1-10", "YEA-4.3.1-02", needs=("uses",), commits=8, deadline=180.0)
async def over_total(t: Context) -> None:
    """An auto INTENT that would pass a `total` gets PROPOSALS; commits and auto-commits count alike."""
    of, quantity = await steady_measure(t)

    def total(change: int, **other: Any) -> Any:
        return lambda agent: [t.grant(agent, {"total": limit(of, quantity, change, **other)})]

    cases = [
        Held("a `total` one step too low", "YEA-4.3.1-10", total(-1)),
        Held("a `total` in another unit", "YEA-4.3.1-10", total(1, unit="naysayer")),
    ]
    await held_back(t, "uses", cases, control=total(0), accept="YEA-4.3.1-02")
    for how in ("a COMMIT", "an auto INTENT"):
        agent = t.agent()
        token = total(0)(agent)[0]
        if how == "a COMMIT":
            await t.commit(await t.offer("uses", agent=agent, grant=token))
        else:
            await committed_auto(t, "uses", agent=agent, grants=[token])
        instance = await t.role("uses")
        before = await instance.state()
        made = await send_auto(t, instance, agent=agent, grants=[token])
        wanted = f"PROPOSALS once {how} has used up the total"
        t.expect("YEA-4.3.1-10", made.exchange.kind == "PROPOSALS", wanted=wanted, got=made.exchange)
        await unchanged(t, "YEA-4.3.1-10", instance, before, "an auto INTENT over a used-up total")


@check("yea/4.3.1/auto-totals-are-atomic", "YEA-4.3.1-19", "YEA-4.3.1-02", needs=("uses",), commits=16, deadline=180.0)
async def totals_are_atomic(t: Context) -> None:
    """Of eight auto INTENTs at once, or of four beside four COMMITs, no more are committed than the total admits."""
    of, quantity = await steady_measure(t)
    for commits in (0, 4):
        agent = t.agent()
        token = t.grant(agent, {"total": limit(of, quantity, times=2)})
        offers = [await t.offer("uses", agent=agent, grant=token) for _ in range(commits)]
        instances = [await t.role("uses") for _ in range(8 - commits)]
        frames = [t.intent(instance, agent, [token], auto=True) for instance in instances]
        frames += [offer.commit() for offer in offers]
        t.rng.shuffle(frames)
        objects = [*instances, *(offer.instance for offer in offers)]
        before = [await instance.state() for instance in objects]
        replies = await at_once(t, [(frame, None) for frame in frames])
        receipts = [reply for reply in replies if reply.kind == "RECEIPT"]
        crowd = f"8 auto INTENTs at once{f', {commits} of them COMMITs,' if commits else ''} under a total for 2"
        seen = ", ".join(sorted(reply.seen() for reply in replies))
        t.expect("YEA-4.3.1-19", len(receipts) <= 2, wanted=f"at most 2 RECEIPTs to {crowd}", got=seen)
        refusals = [reply for reply in replies if reply.kind != "RECEIPT"]
        fair = all(map(_stopped, refusals))
        wanted = f"PROPOSALS (COMMIT: consent_required), or ERROR limit, for the others of {crowd}"
        t.expect("YEA-4.3.1-19", fair, wanted=wanted, got=seen)
        if not any(reply.code == "limit" for reply in replies):
            t.expect("YEA-4.3.1-02", len(receipts) >= 2, wanted=f"2 RECEIPTs to {crowd}", got=seen)
        if objects[0].watched:
            after = [await instance.state() for instance in objects]
            changed = sum(1 for old, new in zip(before, after, strict=True) if not same(old, new))
            wanted = f"as many objects changed as there are RECEIPTs to {crowd}"
            got = f"{changed} changed, {len(receipts)} RECEIPTs"
            t.expect("YEA-4.3.1-19", changed == len(receipts), wanted=wanted, got=got, of=objects[0])


def _stopped(reply: Exchange) -> bool:
    verb = reply.request.get("verb") if isinstance(reply.request, dict) else None
    return reply.code == "limit" or (
        reply.code == "consent_required" if verb == "COMMIT" else reply.kind == "PROPOSALS"
    )


@check("yea/4.3.1/risk-ceiling-stops-auto", "YEA-4.3.1-11", "YEA-4.3.1-02", needs=("risky",), commits=3)
async def over_risk(t: Context) -> None:
    """An auto INTENT riskier than the grant's ceiling gets PROPOSALS and changes nothing."""
    risk = _word((await t.offer("risky")).proposal.get("risk"))
    if risk not in RISKS[1:]:
        raise Untested(f"the role risky offers a proposal of risk {risk!r}")
    lower = RISKS[RISKS.index(risk) - 1]
    cases = [Held(f"a {risk} proposal under risk {lower}", "YEA-4.3.1-11", lambda a: [t.grant(a, {"risk": lower})])]
    await held_back(t, "risky", cases, control=lambda a: [t.grant(a, {"risk": risk})], accept="YEA-4.3.1-02")


def _word(value: Any) -> str:
    return value if isinstance(value, str) else exact(value)


@check(
    "yea/4.3.1/irreversible-stops-auto",
    "YEA-4.3.1-12",
    "YEA-4.3.1-02",
    needs=("irreversible", "undoable"),
    commits=2,
)
async def irreversible(t: Context) -> None:
    """An auto INTENT whose first proposal cannot be undone gets PROPOSALS, whatever the grant allows."""
    agent = t.agent()
    grants = [t.grant(agent)]
    await committed_auto(t, "undoable", agent=agent, grants=grants)
    instance = await t.role("irreversible")
    before = await instance.state()
    made = await send_auto(t, instance, agent=agent, grants=grants)
    t.expect_kind("YEA-4.3.1-12", made.exchange, "PROPOSALS")
    first = _proposals(made.exchange)[:1]
    undo = first[0].get("undo", "missing") if first else "no proposal"
    t.expect("YEA-4.3.1-12", undo is None, wanted=NEVER, got=f"undo {shown(undo)}")
    await unchanged(t, "YEA-4.3.1-12", instance, before, "an auto INTENT for something irreversible")
    closing = await send_auto(t, "undoable", agent=agent, grants=grants)
    t.expect_kind("YEA-4.3.1-02", closing.exchange, "RECEIPT")


@check(
    "yea/4.3.1/refused-auto-answers-as-without",
    "YEA-4.3.1-16",
    needs=("undoable",),
    commits=1,
    also=("irreversible", "risky", "multi", "clarify"),
)
async def as_without_auto(t: Context) -> None:
    """When a condition fails the reply is what it would be without auto, and says nothing of auto."""
    cases: dict[str, list[dict[str, Any]]] = {
        "irreversible": [],
        "risky": [{"risk": "low"}],
        "undoable": [{"verbs": ["INTENT"]}],
        "multi": [{"verbs": ["INTENT"]}],
        "clarify": [],
    }
    for role, caveats in cases.items():
        if not t.has(role):
            continue
        instance, agent = await t.role(role), t.agent()
        grants = [t.grant(agent, *caveats)]
        plain, another = [await t.send(t.intent(instance, agent, grants)) for _ in range(2)]
        auto = await t.send(t.intent(instance, agent, grants, auto=True))
        what = f"an auto INTENT for the role {role} that is not committed"
        # A service may find other words or plans each time: then only the kind of reply can be compared.
        steady = same(_gist(plain), _gist(another))
        alike = plain.seen() == auto.seen() and (not steady or same(_gist(plain), _gist(auto)))
        wanted = f"{plain.seen()} {shown(_gist(plain), 300)}, as without auto, to {what}"
        t.expect("YEA-4.3.1-16", alike, wanted=wanted, got=f"{auto.seen()} {shown(_gist(auto), 300)}")
        flag = auto.reply.get("auto")
        t.expect(
            "YEA-4.3.1-16", flag is not True, wanted=f"no auto true on the reply to {what}", got=f"auto {shown(flag)}"
        )
    unknown = t.frame("INTENT", capability=f"naysayer.{t.unique()}", params={}, auto=True)
    t.expect_error("YEA-4.3.1-16", await t.send(unknown), "unknown_capability", "unauthorized")


def _gist(exchange: Exchange) -> list[Any]:
    """Return what two plans of the same intent have in common: no ids, hashes, times, words or numbers in names."""
    options = exchange.reply.get("options")
    shapes: list[Any] = [
        # YEA 5.1: an absent and an empty uses mean the same
        [*map(proposal.get, ("capability", "risk", "undo")), proposal.get("uses") or None, _ops(proposal)]
        for proposal in _proposals(exchange)
    ]
    return [*shapes, len(options) if isinstance(options, list) else 0]


def _ops(holder: dict[str, Any]) -> list[Any]:
    effects = holder.get("effects")
    return [effect.get("op") for effect in effects if isinstance(effect, dict)] if isinstance(effects, list) else []


def _proposals(exchange: Exchange) -> list[dict[str, Any]]:
    listed = exchange.reply.get("proposals")
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


@check("yea/4.3.1/only-the-first-proposal-counts", "YEA-4.3.1-17", needs=("multi",), commits=2)
async def only_the_first(t: Context) -> None:
    """When the first proposal may not be committed, a later one that might be is not either."""
    offer = await t.offer("multi")
    _need_undo(offer)
    risks = [_word(proposal.get("risk")) for proposal in offer.proposals]
    known = [RISKS.index(risk) for risk in risks if risk in RISKS]
    if len(known) < len(risks) or min(known) == known[0]:
        raise NotApplicable(f"no risk ceiling tells the proposals of the role multi apart: their risks are {risks}")
    ceiling = RISKS[min(known)]
    await committed_auto(t, "multi")
    instance, agent = await t.role("multi"), t.agent()
    before = await instance.state()
    made = await send_auto(t, instance, agent=agent, grants=[t.grant(agent, {"risk": ceiling})])
    wanted = f"PROPOSALS when only a later one has risk {ceiling}"
    t.expect("YEA-4.3.1-17", made.exchange.kind == "PROPOSALS", wanted=wanted, got=made.exchange)
    await unchanged(t, "YEA-4.3.1-17", instance, before, "an auto INTENT whose first proposal is too risky")


@check("yea/4.3.1/first-proposal-is-executed", "YEA-4.3.1-18", needs=("multi",), commits=3)
async def first_is_executed(t: Context) -> None:
    """An auto INTENT with several proposals commits the first one, and nothing else changes."""
    instance, agent = await t.role("multi"), t.agent()
    before = await instance.state()
    offer = await t.offer(instance, agent=agent)
    _need_undo(offer)
    made = await committed_auto(t, instance, agent=agent)
    alike = [index for index, proposal in enumerate(offer.proposals) if _executes(made.receipt, proposal)]
    # A service may plan in other words each time: only a receipt that is plainly another proposal's is wrong.
    wanted = "a receipt with the summary and effects of the first proposal"
    got = f"those of proposal {alike[0] + 1}" if alike else "those of none"
    t.expect("YEA-4.3.1-18", not alike or 0 in alike, wanted=wanted, got=got)
    if not instance.watched:
        t.lacks("YEA-4.3.1-18", "the profile names no state ask for the role multi")
        return
    after = await instance.state()
    starts, ends = zip(*[await _ordinary(t) for _ in range(2)], strict=True)
    if same(starts[0], before) and same(starts[1], before) and same(ends[0], ends[1]):  # no word of the object's own
        wanted = f"state {shown(ends[0])}, as after an ordinary COMMIT of the first proposal"
        t.expect("YEA-4.3.1-18", same(after, ends[0]), wanted=wanted, got=f"state {shown(after)}", of=instance)


async def _ordinary(t: Context) -> tuple[Any, Any]:
    """Return the state of a new object before and after its first proposal is committed."""
    offer = await t.offer("multi")
    before = await offer.state()
    await t.commit(offer)
    return before, await offer.state()


def _need_undo(offer: Offer) -> None:
    if not offer.undoable:
        raise NotApplicable("the first proposal for the role multi cannot be undone, so no auto INTENT commits it")


def _executes(receipt: dict[str, Any], proposal: dict[str, Any]) -> bool:
    return all(same(receipt.get(name), proposal.get(name)) for name in ("summary", "effects"))


def _both(t: Context, agent: Agent, of: str, quantity: dict[str, Any], caveat: str) -> list[str]:
    return [t.grant(agent, {caveat: limit(of, quantity, 1)}, {caveat: limit(of, quantity, -1)})]
