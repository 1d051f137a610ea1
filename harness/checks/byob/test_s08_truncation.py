"""BYOB 8: an over-long body is cut by the core, flagged, and gone for good."""

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import DUO, WORK
from harness.check import check

LIMIT = 200
SLACK = 16  # BYOB-Q079: room for a marker inside the limit


@check("byob/8/over-long-say-is-cut", "BYOB-8-13", "BYOB-8-14", "BYOB-8-16")
async def cut(t: Context) -> None:
    """A say longer than max_chars is accepted, cut and flagged, and what was cut off is nowhere to be found."""
    table = await t.table(DUO)
    holder = await table.need_holder()
    marker = f"marker{t.unique()}"
    body = t.words(500 - len(marker)) + marker
    async with t.listening(table, "b") as stream:
        answer = await table.say(holder, body)
        if not t.expect_ok("BYOB-8-13", answer, f"2xx to a say of 500 characters where max_chars is {LIMIT}"):
            return
        seq = reading.seq_of(answer.value)
        stored = next((each for each in await table.entries() if reading.seq_of(each) == seq), {})
        for where, entry in (("the answer", answer.members), ("the ledger", stored)):
            text = entry.get("body")
            short = isinstance(text, str) and len(text) <= LIMIT and text.startswith(body[: LIMIT - SLACK])
            wanted = f"a body of at most {LIMIT} characters in {where}, beginning as it was sent"
            t.expect("BYOB-8-13", short, wanted=wanted, got=entry)
            wanted = f"truncated: true in {where}"
            t.expect("BYOB-8-14", entry.get("truncated") is True, wanted=wanted, got=entry.get("truncated"))
        await t.moment()
        shown = {
            "the answer": answer.body,
            "its entry": (await table.entry(holder, seq)).body,
            "a projection": (await table.proj("b", 0)).body,
            "the ledger": (await table.ledger()).body,
            "the events": bytes(stream.raw),
        }
    found = [place for place, text in shown.items() if marker.encode() in text]
    t.expect("BYOB-8-16", not found, wanted="the end of the body nowhere", got=", ".join(found))


@check("byob/8/body-within-max-chars-is-whole", "BYOB-8-15")
async def whole(t: Context) -> None:
    """A say of at most max_chars characters is stored as it was sent, without the flag."""
    table = await t.table(DUO)
    for length in (1, LIMIT - 1, LIMIT):
        body = t.words(length)
        answer = await t.need(table.say(await table.need_holder(), body))
        seq = reading.seq_of(answer.value)
        stored = next((each for each in await table.entries() if reading.seq_of(each) == seq), {})
        kept = stored.get("body")
        t.expect("BYOB-8-15", kept == body, wanted=f"the body of {length} characters whole", got=kept)
        flag = stored.get("truncated", False)
        t.expect("BYOB-8-15", flag is False, wanted=f"no truncated: true on {length} characters", got=flag)


@check("byob/8/over-long-proposals-and-decisions-are-cut", "BYOB-8-13", "BYOB-8-14", basis="open")
async def others(t: Context) -> None:
    """A proposal or a decision longer than max_chars is cut and flagged as a say is (BYOB-Q079)."""
    table = await t.table(WORK, floor={"decision_by": ["a", "b"]})
    for kind in ("proposal", "decision"):
        holder = await table.need_holder()
        body = t.words(2 * LIMIT)
        answer = await (table.propose(holder, body=body) if kind == "proposal" else table.decision(holder, body))
        if t.expect_ok("BYOB-8-13", answer, f"2xx to a {kind} of {2 * LIMIT} characters"):
            text, flag = answer.members.get("body"), answer.members.get("truncated")
            short = isinstance(text, str) and len(text) <= LIMIT
            t.expect("BYOB-8-13", short, wanted=f"the body of the {kind} cut to {LIMIT} characters", got=text)
            t.expect("BYOB-8-14", flag is True, wanted=f"truncated: true on the {kind}", got=flag)
