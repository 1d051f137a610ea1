"""The page about the table host: its commands run as they stand, and its figures are the code's."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from reference.byob import bodies, events, serve, validating

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "table-host.md").read_text("utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
NAYSAYER = [sys.executable, "-m", "harness.cli"]


def test_the_commands_run_as_they_stand(tmp_path: Path) -> None:
    command = [*NAYSAYER, "serve", "byob", "--port", "0", "--data", "tables"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment) as server:
        assert server.stderr is not None
        try:
            where = json.loads(server.stderr.readline())["http"]
            start, *rest = BLOCKS
            assert start == "naysayer serve byob --port 8700 --data tables\n"
            shim = f'naysayer() {{ "{sys.executable}" -m harness.cli "$@"; }}\n'
            script = "set -e\n" + shim + "\n".join(rest).replace("http://127.0.0.1:8700", where)
            script = script.replace("curl -s $TABLE", "echo; curl -s $TABLE")
            done = subprocess.run(
                ["bash", "-c", script],  # noqa: S607 - the page is for whichever shell is there
                env={**environment, "BYOB_URL": where},
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
        finally:
            server.terminate()
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    said, projection, decided, memory, ledger = answers
    assert (said["kind"], said["seat"], decided["kind"], decided["seat"]) == ("say", "ada", "decision", "bob")
    assert [each.get("event", each["kind"]) for each in projection["tail"][-2:]] == ["say", "floor_granted"]
    assert (memory["status"], [each["body"] for each in memory["decisions"]]) == ("closed", ["Soup it is."])
    assert ledger["entries"][-1]["event"] == "table_closed"
    assert [entry["seq"] for entry in ledger["entries"]] == [*range(1, len(ledger["entries"]) + 1)]


def test_its_figures_are_those_of_the_code() -> None:
    assert f"over {bodies.MAX_BODY >> 20} MiB, over {validating.MAX_DEPTH} levels" in PAGE
    assert f"slower than {bodies.BODY_SECONDS:g} s" in PAGE
    assert f"A comment after {events.KEEP_ALIVE_SECONDS:g} s of silence" in PAGE
    assert f"leaves {events.QUEUED} events unread" in PAGE
    assert serve.WATCH_SECONDS == 1 / 4
    assert "four times a second" in PAGE
