"""HTTP as a seat uses it: bounded, without redirects and compression, errors in one sentence (BYOB 2, 11)."""

import asyncio
import gzip
import json
import logging
from collections.abc import AsyncIterator

import httpx
import pytest

from reference.byob.seat import wire
from reference.byob.seat.errors import AnswerLost, BadAnswer, Refused, SeatError, Unreachable
from reference.byob.seat.wire import Wire
from tests.reference.byob.seat.sitting import URL, answered, played, run


class Body(httpx.AsyncByteStream):
    """A body in pieces; an exception among them breaks it off."""

    def __init__(self, *pieces: bytes | Exception) -> None:
        self.pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece


def answering(status: int, *pieces: bytes | Exception, **headers: str) -> Wire:
    return Wire(URL, played(lambda _: httpx.Response(status, stream=Body(*pieces), headers=headers)))


def failing(host: Wire, kind: type[SeatError], said: str) -> SeatError:
    caught: list[SeatError] = []

    async def test() -> None:
        with pytest.raises(kind, match=said) as raised:
            await host.get("/tables/t/memory", "secret-token")
        assert type(raised.value) is kind
        assert "\n" not in str(raised.value) and "secret-token" not in repr(raised.value)
        caught.append(raised.value)

    run(test())
    return caught[0]


def test_a_request_has_the_token_asks_for_no_compression_and_is_json() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return answered({"any": "success"}, 201)

    async def test() -> None:
        host = Wire(f"{URL}/v0.1/", wire.http_client(transport=httpx.MockTransport(answer)))
        assert await host.post("/tables/t/entries", {"é": 1}, "tok") == {"any": "success"}
        assert await host.get("/tables/t/projection", "tok", since=3) == {"any": "success"}
        await host.close()

    run(test())
    post, get = seen
    assert (post.method, str(post.url), post.content) == ("POST", f"{URL}/v0.1/tables/t/entries", '{"é":1}'.encode())
    assert (post.headers["authorization"], post.headers["content-type"]) == ("Bearer tok", "application/json")
    assert (post.headers["accept-encoding"], str(get.url)[-8:]) == ("identity", "?since=3")


def test_a_token_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        await answering(200, b"{}").get("/tables/t/memory", "secret-token")

    with caplog.at_level(logging.DEBUG):
        run(test())
    assert "secret-token" not in caplog.text


def test_a_refusal_has_its_code_and_a_message_that_is_safe_to_show() -> None:
    body = json.dumps({"error": {"code": "E_NOT_FLOOR", "message": "wait\n\x1b[31m" + "x" * 400}}).encode()
    problem = failing(answering(409, body), Refused, "^E_NOT_FLOOR: wait")
    assert isinstance(problem, Refused)
    assert (problem.status, problem.code, problem.message[:16]) == (409, "E_NOT_FLOOR", "wait\\n\\x1b[31mxx")
    assert len(problem.message) < 320


@pytest.mark.parametrize(
    ("status", "body", "kind", "said"),
    [
        (200, b"{", BadAnswer, "the host's answer is no JSON"),
        (200, b"\xff", BadAnswer, "the host's answer is no JSON"),
        (200, b"[" * 200 + b"]" * 200, BadAnswer, "more than 128 levels"),
        (302, b"", BadAnswer, "HTTP status 302 and no BYOB error: it redirects, and redirects are not followed"),
        (404, b"<html>", BadAnswer, "HTTP status 404 and no BYOB error$"),
        (400, b'{"error": "E_SCHEMA"}', BadAnswer, "HTTP status 400 and no BYOB error"),
        (500, b'{"error": {"code": 7}}', BadAnswer, "HTTP status 500 and no BYOB error"),
        (503, b"", AnswerLost, "the host is away: HTTP status 503"),
        (503, b'{"error": {"code": "E_X"}}', Refused, "^E_X$"),
    ],
)
def test_what_is_no_answer(status: int, body: bytes, kind: type[SeatError], said: str) -> None:
    failing(answering(status, body), kind, said)


def test_a_redirect_is_not_followed() -> None:
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(str(request.url))
        return httpx.Response(307, stream=Body(), headers={"location": "http://elsewhere.invalid/"})

    failing(Wire(URL, wire.http_client(transport=httpx.MockTransport(answer))), BadAnswer, "redirects are not followed")
    assert seen == [f"{URL}/v0.1/tables/t/memory"]


def test_an_answer_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MOST_BYTES_OF_A_LEDGER", 100)

    async def test() -> None:
        with pytest.raises(BadAnswer, match="more than 100 bytes"):
            await answering(200, b"x" * 60, b"x" * 60).get_ledger("/tables/t/ledger", "t")

    run(test())
    mebibyte = b" " * (1 << 20)
    failing(answering(200, *[mebibyte] * 17), BadAnswer, "more than 16777216 bytes")


def test_a_compressed_body_is_not_read() -> None:
    encoded = {"content-encoding": "gzip"}
    failing(answering(200, gzip.compress(b"{}"), **encoded), BadAnswer, "compressed body")


def test_a_connection_that_cannot_be_made_or_that_breaks() -> None:
    refused = httpx.ConnectError("x")
    refused.__cause__ = ConnectionRefusedError(111, "Connection refused")

    def raising(problem: Exception) -> Wire:
        def answer(_: httpx.Request) -> httpx.Response:
            raise problem

        return Wire(URL, played(answer))

    failing(raising(refused), Unreachable, f"no connection to {URL}/v0.1: connection refused")
    failing(raising(httpx.ReadTimeout("slow")), AnswerLost, f"the connection to {URL}/v0.1 broke: slow")
    failing(answering(200, b"{", httpx.ReadError("")), AnswerLost, "broke: ReadError")


def test_an_answer_that_trickles_for_ever_is_given_up() -> None:
    class Trickle(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            while True:
                await asyncio.sleep(1)
                yield b" "

    failing(
        Wire(URL, played(lambda _: httpx.Response(200, stream=Trickle()))), AnswerLost, "did not answer within 30 s"
    )


def heard(*pieces: bytes | Exception, kind: str = "text/event-stream; charset=utf-8", status: int = 200) -> list[str]:
    names: list[str] = []

    async def test() -> None:
        async with answering(status, *pieces, **{"content-type": kind}).events("/tables/t/events", "tok") as events:
            async for name in events:
                names.append(name)

    run(test())
    return names


def test_events_are_heard_by_name() -> None:
    assert heard(b": hi\n\nevent: hello\ndata: {}\n\nev", b"ent: entry\r\ndata: 1\r\n\r\n") == ["hello", "entry"]


def test_long_streams_are_heard_and_endless_events_are_not() -> None:
    event = b"event: entry\ndata: " + b"x" * 1000 + b"\n\n"
    split = [event[:-1], event[-1:]] * 200
    assert len(heard(*split)) == 200
    with pytest.raises(BadAnswer, match="an event of more than 65536 bytes"):
        heard(b"data: ", *[b"x" * 1000] * 100)
    with pytest.raises(BadAnswer, match="an event of more than 65536 bytes"):
        heard(*[b"data: x\n" * 100] * 100)


def test_streams_that_break_off_or_are_none() -> None:
    with pytest.raises(AnswerLost):
        heard(b"event: hello\n\n", httpx.ReadError("gone"))
    with pytest.raises(BadAnswer, match="no text/event-stream"):
        heard(b"{}", kind="application/json")
    with pytest.raises(Refused, match="E_UNAUTHORIZED"):
        heard(b'{"error": {"code": "E_UNAUTHORIZED", "message": ""}}', status=401)


def test_an_address_is_shown_and_nothing_else() -> None:
    assert repr(answering(200)) == f"Wire('{URL}/v0.1')"
