"""Replies to frames that were written by hand: each request's final ones, and nothing else."""

from typing import Any

from harness.encoding import encode
from harness.replies import final_replies, seen
from harness.targets.base import Frame
from harness.targets.streams import StreamConnection
from tests.harness.peers import Peer, Seen, answering, line, talk

FRAMES: list[dict[str, Any]] = [{"yea": 1, "id": name, "verb": "HELLO"} for name in ("a", "b")]


def told(peer: Peer) -> dict[str, list[str]]:
    """Return what came for each of two requests that were written in one piece."""

    async def script(connection: StreamConnection, watcher: Seen) -> dict[str, list[str]]:
        await connection.write(b"".join(encode(frame) + b"\n" for frame in FRAMES))
        found = await final_replies(connection, FRAMES)
        return {name: [seen(reply) for reply in replies] for name, replies in found.items()}

    result: dict[str, list[str]] = talk(peer, script)
    return result


def test_each_request_has_its_own() -> None:
    def answer(frame: dict[str, Any]) -> dict[str, Any]:
        return {"kind": "BRIEF"} if frame["id"] == "a" else {"kind": "ERROR", "code": "limit"}

    assert told(answering(answer)) == {"a": ["BRIEF"], "b": ["ERROR limit"]}


def test_one_that_never_came_is_missing_and_one_too_many_is_there() -> None:
    async def peer(reader: Any, writer: Any) -> None:
        await reader.readline()
        for kind, re in (("EVENT", "a"), ("BRIEF", "a"), ("BRIEF", "other"), ("ERROR", "a")):
            writer.write(line({"yea": 1, "id": f"s-{kind}-{re}", "re": re, "kind": kind}))

    assert told(peer) == {"a": ["BRIEF", "ERROR"], "b": []}


def test_a_code_that_is_no_string_is_left_out() -> None:
    assert seen(Frame({"kind": "ERROR", "code": 5}, 1, 0.0)) == "ERROR"
