"""YEA 2.3: frames are lines of a byte stream, however its bytes arrive, over TCP, TLS and standard input and output."""

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Any

from harness.check import STREAM_ONLY, check
from harness.context import Context
from harness.encoding import encode, read_line
from harness.errors import NotApplicable
from harness.replies import final_replies, reply_alone, seen
from harness.targets.addresses import parse
from harness.targets.base import Frame
from harness.targets.streams import StreamConnection
from harness.unreadable import expect_no_more, leftovers

TOO_MANY = "ERROR limit"  # YEA-Q15: a service may bound how many requests are in flight
PAUSE = 0.001  # seconds between two pieces, so that each is sent by itself
PLAIN_PATIENCE = 2.0


async def _trickle(conn: StreamConnection, pieces: Iterable[bytes]) -> None:
    for piece in pieces:
        await conn.write(piece)
        await asyncio.sleep(PAUSE)


def _each_once(t: Context, clause: str, found: dict[str, list[Frame]], kind: str, what: str) -> None:
    for number, replies in enumerate(found.values(), 1):
        got = ", ".join(map(seen, replies)) or "no reply"
        crowded = len(found) > 1 and got == TOO_MANY
        t.expect(clause, got == kind or crowded, wanted=f"one {kind} to request {number} of {what}", got=got)


@check("yea/2.3/last-frame-ends-in-a-newline", "YEA-2.3-02", transports=STREAM_ONLY)
async def newline_at_once(t: Context) -> None:
    """A reply's newline comes with it and does not wait for more output; short and long replies alike."""
    for frame in (t.frame("HELLO"), t.frame("PING"), t.frame("EXPAND")):
        conn = await t.stream()
        alone = await reply_alone(t, {**frame, "id": t.frame_id()})
        exchange = await conn.raw(encode(frame), re=frame["id"])
        wanted = f"a whole line, with the {alone.seen()} to {frame['verb']}, and no other request sent"
        t.expect("YEA-2.3-02", exchange.seen() == alone.seen(), wanted=wanted, got=exchange)


@check("yea/2.3/one-byte-at-a-time", "YEA-2.3-03", transports=STREAM_ONLY)
async def one_byte_at_a_time(t: Context) -> None:
    """A HELLO whose bytes arrive one by one is answered once."""
    conn = await t.stream()
    frame = {**t.frame("HELLO"), "agent": {"name": "{}"}}
    frame["id"] += "é☃😀"
    line = encode(frame) + b"\n"
    await _trickle(conn, (line[at : at + 1] for at in range(len(line))))
    _each_once(t, "YEA-2.3-03", await final_replies(conn, [frame]), "BRIEF", "one in pieces of a byte")


@check("yea/2.3/five-frames-at-once", "YEA-2.3-03", transports=STREAM_ONLY)
async def five_at_once(t: Context) -> None:
    """Five HELLOs that arrive in one piece are answered once each."""
    conn = await t.stream()
    frames = [t.frame("HELLO") for _ in range(5)]
    await conn.write(b"".join(encode(frame) + b"\n" for frame in frames))
    _each_once(t, "YEA-2.3-03", await final_replies(conn, frames), "BRIEF", "five in one piece")


@check("yea/2.3/any-split-gives-the-same-replies", "YEA-2.3-03", transports=STREAM_ONLY)
async def any_split(t: Context) -> None:
    """However the bytes of five requests are cut into pieces, each gets the kind of reply that it gets alone."""
    wanted = [[(await reply_alone(t, frame)).seen()] for frame in _five_requests(t)]
    for cuts in (0, 1, 3, 8, 8):
        frames = _five_requests(t)
        data = b"".join(encode(frame) + b"\n" for frame in frames)
        places = sorted(t.rng.sample(range(1, len(data)), cuts))
        conn = await t.stream()
        pieces = [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]
        await _trickle(conn, pieces)
        found = await final_replies(conn, frames)
        got = [[seen(reply) for reply in found[frame["id"]]] for frame in frames]
        told = f"in {cuts + 1} pieces the same replies as one by one: {wanted}"
        ok = all(one in (due, [TOO_MANY]) for one, due in zip(got, wanted, strict=True))
        t.expect("YEA-2.3-03", ok, wanted=told, got=f"{got}")


def _five_requests(t: Context) -> list[dict[str, Any]]:
    return [
        {**t.frame("HELLO"), "id": t.frame_id() + "日本語"},
        t.frame("PING"),
        t.frame("EXPAND", handle="h_none\n"),
        t.frame("ASK", capability="no.such.é", grants=5),
        t.frame("HELLO"),
    ]


@check("yea/2.3/junk-swallows-no-frame-behind-it", "YEA-2.3-03", transports=STREAM_ONLY)
async def junk_and_frames(t: Context) -> None:
    """Frames that arrive in one piece with a line before them that is not JSON are answered all the same."""
    conn = await t.stream()
    frames = [t.frame("PING"), t.frame("HELLO")]
    await conn.write(b"not json\n" + b"".join(encode(frame) + b"\n" for frame in frames))
    found = await final_replies(conn, frames)
    question = "YEA-Q05" if conn.closed else None  # it may close the connection on such a line
    for frame, wanted in zip(frames, ("ERROR bad_frame", "BRIEF"), strict=True):
        got = ", ".join(map(seen, found[frame["id"]])) or "no reply"
        what = f"one {wanted} to the {frame['verb']} behind a line that is not JSON"
        t.expect("YEA-2.3-03", got in (wanted, TOO_MANY), wanted=what, got=got, open_question=question)


@check("yea/2.3/frame-and-a-half", "YEA-2.3-03", transports=STREAM_ONLY)
async def frame_and_a_half(t: Context) -> None:
    """A frame that arrives together with the first half of the next is answered without waiting for the rest."""
    conn = await t.stream()
    first, second = t.frame("HELLO"), t.frame("HELLO")
    line = encode(second) + b"\n"
    await conn.write(encode(first) + b"\n" + line[:20])
    while (reply := await conn.stray()) is not None and not reply.final:
        continue  # YEA 2.2: EVENTs may come before any final reply
    ok = reply is not None and reply.value.get("re") == first["id"] and reply.kind == "BRIEF"
    t.expect("YEA-2.3-03", ok, wanted="BRIEF for the whole frame", got="no reply" if reply is None else reply.value)
    await conn.write(line[20:])
    _each_once(t, "YEA-2.3-03", await final_replies(conn, [second]), "BRIEF", "the half frame and its rest")
    await expect_no_more(t, "YEA-2.3-03", conn, "both replies")


async def _brief(t: Context, clause: str, conn: StreamConnection) -> None:
    """Expect BRIEF, with the service id that the target has everywhere."""
    exchange = await t.hello(conn)
    if t.expect_kind(clause, exchange, "BRIEF"):
        service = exchange.reply.get("service")
        name = service.get("id") if isinstance(service, dict) else None
        t.expect(clause, name == t.facts.service_id, wanted=f"service.id {t.facts.service_id}", got=name)


async def _silent_until_asked(t: Context, clause: str, conn: StreamConnection) -> None:
    """Expect that nothing comes before the first request."""
    came = await leftovers(conn)
    ok = not came and not conn.junk and conn.received_bytes == 0
    start = conn.junk[0].start if conn.junk else came[0].start if came else b""
    told = f"{conn.received_bytes} bytes, beginning {start[:60]!r}"
    t.expect(clause, ok, wanted="no byte before the first request", got=told)


@check("yea/2.3/tcp-is-the-bare-stream", "YEA-2.3-04", transports=("tcp",))
async def tcp(t: Context) -> None:
    """Over TCP nothing precedes the frames: no banner, no handshake."""
    conn = await t.stream()
    await _silent_until_asked(t, "YEA-2.3-04", conn)
    await _brief(t, "YEA-2.3-04", conn)


@check("yea/2.3/tls-is-the-same-stream", "YEA-2.3-06", transports=("tls",))
async def tls(t: Context) -> None:
    """Inside TLS it is the same stream of the same service, and nothing precedes the frames."""
    conn = await t.stream()
    await _silent_until_asked(t, "YEA-2.3-06", conn)
    await _brief(t, "YEA-2.3-06", conn)


@check("yea/2.3/tls-port-answers-no-plain-frames", "YEA-2.3-06", transports=("tls",))
async def plain_on_tls(t: Context) -> None:
    """The TLS port does not answer a frame that comes in the clear."""
    if t.target.in_process:
        raise NotApplicable("the target is in this process and has no port")
    address = parse(t.target.address)
    got = await _ask_in_the_clear(address.host, address.port, encode(t.frame("HELLO")) + b"\n")
    ok = not isinstance(read_line(got.split(b"\n")[0], t.now()), Frame)
    t.expect("YEA-2.3-06", ok, wanted="no frame in the clear", got=f"{got[:100]!r}")
    await _brief(t, "YEA-2.3-06", await t.stream())


async def _ask_in_the_clear(host: str, port: int, line: bytes) -> bytes:
    """Return what a plain connection answers to a line, at most 64 KiB; nothing when it closes or stays silent."""
    got = b""
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(PLAIN_PATIENCE):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(line)
                got = await reader.read(64 * 1024)
            finally:
                writer.close()
    return got


@check("yea/2.3/stdio-speaks-frames", "YEA-2.3-08", "YEA-2.3-09", transports=("stdio",))
async def stdio(t: Context) -> None:
    """A stdio service answers on standard output what it reads on standard input, and writes nothing else there."""
    conn = await t.stream()
    await _silent_until_asked(t, "YEA-2.3-09", conn)
    await _brief(t, "YEA-2.3-08", conn)
    for frame in (t.frame("PING"), t.frame("EXPAND", handle="h_none")):
        exchange = await t.send(frame, conn)
        t.expect("YEA-2.3-08", exchange.kind == "ERROR", wanted="an ERROR", got=exchange)
    problems = [junk.problem for junk in conn.junk if junk.sort != "blank"]
    t.expect("YEA-2.3-09", not problems, wanted="frames and nothing else", got=problems or "only frames")
