"""The endpoints of a table host over HTTP (BYOB 2, 11), in process, with a host that only notes what it is asked."""

import asyncio
import json
import logging
from collections.abc import Coroutine
from typing import Any

import httpx
import pytest

from reference.byob import bodies
from reference.byob.durability import Barrier
from reference.byob.errors import STATUS, ByobError
from reference.byob.http import ENDPOINTS, PIECE
from tests.reference.byob.serving import AUTH, NOW, TOKEN, ScriptedHost, in_process

BODY = {"kind": "say", "body": "é"}


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(test)


def refusal(response: httpx.Response) -> tuple[int, str]:
    """The status and the code of an error, which has the envelope and the header of BYOB 2 and 11."""
    error = response.json()["error"]
    assert response.json() == {"error": {"code": error["code"], "message": error["message"]}}
    assert response.headers["content-type"] == "application/json"
    assert response.headers["byob-protocol"] == "byob/0.1"
    return response.status_code, error["code"]


@pytest.mark.parametrize(
    ("method", "path", "called"),
    [
        ("POST", "/tables", ["create", BODY]),
        ("POST", "/tables/t/seats", ["join", "t", BODY]),
        ("POST", "/tables/t/entries", ["post", "t", TOKEN, BODY]),
        ("GET", "/tables/t/projection", ["projection", "t", TOKEN, None]),
        ("GET", "/tables/t/projection?since=7", ["projection", "t", TOKEN, "7"]),
        ("GET", "/tables/t/projection?since=", ["projection", "t", TOKEN, ""]),
        ("GET", "/tables/t/entries/12", ["entry", "t", TOKEN, "12"]),
        ("GET", "/tables/t/memory", ["memory", "t", TOKEN]),
        ("GET", "/tables/t/tasks/task-5", ["task", "t", TOKEN, "task-5"]),
        ("POST", "/tables/t/approvals", ["approve", "t", BODY]),
        ("POST", "/tables/t/close", ["close", "t", TOKEN, BODY]),
    ],
)
def test_each_endpoint_asks_the_host(method: str, path: str, called: list[Any]) -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with in_process(host) as client:
            body = {"json": BODY} if method == "POST" else {}
            response = await client.request(method, f"/v0.1{path}", headers=AUTH, **body)
        assert (response.status_code, response.json()) == (200, {"called": [*called, NOW]})
        assert response.headers.get_list("byob-protocol") == ["byob/0.1"]
        assert response.headers["content-type"] == "application/json"
        assert response.headers["cache-control"] == "no-store"
        assert host.calls == [(*called, NOW)]

    run(test())


@pytest.mark.parametrize("count", [0, 1, PIECE, PIECE + 1, 3 * PIECE])
def test_a_ledger_is_one_json_object_of_any_length(count: int) -> None:
    async def test() -> None:
        host = ScriptedHost()
        host.entries = [{"seq": seq, "body": "é\n"} for seq in range(1, count + 1)]
        async with in_process(host) as client:
            response = await client.get("/v0.1/tables/t/ledger", headers=AUTH)
        assert response.json() == {"entries": host.entries}
        assert response.headers.get_list("byob-protocol") == ["byob/0.1"]
        assert host.calls == [("ledger", "t", TOKEN, NOW)]

    run(test())


@pytest.mark.parametrize("code", STATUS)
def test_an_error_has_the_status_of_its_code(code: str) -> None:
    async def test() -> None:
        host = ScriptedHost()
        host.fails = ByobError(code, "one sentence: é")
        async with in_process(host) as client:
            response = await client.post("/v0.1/tables/t/seats", json=BODY)
        assert refusal(response) == (STATUS[code], code)
        assert response.json()["error"]["message"] == "one sentence: é"
        assert response.headers.get("www-authenticate") == ("Bearer" if STATUS[code] == 401 else None)

    run(test())


@pytest.mark.parametrize("problem", [RuntimeError(TOKEN), KeyError(TOKEN), OSError(28, "No space left on device")])
def test_what_fails_inside_stays_inside(problem: Exception, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        host = ScriptedHost()
        host.fails = problem
        async with in_process(host) as client:
            response = await client.post("/v0.1/tables/t/entries", headers=AUTH, json={"body": "private"})
        assert refusal(response) == (500, "E_INTERNAL")
        assert response.json()["error"]["message"] == "the server failed; nothing is wrong with the request"

    with caplog.at_level(logging.DEBUG, "reference"):
        run(test())
    (record,) = caplog.records
    assert record.getMessage().startswith(f"E_INTERNAL: {type(problem).__name__} in serving.py, line ")
    assert ("No space left on device" in record.getMessage()) is isinstance(problem, OSError)
    assert (TOKEN in caplog.text, "private" in caplog.text, "Traceback" in caplog.text) == (False, False, False)


def test_a_disk_that_fails_is_an_error_of_the_server(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        appended = 0

        def flushing(self) -> Any:
            def flush() -> None:
                raise OSError(5, "Input/output error")

            return flush

    async def test() -> None:
        store = Broken()
        async with in_process(ScriptedHost(), Barrier(store)) as client:
            assert (await client.get("/v0.1/tables/t/memory", headers=AUTH)).status_code == 200
            store.appended = 1
            for path in ("memory", "projection", "none"):
                response = await client.get(f"/v0.1/tables/t/{path}", headers=AUTH)
                assert refusal(response) == ((404, "E_NOT_FOUND") if path == "none" else (500, "E_INTERNAL"))

    run(test())
    said = [record.getMessage().partition(", line") for record in caplog.records]
    assert [(first, rest.partition(": ")[2]) for first, _, rest in said] == [
        ("E_INTERNAL: OSError in durability.py", "Input/output error")
    ] * 2


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/", None),
        ("GET", "/v0.1", None),
        ("GET", "/v0.1/", None),
        ("POST", "/v0.1/tables/", None),
        ("POST", "/tables", None),
        ("POST", "/v0.2/tables", None),
        ("GET", "/v0.1/tables/t", None),
        ("GET", "/v0.1/tables/t/entries/1/", None),
        ("GET", "/v0.1/tables//memory", None),
        ("GET", "/v0.1/tables/t/none", None),
        ("GET", "/v0.1/tables", "POST"),
        ("GET", "/v0.1/tables/t/entries", "POST"),
        ("PUT", "/v0.1/tables/t/entries", "POST"),
        ("OPTIONS", "/v0.1/tables/t/entries", "POST"),
        ("POST", "/v0.1/tables/t/memory", "GET"),
        ("DELETE", "/v0.1/tables/t/entries/1", "GET"),
        ("PATCH", "/v0.1/tables/t/events", "GET"),
        ("post", "/v0.1/tables/t/memory", "GET"),
        ("BREW", "/v0.1/tables/t/ledger", "GET"),
    ],
)
def test_what_the_table_of_endpoints_does_not_name_is_not_found(method: str, path: str, allow: str | None) -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with in_process(host) as client:
            response = await client.request(method, path, headers=AUTH)
        assert refusal(response) == (404, "E_NOT_FOUND")
        assert response.headers.get("allow") == allow
        assert host.calls == []

    run(test())


def test_head_opens_nothing_and_moves_nothing() -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with in_process(host) as client:
            for name in ("events", "projection", "memory"):
                response = await client.head(f"/v0.1/tables/t/{name}", headers=AUTH)
                assert (response.status_code, response.headers["byob-protocol"]) == (404, "byob/0.1")
        assert (host.calls, host.listeners) == ([], [])

    run(test())


@pytest.mark.parametrize(
    ("segment", "table"),
    [
        ("a.b-c_d~e", "a.b-c_d~e"),
        ("%74", "t"),
        ("..%2Ft", "../t"),
        ("%2e%2e%2fetc%2Fpasswd", "../etc/passwd"),
        ("%252e%252e%252f", "%2e%2e%2f"),
        ("%00", "\0"),
        ("%C3%A9", "é"),
        ("%ff%fe", "\ufffd\ufffd"),
        ("%", "%"),
        ("%zz", "%zz"),
        ("a%0d%0ax-y:z", "a\r\nx-y:z"),
        ("x" * 8_000, "x" * 8_000),
        ("..;", "..;"),
        ("t%3Fsince=1", "t?since=1"),
        ("t%23", "t#"),
    ],
)
def test_an_id_stays_one_segment_whatever_it_spells(segment: str, table: str) -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with in_process(host) as client:
            await client.get(httpx.URL("http://table.invalid", raw_path=b"/v0.1/tables/%s/memory" % segment.encode()))
        assert host.calls == [("memory", table, None, NOW)]

    run(test())


def test_an_encoded_slash_leads_to_no_other_endpoint() -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with in_process(host) as client:
            for path in (b"/v0.1/tables/t%2Fmemory", b"/v0.1/tables/t%2fentries/1", b"/v0.1%2ftables/t/memory"):
                response = await client.get(httpx.URL("http://table.invalid", raw_path=path), headers=AUTH)
                assert refusal(response) == (404, "E_NOT_FOUND")
        assert host.calls == []

    run(test())


@pytest.mark.parametrize(
    ("headers", "token"),
    [
        ([], None),
        ([("authorization", "Bearer abc")], "abc"),
        ([("authorization", "bearer  abc ")], "abc"),
        ([("authorization", "BEARER abc")], "abc"),
        ([("authorization", "Basic abc")], None),
        ([("authorization", "abc")], None),
        ([("authorization", "Bearerabc")], None),
        ([("authorization", "Bearer")], ""),
        ([("authorization", "")], None),
        ([("authorization", "Bearer abc def")], "abc def"),
        ([("authorization", "Token Bearer abc")], None),
        ([("authorization", "Bearer abc"), ("authorization", "Bearer def")], None),
        ([("x-authorization", "Bearer abc"), ("cookie", "authorization=abc")], None),
    ],
)
def test_a_token_comes_by_the_bearer_scheme_alone(headers: list[tuple[str, str]], token: str | None) -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with in_process(host) as client:
            await client.get("/v0.1/tables/t/memory?access_token=abc", headers=headers)
        assert host.calls == [("memory", "t", token, NOW)]

    run(test())


def test_who_may_not_post_or_listen_is_told_so_before_anything_is_read() -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with in_process(host) as client:
            for headers in ({}, {"authorization": "Bearer other"}, {"authorization": f"Basic {TOKEN}"}):
                posted = await client.post("/v0.1/tables/t/entries", headers=headers, content=b"{" * 2_000_000)
                assert refusal(posted) == (401, "E_UNAUTHORIZED")
                assert refusal(await client.get("/v0.1/tables/t/events", headers=headers)) == (401, "E_UNAUTHORIZED")
        assert (host.calls, host.listeners) == ([], [])

    run(test())


POSTS = [endpoint for endpoint in ENDPOINTS if endpoint.method == "POST"]


@pytest.mark.parametrize("path", [endpoint.path.replace("{table}", "t") for endpoint in POSTS])
@pytest.mark.parametrize(
    ("content", "media"),
    [
        (b"", "application/json"),
        (b"{", "application/json"),
        (b'{"a":1,"a":2}', "application/json"),
        (b'{"a":NaN}', "application/json"),
        (b'{"a":"\xff"}', "application/json"),
        (b"[" * 100_000, "application/json"),
        (b"{}", "text/plain"),
        (b"a=b", "application/x-www-form-urlencoded"),
        (b"{}", ""),
    ],
)
def test_a_body_that_is_no_json_never_gets_to_the_host(path: str, content: bytes, media: str) -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with in_process(host) as client:
            response = await client.post(f"/v0.1{path}", content=content, headers={**AUTH, "content-type": media})
        assert refusal(response) == (400, "E_SCHEMA")
        assert host.calls == []

    run(test())


def test_a_body_has_a_limit() -> None:
    async def test() -> None:
        host = ScriptedHost()
        headers = {**AUTH, "content-type": "application/json"}
        whole = json.dumps({"body": ""}).encode()
        whole = whole[:-2] + b"x" * (bodies.MAX_BODY - len(whole)) + whole[-2:]

        async def parts() -> Any:
            for start in range(0, len(whole), 100_000):
                yield whole[start : start + 100_000]
            yield b" "

        async with in_process(host) as client:
            assert (await client.post("/v0.1/tables/t/entries", content=whole, headers=headers)).status_code == 200
            for content in (whole + b" ", parts()):
                response = await client.post("/v0.1/tables/t/entries", content=content, headers=headers)
                assert refusal(response) == (400, "E_SCHEMA")
                assert response.json()["error"]["message"] == "a body is at most 1048576 bytes long"
        assert len(host.calls) == 1

    run(test())
