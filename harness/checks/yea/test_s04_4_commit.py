"""YEA 4.4, COMMIT: the hash, who may commit, expiry, replays, and that nothing happens twice."""

from harness.check import check
from harness.context import Context
from harness.refusals import Refusal, refused_commits, unchanged


def wrong_hash(text: str) -> str:
    """Return a hash of the same length that differs in its first character."""
    return ("A" if text[0] != "A" else "B") + text[1:]


@check("yea/4.4/commit-gets-a-receipt", "YEA-4.4-01", needs=("undoable",), commits=1)
async def commit_gets_a_receipt(t: Context) -> None:
    """A right COMMIT is answered by a RECEIPT for that proposal, neither a replay nor automatic."""
    offer = await t.offer("undoable")
    exchange = await t.send(offer.commit())
    if t.expect_kind("YEA-4.4-01", exchange, "RECEIPT"):
        receipt = exchange.reply.get("receipt") or {}
        names = receipt.get("proposal") == offer.proposal["id"]
        t.expect("YEA-4.4-01", names, wanted=f"receipt.proposal {offer.proposal['id']}", got=receipt.get("proposal"))
        for flag in ("replay", "auto"):
            t.expect(
                "YEA-4.4-01",
                exchange.reply.get(flag) in (None, False),
                wanted=f"{flag} absent or false",
                got=f"{flag} {exchange.reply.get(flag)!r}",
            )


@check("yea/4.4/hash-mismatch-conflicts", "YEA-4.4-02", "YEA-4.4-01", needs=("undoable",), commits=3)
async def hash_mismatch(t: Context) -> None:
    """A COMMIT whose hash is not the proposal's gets conflict and changes nothing."""
    await refused_commits(
        t,
        "undoable",
        [
            Refusal(
                "another hash, the proof over the right one",
                "YEA-4.4-02",
                lambda offer: offer.commit(hash=wrong_hash(offer.proposal["hash"])),
                ("conflict",),
            ),
            Refusal(
                "another hash, the proof over that one",
                "YEA-4.4-02",
                lambda offer: offer.commit(
                    hash=wrong_hash(offer.proposal["hash"]),
                    proof=offer.agent.proof("COMMIT", wrong_hash(offer.proposal["hash"])),
                ),
                ("conflict", "unauthorized"),  # YEA-Q45
            ),
        ],
    )


@check(
    "yea/4.4/replay-returns-the-original-receipt",
    "YEA-4.4-23",
    "YEA-4.4-24",
    "YEA-4.4-25",
    needs=("undoable",),
    commits=3,
)
async def replay(t: Context) -> None:
    """COMMIT of a committed proposal returns the first receipt with replay true and executes nothing again."""
    offer = await t.offer("undoable")
    first = await t.commit(offer)
    after_first = await offer.state()
    for where in ("the same connection", "another connection"):
        conn = await t.connect() if where == "another connection" else None
        again = await t.send(offer.commit(), conn)
        same = again.kind == "RECEIPT" and again.reply.get("receipt") == first.reply["receipt"]
        t.expect(
            "YEA-4.4-23", same, wanted=f"the first receipt again, over {where}", got=again.reply.get("receipt", again)
        )
        flag = again.reply.get("replay")
        t.expect("YEA-4.4-24", flag is True, wanted="replay true on the reply frame", got=f"replay {flag!r}")
    await unchanged(t, "YEA-4.4-25", offer, after_first, "COMMIT was repeated")
