"""BYOB 2: bodies that do not fit their schema, or are no JSON, and tables that do not exist."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from harness.byob.context import Context
from harness.byob.recipes import DUO, INHERITED, WORK, Place, effect
from harness.byob.refusing import Case
from harness.byob.table import Table
from harness.check import check

C = Place("c", "B")
NOWHERE = "no-such-table"
BROKEN = b'{"kind":'
DEEP, DEPTH = "deep-here", 8000


@check("byob/2/configs-fit-their-schema", "BYOB-2-48")
async def configs(t: Context) -> None:
    """A table config of the wrong shape is refused."""
    changes: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
        ("with a topic that is a number", {"topic": 5}, ("E_SCHEMA",)),
        ("with owners that are a list", {"owners": ()}, ("E_SCHEMA",)),
        ("without a topology", {"topology": None}, ("E_SCHEMA", "E_CONFIG")),
    )

    def case(name: str, change: dict[str, Any], codes: tuple[str, ...]) -> Case:
        config = {**t.config(DUO)[0], **change}
        config = {key: value for key, value in config.items() if value is not None}
        return Case(name, "BYOB-2-48", lambda: t.create(config), codes)

    await t.refused(lambda: t.create(t.config(DUO)[0]), *(case(*each) for each in changes))


@check("byob/2/joins-fit-their-schema", "BYOB-2-49")
async def joins(t: Context) -> None:
    """A join request of the wrong shape, rightly signed, is refused."""
    table = await t.table(DUO, owners=["M"])
    seats = iter(f"m{number}" for number in range(10))

    def without_nonce() -> dict[str, Any]:
        return {name: value for name, value in table.join_request(C).items() if name != "nonce"}

    await t.refused(
        lambda: table.join(Place(next(seats), "M")),
        Case("without a nonce", "BYOB-2-49", lambda: table.send_join(without_nonce()), "E_SCHEMA"),
        Case("of a robot", "BYOB-2-49", lambda: table.send_join(_signed(table, kind="robot")), "E_SCHEMA"),
        Case("with a text for a card", "BYOB-2-49", lambda: table.send_join(_signed(table, card="x")), "E_SCHEMA"),
        on=table,
    )


def _signed(table: Table, **changes: Any) -> dict[str, Any]:
    """Return a join request of C with other members, rightly signed as such."""
    return {**table.join_request(C, **changes), **changes}


@check("byob/2/posts-fit-their-schema", "BYOB-2-50")
async def posts(t: Context) -> None:
    """A post of the wrong shape is refused."""
    table = await t.table(DUO)
    right = {"kind": "say", "to": ["*"], "body": "hello"}
    wrong: dict[str, dict[str, Any]] = {
        "of an unknown kind": {"kind": "shout"},
        f"of the kind {INHERITED}": {"kind": INHERITED},
        "with a body that is a number": {"body": 5},
        "with an address that is no list": {"to": "x"},
        "with effects that are no list": {"kind": "proposal", "effects": {}},
    }

    async def send(change: dict[str, Any]) -> Any:
        return await table.by_holder(lambda seat: table.post(seat, {**right, **change}))

    await t.refused(
        lambda: send({}),
        *(Case(name, "BYOB-2-50", partial(send, change), "E_SCHEMA") for name, change in wrong.items()),
        on=table,
    )


@check("byob/2/owner-decisions-fit-their-schema", "BYOB-2-51")
async def decisions(t: Context) -> None:
    """An owner decision of the wrong shape is refused, and leaves the task as it was."""
    task = await t.task("awaiting_approval")
    table = task.table

    def lacking(name: str) -> dict[str, Any]:
        return {key: value for key, value in table.decision_request("B", task.id).items() if key != name}

    for body in (lacking("nonce"), lacking("signature"), table.decision_request("B", task.id, 1)):
        t.expect_refused("BYOB-2-51", await table.send_decision(body), "E_SCHEMA")
        state = await task.state()
        t.expect("BYOB-2-51", state == "awaiting_approval", wanted="the task to wait on", got=state)
    t.expect_ok("BYOB-2-51", await task.decide("approve"), "2xx to a right decision")


@check("byob/2/what-is-no-json-is-refused", "BYOB-2-52")
async def no_json(t: Context) -> None:
    """A body that is not JSON is refused by each endpoint that takes one, and the host lives on."""
    table = await t.table(DUO)
    admin = {"Authorization": f"Bearer {table.admin}"}
    endpoints: tuple[tuple[str, Mapping[str, str]], ...] = (
        ("/tables", t.facts.create_headers),
        (f"{table.path}/seats", {}),
        (f"{table.path}/entries", table.bearer("a")),
        (f"{table.path}/approvals", {}),
        (f"{table.path}/close", admin),
    )
    for path, headers in endpoints:
        answer = await t.call("POST", path, content=BROKEN, headers=headers, any_body=True)
        t.expect("BYOB-2-52", 400 <= answer.status < 500, wanted="a 4xx status", got=answer)
        schema = answer.status == 400 and answer.code == "E_SCHEMA"
        t.expect("BYOB-2-52", schema, wanted="400 E_SCHEMA", got=answer, open_question="BYOB-Q005")
    t.expect_ok("BYOB-2-52", await table.mem("a"), "a host that answers on")
    t.expect("BYOB-2-52", await table.is_open(), wanted="an open table", got="a closed table")


@check("byob/2/unknown-tables-are-not-found", "BYOB-2-47")
async def unknown_tables(t: Context) -> None:
    """A table that was never created is not found, or not told of to a token of another one."""
    task = await t.task("awaiting_approval")
    table = task.table
    gone = f"/tables/{NOWHERE}-{t.table_id()}"[:48]
    signed = (("/seats", table.join_request(C)), ("/approvals", table.decision_request("B", task.id)))
    for path, body in signed:
        t.expect_refused("BYOB-2-47", await t.call("POST", gone + path, body=body), "E_NOT_FOUND")
    admin = {"Authorization": f"Bearer {table.admin}"}
    say = {"kind": "say", "to": ["*"], "body": "hello"}
    reads = ("/projection", "/entries/1", "/events", "/memory", f"/tasks/{task.id}")
    asked = [
        *[await t.call("GET", gone + path, headers=table.bearer("a")) for path in reads],
        await t.call("POST", f"{gone}/entries", body=say, headers=table.bearer("a")),
        await t.call("POST", f"{gone}/close", body={"reason": "x"}, headers=admin),
        await t.call("GET", f"{gone}/ledger", headers=admin),
        await t.call("GET", f"/tables/{INHERITED}/memory", headers=table.bearer("a")),
    ]
    for answer in asked:  # BYOB-Q117
        t.expect_refused("BYOB-2-47", answer, "E_NOT_FOUND", "E_UNAUTHORIZED")


@check("byob/2/deep-posts-leave-the-table-readable", "BYOB-2-29", "BYOB-2-45")
async def deep(t: Context) -> None:
    """Whatever a host does with effects of great depth, the ledger and the projections can be read after it."""
    table = await t.table(WORK)
    await table.until_holds("a")
    t.facts.left.pop(table.id, None)  # nobody needs to read such depths at the end of the run
    post = {"kind": "proposal", "to": ["*"], "body": "deep", "effects": [effect(deep=DEEP)]}
    content = json.dumps(post).replace(f'"{DEEP}"', "[" * DEPTH + "]" * DEPTH).encode()
    headers = {"Content-Type": "application/json", **table.bearer("a")}
    await t.call("POST", f"{table.path}/entries", content=content, headers=headers, any_body=True)
    t.expect_ok("BYOB-2-45", await table.ledger(), f"2xx to the ledger after effects {DEPTH:,} levels deep")
    for seat in ("a", "b"):
        wanted = f"2xx to {seat}'s projection after effects {DEPTH:,} levels deep"
        t.expect_ok("BYOB-2-29", await table.proj(seat, 0), wanted)
