"""BYOB 11: each error code with its status, on a request that has no other fault."""

from collections.abc import Awaitable, Callable

from harness.byob.codes import STATUS
from harness.byob.context import Context
from harness.byob.recipes import DEBATE, DUO, TREE, WORK, Place, capability, card, effect
from harness.byob.table import Table
from harness.check import check
from harness.targets.hosts import Answer

CLAUSES = {code: f"BYOB-11-{number:02}" for number, code in enumerate(STATUS, 3)}
BOTH_ABLE = WORK.with_seats(Place("a", "A", card=card(capability("list", "add"))))
MIXED = (effect("A", "list", "add"), effect("B", "board", "move"))
C = Place("c", "B")
Send = Callable[[Table], Awaitable[Answer]]

# A code, and a request to a table where a holds the floor that has this one fault.
FAULTS: dict[str, Send] = {
    "E_SCHEMA": lambda table: table.post("a", "shout"),
    "E_PROTOCOL": lambda table: table.join(C, protocol="byob/9.9"),
    "E_BAD_SIGNATURE": lambda table: table.join(C, seat="other"),
    "E_UNAUTHORIZED": lambda table: table.t.call("GET", f"{table.path}/memory"),
    "E_NOT_OWNER": lambda table: table.join(Place("z", "Z")),
    "E_NOT_DECIDER": lambda table: table.decision("a"),
    "E_NOT_FOUND": lambda table: table.task("a", "task-99999"),
    "E_NOT_FLOOR": lambda table: table.say("b"),
    "E_SEAT_TAKEN": lambda table: table.join(Place("b", "B")),
    "E_ADDRESS": lambda table: table.say("a", to=["@ghost"]),
    "E_NO_EXECUTOR": lambda table: table.propose("a", effect("B", "board", "erase")),
    "E_MIXED_OWNERS": lambda table: table.propose("a", *MIXED),
}


@check("byob/11/each-code-has-its-place", *(CLAUSES[code] for code in FAULTS))
async def places(t: Context) -> None:
    """A request with one fault is refused with the code of that fault and its status."""
    table = await t.table(BOTH_ABLE)
    await table.need_holder("a")
    for code, send in FAULTS.items():
        t.expect_refused(CLAUSES[code], await send(table), code)


@check("byob/11/codes-of-tasks", "BYOB-11-09", "BYOB-11-12", "BYOB-11-07")
async def of_tasks(t: Context) -> None:
    """A verdict too early, one by the executor, and a status by a stranger are refused with their codes."""
    waiting = await t.task("awaiting_approval")
    t.expect_refused("BYOB-11-12", await waiting.verify("pass"), "E_TASK_STATE")
    reported = await t.task("reported")
    t.expect_refused("BYOB-11-09", await reported.verify("pass", "b"), "E_SELF_VERIFY")
    approved = await t.task("approved")
    t.expect_refused("BYOB-11-07", await approved.status("running", "v"), "E_NOT_OWNER")
    t.expect_refused("BYOB-11-07", await waiting.table.decide("A", waiting.id), "E_NOT_OWNER")


@check("byob/11/codes-of-the-close-and-of-replays", "BYOB-11-13", "BYOB-11-15")
async def of_repeats(t: Context) -> None:
    """A nonce that was used is E_REPLAY, and a say and a join after the close are E_TABLE_CLOSED."""
    table = await t.table(DUO)
    await table.need_holder("a")
    used = table.join_request(C)
    await t.need(table.send_join(used))
    again = table.join_request(Place("d", "B"), nonce=used["nonce"])
    t.expect_refused("BYOB-11-15", await table.send_join(again), "E_REPLAY")
    await t.need(table.close())
    t.expect_refused("BYOB-11-13", await table.say("a"), "E_TABLE_CLOSED", "E_NOT_FLOOR")
    t.expect_refused("BYOB-11-13", await table.join(Place("e", "B")), "E_TABLE_CLOSED")


@check("byob/11/codes-of-configs", "BYOB-11-19", "BYOB-11-20")
async def of_configs(t: Context) -> None:
    """A config without an end, and one that does not fit its topology, get codes with their statuses."""
    endless, _ = t.config(DUO, termination={"any": []})
    t.expect_refused("BYOB-11-19", await t.create(endless), "E_NO_TERMINATION", "E_SCHEMA", "E_CONFIG")
    unjudged, _ = t.config(DEBATE, topology={"judge": None})
    t.expect_refused("BYOB-11-20", await t.create(unjudged), "E_CONFIG", "E_SCHEMA")
    looped, _ = t.config(TREE)
    looped["topology"] = t.dialect.topology({**TREE.config["topology"], "reports": {"root": ["m"], "m": ["root"]}})
    answer = await t.create(looped)
    if not answer.ok:  # BYOB-Q026
        t.expect_refused("BYOB-11-20", answer, "E_CONFIG", "E_SCHEMA")
    none, _ = t.config(DUO)
    nothing = {name: value for name, value in none.items() if name != "termination"}
    t.expect_refused("BYOB-11-19", await t.create(nothing), "E_NO_TERMINATION", "E_SCHEMA", "E_CONFIG")
