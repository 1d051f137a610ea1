"""ASGI in this process: an answer streams, and an application learns that its client is gone."""

import asyncio
from typing import Any

import httpx
import pytest

from harness.clock import run_virtual
from harness.targets.asgi import AsgiTransport


def client(app: Any) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=AsgiTransport(app))


def test_the_application_gets_the_request() -> None:
    seen: dict[str, Any] = {}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.update(scope, body=(await receive())["body"])
        await send({"type": "http.response.start", "status": 204, "headers": [(b"x-a", b"1")]})
        await send({"type": "http.response.body"})

    async def main() -> httpx.Response:
        async with client(app) as http:
            return await http.post("http://host/a%2Fb?c=d", content=b"body", headers={"X-E": "f"})

    response = run_virtual(main())
    assert (response.status_code, response.headers["x-a"], response.content) == (204, "1", b"")
    assert (seen["method"], seen["raw_path"], seen["query_string"]) == ("POST", b"/a%2Fb", b"c=d")
    assert (seen["body"], (b"x-e", b"f") in seen["headers"]) == (b"body", True)


def test_pieces_arrive_as_they_are_sent_and_a_client_that_leaves_is_noticed() -> None:
    left = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"one", "more_body": True})
        left.append((await receive())["type"])

    async def main() -> bytes:
        async with client(app) as http, http.stream("GET", "http://host/") as response:
            return await anext(response.aiter_raw())

    assert (run_virtual(main()), left) == (b"one", ["http.disconnect"])


def test_an_application_that_does_not_notice_is_cancelled() -> None:
    ended = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    async def main() -> None:
        async with client(app) as http, http.stream("GET", "http://host/"):
            pass

    run_virtual(main())
    assert ended == [True]


@pytest.mark.parametrize("starts", [True, False])
def test_an_application_that_fails_closes_the_connection(starts: bool) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if starts:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("broken")

    async def main() -> httpx.Response:
        async with client(app) as http:
            return await http.get("http://host/")

    with pytest.raises(httpx.RemoteProtocolError, match="RuntimeError: broken"):
        run_virtual(main())
