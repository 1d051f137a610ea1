"""The driver of table hosts: whole answers of any kind, streams, and a clear fault for all that is no answer."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from harness.clock import run_virtual, virtual_now
from harness.errors import TargetFault
from harness.targets import hosts
from harness.targets.asgi import App
from harness.targets.hosts import ABSENT, Answer, HostConnection, app_target
from harness.transcript import Transcript

JSON = [(b"content-type", b"application/json")]
STREAM = [(b"content-type", b"text/event-stream")]


def answering(status: int, body: bytes, headers: Any = JSON) -> App:
    """Return an application that gives every request this answer."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


def streaming(*pieces: bytes, ends: bool = False) -> App:
    """Return an application that streams pieces, and then says nothing more, or ends."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM})
        for piece in pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        if not ends:
            await receive()  # the request's body
            await receive()  # until the client is gone
        await send({"type": "http.response.body", "body": b""})

    return app


def using(app: App, script: Callable[[HostConnection], Awaitable[Any]]) -> tuple[Any, list[str]]:
    """Run a script with a connection to an application; returns its result and what the transcript holds."""

    async def main() -> Any:
        target = app_target(app, virtual_now, timeout=5.0)
        transcript = Transcript(virtual_now, lambda *_: None, str, "http", "test")
        connection = await target.connect(transcript, "http1")
        try:
            return await script(connection), [event.text for event in transcript.events]
        finally:
            await connection.close()

    result: tuple[Any, list[str]] = run_virtual(main())
    return result


def call(app: App, path: str = "/tables", **options: Any) -> Answer:
    answer: Answer = using(app, lambda connection: connection.call("GET", path, **options))[0]
    return answer


def test_an_answer_is_kept_whole() -> None:
    answer = call(answering(201, b'{"table": "x"}', [*JSON, (b"byob-protocol", b"byob/0.1")]))
    assert (answer.status, answer.ok, answer.value, answer.members) == (201, True, {"table": "x"}, {"table": "x"})
    assert (answer.content_type, answer.headers["byob-protocol"]) == ("application/json", "byob/0.1")
    assert answer.seen() == "201 (to GET /tables)"


def test_a_refusal_is_read() -> None:
    answer = call(answering(409, b'{"error": {"code": "E_NOT_FLOOR", "message": "it is b\'s turn"}}'), who="a")
    assert (answer.ok, answer.code, answer.enveloped) == (False, "E_NOT_FLOOR", True)
    assert answer.seen() == "409 E_NOT_FLOOR: it is b's turn (to GET /tables by a)"


ENVELOPES = {
    b'{"error": {"code": "E_X"}}': ("E_X", False),
    b'{"error": {"code": 5, "message": "m"}}': ("", False),
    b'{"error": "E_X"}': ("", False),
    b'{"code": "E_X", "message": "m"}': ("", False),
    b"[1]": ("", False),
    b'{"error": {"code": "E_X", "message": "m", "more": 1}, "x": 2}': ("E_X", True),
}


@pytest.mark.parametrize("body", ENVELOPES)
def test_an_error_has_its_envelope_or_not(body: bytes) -> None:
    answer = call(answering(400, body))
    assert (answer.code, answer.enveloped) == ENVELOPES[body]


NO_JSON = {
    b"<h1>hello</h1>": "which is not JSON: Expecting value: line 1 column 1 (char 0)",
    b"": "an empty body",
    b'{"a": 1': "which is not JSON",
}


@pytest.mark.parametrize("body", NO_JSON)
def test_what_is_no_json_is_no_fault_of_the_driver(body: bytes) -> None:
    answer = call(answering(200, body, [(b"content-type", b"text/html; charset=utf-8")]))
    assert answer.value is ABSENT
    assert NO_JSON[body] in answer.problem
    assert answer.seen().startswith("200 with text/html, ")


def test_a_redirect_is_an_answer_and_is_not_followed() -> None:
    assert call(answering(307, b"", [(b"location", b"http://127.0.0.1:1/")])).status == 307


def test_deep_and_wrong_json_is_read_without_recursion() -> None:
    answer = call(answering(200, b"[" * 100_000 + b"]" * 100_000))
    assert answer.ok


async def _silent(scope: Any, receive: Any, send: Any) -> None:
    await asyncio.Event().wait()


async def _half(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": JSON})
    await send({"type": "http.response.body", "body": b'{"a": ', "more_body": True})
    raise ConnectionError("gone")


async def _slow(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": JSON})
    while True:
        await send({"type": "http.response.body", "body": b" ", "more_body": True})
        await asyncio.sleep(1)


async def _endless(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": JSON})
    while True:
        await send({"type": "http.response.body", "body": b" " * (1 << 20), "more_body": True})


async def _broken(scope: Any, receive: Any, send: Any) -> None:
    raise RuntimeError("no answer")


FAULTS: dict[str, tuple[App, str]] = {
    "it never answers": (_silent, "GET /tables got no complete answer within 5 s"),
    "it closes within the body": (_half, "GET /tables got broken HTTP: closed within the body"),
    "it never ends": (_slow, "GET /tables got no complete answer within 5 s"),
    "it floods": (_endless, "GET /tables got an answer of more than 16 MiB"),
    "it closes without an answer": (_broken, "GET /tables got broken HTTP: closed without an answer"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_no_answer_is_a_fault_of_the_target(name: str) -> None:
    app, why = FAULTS[name]
    with pytest.raises(TargetFault) as caught:
        call(app)
    assert caught.value.why.startswith(why)


def test_the_transcript_shows_requests_and_answers_but_no_headers() -> None:
    async def script(connection: HostConnection) -> None:
        connection.mask = lambda text: text.replace("secret", "[masked]")
        await connection.call("POST", "/tables", body={"id": 1}, headers={"Authorization": "Bearer secret"}, who="a")

    _, texts = using(answering(200, b'{"admin_token": "secret"}'), script)
    assert texts == ['POST /tables (token of a)\n{"id":1}', '200 application/json\n{"admin_token": "[masked]"}']


def test_a_path_is_below_v0_1_unless_it_says_otherwise() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await answering(200, b'"' + scope["path"].encode() + b'"')(scope, receive, send)

    assert (call(app, "/tables").value, call(app, "//health").value) == ("/v0.1/tables", "/health")


def test_a_whole_path_is_sent_as_it_stands() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        sent = [scope["raw_path"].decode(), scope["path"], scope["query_string"].decode()]
        await answering(200, json.dumps(sent).encode())(scope, receive, send)

    assert call(app, "//v0.1/%ZZ/%C3%28/%?a=%").value == ["/v0.1/%ZZ/%C3%28/%", "/v0.1/%ZZ/\ufffd(/%", "a=%"]
    assert call(app, "/a%2Fb").value == ["/v0.1/a%2Fb", "/v0.1/a/b", ""]


def test_a_whole_path_reads_with_one_slash() -> None:
    answer, texts = using(answering(404, b"{}"), lambda connection: connection.call("GET", "//v0.1/%ZZ"))
    assert (answer.seen(), texts[0]) == ("404 (to GET /v0.1/%ZZ)", "GET /v0.1/%ZZ\n")


def test_a_body_is_cut_into_pieces_of_one_length() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        pieces = [(await receive())["body"].hex()]
        while len("".join(pieces)) < 2 * int(dict(scope["headers"])[b"content-length"]):
            pieces.append((await receive())["body"].hex())
        named = [name.decode() for name, _ in scope["headers"] if name.startswith((b"content-", b"transfer-"))]
        await answering(200, json.dumps([pieces, sorted(named)]).encode())(scope, receive, send)

    named = ["content-length", "content-type"]
    assert call(app, body="é", cuts=(2,)).value == [["22c3", "a922"], named]
    assert call(app, content=b"abcd", cuts=(1, 3)).value == [["61", "6263", "64"], named]
    assert call(app, content=b"abcd").value == [["61626364"], named]


def test_a_stream_is_read_in_the_background() -> None:
    async def script(connection: HostConnection) -> list[Any]:
        stream = await connection.events("/tables/x/events")
        seen = [await stream.next(1), await stream.named("entry", 1), await stream.next(1), stream.count("entry")]
        await stream.close()
        return [*seen, stream.ended, stream.answer.status]

    pieces = (b"event: hello\n\n", b"event: note\n\nevent: entry\nda", b"ta: 1\n\n")
    hello, entry, nothing, count, ended, status = using(streaming(*pieces), script)[0]
    assert (hello.name, entry.data, nothing, count, ended, status) == ("hello", "1", None, 1, "closed", 200)


def test_a_stream_that_the_host_ends_says_so() -> None:
    async def script(connection: HostConnection) -> str:
        stream = await connection.events("/tables/x/events")
        assert await stream.next(1) is not None
        assert await stream.next(1) is None
        return stream.ended

    assert using(streaming(b"event: hello\n\n", ends=True), script)[0] == "the host ended it"


def test_what_is_no_stream_is_a_whole_answer() -> None:
    async def script(connection: HostConnection) -> tuple[str, str, Any]:
        stream = await connection.events("/tables/x/events")
        return stream.ended, stream.answer.code, await stream.next(1)

    refusal = answering(401, b'{"error": {"code": "E_UNAUTHORIZED", "message": "m"}}')
    assert using(refusal, script)[0] == ("it is no event stream", "E_UNAUTHORIZED", None)


def test_a_stream_without_end_is_read_so_far_and_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "EVENTS_CAP", 50)

    async def script(connection: HostConnection) -> tuple[str, int]:
        stream = await connection.events("/tables/x/events")
        while await stream.next(1) is not None:
            pass
        return stream.ended, len(stream.events)

    async def flood(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM})
        while True:
            await send({"type": "http.response.body", "body": b"event: entry\n\n", "more_body": True})

    assert using(flood, script)[0] == ("it sent more than is read of one stream", 50)
