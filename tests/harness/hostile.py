"""Hostile services on real sockets: each says a proper BRIEF to the first HELLO, and then something no service should.

A behaviour is a coroutine that gets the connection and the request's frame. Most never end by themselves; the server
that runs them ends them.
"""

import asyncio
import gzip
import json
import socket
import struct
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from harness.limits import MIB
from reference.yea.conformance import conformance_service
from reference.yea.service import Reply
from tests.harness.peers import Peer, line

Frame = dict[str, Any]
Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter, Frame], Awaitable[None]]

NASTY = (
    "\x1b[2J\x1b]0;owned\x07\r\n\u202eedoc\u2066 \x9b31m \u200b\x00| <img src=x> `x` [a](file:///etc/passwd) ../../../x"
)
"""What no terminal, table or file name should ever get to see as it is."""

FIRST = ("naysayer-hello", "naysayer-probe")


def brief(name: str) -> bytes:
    """Return the conformance service's reply to a HELLO with this id, as a line."""
    hello = {"yea": 1, "id": name, "verb": "HELLO", "budget": 100_000}
    *_, last = conformance_service().handle(json.dumps(hello).encode(), 1_790_000_000.0)
    assert isinstance(last, Reply)
    return line(last.frame)


def reply(frame: Frame, **members: Any) -> bytes:
    """Return a reply to a request as a line, by default an ERROR that may well be right."""
    told = {"kind": "ERROR", "code": "bad_frame", "message": "no", **members}
    return line({"yea": 1, "id": f"s-{frame.get('id')}", "re": frame.get("id"), **told})


def after_hello(behave: Behaviour) -> Peer:
    """Return a peer that behaves like this to whatever follows the first HELLO."""

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while request := await reader.readline():
            frame = read(request)
            if frame.get("id") in FIRST:
                writer.write(brief(frame["id"]))
            else:
                await behave(reader, writer, frame)

    return peer


def read(data: bytes) -> Frame:
    """Return a request as a frame, an empty one where it is none."""
    try:
        value = json.loads(data)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def endless(piece: Callable[[Frame], bytes], *, pause: float = 0.0, limit: int = 1 << 40) -> Behaviour:
    """Return a behaviour that says a piece again and again, until so many bytes are sent."""

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, frame: Frame) -> None:
        said, sent = piece(frame), 0
        while sent < limit:
            writer.write(said)
            sent += len(said)
            await writer.drain()
            await asyncio.sleep(pause)

    return behave


def once(say: Callable[[Frame], bytes]) -> Behaviour:
    """Return a behaviour that says one thing."""

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, frame: Frame) -> None:
        writer.write(say(frame))
        await writer.drain()

    return behave


def drip(frame: Frame) -> bytes:
    """A byte of a reply that never ends."""
    return b"{"


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, frame: Frame) -> None:
    """Say nothing."""


async def half_closed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, frame: Frame) -> None:
    """End what is sent, and go on reading."""
    writer.write_eof()
    while await reader.read(MIB):
        continue


async def reset(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, frame: Frame) -> None:
    """Reset the connection."""
    abort(writer)


def abort(writer: asyncio.StreamWriter) -> None:
    """Close a socket in such a way that the other side gets a reset."""
    raw = writer.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def resets_at_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A peer that resets every connection before anything is said."""
    abort(writer)


async def closes_at_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A peer that accepts and closes."""
    writer.close()


async def never_shakes_hands(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A peer that reads a handshake and never answers it."""
    while await reader.read(MIB):
        continue


async def unasked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A peer that answers before it is asked, and then as it should."""
    writer.write(line({"yea": 1, "id": "s-0", "re": "nobody-asked", "kind": "ANSWER", "data": 1}))
    await after_hello(once(reply))(reader, writer)


def deep(frame: Frame) -> bytes:
    """A reply that is nested 100,000 deep."""
    start = json.dumps({"yea": 1, "id": "s", "re": frame.get("id"), "kind": "ANSWER"}).encode()[:-1]
    return start + b',"data":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"


async def deep_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, frame: Frame) -> None:
    """Reply once like this, and hang up."""
    writer.write(deep(frame))
    await writer.drain()
    writer.close()


def dense(frame: Frame) -> bytes:
    """An EVENT of almost a mebibyte that takes twenty times as much to hold."""
    return b'{"yea":1,"id":"s","re":"?","kind":"EVENT","data":[' + b"[]," * 340_000 + b"1]}\n"


def escapes(frame: Frame) -> bytes:
    """An ERROR whose every string, and every name of a member, would do something to a terminal."""
    return reply(frame, code=NASTY, message=NASTY, fix=[{"say": NASTY, "params": {NASTY: NASTY}}], **{NASTY: NASTY})


def kinds_of_escapes(frame: Frame) -> bytes:
    """A reply whose kind would do something to a terminal."""
    return reply(frame, kind=NASTY, lens=NASTY)


def hostile_brief(frame: Frame) -> bytes:
    """A huge BRIEF whose names are file names, Markdown and escapes."""
    made: Frame = read(brief(str(frame.get("id"))))
    made["service"] = {"id": f"../../{NASTY}", "name": NASTY, "summary": NASTY * 100}
    made["capabilities"] += [{"name": f"{NASTY}{n}", "kind": NASTY, "summary": NASTY} for n in range(1000)]
    return line(made)


# The HTTP bridge


def bridge(behave: Behaviour) -> Peer:
    """Return an HTTP peer that answers the first HELLO and GETs properly, and else behaves like this."""

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = next(
            (int(text.partition(":")[2]) for text in head.split("\r\n") if text.startswith("content-length")), 0
        )
        frame = read(await reader.readexactly(length))
        if frame.get("id") in FIRST or head.startswith("get "):
            writer.write(http("200 OK", brief(frame.get("id", "discover"))))
        else:
            await behave(reader, writer, frame)
        await writer.drain()

    return peer


def http(status: str, body: bytes = b"", *headers: str, length: int | None = None) -> bytes:
    """Return an HTTP answer; `length` is what its header says of the body."""
    said = len(body) if length is None else length
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/x-ndjson", "Connection: close", *headers]
    return "\r\n".join([*lines, f"Content-Length: {said}", "", ""]).encode() + body


@cache
def compressed() -> bytes:
    """Return 100 MiB of nothing, compressed."""
    return gzip.compress(bytes(100 * MIB))


def bomb(frame: Frame) -> bytes:
    """An answer of 100 MiB, compressed though nobody asked for that."""
    return http("200 OK", compressed(), "Content-Encoding: gzip")


def many_headers(frame: Frame) -> bytes:
    """An answer with a thousand headers."""
    return http("200 OK", reply(frame), *(f"X-{n}: {'x' * 50}" for n in range(1000)))


def nasty_headers(frame: Frame) -> bytes:
    """An answer whose content type would do something to a terminal."""
    return http("415 \x1b[2Jno", b"", "X-A: \x1b]0;owned\x07")


def moved(location: str) -> Callable[[Frame], bytes]:
    """Return an answer that sends its reader elsewhere."""
    return lambda frame: http("307 Temporary Redirect", b"", f"Location: {location}")


def chunked(frame: Frame) -> bytes:
    """The head of an answer that comes in chunks, and none of them."""
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"


async def endless_chunks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, frame: Frame) -> None:
    """A body of chunks without end."""
    writer.write(chunked(frame))
    await endless(lambda _: b"10000\r\n" + b"x" * 65536 + b"\r\n")(reader, writer, frame)


async def endless_head(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, frame: Frame) -> None:
    """A head without end."""
    writer.write(b"HTTP/1.1 200 OK\r\n")
    await endless(lambda _: b"X-More: and more\r\n" * 1000)(reader, writer, frame)


# A child


CHILD = """
import json, os, signal, subprocess, sys, threading, time
{setup}
for request in sys.stdin:
    frame = json.loads(request)
    sys.stdout.write(json.dumps({{"yea": 1, "id": "s" + frame["id"], "re": frame["id"], "kind": "BRIEF",
        "service": {{"id": "x", "name": "x"}}, "capabilities": []}}) + "\\n")
    sys.stdout.flush()
{last}
"""

CHILDREN = {
    "leaves grandchildren that hold its pipes": (
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])",
        "",
    ),
    "floods its standard error": (
        "threading.Thread(target=lambda: [os.write(2, b'\\x1b[2J' * 8192) for _ in iter(int, 1)], daemon=True).start()",
        "",
    ),
    "ignores every polite signal and the end of its input": (
        "for name in ('SIGTERM', 'SIGINT', 'SIGHUP'): signal.signal(getattr(signal, name), signal.SIG_IGN)",
        "time.sleep(60)",
    ),
}


def child(name: str) -> str:
    """Return the program of a hostile child."""
    setup, last = CHILDREN[name]
    return CHILD.format(setup=setup, last=last)
