"""A conversation with a bridge ends, in time and with a reason, whatever the bridge does."""

from collections.abc import Callable
from typing import Any

import pytest

from harness.bridges.calling import Result, Silent, conversation
from harness.bridges.things import HOST, STDERR, STDOUT, Out
from harness.bridges.wire import MOST_LINES, Wire
from harness.clock import run_virtual
from harness.errors import TargetFault
from tests.harness.bridges.playing import Answer, Message, PlayedLink, line, right


class Noted:
    """All that passed."""

    def __init__(self) -> None:
        self.outs = list[Out]()

    def sent(self, connection: str, data: bytes) -> None:
        pass

    def received(self, connection: str, frame: Any) -> None:
        self.outs.append(frame)


def played(answer: Callable[[Message], Answer], errors: tuple[str, ...] = ()) -> tuple[Result | TargetFault, Noted]:
    """What a call of byob_say comes to, and what passed."""
    noted, link = Noted(), PlayedLink(answer, errors)
    wire = Wire(link, "bridge1", noted, lambda text: text.replace("secret", "[masked]"), ("secret",))

    async def main() -> Result | TargetFault:
        try:
            async with conversation(link, wire, 10.0) as talk:
                return await talk.call("byob_say", {"body": "a"})
        except TargetFault as problem:
            return problem

    made = run_virtual(main())
    assert link.stopped
    return made, noted


def at(method: str, pieces: Callable[[Message], Answer]) -> Callable[[Message], Answer]:
    """A bridge that does wrong when it is asked one thing."""
    return lambda message: pieces(message) if message.get("method") == method else right(message)


def test_a_right_bridge_returns_its_result() -> None:
    made, noted = played(right)
    assert isinstance(made, Result)
    assert (made.ok, made.mentions("byob_say"), made.how) == (True, True, "")
    assert {out.problem for out in noted.outs} == {""}


EVIL: dict[str, tuple[Callable[[Message], Answer], str]] = {
    "says nothing": (lambda message: [], "got no answer within "),
    "ends": (lambda message: None, "got no answer: the bridge ended with exit code 7"),
    "prints junk": (lambda message: [b"ready!\n"], "it printed a line that is no message (not JSON"),
    "prints JSON that is no message": (lambda message: [b'{"level": 1}\n'], "(JSON, but no JSON-RPC message)"),
    "prints a list": (lambda message: [b"[1]\n"], "(JSON, but not an object)"),
    "nests deep": (lambda message: [b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n"], "more than 200 levels deep"),
    "never ends its line": (lambda message: [b"x" * 65_536] * 70, "the bridge printed a line of more than 4 MiB"),
    "prints a long line": (lambda message: [b"x" * (5 << 20) + b"\n"], "the bridge printed a line of more than 4 MiB"),
    "floods": (
        lambda message: [line({"method": "notifications/message", "params": {"level": "info", "data": 1}}) * 1000] * 40,
        f"the bridge printed more than {MOST_LINES:,} lines",
    ),
    "answers another": (lambda message: [line({"id": "nobody", "result": {}})], "got no answer within "),
    "is not UTF-8": (lambda message: [b"\xff\xfe\n"], "(not UTF-8"),
}


@pytest.mark.parametrize("evil", EVIL)
@pytest.mark.parametrize("method", ["initialize", "tools/list", "tools/call"])
def test_whatever_a_bridge_does_is_told_in_time(evil: str, method: str) -> None:
    pieces, reason = EVIL[evil]
    made, _ = played(at(method, pieces))
    assert isinstance(made, TargetFault)
    assert reason in made.why


def test_only_a_bridge_that_still_runs_is_silent() -> None:
    made = [played(at("tools/call", EVIL[evil][0]))[0] for evil in ("says nothing", "ends")]
    assert [isinstance(problem, Silent) for problem in made] == [True, False]


@pytest.mark.parametrize(
    "result",
    [{}, {"content": "text"}, {"content": [{"type": "riddle"}]}],
    ids=["empty", "no list", "unknown content"],
)
def test_a_result_that_mcp_does_not_allow_is_a_fault_of_the_bridge(result: Any) -> None:
    made, _ = played(at("tools/call", lambda message: [line({"id": message["id"], "result": result})]))
    assert isinstance(made, TargetFault)
    assert "a call of byob_say was answered by what MCP does not allow" in made.why


def test_tools_that_never_end_are_not_listed_for_ever() -> None:
    page = {"tools": [], "nextCursor": "more"}
    made, _ = played(at("tools/list", lambda message: [line({"id": message["id"], "result": page})]))
    assert isinstance(made, TargetFault)
    assert made.why == "tools/list has more than 20 pages"


def test_a_json_rpc_error_is_a_failure_of_the_tool() -> None:
    error = {"code": -32000, "message": "no", "data": {"code": "E_NOT_FLOOR"}}
    made, _ = played(at("tools/call", lambda message: [line({"id": message["id"], "error": error})]))
    assert isinstance(made, Result)
    assert (made.ok, made.how, made.text) == (
        False,
        "failed by a JSON-RPC error (-32000)",
        'no {"code":"E_NOT_FLOOR"}',
    )


def test_a_result_is_not_held_against_the_schema_of_the_bridge() -> None:
    schema = {"type": "object", "required": ["x"], "properties": {"x": {"$ref": "http://nowhere.invalid/x"}}}
    tool = {"name": "byob_say", "inputSchema": {"type": "object"}, "outputSchema": schema}
    made, _ = played(lambda message: right(message, [tool]))
    assert isinstance(made, Result)
    assert made.ok


def test_a_bridge_without_the_old_handshake_is_asked_as_of_2026() -> None:
    discovered = {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
    }

    def modern(message: Message) -> Answer:
        method = message.get("method")
        if method == "initialize":
            return [line({"id": message["id"], "error": {"code": -32601, "message": "there is no initialize"}})]
        if method == "server/discover":
            return [line({"id": message["id"], "result": discovered})]
        if method == "tools/list":
            return [line({"id": message["id"], "result": {"tools": [], **discovered}})]
        return [
            line(
                {"id": message["id"], "result": {"resultType": "complete", "content": [{"type": "text", "text": "a"}]}}
            )
        ]

    made, _ = played(modern)
    assert isinstance(made, Result), made
    assert (made.ok, made.text) == (True, "a")


def test_all_that_leaves_is_shown_masked_with_its_whole_text_for_the_monitors() -> None:
    _, noted = played(at("tools/call", lambda message: [b"my secret\n", *right(message)]), errors=("a secret",))
    shown = [(out.where, out.text, out.start) for out in noted.outs if "secret" in out.text]
    assert shown == [(STDERR, "a secret", b"a [masked]"), (STDOUT, "my secret", b"my [masked]")]
    assert HOST not in {out.where for out in noted.outs}
