"""BYOB 3: which table configs are taken, and which are refused."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import DEBATE, DUO, HUB, INHERITED, PIPE, TOPOLOGIES, TREE, Place, Recipe
from harness.byob.refusing import Case
from harness.check import check
from harness.targets.hosts import Answer

NO_END = ("E_SCHEMA", "E_NO_TERMINATION", "E_CONFIG")  # BYOB-Q018
NO_TOPOLOGY = ("E_SCHEMA", "E_CONFIG")


def _config(t: Context, recipe: Recipe = DUO, without: str = "", **changes: Any) -> dict[str, Any]:
    """Return a fresh config without one member, the topology's if it is named `topology.x`."""
    config, _ = t.config(recipe, **changes)
    outer, _, inner = without.partition(".")
    if inner:
        config[outer] = {name: value for name, value in config[outer].items() if name != inner}
    return {name: value for name, value in config.items() if inner or name != outer}


async def _refused(t: Context, clause: str, recipe: Recipe, codes: tuple[str, ...], *missing: str) -> None:
    """Expect a creation by a recipe to be accepted, and refused without each of these members."""
    await t.refused(
        lambda: t.create(_config(t, recipe)),
        *(Case(f"without {name}", clause, partial(_create_without, t, recipe, name), codes) for name in missing),
    )


async def _create_without(t: Context, recipe: Recipe, name: str) -> Answer:
    return await t.create(_config(t, recipe, name))


@check("byob/3/the-example-is-accepted", "BYOB-3-01", "BYOB-3-02")
async def example(t: Context) -> None:
    """A config with all members of the spec's example is accepted, and parent may be left out."""
    config, _ = t.config(
        DEBATE,
        visibility={"j": ["p.say", "c.say"]},
        floor={"max_chars": 1500, "max_bot_depth": 8, "decision_by": ["j"]},
        termination={"any": ["decision", "rounds_exhausted", {"budget_tokens": 60000}]},
        projection={"inline_limit": 2000},
        watchdog={"heartbeat_ms": 600000},
    )
    t.expect_ok("BYOB-3-01", await t.create(config))
    bystander = await t.table(DUO)
    before = await bystander.entries()
    table = await t.table(DUO)
    await t.need(table.close())
    after = await bystander.entries()
    added = reading.without_notes(after[len(before) :])
    t.expect("BYOB-3-02", not added, wanted="no entry in another table by the close", got=added)


@check("byob/3/a-table-has-an-end", "BYOB-3-05", "BYOB-3-06")
async def has_end(t: Context) -> None:
    """A config without termination, or with an empty list of conditions, is refused."""
    await _refused(t, "BYOB-3-05", DUO, NO_END, "termination")
    await t.refused(
        lambda: t.create(_config(t)),
        Case("with no conditions", "BYOB-3-06", lambda: t.create(_config(t, termination={"any": []})), NO_END),
    )


@check("byob/3/a-refused-config-makes-no-table", "BYOB-3-07")
async def no_table(t: Context) -> None:
    """After a refused creation there is no table of that id, and a right config may still take it."""
    config, people = t.config(DUO)
    refused = await t.create({name: value for name, value in config.items() if name != "termination"})
    if refused.ok:
        t.expect("BYOB-3-07", False, wanted="a config without termination to be refused", got=refused)
        return
    shadow = t.shadow(config, people)
    t.expect_refused("BYOB-3-07", await shadow.join(Place("a", "A")), "E_NOT_FOUND")
    t.expect_refused("BYOB-3-07", await shadow.decide("A", "task-1"), "E_NOT_FOUND")
    t.expect_ok("BYOB-3-07", await t.create(config), "2xx to the right config with that id")


@check("byob/3/an-id-is-taken-once", "BYOB-3-08")
async def taken(t: Context) -> None:
    """A second creation under an id leaves the table that has it as it is."""
    config, people = t.config(DUO)
    answer = await t.need(t.create(config))
    table = t.made(config, people, answer)
    await t.seat_all(table, DUO)
    before = await table.entries()
    again = await t.create(config)
    other = again.ok and again.members.get("table") != answer.members.get("table")
    refused = 400 <= again.status < 500
    t.expect("BYOB-3-08", refused or other, wanted="a 4xx status, or a table of another id", got=again)
    after = await table.entries()
    t.expect("BYOB-3-08", after == before, wanted="the same ledger with the first admin token", got=after)
    t.expect_ok("BYOB-3-08", await table.mem("a"), "2xx with the first seat's token")


@check("byob/3/there-are-five-topologies", "BYOB-3-09")
async def kinds(t: Context) -> None:
    """Each of the five topologies is accepted, and no other kind."""
    for recipe in TOPOLOGIES.values():
        t.expect_ok("BYOB-3-09", await t.create(_config(t, recipe)), f"2xx to a {recipe.config['topology']['kind']}")
    for kind in ("ring", INHERITED):
        t.expect_refused("BYOB-3-09", await t.create(_config(t, topology={"kind": kind})), *NO_TOPOLOGY)


@check("byob/3/a-broadcast-names-its-order", "BYOB-3-10")
async def order(t: Context) -> None:
    """A broadcast without an order is refused; one that takes the seats as they come is only warned of."""
    answer = await t.create(_config(t, DUO, "topology.order"))
    t.expect("BYOB-3-10", not answer.ok, wanted="a refusal", got=answer, open_question="BYOB-Q019")
    if not answer.ok:
        t.expect_refused("BYOB-3-10", answer, *NO_TOPOLOGY)


@check("byob/3/a-debate-names-its-three-seats", "BYOB-3-11")
async def debate(t: Context) -> None:
    """A debate without pro, con or judge is refused."""
    await _refused(t, "BYOB-3-11", DEBATE, NO_TOPOLOGY, "topology.pro", "topology.con", "topology.judge")


@check("byob/3/a-pipeline-names-its-stages", "BYOB-3-12")
async def pipeline(t: Context) -> None:
    """A pipeline without stages is refused."""
    await _refused(t, "BYOB-3-12", PIPE, NO_TOPOLOGY, "topology.stages")


@check("byob/3/a-hub-spoke-names-its-hub", "BYOB-3-13")
async def hub(t: Context) -> None:
    """A hub_spoke without a hub is refused."""
    await _refused(t, "BYOB-3-13", HUB, NO_TOPOLOGY, "topology.hub")


@check("byob/3/a-delegation-names-its-root-and-reports", "BYOB-3-14")
async def delegation(t: Context) -> None:
    """A delegation without its root or its reports is refused."""
    await _refused(t, "BYOB-3-14", TREE, NO_TOPOLOGY, "topology.hub", "topology.reports")


@check("byob/3/reports-form-a-tree", "BYOB-3-15")
async def tree(t: Context) -> None:
    """Reports that run in a circle are refused; a host that does not look is only warned of."""
    loop: Mapping[str, Any] = {"root": ["m"], "m": ["root"]}
    topology = t.dialect.topology({**TREE.config["topology"], "reports": loop})
    answer = await t.create({**_config(t, TREE), "topology": topology})
    t.expect("BYOB-3-15", not answer.ok, wanted="a refusal", got=answer, open_question="BYOB-Q026")
    if not answer.ok:
        t.expect_refused("BYOB-3-15", answer, *NO_TOPOLOGY)


@check("byob/3/the-first-condition-that-is-met-closes", "BYOB-3-16")
async def alternatives(t: Context) -> None:
    """Conditions are alternatives: the first that is met closes the table."""
    table = await t.table(DUO, termination={"any": [{"budget_tokens": 10}, {"max_entries": 1000}]})
    t.expect("BYOB-3-16", await table.is_open(), wanted="an open table at first", got="a closed one")
    await t.need(table.by_holder(lambda seat: table.say(seat, budget={"tokens_used": 11})))
    entries = await table.entries()
    ended = bool(reading.events(entries, "table_closed")) and not await table.is_open()
    t.expect("BYOB-3-16", ended, wanted="the table to close when its budget is exceeded", got=entries[-1:])


@check("byob/3/decision-by-replaces-the-deciders", "BYOB-3-17")
async def deciders(t: Context) -> None:
    """floor.decision_by replaces the deciders of the topology."""
    for seat in ("p", "j"):
        table = await t.table(DEBATE, floor={"decision_by": ["p"]})
        await table.until_holds(seat)
        answer = await table.decision(seat)
        if seat == "p":
            t.expect_ok("BYOB-3-17", answer, "2xx to a decision of p, whom decision_by names")
        else:
            t.expect_refused("BYOB-3-17", answer, "E_NOT_DECIDER")


@check("byob/3/owners-are-fixed", "BYOB-3-18")
async def owners_fixed(t: Context) -> None:
    """An owner that the config does not register cannot join, at any time."""
    table = await t.table(DUO)
    stranger = Place("z", "Z")
    await t.refused(
        partial(table.mem, "a"),
        Case("of an owner who is not registered", "BYOB-3-18", lambda: table.join(stranger), "E_NOT_OWNER"),
        on=table,
    )
    await table.turns(2)
    t.expect_refused("BYOB-3-18", await table.join(stranger), "E_NOT_OWNER")
