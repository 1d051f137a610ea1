"""YEA 2.1: frames up to 1 MiB are read, longer ones are refused, and the connection survives the refusal."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from harness.check import HTTP_ONLY, STREAM_ONLY, check
from harness.context import Context
from harness.encoding import encode
from harness.errors import NotApplicable, Untested
from harness.limits import FRAME_LIMIT, MIB
from harness.targets.base import Connection, Exchange
from harness.targets.streams import StreamConnection
from harness.unreadable import expect_no_more

GIB = 1024 * MIB
FLOOD = 256 * MIB
MOST_GROWTH = FLOOD // 2
TOO_LONG = MIB + 4096


def _sized(t: Context, size: int) -> dict[str, Any]:
    """Return a HELLO whose line has this size; the padding is one long string, so both notions of size agree."""
    frame = t.frame("HELLO", pad="")
    frame["pad"] = "x" * (size - len(encode(frame)))
    return frame


@check("yea/2.1/frame-under-1-mib-is-processed", "YEA-2.1-19", stress=True)
async def nearly_too_large(t: Context) -> None:
    """A request frame of 1 MiB less 1 KiB is answered."""
    t.expect_kind("YEA-2.1-19", await t.send(_sized(t, MIB - 1024)), "BRIEF")


async def _refused(t: Context, conn: Connection, line: bytes) -> Exchange:
    """Send a line that is too long; its refusal may come under any `re` (YEA-Q06)."""
    exchange = await conn.raw(line)
    t.expect_error("YEA-2.1-20", exchange, "bad_frame")
    return exchange


@check("yea/2.1/oversize-frame-is-refused", "YEA-2.1-20", "YEA-2.1-24", stress=True, transports=STREAM_ONLY)
async def oversize_on_a_stream(t: Context) -> None:
    """A frame of 1 MiB and 4 KiB gets one bad_frame, and the connection stays usable."""
    conn = await t.stream()
    await _refused(t, conn, encode(_sized(t, TOO_LONG)))
    await t.alive("YEA-2.1-24", conn)
    await expect_no_more(t, "YEA-2.1-20", conn, "one refusal")


@check("yea/2.1/oversize-frames-are-refused-again", "YEA-2.1-20", "YEA-2.1-24", stress=True, transports=STREAM_ONLY)
async def oversize_again(t: Context) -> None:
    """A second oversized frame on the connection is refused as the first was, a much longer one too."""
    conn = await t.stream()
    for size in (TOO_LONG, 3 * MIB):
        exchange = await _refused(t, conn, encode(_sized(t, size)))
        if not await t.alive("YEA-2.1-24", conn) or exchange.final is None:
            return
    await expect_no_more(t, "YEA-2.1-20", conn, "one refusal of each")


@check("yea/2.1/frame-behind-an-oversize-one-is-answered", "YEA-2.1-24", stress=True, transports=STREAM_ONLY)
async def frame_behind(t: Context) -> None:
    """A frame that arrives in the same breath as the end of an oversized one is answered."""
    conn = await t.stream()
    hello = t.frame("HELLO")
    line = encode(_sized(t, TOO_LONG))
    await conn.write(line[:-2000])
    await asyncio.sleep(0.01)
    await conn.write(line[-2000:] + b"\n" + encode(hello) + b"\n")
    kinds: dict[Any, str] = {}
    while len(kinds) < 2 and (frame := await conn.stray()) is not None:
        if frame.final:
            name = frame.value.get("re")
            kinds["HELLO" if name == hello["id"] else "oversize"] = frame.kind
    got = ", ".join(f"{kind} for the {what}" for what, kind in kinds.items()) or "no reply"
    t.expect("YEA-2.1-24", kinds.get("HELLO") == "BRIEF", wanted="BRIEF for the HELLO behind it", got=got)


@check("yea/2.1/oversize-body-is-refused", "YEA-2.1-21", stress=True, transports=HTTP_ONLY)
async def oversize_on_the_bridge(t: Context) -> None:
    """A body of 1 MiB and 4 KiB gets HTTP 413, or bad_frame, declared or chunked."""
    body = encode(_sized(t, TOO_LONG))
    for how, sent in (("with Content-Length", body), ("chunked", _chunks(body))):
        conn = await t.bridge()
        _body_refused(t, "YEA-2.1-21", await conn.raw(sent), f"a body sent {how}")
    await t.alive("YEA-2.1-21", await t.connect())


def _body_refused(t: Context, clause: str, exchange: Exchange, what: str) -> None:
    """Expect 413 or bad_frame (YEA-Q22); a connection that was reset with no answer only warns."""
    status = exchange.http.status if exchange.http else 0
    reset = exchange.http is None and exchange.closed
    ok = status == 413 or exchange.code == "bad_frame"
    wanted = f"HTTP 413 or ERROR bad_frame to {what}"
    t.expect(clause, ok, wanted=wanted, got=exchange, open_question="YEA-Q22" if reset else None)


async def _chunks(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), 65536):
        yield body[start : start + 65536]


@check("yea/2.1/oversize-body-is-refused-unread", "YEA-2.1-23", stress=True, transports=HTTP_ONLY)
async def oversize_unread(t: Context) -> None:
    """A body that declares 1 GiB is refused when 2 MiB of it have come, without waiting for the rest."""
    conn = await t.bridge()
    exchange = await conn.declare(GIB, b"x" * (2 * MIB))
    _body_refused(t, "YEA-2.1-23", exchange, "a body that declares 1 GiB, of which 2 MiB came")
    await t.alive("YEA-2.1-23", await t.connect())


@check(
    "yea/2.1/oversize-frame-is-not-held", "YEA-2.1-22", stress=True, transports=STREAM_ONLY, alone=True, deadline=180
)
async def oversize_is_not_held(t: Context) -> None:
    """While a line of 256 MiB passes, the service's memory grows by less than half of that."""
    conn = await t.stream()
    peak = t.target.peak_memory
    if peak is None or (before := peak()) is None:
        raise NotApplicable("the memory of the target's process cannot be seen: naysayer did not start it")
    await _flood(conn)
    await conn.stray()
    after = peak()
    growth = (after or before) - before
    told = f"{growth >> 20} MiB more at the peak" if after is not None else "the process is gone"
    ok = after is not None and growth <= MOST_GROWTH
    t.expect("YEA-2.1-22", ok, wanted=f"at most {MOST_GROWTH >> 20} MiB more at the peak", got=told)


async def _flood(conn: StreamConnection) -> None:
    piece = b"x" * MIB
    for _ in range(FLOOD // MIB):
        if conn.closed:
            return
        await conn.write(piece)
    await conn.write(b"\n")


@check("yea/2.1/replies-stay-under-1-mib", "YEA-2.1-18", needs=("big-ask",))
async def replies_stay_under(t: Context) -> None:
    """The reply to an ASK with a huge budget is at most 1 MiB long, whatever it has to leave out."""
    role = await t.role("big-ask")
    frame = t.with_grants("ASK", role.capability, None, params=role.params, budget=10_000_000)
    exchange = await (await t.conn()).raw(encode(frame), re=frame["id"])
    too_long = [junk.problem for junk in exchange.junk if junk.sort == "long"]
    if not too_long and exchange.kind != "ANSWER" and exchange.code != "limit":
        raise Untested(f"an ASK with a huge budget got {exchange.seen()}")
    size = max((reply.size for reply in exchange.frames), default=0)
    ok = not too_long and size <= FRAME_LIMIT
    told = too_long or f"{exchange.seen()} of {size} bytes"
    t.expect("YEA-2.1-18", ok, wanted=f"a frame of at most {FRAME_LIMIT} bytes", got=told)
