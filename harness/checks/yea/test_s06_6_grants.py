"""YEA 6.6, several grants: each is judged alone, one that authorizes is enough, and a soft failure asks for consent."""

from itertools import permutations
from typing import Any

from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.encoding import shown
from harness.offers import Offer
from harness.recipes.limits import limit
from harness.recipes.scene import PREFIX
from harness.recipes.wire import priced, scene_of
from harness.refusals import Refusal, refused_commits

MEMBERS = {"proposal": str, "hash": str, "service": str, "capability": str, "principal": str, "summary": str}


@check("yea/6.6/one-authorizing-grant-is-enough", "YEA-6.6-01", "YEA-6.6-02", needs=("undoable",), commits=4)
async def one_is_enough(t: Context) -> None:
    """Of several grants the one that authorizes the COMMIT counts, wherever it stands."""
    offer = await t.offer("undoable")
    exchange = await t.send(offer.commit(grants=[t.grant(offer.agent) for _ in range(5)]))
    if t.expect("YEA-6.6-02", exchange.kind == "RECEIPT", wanted="RECEIPT under five good grants", got=exchange):
        t.expect("YEA-6.6-01", True, wanted="several grants in one request", got=exchange)
    for place in ("last", "first", "in the middle"):
        offer = await t.offer("undoable")
        bad = [*_useless(t, offer), *_useless(t, offer)]
        good = t.grant(offer.agent)
        listed = {"last": [*bad, good], "first": [good, *bad], "in the middle": [*bad[:2], good, *bad[2:]]}[place]
        exchange = await t.send(offer.commit(grants=listed))
        wanted = f"RECEIPT with the good grant {place} among {len(bad)} useless ones"
        t.expect("YEA-6.6-02", exchange.kind == "RECEIPT", wanted=wanted, got=exchange)


def _useless(t: Context, offer: Offer) -> list[str]:
    """Return grants that authorize nothing here: junk, a stranger's, another holder's, and one for reads."""
    other = t.agent()
    return [
        PREFIX + "junk",
        t.grant(offer.agent, by="x"),
        t.grant(other),
        t.grant(offer.agent, verbs=["ASK"]),
        t.grant(offer.agent, exp=int(t.now()) - 3600),
    ]


def _halves(t: Context, offer: Offer) -> list[str]:
    commit_elsewhere = t.grant(offer.agent, verbs=["COMMIT"], can=["other.naysayer"])
    read_everywhere = t.grant(offer.agent, verbs=["ASK"], can=["*"])
    return [commit_elsewhere, read_everywhere]


@check("yea/6.6/grants-do-not-add-up", "YEA-6.6-03", needs=("undoable",), commits=4)
async def no_sum(t: Context) -> None:
    """Two grants that cover a COMMIT only together do not authorize it."""
    cases = [
        Refusal(
            f"grants that cover it only together, {order}",
            "YEA-6.6-03",
            lambda offer, step=step: offer.commit(grants=_halves(t, offer)[::step]),
            ("forbidden",),
        )
        for order, step in (("in one order", 1), ("in the other", -1))
    ]
    await refused_commits(t, "undoable", cases, accept="YEA-6.6-03")


@check("yea/6.6/a-soft-failure-among-others-asks-for-consent", "YEA-6.6-08", needs=("uses",), commits=8)
async def soft_among_others(t: Context) -> None:
    """If one of several grants fails a limit alone, the answer is consent_required, in any order."""

    def listed(offer: Offer, order: tuple[int, ...]) -> list[str]:
        soft = t.grant(offer.agent, each=limit(offer.proposal, max=0))
        made = [t.grant(offer.agent, verbs=["ASK"]), soft, PREFIX + "junk"]
        return [made[place] for place in order]

    cases = [
        Refusal(
            f"the soft grant at place {order.index(1) + 1} of three",
            "YEA-6.6-08",
            lambda offer, order=order: offer.commit(grants=listed(offer, order)),
            ("consent_required",),
        )
        for order in permutations(range(3))
    ]
    await refused_commits(t, lambda: priced(t), cases, accept="YEA-6.6-08")


@check(
    "yea/6.6/consent-required-says-what-to-sign", "YEA-6.6-09", "YEA-6.6-10", "YEA-6.1-01", needs=("uses",), commits=2
)
async def consent_object(t: Context) -> None:
    """consent_required names the proposal, hash, service, capability, principal, summary and expires, as they are."""
    for by in sorted({"a", "b"} & set(t.profile.seeds)):
        await _says_what_to_sign(t, by)


async def _says_what_to_sign(t: Context, by: str) -> None:
    offer = await priced(t, by=by)
    low = scene_of(offer, by).grant({"each": limit(offer.proposal, max=0)})
    exchange = await t.send(offer.commit(grants=[low]))
    if not t.expect_error("YEA-6.6-09", exchange, "consent_required"):
        return
    consent = exchange.reply.get("consent")
    given: dict[str, Any] = consent if isinstance(consent, dict) else {}
    for member, kind in MEMBERS.items():
        t.expect("YEA-6.6-09", isinstance(given.get(member), kind), wanted=f"a string {member}", got=given.get(member))
    expires = given.get("expires")
    whole = isinstance(expires, int) and not isinstance(expires, bool)
    t.expect("YEA-6.6-09", whole, wanted="an integer expires", got=expires)
    for member, value in _due(t, offer, by).items():
        t.expect(
            "YEA-6.6-10",
            same(given.get(member), value),
            wanted=f"consent.{member} {shown(value)}",
            got=given.get(member),
        )
    key = t.principal(by).public
    t.expect(
        "YEA-6.1-01", same(given.get("principal"), key), wanted=f"the principal as {key}", got=given.get("principal")
    )


def _due(t: Context, offer: Offer, by: str) -> dict[str, Any]:
    proposal = offer.proposal
    return {
        "proposal": proposal["id"],
        "hash": proposal["hash"],
        "service": t.facts.service_id,
        "capability": offer.capability,
        "principal": t.principal(by).public,
        "summary": proposal.get("summary"),
        "expires": proposal.get("expires"),
    }
