"""BYOB 4: a join is signed by its owner, and the signature binds every member that it covers."""

import base64
import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from harness.byob.context import Context
from harness.byob.owners import JOIN_MEMBERS, canonical, signed
from harness.byob.recipes import DUO, Place, capability, card
from harness.byob.refusing import Case
from harness.byob.table import Body, Table
from harness.check import check
from harness.errors import NotApplicable
from harness.targets.hosts import ABSENT, Answer

CARD = card(capability("board", "move", "label", requires_approval=True), capability("list", "add"), bot="before")
Change = Callable[[Body], None]


class Newcomers:
    """Seats of owner A that nobody has taken yet, one for each request."""

    def __init__(self, table: Table) -> None:
        self.table, self._numbers = table, itertools.count(1)

    def place(self, **members: Any) -> Place:
        """Return a free seat for a bot of A."""
        return replace(Place(f"new-{next(self._numbers)}", "A", card=CARD), **members)

    async def come(self) -> Answer:
        """Send a right join."""
        return await self.table.join(self.place())

    async def tampered(self, change: Change, **members: Any) -> Answer:
        """Send a join that was changed after it was signed."""
        request = self.table.join_request(self.place(**members))
        request["card"] = {**CARD, "capabilities": [dict(each) for each in CARD["capabilities"]]}
        change(request)
        return await self.table.send_join(request)

    async def signed(self, **members: Any) -> Answer:
        """Send a join whose signature covers something else than it should."""
        return await self.table.send_join(self.table.join_request(self.place(), **members))


def setting(**members: Any) -> Change:
    """Return a change that sets members of a request."""
    return lambda request: request.update(members)


def carding(**members: Any) -> Change:
    """Return a change that sets members of a request's card."""
    return lambda request: request["card"].update(members)


def granting(index: int, **members: Any) -> Change:
    """Return a change that sets members of one of a card's capabilities."""
    return lambda request: request["card"]["capabilities"][index].update(members)


def taking(name: str) -> Change:
    """Return a change that takes a member out of a request."""
    return lambda request: request.pop(name)


TAMPERED: tuple[tuple[str, str, Change, dict[str, Any]], ...] = (
    ("for another seat than was signed", "BYOB-4-10", setting(seat="somewhere-else"), {}),
    ("as a human where a bot was signed", "BYOB-4-12", setting(kind="human"), {}),
    ("with a role that was not signed", "BYOB-4-13", setting(role="judge"), {}),
    ("without the role that was signed", "BYOB-4-13", taking("role"), {"role": "critic"}),
    ("with another role than was signed", "BYOB-4-13", setting(role="judge"), {"role": "critic"}),
    ("with another nonce than was signed", "BYOB-4-14", setting(nonce="0" * 32), {}),
    ("with an action more than was signed", "BYOB-4-15", granting(1, actions=["add", "remove"]), {}),
    (
        "with a capability more than was signed",
        "BYOB-4-15",
        carding(capabilities=[*CARD["capabilities"], capability("bank", "pay")]),
        {},
    ),
    ("with an auto_approve that was not signed", "BYOB-4-15", granting(1, auto_approve=True), {}),
    ("without the requires_approval that was signed", "BYOB-4-15", granting(0, requires_approval=False), {}),
    ("with another proxy flag than was signed", "BYOB-4-15", carding(proxy=True), {}),
    ("of another bot than was signed", "BYOB-4-15", carding(bot="after"), {}),
    ("with its capabilities in another order", "BYOB-4-17", carding(capabilities=CARD["capabilities"][::-1]), {}),
)


@check(
    "byob/4/signature-binds-what-it-covers",
    "BYOB-4-10", "BYOB-4-12", "BYOB-4-13", "BYOB-4-14", "BYOB-4-15", "BYOB-4-17",
)  # fmt: skip
async def binds(t: Context) -> None:
    """A join whose seat, kind, role, nonce or card was changed after it was signed is refused."""
    table = await t.table(DUO)
    newcomers = Newcomers(table)
    cases = [
        Case(name, clause, partial(newcomers.tampered, change, **members), "E_BAD_SIGNATURE")
        for name, clause, change, members in TAMPERED
    ]
    await t.refused(newcomers.come, *cases, on=table)


@check("byob/4/signed-members-are-these-seven", "BYOB-4-07", "BYOB-4-19")
async def seven(t: Context) -> None:
    """What is signed is table, seat, owner, kind, role, card and nonce: no member more, none less, no null for one."""
    table = await t.table(DUO)
    newcomers = Newcomers(table)
    others: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("whose signature covers protocol as well", "BYOB-4-07", {"protocol": "byob/0.1"}),
        ("whose signature leaves out table", "BYOB-4-07", {"table": ABSENT}),
        ("whose signature leaves out seat", "BYOB-4-07", {"seat": ABSENT}),
        ("whose signature leaves out owner", "BYOB-4-07", {"owner": ABSENT}),
        ("whose signature leaves out kind", "BYOB-4-07", {"kind": ABSENT}),
        ("whose signature leaves out card", "BYOB-4-07", {"card": ABSENT}),
        ("whose signature has a null for the role that it lacks", "BYOB-4-19", {"role": None}),
    )
    cases = [
        Case(name, clause, partial(newcomers.signed, **members), "E_BAD_SIGNATURE") for name, clause, members in others
    ]
    await t.refused(newcomers.come, *cases, on=table)


@check("byob/4/role-is-optional-and-undefined", "BYOB-4-04", "BYOB-4-19")
async def without_role(t: Context) -> None:
    """A join without a role, signed over the members that it has, is accepted."""
    table = await t.table(DUO, join=False)
    answer = await Newcomers(table).come()
    t.expect_ok("BYOB-4-04", answer, "2xx to a join without a role")
    t.expect_ok("BYOB-4-19", answer, "2xx to a join that is signed without a member for the role it lacks")


@check("byob/4/transport-is-not-signed", "BYOB-4-06")
async def transport(t: Context) -> None:
    """A join may name its transport, which the signature does not cover, or leave it out."""
    table = await t.table(DUO, join=False)
    newcomers = Newcomers(table)
    t.expect_ok("BYOB-4-06", await newcomers.come(), "2xx to a join without a transport")
    named = await table.join(newcomers.place(), transport="mcp")
    t.expect_ok("BYOB-4-06", named, "2xx to a join with a transport that was not signed")


@check("byob/4/signed-by-the-owner", "BYOB-4-08", "BYOB-3-03")
async def by_owner(t: Context) -> None:
    """A join is refused with E_BAD_SIGNATURE unless its owner's registered key signed it."""
    table = await t.table(DUO)
    newcomers = Newcomers(table)
    other, stranger = table.owner("B"), t.owner("A")

    async def forged(signature: Any) -> Answer:
        return await table.send_join({**table.join_request(newcomers.place()), "signature": signature})

    async def by(owner: Any) -> Answer:
        return await table.send_join(table.join_request(newcomers.place(), by=owner))

    zeros = base64.b64encode(bytes(64)).decode()
    await t.refused(
        newcomers.come,
        Case("signed by another registered owner", "BYOB-4-08", lambda: by(other), "E_BAD_SIGNATURE"),
        Case("signed with a key that is not registered", "BYOB-3-03", lambda: by(stranger), "E_BAD_SIGNATURE"),
        Case("with 64 zero bytes as its signature", "BYOB-4-08", lambda: forged(zeros), "E_BAD_SIGNATURE"),
        Case(
            "with a signature that is no base64",
            "BYOB-4-08",
            lambda: forged("not-a-signature!"),
            ("E_BAD_SIGNATURE", "E_SCHEMA"),
        ),
        on=table,
    )


@check("byob/4/signature-binds-the-table", "BYOB-4-09")
async def binds_table(t: Context) -> None:
    """A join that was signed for one table is refused on another with the same owners."""
    config, people = t.config(DUO)
    one = t.made(config, people, await t.need(t.create(config)))
    twin = {**config, "id": t.table_id()}
    other = t.made(twin, people, await t.need(t.create(twin)))
    newcomers = Newcomers(one)
    await t.refused(
        newcomers.come,
        Case(
            "that was signed for another table",
            "BYOB-4-09",
            lambda: other.send_join(one.join_request(newcomers.place())),
            "E_BAD_SIGNATURE",
        ),
        on=other,
    )


@check("byob/4/signature-binds-the-owner", "BYOB-4-11")
async def binds_owner(t: Context) -> None:
    """A join that was signed for one owner is refused in the name of another that has the same key."""
    config, people = t.config(DUO)
    config["owners"]["A2"] = config["owners"]["A"]
    answer = await t.create(config)
    if not answer.ok:
        raise NotApplicable("the host refuses two owners with one key")
    table = t.made(config, {**people, "A2": people["A"]}, answer)
    newcomers = Newcomers(table)
    await t.refused(
        newcomers.come,
        Case(
            "in the name of another owner than was signed",
            "BYOB-4-11",
            lambda: newcomers.tampered(setting(owner="A2")),
            "E_BAD_SIGNATURE",
        ),
        on=table,
    )


def _shuffled(value: Any) -> Any:
    """Return a JSON value with the members of all its objects in reverse order."""
    if isinstance(value, dict):
        return {name: _shuffled(value[name]) for name in sorted(value, reverse=True)}
    return [_shuffled(each) for each in value] if isinstance(value, list) else value


@check("byob/4/canonical-text-is-what-counts", "BYOB-4-16", "BYOB-4-18")
async def spelling(t: Context) -> None:
    """A join is verified over canonical JSON, however its members are ordered and its text is spaced."""
    table = await t.table(DUO, join=False)
    newcomers = Newcomers(table)
    request = table.join_request(newcomers.place())
    text = canonical(signed(JOIN_MEMBERS, table.id, request))
    shuffled = await table.send_join(_shuffled(request))
    wanted = f"2xx to a join whose members come in another order at every depth, signed over {text}"
    t.expect_ok("BYOB-4-16", shuffled, wanted)
    request = table.join_request(newcomers.place())
    spaced = await t.call("POST", f"{table.path}/seats", content=_indented(request), headers=JSON_TEXT)
    t.expect_ok("BYOB-4-18", spaced, "2xx to a join whose JSON is indented")


JSON_TEXT = {"Content-Type": "application/json"}


def _indented(value: Any) -> bytes:
    return json.dumps(value, indent=3, separators=(" , ", " : ")).encode()
