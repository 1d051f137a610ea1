"""YEA 6.3, totals: what is charged to them, to the last digit, and what is not."""

from typing import Any

from harness.autos import send_auto
from harness.check import check
from harness.context import Context
from harness.errors import NotApplicable, Untested
from harness.offers import Offer, proposals_in
from harness.people import Agent
from harness.recipes.caveats import OTHER
from harness.recipes.limits import MAX_AMOUNT, hair_below, limit, measured, measures
from harness.recipes.scene import block, token
from harness.recipes.wire import priced, priced_alike, scene_of
from harness.refusals import Refusal, refused_commits, unchanged
from harness.targets.base import Exchange
from reference.yea.quantities import value

SECOND = ("irreversible", "undoable", "risky", "multi", "short-undo")  # roles whose commit can join one of `uses`
Caveat = dict[str, Any]


async def _under(t: Context, offer: Offer, held: str) -> Exchange:
    return await t.send(offer.commit(grants=[held]))


async def _fits(t: Context, clause: str, offer: Offer, held: str, what: str) -> None:
    exchange = await _under(t, offer, held)
    t.expect(clause, exchange.kind == "RECEIPT", wanted=f"RECEIPT for {what}", got=exchange)


async def _stops(t: Context, clause: str, offer: Offer, held: str, what: str) -> None:
    before = await offer.state()
    exchange = await _under(t, offer, held)
    t.expect(clause, exchange.code == "consent_required", wanted=f"consent_required for {what}", got=exchange)
    await unchanged(t, clause, offer, before, f"a COMMIT past its total, {what}")


@check("yea/6.3/a-total-is-exact-to-the-last-digit", "YEA-6.3-19", needs=("uses",), commits=3)
async def exact(t: Context) -> None:
    """A total that is the least bit below three quantities admits two of them."""
    agent = t.agent()
    first, second, third = await priced_alike(t, [agent] * 3)
    held = t.grant(agent, total=hair_below(first.proposal, times=3))
    await _fits(t, "YEA-6.3-19", first, held, "the first under a total just below three")
    await _fits(t, "YEA-6.3-19", second, held, "the second under a total just below three")
    await _stops(t, "YEA-6.3-19", third, held, "the third under a total just below three")


@check("yea/6.3/measures-have-totals-of-their-own", "YEA-6.3-19", "YEA-6.3-33", needs=("uses",), commits=4)
async def each_measure(t: Context) -> None:
    """Of several measures each has its own total: both count in one grant, and the last one alone in another."""
    agent = t.agent()
    first, second, third, fourth = offers = [await priced(t, agent=agent) for _ in range(4)]
    listed = [measures(offer.proposal) for offer in offers]
    if len(listed[0]) < 2 or any(found != listed[0] for found in listed):
        raise NotApplicable("the proposals for the role uses do not all report the same two or more measures")
    both = t.grant(agent, *({"total": limit(first.proposal, on=name, times=2)} for name in listed[0]))
    words = f"a total of two for each of {' and '.join(listed[0])}"
    await _fits(t, "YEA-6.3-19", first, both, f"the first under {words}")
    await _fits(t, "YEA-6.3-19", second, both, f"the second under {words}")
    last = [*listed[0]][-1]
    alone = t.grant(agent, total=limit(third.proposal, on=last))
    await _fits(t, "YEA-6.3-33", third, alone, f"the first under a total of one for {last}")
    await _stops(t, "YEA-6.3-33", fourth, alone, f"the second under a total of one for {last}")


@check("yea/6.3/a-unit-on-one-side-is-a-mismatch", "YEA-6.3-26", "YEA-6.3-01", needs=("uses",), commits=4)
async def one_sided(t: Context) -> None:
    """A limit with a unit on a measure that has none gets consent_required, and so does one without on one that has."""

    def under(name: str, on: str, unit: str | None) -> Any:
        return lambda offer: offer.commit(
            grants=[t.grant(offer.agent, {name: limit(offer.proposal, on=on, max=MAX_AMOUNT, scale=0, unit=unit)})]
        )

    cases = [
        Refusal(
            f"a high {name} {'without' if 'unit' in quantity else 'with'} a unit for {on}",
            "YEA-6.3-26",
            under(name, on, None if "unit" in quantity else "zz"),
            ("consent_required",),
        )
        for on, quantity in measures((await priced(t)).proposal).items()
        for name in ("each", "total")
    ]
    await refused_commits(t, lambda: priced(t), cases, accept="YEA-6.3-01")


@check("yea/6.3/a-total-spans-capabilities", "YEA-6.3-19", needs=("uses",), commits=3)
async def spans(t: Context) -> None:
    """A total counts what every capability uses of its measure, not what each of them does."""
    agent = t.agent()
    first = await priced(t, agent=agent)
    second, name = await _of_another_capability(t, agent, first)
    both = _sum(first, second, name)
    held = _held(t, agent, both, -1)
    await _fits(t, "YEA-6.3-19", first, held, f"the first under a total for {name}")
    await _stops(
        t, "YEA-6.3-19", second, held, f"a commit of {second.capability} that makes the sum too high by a step"
    )
    await _fits(t, "YEA-6.3-19", second, _held(t, agent, both, 0), "the same under a total of its own")


async def _of_another_capability(t: Context, agent: Agent, first: Offer) -> tuple[Offer, str]:
    """Return an offer of another capability and a measure that it uses as well; raises NotApplicable without one."""
    used = measures(first.proposal)
    for role in filter(t.has, SECOND):
        offer = await t.offer(role, agent=agent)
        for name, quantity in measures(offer.proposal).items():
            if offer.capability != first.capability and name in used and quantity.get("unit") == used[name].get("unit"):
                return offer, name
    raise NotApplicable("no two roles of different capabilities use one measure in one unit")


def _sum(first: Offer, second: Offer, name: str) -> Caveat:
    """Return a limit at the sum of what both use of a measure."""
    quantities = [measures(offer.proposal)[name] for offer in (first, second)]
    scale = max(quantity.get("scale", 0) for quantity in quantities)
    return {**limit(first.proposal, on=name), "max": sum(map(value, quantities)) // 10 ** (18 - scale), "scale": scale}


def _held(t: Context, agent: Agent, at: Caveat, more: int) -> str:
    return t.grant(agent, total={**at, "max": at["max"] + more})


@check("yea/6.3/a-refused-commit-uses-nothing-up", "YEA-6.3-33", needs=("uses",), commits=5)
async def refused(t: Context) -> None:
    """A COMMIT that another caveat stops charges no total, and neither does a grant beside the one that authorizes."""
    agent = t.agent()
    offer, beside, more = await priced_alike(t, [agent] * 3)
    scene = scene_of(offer)
    root = scene.root_to_friend({"total": limit(offer.proposal)})

    def chain(*caveats: Caveat) -> str:
        return token(root, block(scene.friend, scene.link(root, *caveats)))

    elsewhere = chain({"can": [OTHER]})
    t.expect_error("YEA-6.3-33", await _under(t, offer, elsewhere), "forbidden")
    low = chain({"each": limit(offer.proposal, max=0)})
    t.expect_error("YEA-6.3-33", await _under(t, offer, low), "consent_required")
    exchange = await t.send(beside.commit(grants=[elsewhere, low, t.grant(agent)]))
    t.expect("YEA-6.3-33", exchange.kind == "RECEIPT", wanted="RECEIPT under the last of three grants", got=exchange)
    await _fits(t, "YEA-6.3-33", offer, chain(), "the first that the total of one admits, after others were refused")
    await _stops(t, "YEA-6.3-33", more, chain(), "the second under a total of one")


@check("yea/6.3/an-auto-that-is-held-back-uses-nothing-up", "YEA-6.3-33", needs=("irreversible",), commits=2)
async def held_back(t: Context) -> None:
    """An auto INTENT that gets PROPOSALS charges no total; the COMMIT of them does."""
    agent = t.agent()
    offer = await t.offer("irreversible", agent=agent)
    if measured(offer.proposal) is None:
        raise NotApplicable("the proposal for the role irreversible reports no measure above 0")
    held = t.grant(agent, total=limit(offer.proposal))
    made = await send_auto(t, "irreversible", agent=agent, grants=[held])
    proposals = proposals_in(made.exchange)
    if not proposals:
        raise Untested(f"an auto INTENT for the role irreversible got {made.exchange.seen()}")
    planned = Offer(made.instance, agent, held, made.exchange, proposals)
    if measures(planned.proposal) != measures(offer.proposal):
        raise NotApplicable("the proposals for the role irreversible do not all use the same quantity")
    await _fits(t, "YEA-6.3-33", planned, held, "the first COMMIT under a total of one")
    await _stops(t, "YEA-6.3-33", offer, held, "the second under a total of one")
