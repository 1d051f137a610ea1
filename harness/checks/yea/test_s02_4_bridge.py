"""YEA 2.4, the HTTP bridge: status, media type, the lines of a response, discovery, and what is refused."""

from typing import Any

from harness.check import HTTP_ONLY, check
from harness.context import Context
from harness.cuts import same
from harness.encoding import encode, shown
from harness.errors import NotApplicable, TargetFault, Untested
from harness.targets import rawhttp
from harness.targets.base import Exchange
from harness.targets.http import HttpConnection, Page
from harness.unreadable import acted_on
from reference.yea import jsontext

NDJSON = "application/x-ndjson"
WELL_KNOWN = "/.well-known/yea"


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _requests(t: Context) -> dict[str, dict[str, Any]]:
    """Return one request for each way to fail that needs no role, and a HELLO."""
    return {
        "HELLO": t.frame("HELLO"),
        "an unknown verb": t.frame("PING"),
        "an ASK of an unknown capability": t.frame("ASK", capability="no.such.capability"),
        "an ASK with bad params": t.frame("ASK", capability="no.such.capability", params=[]),
        "a COMMIT without grants": t.frame("COMMIT", proposal="p_none", hash="A" * 43),
        "an UNDO without grants": t.frame("UNDO", receipt="r_none"),
        "an EXPAND of an unknown handle": t.frame("EXPAND", handle="h_none"),
    }


async def _posted(t: Context, frame: dict[str, Any]) -> Exchange:
    """POST a frame and return the exchange, with or without a reply in it."""
    return await (await t.bridge()).raw(encode(frame))


def _lines_end_in_the_final_reply(t: Context, exchange: Exchange, name: Any, what: str) -> None:
    """Expect EVENTs and then one final reply, all with this `re`."""
    clause = "YEA-2.4-03"
    kinds = [frame.kind for frame in exchange.frames]
    shape = bool(kinds) and all(kind == "EVENT" for kind in kinds[:-1]) and kinds[-1] != "EVENT" and not exchange.junk
    got = ", ".join([*kinds, *(junk.problem for junk in exchange.junk)]) or exchange.seen()
    t.expect(clause, shape, wanted=f"EVENTs if any, then one final reply, to {what}", got=got)
    others = [frame.value.get("re") for frame in exchange.frames if frame.value.get("re") != name]
    t.expect(clause, not others, wanted=f"re {name} on every line", got=others or "on every line")


@check("yea/2.4/posts-get-200", "YEA-2.4-01", "YEA-2.4-02", "YEA-2.4-03", "YEA-2.4-04", transports=HTTP_ONLY)
async def posts_get_200(t: Context) -> None:
    """A POSTed frame gets 200 and newline-delimited JSON whose last line is the final reply, a YEA error too."""
    for what, frame in _requests(t).items():
        exchange = await _posted(t, frame)
        status = exchange.http.status if exchange.http else 0
        clause = "YEA-2.4-01" if what == "HELLO" else "YEA-2.4-04"
        t.expect(clause, status == 200, wanted=f"status 200 to {what}", got=f"status {status}")
        if status == 200 and exchange.http is not None:
            media = exchange.http.content_type
            t.expect("YEA-2.4-02", _media_type(media) == NDJSON, wanted=f"{NDJSON} to {what}", got=media or "none")
            _lines_end_in_the_final_reply(t, exchange, frame["id"], what)
            kind = "BRIEF" if what == "HELLO" else "ERROR"
            t.expect(clause, exchange.kind == kind, wanted=f"{kind} to {what}", got=exchange)


@check(
    "yea/2.4/events-come-in-the-same-response",
    "YEA-2.4-01",
    "YEA-2.4-02",
    "YEA-2.4-03",
    needs=("slow-commit",),
    commits=1,
    transports=HTTP_ONLY,
)
async def events_in_the_response(t: Context) -> None:
    """The response to a slow COMMIT holds its EVENTs, if any, and then the RECEIPT as its last line."""
    offer = await t.offer("slow-commit")
    frame = offer.commit()
    exchange = await t.commit(offer, frame, await t.bridge())
    _lines_end_in_the_final_reply(t, exchange, frame["id"], "a slow COMMIT")
    status, media = (exchange.http.status, exchange.http.content_type) if exchange.http else (0, "")
    t.expect("YEA-2.4-01", status == 200, wanted="status 200 to a slow COMMIT", got=f"status {status}")
    t.expect("YEA-2.4-02", _media_type(media) == NDJSON, wanted=NDJSON, got=media or "none")


HELLO = b'{"yea":1,"id":"%s","verb":"HELLO"}'
NOT_ONE_FRAME = {
    "a word": b"not json",
    "an empty array": b"[]",
    "an array around a frame": b"[" + HELLO % b"in-an-array" + b"]",
    "a string": b'"x"',
    "a number": b"42",
    "null": b"null",
    "an object cut short": b'{"yea":1,',
    "an empty body": b"",
    "two frames on two lines": HELLO % b"first" + b"\n" + HELLO % b"second",
    "two frames on one line": HELLO % b"first" + HELLO % b"second",
    "a form": b"yea=1&id=form&verb=HELLO",
}


@check("yea/2.4/bodies-that-are-no-frames-are-not-acted-on", "YEA-2.4-05", transports=HTTP_ONLY)
async def not_one_frame(t: Context) -> None:
    """A body that is not one request frame gets bad_frame, or a 4xx, and is not acted on."""
    conn = await t.bridge()
    for what, body in NOT_ONE_FRAME.items():
        exchange = await conn.raw(body)
        wanted = f"no other reply than an ERROR to {what}"
        if t.expect("YEA-2.4-05", not acted_on(exchange), wanted=wanted, got=exchange):
            ok = exchange.code == "bad_frame" and exchange.http is not None and exchange.http.status == 200
            wanted = f"200 and ERROR bad_frame to {what}"
            t.expect("YEA-2.4-05", ok, wanted=wanted, got=exchange, open_question="YEA-Q21")
    await t.alive("YEA-2.4-05", conn)


def _document(page: Page) -> Any:
    """Return the one JSON value that a page is, or None."""
    try:
        return jsontext.loads(page.body.strip())
    except ValueError:
        return None


def _is_brief(page: Page, hello: dict[str, Any]) -> bool:
    """Whether a page is the BRIEF that a default HELLO gets: same kind, service and capabilities (YEA-Q20)."""
    document = _document(page)
    if page.http.status != 200 or not isinstance(document, dict):
        return False
    alike = document.get("kind") == hello.get("kind") and same(document.get("service"), hello.get("service"))
    return alike and _same_capabilities(document, hello)


def _same_capabilities(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two BRIEFs list the same capabilities, in any order.

    Where one is cut, the other may be cut elsewhere, as a handle's cost may differ; what both list is the same.
    """
    first, second = _by_name(one), _by_name(other)
    if first is None or second is None:
        return False
    cut = bool(one.get("more") or other.get("more"))
    shared = first.keys() & second.keys()
    return (cut or first.keys() == second.keys()) and all(same(first[name], second[name]) for name in shared)


def _by_name(brief: dict[str, Any]) -> dict[str, Any] | None:
    listed = brief.get("capabilities")
    if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
        return None
    return {shown(entry.get("name"), 1000): entry for entry in listed}


async def _get(conn: HttpConnection, path: str | None) -> Page | None:
    try:
        return await conn.get(path)
    except TargetFault:
        return None


def _seen(page: Page | None) -> str:
    if page is None:
        return "no answer"
    return f"HTTP {page.http.status} {page.http.content_type}: {page.body[:200]!r}"


@check("yea/2.4/discovery-is-the-brief", "YEA-2.4-06", "YEA-2.4-07", transports=HTTP_ONLY)
async def discovery(t: Context) -> None:
    """GET on the endpoint and GET on /.well-known/yea return the BRIEF that a default HELLO gets."""
    conn = await t.bridge()
    hello = (await t.hello(conn)).reply
    if hello.get("kind") != "BRIEF":
        raise Untested("HELLO gets no BRIEF to compare with")
    endpoint, well_known = await _get(conn, None), await _get(conn, WELL_KNOWN)
    right = [page is not None and _is_brief(page, hello) for page in (endpoint, well_known)]
    question = "YEA-Q19" if any(right) else None  # one of the two will do
    for clause, ok, page in (("YEA-2.4-06", right[0], endpoint), ("YEA-2.4-07", right[1], well_known)):
        t.expect(clause, ok, wanted="the BRIEF of a default HELLO", got=_seen(page), open_question=question)


@check("yea/2.4/discovery-is-one-object", "YEA-2.4-08", transports=HTTP_ONLY)
async def discovery_is_one_object(t: Context) -> None:
    """The discovery document is one JSON object, with the service's id and the capabilities in it."""
    conn = await t.bridge()
    pages = [page for page in (await _get(conn, None), await _get(conn, WELL_KNOWN)) if page is not None]
    found = [page for page in pages if page.http.status == 200]
    if not found:
        t.expect("YEA-2.4-08", False, wanted="a discovery document", got=", ".join(map(_seen, pages)) or "no answer")
    for page in found:
        document = _document(page)
        ok = isinstance(document, dict) and document.get("kind") == "BRIEF"
        t.expect("YEA-2.4-08", ok, wanted="one JSON object of kind BRIEF", got=_seen(page))


ODD_HEADS = (
    b"GET /.well-known/yea HTTP/1.1\r\nHost: [::broken\r\n\r\n",
    b"GET /.well-known/yea HTTP/1.1\r\nHost: a b:port\r\nHost: \r\n\r\n",
    b"GET //[ HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\x16\x03\x01 this is no HTTP\r\n\r\n",
)


@check("yea/2.4/half-a-request-does-no-harm", "YEA-2.4-01", "YEA-2.4-06", transports=HTTP_ONLY)
async def half_a_request(t: Context) -> None:
    """A POST that hangs up in the middle of its body, or a head that is none, leaves the bridge as it was."""
    conn = await t.bridge()
    if conn.dial is None:
        raise NotApplicable("the target is in this process: there is no socket to hang up")
    for length, start in ((1000, b'{"yea":1'), (1000, b""), (2_000_000, b"x" * 100_000)):
        await conn.hang_up(length, start)
    for head in ODD_HEADS:
        await rawhttp.say(conn.dial, head)
    await t.alive("YEA-2.4-01", await t.connect())
    page = await _get(await t.bridge(), None) or await _get(await t.bridge(), WELL_KNOWN)
    ok = page is not None and page.http.status < 500
    t.expect("YEA-2.4-06", ok, wanted="an answer to GET afterwards", got=_seen(page))
