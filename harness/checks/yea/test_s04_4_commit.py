"""YEA 4.4, COMMIT: the receipt, the hash, the expiry, and what a failed commit leaves behind."""

import re

from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.drafts import SOON, draft, expiry
from harness.encoding import exact, shown
from harness.errors import NotApplicable, Untested
from harness.offers import Offer
from harness.recipes.limits import limit
from harness.recipes.spelling import SPELLINGS, has_both_alphabets, otherwise
from harness.recipes.wire import priced
from harness.refusals import Refusal, refused_commits, unchanged, without
from reference.yea import b64url

LONG_PART = 12  # characters of a hash
LATER = 3600  # seconds that a check with --slow waits for an expiry at most


@check("yea/4.4/commit-gets-a-receipt", "YEA-4.4-01", needs=("undoable",), commits=1)
async def commit_gets_a_receipt(t: Context) -> None:
    """A right COMMIT is answered by a RECEIPT for that proposal, neither a replay nor automatic."""
    offer = await t.offer("undoable")
    exchange = await t.send(offer.commit())
    if t.expect_kind("YEA-4.4-01", exchange, "RECEIPT"):
        receipt = exchange.reply.get("receipt")
        named = receipt.get("proposal") if isinstance(receipt, dict) else None
        wanted = f"receipt.proposal {offer.proposal['id']}"
        t.expect("YEA-4.4-01", same(named, offer.proposal["id"]), wanted=wanted, got=named)
        for flag in ("replay", "auto"):
            t.expect(
                "YEA-4.4-01",
                exchange.reply.get(flag) in (None, False),
                wanted=f"{flag} absent or false",
                got=f"{flag} {shown(exchange.reply.get(flag))}",
            )


@check("yea/4.4/events-may-precede-the-receipt", "YEA-4.4-22", "YEA-4.4-01", needs=("slow-commit",), commits=1)
async def events_first(t: Context) -> None:
    """A COMMIT that takes a while is answered by any number of EVENTs and then its RECEIPT."""
    offer = await t.offer("slow-commit")
    exchange = await t.send(offer.commit())
    t.expect_kind("YEA-4.4-01", exchange, "RECEIPT")
    if exchange.events:
        t.expect("YEA-4.4-22", True, wanted="EVENTs before the RECEIPT", got=f"{len(exchange.events)} of them")
    else:
        t.lacks("YEA-4.4-22", "the commit for the role slow-commit sent no EVENT")


@check("yea/4.4/hash-mismatch-conflicts", "YEA-4.4-02", "YEA-4.4-01", needs=("undoable",), commits=4)
async def hash_mismatch(t: Context) -> None:
    """A COMMIT whose hash is not the proposal's gets conflict and changes nothing."""
    await refused_commits(
        t,
        "undoable",
        [
            Refusal(
                "another hash, the proof over the right one",
                "YEA-4.4-02",
                lambda offer: offer.commit(hash=otherwise(offer.proposal["hash"])),
                ("conflict",),
            ),
            Refusal(
                "another hash, the proof over that one",
                "YEA-4.4-02",
                lambda offer: offer.commit(
                    hash=otherwise(offer.proposal["hash"]),
                    proof=offer.agent.proof("COMMIT", otherwise(offer.proposal["hash"])),
                ),
                ("conflict", "unauthorized"),  # YEA-Q45
            ),
        ],
    )


HASHES = {
    f"the right hash with {spelling.name}": spelling.write
    for spelling in SPELLINGS
    if spelling.name in ("+ and / for - and _", "an unused bit set")
}
HASH = re.compile(r"[A-Za-z0-9_-]{43}")
ASKED = 20  # INTENTs at most until a hash has a - or _, which one in four has not


async def _spellable(t: Context) -> Offer:
    """Return an offer whose hash standard base64 writes otherwise, if any does."""
    offer = await t.offer("undoable")
    for _ in range(ASKED):
        if has_both_alphabets(offer.proposal["hash"]):
            break
        offer = await t.offer("undoable")
    hashed = offer.proposal["hash"]
    if not HASH.fullmatch(str(hashed)):
        raise Untested(f"the hash {shown(hashed)} is no unpadded base64url of 32 bytes")
    return offer


@check(
    "yea/4.4/a-hash-spelt-otherwise-conflicts",
    "YEA-4.4-02",
    "YEA-4.4-01",
    needs=("undoable",),
    commits=len(HASHES) + 2,
)
async def spelt_otherwise(t: Context) -> None:
    """A COMMIT whose hash stands for the same bytes in another spelling of base64 gets conflict and changes nothing."""
    cases = [
        Refusal(
            f"{name}, the proof over the right one",
            "YEA-4.4-02",
            lambda offer, write=write: offer.commit(hash=write(offer.proposal["hash"])),
            ("conflict",),
        )
        for name, write in HASHES.items()
    ]
    await refused_commits(t, lambda: _spellable(t), cases)


@check("yea/4.4/conflict-hides-the-hash", "YEA-4.4-03", needs=("undoable",), commits=5)
async def hidden_hash(t: Context) -> None:
    """No conflict shows the right hash, whether it is another one or none that was sent, nor after the commit."""
    offer = await t.offer("undoable")
    await _expect_hidden(t, offer, "before the commit")
    t.expect_kind("YEA-4.4-03", await t.send(offer.commit()), "RECEIPT")
    await _expect_hidden(t, offer, "after the commit")


async def _expect_hidden(t: Context, offer: Offer, when: str) -> None:
    right = offer.proposal["hash"]
    for what, frame in {
        "another hash": offer.commit(
            hash="A" * len(right)
        ),  # a reply may repeat it, so it has no part of the right one
        "no hash": without(offer.commit(), "hash"),
    }.items():
        exchange = await t.send(frame)
        everything = exact([frame.value for frame in exchange.frames])
        shows = _shows(everything, right)
        wanted = f"an ERROR without the right hash, to a COMMIT with {what} {when}"
        t.expect("YEA-4.4-03", exchange.kind == "ERROR" and not shows, wanted=wanted, got=shows or exchange)


def _shows(everything: str, right: str) -> str:
    """Return how a reply shows a hash: as it is, by its beginning or end, or in hexadecimal digits; "" if it does not.

    A part of LONG_PART characters is not there by chance.
    """
    try:
        digits = b64url.decode(right).hex()
    except b64url.B64Error:
        digits = ""
    forms = {
        "the right hash": right,
        "the beginning of the right hash": right[:LONG_PART],
        "the end of the right hash": right[-LONG_PART:],
        "the right hash in hexadecimal digits": digits,
    }
    return next((what for what, form in forms.items() if form and form.lower() in everything.lower()), "")


@check("yea/4.4/expired-proposal-is-refused", "YEA-4.4-20", "YEA-7-10", needs=("short-ttl",), commits=2, waits=True)
async def expired(t: Context) -> None:
    """A COMMIT after the proposal's expires gets expired and changes nothing; before it, a RECEIPT."""
    control = await t.offer("short-ttl")
    t.expect_kind("YEA-4.4-20", await t.send(control.commit()), "RECEIPT")
    offer = await t.offer("short-ttl")
    before = await offer.state()
    await t.until(expiry(offer, within=SOON) + 2)
    exchange = await t.send(offer.commit())
    for clause in ("YEA-4.4-20", "YEA-7-10"):
        t.expect_error(clause, exchange, "expired")
    await unchanged(t, "YEA-4.4-20", offer, before, "a COMMIT of an expired proposal")


@check("yea/4.4/expiry-comes-before-consent", "YEA-4.4-21", needs=("short-ttl",), commits=2, waits=True)
async def expiry_before_consent(t: Context) -> None:
    """A COMMIT of an expired proposal that would need consent gets expired and never asks for it."""
    offer = await draft(t, "short-ttl")
    t.expect_error("YEA-4.4-21", await t.send(offer.commit()), "consent_required")
    await t.until(expiry(offer, within=SOON) + 2)
    t.expect_error("YEA-4.4-21", await t.send(offer.commit()), "expired")


@check("yea/4.4/expiry-comes-before-limits", "YEA-4.4-21", needs=("uses",), commits=2, waits=True, slow=True)
async def expiry_before_limits(t: Context) -> None:
    """A COMMIT of an expired proposal over a limit gets expired and never asks for consent."""
    offer = await priced(t)
    low = t.grant(offer.agent, each=limit(offer.proposal, max=0), exp=expiry(offer) + 3600)
    t.expect_error("YEA-4.4-21", await t.send(offer.commit(grants=[low])), "consent_required")
    await t.until(expiry(offer, within=LATER) + 2)
    t.expect_error("YEA-4.4-21", await t.send(offer.commit(grants=[low])), "expired")


@check("yea/4.4/failed-commit-may-be-retried", "YEA-4.4-35", needs=("failing-commit",), commits=3)
async def retried(t: Context) -> None:
    """A commit that failed is applied when it is tried again, once, and then it is done."""
    offer = await t.offer("failing-commit")
    before = await offer.state()
    failed = await t.send(offer.commit())
    if failed.kind == "RECEIPT":
        raise NotApplicable("the commit for the role failing-commit did not fail")
    t.expect_kind("YEA-4.4-35", failed, "ERROR")
    await unchanged(t, "YEA-4.4-35", offer, before, "a commit that failed")
    exchange = await t.send(offer.commit())
    if t.expect_kind("YEA-4.4-35", exchange, "RECEIPT"):
        flag = exchange.reply.get("replay")
        t.expect(
            "YEA-4.4-35", flag in (None, False), wanted="no replay: nothing had happened", got=f"replay {shown(flag)}"
        )
        after = await offer.state()
        again = await t.send(offer.commit())
        t.expect("YEA-4.4-35", again.reply.get("replay") is True, wanted="then a replay", got=again)
        await unchanged(t, "YEA-4.4-35", offer, after, "a repeat of the retry")
