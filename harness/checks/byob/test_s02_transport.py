"""BYOB 2: HTTP, JSON and the protocol header."""

from harness.byob.context import Context
from harness.byob.recipes import DUO, PIPE
from harness.check import check

HEADER, VERSION = "byob-protocol", "byob/0.1"
UNDEFINED = (("GET", "/nothing"), ("PUT", "/tables/{table}/ledger"), ("DELETE", "/tables/{table}"))


@check("byob/2/http-and-json", "BYOB-2-01", "BYOB-2-02", "BYOB-2-23")
async def http_and_json(t: Context) -> None:
    """A creation below /v0.1 needs no credential and is answered over HTTP/1.1 with one JSON value."""
    config, _ = t.config(DUO)
    answer = await t.create(config, any_body=True)
    t.expect_ok("BYOB-2-02", answer, "2xx to POST /v0.1/tables with a right config")
    t.expect_ok("BYOB-2-23", answer, "2xx without an Authorization header")
    kind = "application/json" in answer.content_type or answer.content_type.endswith("+json")
    t.expect("BYOB-2-01", answer.version in ("HTTP/1.1", "HTTP/2"), wanted="HTTP/1.1", got=answer.version)
    t.expect("BYOB-2-01", kind and answer.problem == "", wanted="application/json and one JSON value", got=answer)


@check("byob/2/header-on-undefined-paths", "BYOB-2-06")
async def undefined(t: Context) -> None:
    """Paths and methods that the API does not define are refused, with the protocol header."""
    table = await t.table(DUO, join=False)
    for method, path in UNDEFINED:
        answer = await t.call(method, path.format(table=table.id), any_body=True)
        t.expect("BYOB-2-06", not answer.ok, wanted=f"no 2xx to {method} {path}", got=answer)
        header = answer.headers.get(HEADER) == VERSION
        t.expect("BYOB-2-06", header, wanted=f"{HEADER}: {VERSION}", got=answer, open_question="BYOB-Q006")


@check("byob/2/hidden-entries-are-not-found", "BYOB-2-31", "BYOB-2-32")
async def hidden(t: Context) -> None:
    """A single entry that the seat may not see, or that there is not, is not found."""
    table = await t.table(PIPE)
    entry = await table.turn()
    last = await table.last_seq()
    t.expect_refused("BYOB-2-31", await table.entry("s3", entry["seq"]), "E_NOT_FOUND")
    t.expect_refused("BYOB-2-32", await table.entry("s1", last + 1000), "E_NOT_FOUND")
