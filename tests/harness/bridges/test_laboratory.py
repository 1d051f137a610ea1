"""Whatever a bridge does, every check ends with a row that says what is wrong with it, and none is an error of ours."""

import shlex
import sys

import pytest

from harness import check, monitors
from harness.bridges import laboratory
from harness.bridges.session import PROTOCOL
from harness.faults.byob_bridge.s10_key import ShowsTheKey
from harness.managed import fill_command
from harness.selection import compile_selection
from tests.harness.bridges.playing import INITIALIZED, Answer, Message, launching, right
from tests.harness.bridges.test_calling import EVIL

MONITORS = {*monitors.load(PROTOCOL)}
TOOL = {"inputSchema": {"type": "object"}}


def tools(message: Message) -> Answer:
    """A bridge that lists every tool, and does nothing."""
    return right(message, [{**TOOL, "name": f"byob_{name}"} for name in NAMES])


NAMES = (
    "join",
    "read_projection",
    "say",
    "pass",
    "raise_hand",
    "propose",
    "decide",
    "approve",
    "status",
    "receipt",
    "verify",
    "memory",
)
FOUND = {"byob-bridge/2/is-an-mcp-server", "byob-bridge/10/offers-the-twelve-tools"}


@pytest.mark.parametrize(
    ("evil", "method"),
    [("prints junk", "initialize"), ("ends", "initialize"), ("ends", "tools/call"), ("nests deep", "tools/call")],
)
def test_every_row_of_an_evil_bridge_says_so(evil: str, method: str) -> None:
    pieces, reason = EVIL[evil]
    found = laboratory.examine_played(
        launching(lambda message: pieces(message) if message.get("method") == method else tools(message))
    )
    rows = {row.id: row for row in found}
    assert set(rows) == {*check.load(PROTOCOL), *monitors.load(PROTOCOL)}
    passed = {row.id for row in found if row.outcome == "passed"} - MONITORS
    assert passed == (FOUND if method != "initialize" else set())
    assert {str(row.outcome) for row in found if row.id not in MONITORS} <= {"passed", "failed"}
    assert reason in rows["byob-bridge/10/join-takes-a-seat"].why


def test_a_bridge_that_does_nothing_passes_nothing_but_its_list() -> None:
    found = laboratory.examine_played(launching(tools))
    passed = {row.id for row in found if row.outcome == "passed"}
    assert passed == {*FOUND, *MONITORS}
    assert "error" not in {str(row.outcome) for row in found}


def test_a_bridge_that_shows_the_key_is_told_without_showing_it() -> None:
    select = compile_selection("byob-bridge/10/no-call-shows-the-key or byob-bridge/10/the-key-never-leaves")
    rows = laboratory.examine(ShowsTheKey, select)
    assert [str(row.outcome) for row in rows] == ["failed", "failed"]
    assert "[masked]" in str([row.transcript for row in rows])


def test_a_child_that_dies_in_a_call_is_told_with_its_last_words() -> None:
    code = (
        "import json, sys\n"
        "for text in sys.stdin:\n"
        "    asked = json.loads(text)\n"
        "    if asked['method'] == 'tools/call': sys.exit('I am gone')\n"
        "    made = {'initialize': %r, 'tools/list': {'tools': [%r]}}.get(asked['method'])\n"
        "    if 'id' in asked: print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': made}), flush=True)\n"
    )
    tool = {**TOOL, "name": "byob_join"}
    words = [sys.executable, "-c", code % (INITIALIZED, tool)]
    command = shlex.join(words)
    assert fill_command(command, {}) == words
    [row] = laboratory.live(command, lambda each: each == "byob-bridge/10/join-takes-a-seat")
    assert (str(row.outcome), "exit code 1; it said: I am gone" in row.why) == ("failed", True)
