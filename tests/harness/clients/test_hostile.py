"""A client is hostile until proven otherwise: whatever it does, its check fails with a reason, and the run goes on."""

import asyncio
import sys
from pathlib import Path

import pytest

from harness.clients import trials
from harness.clients.hosting import MOST_CONNECTIONS
from harness.managed import execute
from reports.model import Outcome, Row

CHECK = "yea-client/6.5/proofs-are-for-the-service"
HEAD = """
import json, socket, sys
host, _, port = sys.argv[1].partition("://")[2].partition(":")
stream = socket.create_connection((host, int(port))).makefile("rwb")
def send(data):
    stream.write(data)
    stream.flush()
def say(outcome="done"):
    print(json.dumps({"outcome": outcome}), flush=True)
HELLO = b'{"yea": 1, "id": "1", "verb": "HELLO"}\\n'
send(HELLO)
stream.readline()
"""

BREAKDOWNS = {
    "crashes": (
        "sys.exit('no idea what to do')",
        "printed 0 of 1 results and ended with exit code 1; it said: no idea",
    ),
    "is killed": ("import os\nos.kill(os.getpid(), 9)", "printed 0 of 1 results and ended with exit code -9"),
    "ends without a word": ("", "printed 0 of 1 results and ended with exit code 0"),
    "floods its output": ("while True: print('x' * 65536)", "printed more than 4 MiB"),
    "floods the service": ("while True: send(HELLO); stream.readline()", "floods the service with requests"),
    "prints something else": ("print('all is well')", "printed 0 of 1 results and ended with exit code 0"),
}
SPOILERS = {
    "sends lines that are no frames": "send(b'\\n[1]\\n{\\n\\xff\\n\"yea\"\\n'); say('failed')",
    "sends a request that is too large": "send(b'x' * (3 << 20) + b'\\n'); say('failed')",
    "hangs up in mid-frame": "send(b'{\"yea\": 1'); stream.close(); say('failed')",
    "sends frames without anything in them": "send(b'{}\\n'); stream.readline(); say('failed')",
    "sends members of other types": 'send(b\'{"id":[],"verb":{},"proof":5,"grants":{}}\\n\'); say(\'failed\')',
    "commits what is not there": (
        'send(b\'{"id":"9","verb":"COMMIT","proposal":[{}],"hash":{},"grants":[[]],"proof":[]}\\n\'); say(\'failed\')'
    ),
    "opens many connections": (
        f"held = [socket.create_connection((host, int(port))) for _ in range({MOST_CONNECTIONS // 10})]; say('failed')"
    ),
}


def row(folder: Path, code: str) -> Row:
    (folder / "client.py").write_text(HEAD + code)
    command = f"'{sys.executable}' '{folder}/client.py' {{url}}"
    rows = asyncio.run(trials.examine(command, execute, CHECK.__eq__, ["tcp"]))
    assert [each.id for each in rows] == [CHECK]
    return rows[0]


@pytest.mark.parametrize("name", BREAKDOWNS)
def test_one_that_breaks_down_fails_its_check(tmp_path: Path, name: str) -> None:
    code, why = BREAKDOWNS[name]
    found = row(tmp_path, code)
    assert found.outcome == Outcome.FAILED
    assert f"the client {why}" in found.why
    assert "it met: a sound proposal" in found.why
    assert (
        found.findings[0].wanted
        == "a client that ends by itself, with one result for each job (docs/client-contract.md)"
    )


@pytest.mark.parametrize("name", SPOILERS)
def test_one_that_sends_nonsense_shows_nothing_and_breaks_nothing(tmp_path: Path, name: str) -> None:
    found = row(tmp_path, SPOILERS[name])
    shows_nothing = {
        (Outcome.NOT_APPLICABLE, "the client signs nothing"),
        (Outcome.UNTESTED, "the proof of its request without a verb verifies for no audience"),
        (Outcome.UNTESTED, "the proof of its COMMIT verifies for no audience"),
    }
    assert (found.outcome, found.why) in shows_nothing
