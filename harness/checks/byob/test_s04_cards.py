"""BYOB 4: what a capability card must look like, and what it lets happen without asking the owner."""

from collections.abc import Callable
from functools import partial
from typing import Any

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import BOARD, DUO, WORK, Place, Recipe, capability, card, effect
from harness.byob.refusing import Case
from harness.check import check

MALFORMED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("without a resource", {"actions": ["x"]}),
    ("without actions", {"resource": "r"}),
    ("whose actions are a string", {"resource": "r", "actions": "x"}),
)


@check("byob/4/capabilities-have-resource-and-actions", "BYOB-4-32")
async def shape(t: Context) -> None:
    """A rightly signed card with a capability that lacks its resource or a list of actions is refused with E_SCHEMA."""
    table = await t.table(DUO)
    places = iter(Place(f"n{number}", "A", card=BOARD) for number in range(2))
    cases = [
        Case(
            f"with a capability {name}",
            "BYOB-4-32",
            partial(table.join, Place("bad", "A", card=card(bad))),
            "E_SCHEMA",
        )
        for name, bad in MALFORMED
    ]
    await t.refused(lambda: table.join(next(places)), *cases, on=table)


@check("byob/4/card-is-verified-as-sent", "BYOB-4-33")
async def as_sent(t: Context) -> None:
    """A card that leaves out what is optional verifies as it was signed, and so does one that states it all."""
    table = await t.table(DUO)
    stated = card(capability("board", "move", requires_approval=False, auto_approve=False), description="all of it")
    t.expect_ok("BYOB-4-33", await table.join(Place("n1", "A", card=stated)), "2xx to a card with every member")
    bare = card(capability("board", "move"))
    t.expect_ok("BYOB-4-33", await table.join(Place("n2", "A", card=bare)), "2xx to a card without optional flags")
    del bare["proxy"]
    answer = await table.join(Place("n3", "A", card=bare))
    fair = answer.ok or (answer.enveloped and answer.code == "E_SCHEMA")
    t.expect("BYOB-4-33", fair, wanted="2xx to a card without proxy, or 400 E_SCHEMA (BYOB-Q032)", got=answer)


@check("byob/4/proxies-are-shown", "BYOB-4-34")
async def proxies(t: Context) -> None:
    """Every seat sees in the prefix which seats are proxies."""
    table = await t.table(DUO.with_seats(Place("a", "A", card=card(proxy=True))))
    for reader in ("a", "b"):
        prefix = (await table.projection(reader, 0)).get("prefix")
        seats = reading.objects(prefix.get("seats") if isinstance(prefix, dict) else None)
        shown = {str(each.get("seat")): each.get("proxy") for each in seats}
        wanted = {"a": True, "b": False}
        t.expect("BYOB-4-34", shown == wanted, wanted=f"{reader} to read the proxy flags {wanted}", got=shown)


AUTO = capability("board", "label", auto_approve=True)
GUARDED = capability("board", "move", requires_approval=True)
BOTH = capability("board", "move", requires_approval=True, auto_approve=True)


def _work(*capabilities: dict[str, Any]) -> Recipe:
    """WORK, with these capabilities on the card of b, and with b1 of the same owner in the order."""
    return WORK.with_seats(Place("b", "B", card=card(*capabilities)), Place("b1", "B"))


ORDER = {"order": ["b1", "a", "b"]}


@check("byob/4/requires-approval-binds-the-own-seats", "BYOB-4-35", "BYOB-4-38")
async def requires(t: Context) -> None:
    """On a resource that needs approval even a proposal by the owner's own seat waits, auto_approve or not."""
    for clause, granted in (("BYOB-4-35", GUARDED), ("BYOB-4-38", BOTH)):
        table = await t.table(_work(granted), topology=ORDER)
        state = await (await t.propose(table, "b1", effect())).state()
        t.expect(clause, state == "awaiting_approval", wanted="b1's proposal to await approval", got=state)
    table = await t.table(_work(BOTH), topology=ORDER)
    state = await (await t.propose(table, "a", effect())).state()
    t.expect("BYOB-4-38", state == "awaiting_approval", wanted="a's proposal to await approval", got=state)


@check("byob/4/auto-approve-covers-its-actions", "BYOB-4-36", "BYOB-4-37")
async def auto(t: Context) -> None:
    """auto_approve lets anybody's proposal of its own actions pass, and no other."""
    table = await t.table(_work(AUTO, capability("list", "add")), topology=ORDER)
    marked = await t.propose(table, "a", effect(action="label"))
    state = await marked.state()
    t.expect("BYOB-4-36", state == "approved", wanted="a's proposal to label to be approved at once", got=state)
    plain = await t.propose(table, "a", effect(resource="list", action="add"))
    state = await plain.state()
    wanted = "a's proposal on the other capability to await approval"
    t.expect("BYOB-4-37", state == "awaiting_approval", wanted=wanted, got=state)


# Where a config might grant approval → what writes it there. A host may refuse such a config, or ignore the grant.
GRANTS: dict[str, Callable[[dict[str, Any]], None]] = {
    "the config": lambda made: made.update(auto_approve=True),
    "floor": lambda made: made.update(floor={**made["floor"], "auto_approve": True}),
    "the owner": lambda made: made["owners"]["B"].update(auto_approve=True),
}


@check("byob/4/config-grants-no-approval", "BYOB-4-39")
async def config(t: Context) -> None:
    """The table's creator cannot grant automatic approval in the config: it is refused, or grants nothing."""
    await t.table(WORK, join=False)  # without the grants the config is a right one
    for where, grants in GRANTS.items():
        made, people = t.config(WORK)
        grants(made)
        answer = await t.create(made)
        if not answer.ok:
            t.expect_refused("BYOB-4-39", answer, "E_SCHEMA", "E_CONFIG")
            continue
        table = t.made(made, people, answer)
        await t.seat_all(table, WORK)
        state = await (await t.propose(table)).state()
        wanted = f"a's proposal to await approval, with an auto_approve in {where}"
        t.expect("BYOB-4-39", state == "awaiting_approval", wanted=wanted, got=state)
