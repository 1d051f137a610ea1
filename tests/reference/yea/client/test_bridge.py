"""The HTTP bridge as a client uses it (YEA 2.4)."""

import gzip
import json
from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from reference.yea.client.bridge import BridgeLink
from reference.yea.client.errors import AddressError, BadReply, ClientError, ConnectionLost, ReplyTooLarge, Unreachable
from reference.yea.client.multiplex import Received
from reference.yea.framing import MAX_FRAME
from tests.reference.yea.client.playing import Frame, answered, error, run

URL = "http://played.invalid/yea"
ANSWER = answered({"kind": "ANSWER", "data": 1}, {"id": "1"})
EVENT = answered({"kind": "EVENT", "message": "m"}, {"id": "1"})
Handler = Callable[[httpx.Request], httpx.Response]


class Body(httpx.AsyncByteStream):
    """A body in pieces, which knows how much of it was taken, and whether it was closed."""

    def __init__(self, *pieces: bytes | Exception) -> None:
        self.pieces = pieces
        self.taken, self.closed = 0, False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            self.taken += 1
            if isinstance(piece, Exception):
                raise piece
            yield piece

    async def aclose(self) -> None:
        self.closed = True


def told(handler: Handler) -> tuple[Received, list[Frame]]:
    """The reply to one request, and the EVENTs before it."""
    events: list[Frame] = []
    got: list[Received] = []

    async def test() -> None:
        link = BridgeLink(URL, httpx.AsyncClient(transport=httpx.MockTransport(handler)))
        try:
            got.append(await link.exchange("1", b'{"id":"1"}', events.append))
        finally:
            await link.close()

    run(test())
    return got[0], events


def saying(*pieces: bytes | Exception, status: int = 200, **headers: str) -> tuple[Handler, Body]:
    body = Body(*pieces)
    return lambda _: httpx.Response(status, stream=body, headers=headers), body


def failing(handler: Handler, kind: type[ClientError], said: str) -> None:
    with pytest.raises(kind, match=said) as raised:
        told(handler)
    assert type(raised.value) is kind


def test_a_request_is_a_post_that_asks_for_no_compression() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, stream=Body(ANSWER))

    told(answer)
    [request] = seen
    assert (request.method, str(request.url), request.content) == ("POST", URL, b'{"id":"1"}')
    assert request.headers["content-type"] == "application/json"
    assert request.headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("size", [1, 3, 50, 10_000])
def test_events_and_the_final_reply_come_in_any_pieces(size: int) -> None:
    data = EVENT + b"\n" + EVENT + ANSWER
    handler, body = saying(*(data[start : start + size] for start in range(0, len(data), size)))
    reply, events = told(handler)
    assert (reply.frame["data"], [event["message"] for event in events]) == (1, ["m", "m"])
    assert body.closed


def test_nothing_is_read_past_the_final_reply() -> None:
    handler, body = saying(EVENT, ANSWER, b"junk\n", EVENT)
    reply, _ = told(handler)
    assert (reply.frame["data"], body.taken, body.closed) == (1, 2, True)


def test_the_last_line_may_lack_its_newline() -> None:
    handler, _ = saying(ANSWER.rstrip())
    assert told(handler)[0].frame["data"] == 1


def test_an_error_is_for_the_request_whatever_it_names() -> None:
    handler, _ = saying(answered(error("bad_frame"), {"id": "?"}))
    assert told(handler)[0].frame["code"] == "bad_frame"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(status: int) -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(status, headers={"location": "http://elsewhere.invalid/yea"}, stream=Body(ANSWER))

    failing(answer, BadReply, f"HTTP status {status}: it redirects, and redirects are not followed")
    assert asked == [URL]


@pytest.mark.parametrize(
    ("status", "said"), [(413, "413: the request is too large"), (404, "404"), (500, "500"), (201, "201")]
)
def test_any_other_status_is_no_reply(status: int, said: str) -> None:
    handler, body = saying(ANSWER, status=status)
    failing(handler, BadReply, f"HTTP status {said}")
    assert (body.taken, body.closed) == (0, True)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "GZIP, gzip"])
def test_nothing_is_decompressed(coding: str) -> None:
    handler, body = saying(gzip.compress(ANSWER), **{"content-encoding": coding})
    failing(handler, BadReply, "compressed")
    assert body.taken == 0


def test_a_body_that_says_that_it_is_not_compressed_is_read() -> None:
    handler, _ = saying(ANSWER, **{"content-encoding": "identity"})
    assert told(handler)[0].frame["data"] == 1


def test_a_reply_over_one_mebibyte_is_refused_before_it_has_come() -> None:
    piece = b"x" * 65536
    handler, body = saying(b'{"yea":1,"id":"s","re":"1","data":"', *[piece] * 100_000)
    failing(handler, ReplyTooLarge, f"over {MAX_FRAME} bytes")
    assert body.taken < 20


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ([], "without a final reply$"),
        ([EVENT], "without a final reply$"),
        ([b"<html>\n"], "without a final reply; it sent a line that is not JSON"),
        ([ANSWER.replace(b'"re": "1"', b'"re": "2"')], 'it sent a "ANSWER" in reply to "2"'),
        ([ANSWER[:-5]], "it sent a line that is not JSON"),
    ],
)
def test_a_response_without_a_final_reply_is_a_broken_rule(pieces: list[bytes], said: str) -> None:
    handler, _ = saying(*pieces)
    failing(handler, BadReply, said)


def test_a_response_that_breaks_off_is_a_lost_connection() -> None:
    handler, body = saying(EVENT, httpx.RemoteProtocolError("peer closed connection"))
    failing(handler, ConnectionLost, "the HTTP exchange broke: peer closed connection")
    assert body.closed


def test_a_host_that_is_not_there_cannot_be_reached() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("all attempts failed") from ConnectionRefusedError(111, "no")

    failing(answer, Unreachable, f"no connection to {URL}: connection refused")


def test_a_url_that_is_none_is_refused() -> None:
    with pytest.raises(AddressError):
        BridgeLink("http://h:x/", httpx.AsyncClient())


def test_each_post_is_a_connection_of_its_own() -> None:
    """Ids are unique for a connection, and one response never answers another request."""
    seen: list[Frame] = []

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, stream=Body(answered({"kind": "ANSWER", "data": 1}, json.loads(request.content))))

    async def test() -> None:
        link = BridgeLink(URL, httpx.AsyncClient(transport=httpx.MockTransport(answer)))
        for _ in range(2):
            assert (await link.exchange("1", b'{"id":"1"}', seen.append)).frame["re"] == "1"
        await link.close()

    run(test())
