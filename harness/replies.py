"""Replies to frames that were written by hand, several in one piece or one in several: which request got what."""

from typing import Any

from harness.targets.base import Frame
from harness.targets.streams import StreamConnection
from harness.unreadable import leftovers


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
