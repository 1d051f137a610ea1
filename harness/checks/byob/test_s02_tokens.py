"""BYOB 2: which endpoint wants which token, and that it takes no other."""

import secrets
from collections.abc import Mapping
from functools import partial

from harness.byob.context import Context
from harness.byob.recipes import DUO, Place
from harness.byob.refusing import Case
from harness.byob.table import Table
from harness.check import check
from harness.targets.hosts import ABSENT, Answer

SAY = {"kind": "say", "to": ["*"], "body": "hello"}
# Every seat endpoint: its method, its path below the table's, and a body that would do.
SEAT_ENDPOINTS: tuple[tuple[str, str, object], ...] = (
    ("POST", "/entries", SAY),
    ("GET", "/projection", ABSENT),
    ("GET", "/entries/1", ABSENT),
    ("GET", "/events", ABSENT),
    ("GET", "/memory", ABSENT),
    ("GET", "/tasks/task-1", ABSENT),
)


async def _ask(t: Context, table: Table, headers: Mapping[str, str], method: str, path: str, body: object) -> Answer:
    return await t.call(method, table.path + path, body=body, headers=headers)


async def _refused(t: Context, clause: str, table: Table, headers: Mapping[str, str], what: str) -> None:
    """Expect every seat endpoint to refuse these headers, and to leave the ledger alone."""
    await t.refused(
        lambda: table.mem("a"),
        *(
            Case(
                f"to {method} {path} {what}",
                clause,
                partial(_ask, t, table, headers, method, path, body),
                "E_UNAUTHORIZED",
            )
            for method, path, body in SEAT_ENDPOINTS
        ),
        on=table,
    )


@check("byob/2/seat-endpoints-want-a-token", "BYOB-2-14")
async def without(t: Context) -> None:
    """Each seat endpoint refuses a request without an Authorization header."""
    await _refused(t, "BYOB-2-14", await t.table(DUO), {}, "without a token")


@check("byob/2/seat-endpoints-know-their-tokens", "BYOB-2-15")
async def unknown(t: Context) -> None:
    """Each seat endpoint refuses a token that was never issued."""
    headers = {"Authorization": f"Bearer {secrets.token_hex(32)}"}
    await _refused(t, "BYOB-2-15", await t.table(DUO), headers, "with a made-up token")


@check("byob/2/a-seat-token-is-for-its-table", "BYOB-2-16")
async def elsewhere(t: Context) -> None:
    """A seat token is worth nothing on another table, where the same seat of the same owner sits."""
    other = await t.table(DUO)
    await _refused(t, "BYOB-2-16", await t.table(DUO), other.bearer("a"), "with the token of another table")


@check("byob/2/the-token-comes-with-bearer", "BYOB-2-17")
async def scheme(t: Context) -> None:
    """The seat token counts only with the scheme Bearer."""
    table = await t.table(DUO)
    token = table.tokens["a"]
    for value in (f"Basic {token}", token):
        await _refused(t, "BYOB-2-17", table, {"Authorization": value}, "with the token but without Bearer")


@check("byob/2/the-admin-token-is-no-seat-token", "BYOB-2-18")
async def admin_as_seat(t: Context) -> None:
    """The admin token does not serve as a seat token."""
    table = await t.table(DUO)
    await _refused(t, "BYOB-2-18", table, {"Authorization": f"Bearer {table.admin}"}, "with the admin token")


@check("byob/2/the-ledger-wants-its-admin-token", "BYOB-2-44", "BYOB-2-25")
async def ledger(t: Context) -> None:
    """The ledger is refused without a token, with a seat's, and with the admin token of another table."""
    table, other = await t.table(DUO), await t.table(DUO)
    tokens = {"BYOB-2-44": ({}, table.bearer("a")), "BYOB-2-25": ({"Authorization": f"Bearer {other.admin}"},)}
    await t.refused(
        table.ledger,
        *(
            Case(
                "for a ledger without its admin token",
                clause,
                partial(_ask, t, table, headers, "GET", "/ledger", ABSENT),
                "E_UNAUTHORIZED",
            )
            for clause, wrong in tokens.items()
            for headers in wrong
        ),
        on=table,
    )


@check("byob/2/the-close-wants-its-admin-token", "BYOB-2-41")
async def close(t: Context) -> None:
    """A close without a token, with a seat's, or with the admin token of another table leaves the table open."""
    table, other = await t.table(DUO), await t.table(DUO)
    for headers in ({}, table.bearer("a"), {"Authorization": f"Bearer {other.admin}"}):
        answer = await _ask(t, table, headers, "POST", "/close", {"reason": "no"})
        t.expect_refused("BYOB-2-41", answer, "E_UNAUTHORIZED")
        t.expect("BYOB-2-41", await table.is_open(), wanted="an open table after a refused close", got=answer)
    t.expect_ok("BYOB-2-41", await table.close(), "2xx to a close with the admin token")


@check("byob/2/signed-bodies-need-no-token", "BYOB-2-26", "BYOB-2-39")
async def signed(t: Context) -> None:
    """A right join and a right owner decision are accepted without an Authorization header."""
    table = await t.table(DUO, join=False)
    t.expect_ok("BYOB-2-26", await table.join(Place("a", "A")), "2xx to a signed join without a token")
    task = await t.task("awaiting_approval")
    t.expect_ok("BYOB-2-39", await task.decide("approve"), "2xx to a signed owner decision without a token")
