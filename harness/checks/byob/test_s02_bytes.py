"""BYOB 2: HTTP as it comes over a network: bodies that arrive in pieces, and paths that cannot be decoded."""

from typing import Any
from urllib.parse import urlsplit

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import DUO, Place, card
from harness.check import check
from harness.encoding import encode
from harness.errors import NotApplicable, Untested
from harness.targets.hosts import Answer

WIDE = "Grüße aus 日本, à bientôt 🎲🀄"
"""Characters of two, three and four bytes of UTF-8."""

NOTHING = "no-such-thing"
UNREADABLE = {"a % that begins no escape": "%ZZ", "a bare %": "%", "bytes that are not UTF-8": "%C3%28"}


async def _in_pieces(t: Context, path: str, body: Any, headers: dict[str, str], who: str = "") -> Answer:
    """POST a body that is cut within each of its characters beyond ASCII."""
    content = encode(body)
    cuts = [offset for offset, byte in enumerate(content) if 0x80 <= byte < 0xC0]
    t.note(f"the body is sent in {len(cuts) + 1} pieces, with cuts inside characters")
    return await t.call("POST", path, content=content, cuts=cuts, headers=headers, who=who)


@check("byob/2/a-say-in-pieces-is-one-text", "BYOB-2-01", "BYOB-5-10")
async def say_in_pieces(t: Context) -> None:
    """A say whose bytes arrive in pieces, cut inside characters, is what was sent, as is one that arrives whole."""
    table = await t.table(DUO)
    for pieces in (False, True):
        seat = await table.need_holder()
        text = f"{t.words()}: {WIDE}"
        post = {"kind": "say", "to": ["*"], "body": text}
        if pieces:
            answer = await _in_pieces(t, f"{table.path}/entries", post, table.bearer(seat), seat)
        else:
            answer = await table.post(seat, post)
        how = "in pieces" if pieces else "whole"
        taken = f"2xx to a say beyond ASCII that arrives {how}"
        if not t.expect_ok("BYOB-2-01" if pieces else "BYOB-5-10", answer, taken):
            return
        seq = reading.seq_of(answer.value)
        reader = next(table.others(seat))
        shown = {
            "the answer": [answer.members],
            "the ledger": await table.entries(),
            f"{reader}'s tail": await table.tail(reader),
        }
        for where, entries in shown.items():
            got = next((each.get("body") for each in entries if reading.seq_of(each) == seq), None)
            t.expect("BYOB-5-10", got == text, wanted=f"the body that was sent {how}, in {where}: {text}", got=got)


@check("byob/2/a-join-in-pieces-verifies", "BYOB-2-01", "BYOB-4-26")
async def join_in_pieces(t: Context) -> None:
    """A join whose bytes arrive in pieces, cut inside characters, verifies as one does that arrives whole."""
    table = await t.table(DUO, join=False)
    first, second = (Place(seat, owner, card=card(description=WIDE)) for seat, owner in (("a", "A"), ("b", "B")))
    if not (await table.join(first)).ok:
        raise NotApplicable("the host verifies no card beyond ASCII (BYOB-Q028)")
    answer = await _in_pieces(t, f"{table.path}/seats", table.join_request(second), {})
    if t.expect_ok("BYOB-2-01", answer, "2xx to a right join that arrives in pieces"):
        joined = reading.events(await table.entries(), "seat_joined")
        kept = reading.holds(joined[-1:], WIDE)
        t.expect("BYOB-4-26", kept, wanted="the card as sent in seat_joined", got=joined[-1:])


@check("byob/2/unreadable-paths-name-nothing", "BYOB-2-47", "BYOB-2-32", "BYOB-2-38", "BYOB-2-30")
async def unreadable_paths(t: Context) -> None:
    """A path that cannot be decoded gets a 4xx, as one does that names nothing, and the host lives on."""
    table = await t.table(DUO)
    seq = reading.seq_of((await t.need(table.by_holder(table.say))).value)
    base = urlsplit((await t.conn()).base).path
    joining = table.join_request(Place("b", "B"))
    by_a: dict[str, Any] = {"headers": table.bearer("a"), "who": "a"}
    paths: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
        ("BYOB-2-47", "GET", "/tables/{}/memory", by_a),
        ("BYOB-2-47", "POST", "/tables/{}/seats", {"body": joining}),
        ("BYOB-2-32", "GET", f"{table.path}/entries/{{}}", by_a),
        ("BYOB-2-38", "GET", f"{table.path}/tasks/{{}}", by_a),
    )
    unfit: list[Answer] = []
    for clause, method, path, options in paths:
        # A whole path goes out as it stands. Whether it is one of the API's, and so gets header and envelope, is open.
        control = await t.call(method, f"/{base}{path.format(NOTHING)}", any_body=True, **options)
        if not 400 <= control.status < 500:
            unfit.append(control)
            continue
        for what, segment in UNREADABLE.items():
            answer = await t.call(method, f"/{base}{path.format(segment)}", any_body=True, **options)
            wanted = f"a 4xx status to a path with {what}, as to one with {NOTHING} there"
            t.expect(clause, 400 <= answer.status < 500, wanted=wanted, got=answer)
    t.expect_ok("BYOB-2-30", await table.entry("a", seq), "2xx to a right reading after that")
    if unfit:
        raise Untested(f"a path that names nothing got {unfit[0].seen()}")
