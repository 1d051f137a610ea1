"""BYOB 4: who may join, and what a join leaves behind."""

import asyncio
from dataclasses import replace

from harness.byob import owners, reading
from harness.byob.context import Context
from harness.byob.recipes import BOARD, DUO, INHERITED, Place
from harness.byob.refusing import Case, unchanged
from harness.byob.table import Table
from harness.byob.tokens import token_in
from harness.check import check
from harness.targets.hosts import Answer

NEW = Place("n", "A")


def seated(prefix: object, seat: str) -> dict[str, object]:
    """Return the item of a seat in a projection's prefix, an empty one where there is none."""
    seats = reading.objects(prefix.get("seats") if isinstance(prefix, dict) else None)
    return next((each for each in seats if each.get("seat") == seat), {})


@check("byob/4/only-registered-owners-join", "BYOB-4-01", "BYOB-3-18")
async def registered(t: Context) -> None:
    """A join for an owner that the config does not register is refused with E_NOT_OWNER, early and late."""
    table = await t.table(DUO, join=False)
    places = iter([Place("a", "A"), Place("b", "B"), Place("n1", "A"), Place("n2", "A")])
    for clause in ("BYOB-4-01", "BYOB-3-18"):
        await t.refused(
            lambda: table.join(next(places)),
            Case("for an owner that is not registered", clause, lambda: table.join(Place("z", "Z")), "E_NOT_OWNER"),
            Case(f"for an owner {INHERITED}", clause, lambda: table.join(Place("z", INHERITED)), "E_NOT_OWNER"),
            on=table,
        )


@check("byob/4/protocol-must-be-this-one", "BYOB-4-02")
async def protocol(t: Context) -> None:
    """A join that names another version of the protocol is refused with E_PROTOCOL."""
    table = await t.table(DUO, join=False)
    places = iter(DUO.places)
    await t.refused(
        lambda: table.join(next(places)),
        Case("of byob/9.9", "BYOB-4-02", lambda: table.join(NEW, protocol="byob/9.9"), "E_PROTOCOL"),
        on=table,
    )


@check("byob/4/bots-and-humans", "BYOB-4-03")
async def kinds(t: Context) -> None:
    """A seat is a bot's or a human's, and is shown as such; there is no third kind."""
    table = await t.table(DUO)
    people = iter([Place("h1", "A", "human"), Place("h2", "A", "human")])
    await t.refused(
        lambda: table.join(next(people)),
        Case("of kind proxy", "BYOB-4-03", lambda: table.join(replace(NEW, kind="proxy")), "E_SCHEMA"),
        on=table,
    )
    prefix = (await table.projection("a", 0)).get("prefix")
    for seat, kind in (("a", "bot"), ("h1", "human")):
        got = seated(prefix, seat)
        t.expect("BYOB-4-03", got.get("kind") == kind, wanted=f"{seat} in prefix.seats as a {kind}", got=got)


@check("byob/4/role-is-kept", "BYOB-4-05")
async def role(t: Context) -> None:
    """A role that a join gives is shown with the seat."""
    table = await t.table(DUO.with_seats(Place("a", "A", role="critic")))
    got = seated((await table.projection("b", 0)).get("prefix"), "a")
    t.expect("BYOB-4-05", got.get("role") == "critic", wanted="role critic with seat a in prefix.seats", got=got)


@check("byob/4/nonce-serves-once", "BYOB-4-23")
async def nonce(t: Context) -> None:
    """A freshly signed join with a nonce that a join of this owner has used is refused with E_REPLAY."""
    table = await t.table(DUO, join=False)
    used = owners.nonce()
    await t.need(table.send_join(table.join_request(Place("a", "A"), nonce=used)))
    places = iter([Place("b", "B"), Place("n", "A")])
    await t.refused(
        lambda: table.join(next(places)),
        Case(
            "of another seat with a nonce that was used",
            "BYOB-4-23",
            lambda: table.send_join(table.join_request(Place("again", "A"), nonce=used)),
            "E_REPLAY",
        ),
        on=table,
    )


@check("byob/4/repeated-join-gives-nothing", "BYOB-4-24")
async def repeated(t: Context) -> None:
    """The same join sent twice gives one seat and one token."""
    table = await t.table(DUO)
    request = table.join_request(NEW)
    await t.need(table.send_join(request))
    before = await table.entries()
    answer = await table.send_join(request)
    t.expect_refused("BYOB-4-24", answer, "E_REPLAY", "E_SEAT_TAKEN")
    token = token_in(answer.value, "seat_token")
    t.expect("BYOB-4-24", not token, wanted="no seat_token in the second answer", got="one" if token else "none")
    unchanged(t, "BYOB-4-24", before, await table.entries(), "the same join sent again")


@check("byob/4/join-is-recorded-with-its-card", "BYOB-4-25", "BYOB-4-26", "BYOB-4-30", "BYOB-4-31")
async def recorded(t: Context) -> None:
    """A join appends one seat_joined entry with the card as sent, which every seat sees."""
    table = await t.table(DUO)
    cards = {"n1": {**BOARD, "bot": "first"}, "n2": {**BOARD, "bot": "second", "description": "of the same owner"}}
    for seat, card in cards.items():
        before = await table.last_seq()
        answer = await table.join(Place(seat, "A", card=card))
        t.expect_ok("BYOB-4-31", answer, f"2xx to a card {'with' if 'description' in card else 'without'} description")
        t.expect_ok("BYOB-4-30", answer, "2xx to a further seat of the same owner")
        new = [entry for entry in await table.entries() if reading.seq_of(entry) > before]
        joined = [entry for entry in reading.events(new, "seat_joined") if reading.holds(entry, seat)]
        t.expect("BYOB-4-25", len(joined) == 1, wanted=f"one seat_joined entry that names {seat}", got=new)
        has_card = any(reading.holds(entry, card) for entry in joined)
        t.expect("BYOB-4-26", has_card, wanted="the card as it was sent in the seat_joined entry", got=joined)
        seen = [entry for entry in await table.tail("b", before) if reading.holds(entry, seat)]
        t.expect("BYOB-4-25", bool(seen), wanted="the seat_joined entry in another seat's tail", got=seen)
    prefix = (await table.projection("b", 0)).get("prefix")
    shown = {seat: seated(prefix, seat).get("owner") for seat in ("a", "n1", "n2")}
    t.expect("BYOB-4-30", set(shown.values()) == {"A"}, wanted="all three seats in prefix.seats as A's", got=shown)


@check("byob/4/seat-is-taken-once", "BYOB-4-27")
async def taken(t: Context) -> None:
    """A seat id that has joined is refused with E_SEAT_TAKEN, whoever asks, and its first token goes on."""
    table = await t.table(DUO)
    free = iter([Place("n1", "A"), Place("n2", "A")])
    first = table.tokens["a"]

    async def again(owner: str) -> Answer:
        return await table.join(Place("a", owner))

    await t.refused(
        lambda: table.join(next(free)),
        Case("of a seat that its own owner has joined", "BYOB-4-27", lambda: again("A"), "E_SEAT_TAKEN"),
        Case("of a seat that another owner has joined", "BYOB-4-27", lambda: again("B"), "E_SEAT_TAKEN"),
        on=table,
    )
    table.tokens["a"] = first
    t.expect_ok("BYOB-4-27", await table.proj("a", 0), "2xx to the token that the seat got first")


@check("byob/4/one-of-two-joins-at-once", "BYOB-4-27")
async def at_once(t: Context) -> None:
    """Of two joins of one seat at the same time exactly one is accepted."""
    table = await t.table(DUO)
    answers = await asyncio.gather(*(table.join(Place("n", owner)) for owner in ("A", "B", "A", "B")))
    accepted = sum(answer.ok for answer in answers)
    t.expect("BYOB-4-27", accepted == 1, wanted="one 2xx of four joins of the same seat at once", got=accepted)
    joined = [e for e in reading.events(await table.entries(), "seat_joined") if reading.holds(e, "n")]
    t.expect("BYOB-4-27", len(joined) == 1, wanted="one seat_joined entry for it", got=joined)


@check("byob/4/closed-tables-take-nobody", "BYOB-4-28", "BYOB-4-29")
async def closed(t: Context) -> None:
    """A right join of a table that is closed is refused with E_TABLE_CLOSED and leaves nothing."""
    table = await t.table(DUO)
    await t.need(table.join(Place("n1", "A")), "a join before the close")
    await t.need(table.close())
    before = await table.entries()
    t.expect_refused("BYOB-4-28", await table.join(Place("n2", "A")), "E_TABLE_CLOSED")
    unchanged(t, "BYOB-4-29", before, await table.entries(), "a join that was refused with E_TABLE_CLOSED")


@check("byob/4/refused-join-leaves-nothing", "BYOB-4-29")
async def leaves_nothing(t: Context) -> None:
    """Joins that are refused, whatever the reason, leave neither a seat nor an entry."""
    table = await t.table(DUO)
    used = owners.nonce()
    await t.need(table.send_join(table.join_request(Place("n", "A"), nonce=used)))
    before, prefix = await table.entries(), (await table.projection("b", 0)).get("prefix")
    for name, answer in (await _refusals(table, used)).items():
        t.expect("BYOB-4-29", not answer.ok, wanted=f"a refusal of a join {name}", got=answer)
    unchanged(t, "BYOB-4-29", before, await table.entries(), "refused joins")
    after = (await table.projection("b", 0)).get("prefix")
    seats = [each.get("seats") if isinstance(each, dict) else each for each in (prefix, after)]
    t.expect("BYOB-4-29", seats[0] == seats[1], wanted="prefix.seats as before the refused joins", got=seats[1])


async def _refusals(table: Table, used: str) -> dict[str, Answer]:
    token = table.tokens["a"]
    refused = {
        "of another protocol": await table.join(Place("m1", "A"), protocol="byob/9.9"),
        "for an unregistered owner": await table.join(Place("m2", "Z")),
        "with a bad signature": await table.join(Place("m3", "A"), kind="human"),
        "with a used nonce": await table.send_join(table.join_request(Place("m4", "A"), nonce=used)),
        "of a taken seat": await table.join(Place("a", "A")),
    }
    table.tokens["a"] = token
    return refused
