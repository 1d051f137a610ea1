"""YEA 2.1, frames: what is a frame, what is refused, and that a connection survives the refusal."""

from typing import Any

from harness.check import STREAM_ONLY, check
from harness.context import Context
from harness.encoding import encode
from harness.limits import MIB
from harness.targets.base import Exchange

NOT_A_FRAME = {
    "an array": b"[1]",
    "a string": b'"x"',
    "a number": b"42",
    "null": b"null",
    "broken JSON": b'{"yea":1,',
    "two objects in one line": b'{"yea":1,"id":"a","verb":"HELLO"}{"yea":1,"id":"b","verb":"HELLO"}',
}


def bad_frame_or_softer(t: Context, clause: str, exchange: Exchange, what: str, question: str) -> None:
    """Expect bad_frame; a refusal of another form only warns, a successful reply fails."""
    refused = exchange.kind in ("ERROR", "")
    if t.expect(clause, refused, wanted=f"no success for {what}", got=exchange):
        ok = exchange.code == "bad_frame"
        t.expect(clause, ok, wanted=f"ERROR bad_frame for {what}", got=exchange, open_question=question)


@check("yea/2.1/non-objects-are-no-frames", "YEA-2.1-03", "YEA-2.2-02", "YEA-2.4-05")
async def non_objects(t: Context) -> None:
    """A line that is not one JSON object gets bad_frame and is never acted on."""
    clause = "YEA-2.4-05" if t.transport == "http" else "YEA-2.1-03"
    for what, line in NOT_A_FRAME.items():
        conn = await t.connect()
        exchange = await t.send_raw(line, conn=conn)
        bad_frame_or_softer(t, clause, exchange, what, "YEA-Q21" if t.transport == "http" else "YEA-Q05")
        await t.alive(clause, await t.connect() if exchange.closed else conn)


@check("yea/2.1/invalid-utf8-is-no-frame", "YEA-2.1-04")
async def invalid_utf8(t: Context) -> None:
    """A line that is not UTF-8 is not silently repaired, and does no harm."""
    line = encode(t.frame("HELLO", agent={"name": "?"})).replace(b"?", b"\xff")
    exchange = await t.send_raw(line)
    ok = exchange.code == "bad_frame"
    t.expect("YEA-2.1-04", ok, wanted="ERROR bad_frame", got=exchange, open_question="YEA-Q05")
    await t.alive("YEA-2.1-04", await t.connect())


@check("yea/2.1/wrong-yea-is-refused", "YEA-2.1-09")
async def wrong_yea(t: Context) -> None:
    """A request whose `yea` is missing or not 1 gets bad_frame, with `re` its id."""
    for value in ("missing", 2, "1", None):
        frame = t.frame("HELLO")
        frame["yea"] = value
        if value == "missing":
            del frame["yea"]
        exchange = await t.send_raw(encode(frame), re=frame["id"])
        t.expect("YEA-2.1-09", exchange.final is not None, wanted=f"a reply to yea {value!r}", got=exchange)
        ok = exchange.code == "bad_frame"
        wanted = f"ERROR bad_frame for yea {value!r}"
        t.expect("YEA-2.1-09", ok, wanted=wanted, got=exchange, open_question="YEA-Q07")


@check("yea/2.1/id-must-be-a-string", "YEA-2.1-10")
async def wrong_id(t: Context) -> None:
    """A request without a string `id` gets bad_frame."""
    for value in ("missing", 7, None):
        frame = t.frame("HELLO")
        frame["id"] = value
        if value == "missing":
            del frame["id"]
        exchange = await t.send_raw(encode(frame), conn=await t.connect())
        t.expect("YEA-2.1-10", exchange.final is not None, wanted=f"a reply to id {value!r}", got=exchange)
        ok = exchange.code == "bad_frame"
        t.expect("YEA-2.1-10", ok, wanted=f"ERROR bad_frame for id {value!r}", got=exchange, open_question="YEA-Q07")


@check("yea/2.1/re-repeats-the-id-unchanged", "YEA-2.1-12")
async def re_is_the_id(t: Context) -> None:
    """`re` is the request's id, whatever characters it has."""
    for prefix in ("", " ", "é☃ ", '"q"\\', "0", "null ", "x" * 1000):
        frame = t.frame("HELLO")
        frame["id"] = prefix + frame["id"] if prefix else ""
        exchange = await t.send_raw(encode(frame), conn=await t.connect())
        got = exchange.reply.get("re")
        t.expect("YEA-2.1-12", got == frame["id"], wanted=f"re {frame['id'][:60]!r}", got=f"re {str(got)[:60]!r}")


@check("yea/2.1/unknown-verb-is-bad-frame", "YEA-2.1-13", "YEA-2.1-14")
async def unknown_verb(t: Context) -> None:
    """A verb that is unknown, of the wrong type or missing gets bad_frame."""
    missing = t.frame("HELLO")
    del missing["verb"]
    t.expect_error("YEA-2.1-13", await t.send(missing), "bad_frame")
    for verb in ("PING", "hello", "", 5, None, "HELLO "):
        frame = {**t.frame("HELLO"), "verb": verb}
        exchange = await t.send(frame)
        ok = exchange.code == "bad_frame"
        t.expect("YEA-2.1-14", ok, wanted=f"ERROR bad_frame for verb {verb!r}", got=exchange)
    await t.alive("YEA-2.1-14")


EXTRA: dict[str, Any] = {"x": 1, "nested": {"a": [1]}, "lens": "x"}


@check("yea/2.1/unknown-members-are-ignored-on-hello", "YEA-2.1-15", "YEA-2.1-16")
async def unknown_members_on_hello(t: Context) -> None:
    """HELLO with members nobody knows, in the frame and inside `agent`, is answered as without them."""
    plain = await t.hello()
    extra = await t.hello(**EXTRA)
    same = extra.kind == plain.kind and extra.reply.get("service") == plain.reply.get("service")
    t.expect("YEA-2.1-15", same, wanted="the same BRIEF as without the members", got=extra)
    t.expect_kind("YEA-2.1-16", await t.hello(agent={"name": "n", "x": 1}), "BRIEF")


@check("yea/2.1/frame-under-1-mib-is-processed", "YEA-2.1-19", stress=True)
async def nearly_too_large(t: Context) -> None:
    """A request frame of 1 MiB less 1 KiB is answered."""
    exchange = await t.send(_sized(t, MIB - 1024))
    t.expect_kind("YEA-2.1-19", exchange, "BRIEF")


@check("yea/2.1/oversize-frame-is-refused", "YEA-2.1-20", "YEA-2.1-24", stress=True, transports=STREAM_ONLY)
async def oversize_on_a_stream(t: Context) -> None:
    """A frame of 1 MiB and 4 KiB gets one bad_frame, and the connection stays usable."""
    conn = await t.stream()
    exchange = await t.send_raw(encode(_sized(t, MIB + 4096)), conn=conn)
    t.expect_error("YEA-2.1-20", exchange, "bad_frame")
    await t.alive("YEA-2.1-24", conn)
    again = await conn.stray(0.3)
    t.expect("YEA-2.1-20", again is None, wanted="exactly one ERROR", got="one" if again is None else again.value)


@check("yea/2.1/oversize-body-is-refused", "YEA-2.1-21", stress=True, transports=("http",))
async def oversize_on_the_bridge(t: Context) -> None:
    """A body of 1 MiB and 4 KiB gets HTTP 413, or bad_frame, declared or chunked."""
    body = encode(_sized(t, MIB + 4096))
    for how in ("with Content-Length", "chunked"):
        conn = await t.bridge()
        exchange = await conn.raw(body if how == "with Content-Length" else _chunks(body))
        status = exchange.http.status if exchange.http else 0
        reset = status == 0 and exchange.closed
        ok = status == 413 or exchange.code == "bad_frame"
        wanted = f"HTTP 413 or ERROR bad_frame to a body sent {how}"
        t.expect("YEA-2.1-21", ok, wanted=wanted, got=exchange, open_question="YEA-Q22" if reset else None)
    await t.alive("YEA-2.1-21", await t.connect())


def _sized(t: Context, size: int) -> dict[str, Any]:
    """Return a HELLO whose line has this size; the padding is one long string, so both notions of size agree."""
    frame = t.frame("HELLO", pad="")
    frame["pad"] = "x" * (size - len(encode(frame)))
    return frame


async def _chunks(body: bytes) -> Any:
    for start in range(0, len(body), 65536):
        yield body[start : start + 65536]
