"""Replies to frames that were written by hand, several in one piece or one in several: which request got what."""

from typing import Any

from harness.context import Context
from harness.errors import Untested
from harness.targets.base import Exchange, Frame
from harness.targets.streams import StreamConnection
from harness.unreadable import leftovers


async def reply_alone(t: Context, frame: dict[str, Any]) -> Exchange:
    """Send a request alone and return how it went; raises Untested unless a HELLO gets a BRIEF, another an ERROR."""
    exchange = await t.send(frame)
    if exchange.kind != ("BRIEF" if frame["verb"] == "HELLO" else "ERROR"):
        raise Untested(f"{frame['verb']} alone got {exchange.seen()}")
    return exchange


async def final_replies(conn: StreamConnection, frames: list[dict[str, Any]]) -> dict[str, list[Frame]]:
    """Return the final replies to frames that were written by hand, by request id, once all came or no more does."""
    found: dict[str, list[Frame]] = {frame["id"]: [] for frame in frames}
    while not all(found.values()) and (reply := await conn.stray()) is not None:
        _file(found, reply)
    for reply in await leftovers(conn):
        _file(found, reply)
    return found


def _file(found: dict[str, list[Frame]], reply: Frame) -> None:
    re = reply.value.get("re")
    if reply.final and isinstance(re, str) and re in found:
        found[re].append(reply)


def seen(reply: Frame) -> str:
    """Return a reply's kind, and its code if it has one."""
    code = reply.value.get("code")
    return f"{reply.kind} {code}" if isinstance(code, str) else reply.kind
