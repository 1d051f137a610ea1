"""`naysayer certify` from end to end, on sockets of this machine: few tests, since each costs a second or two."""

import contextlib
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import harness
from harness import cli
from reports.document import read_document
from reports.lines import read_lines
from tests.harness import children

SOURCE = str(Path(harness.__file__).parent.parent)
NAYSAYER = [sys.executable, "-m", "harness.cli"]
SERVE = [*NAYSAYER, "serve", "yea", "--port", "0", "--http", "--http-port", "0"]
HASH, VERB = "yea/4.4/hash-mismatch-conflicts", "yea/2.1/unknown-verb-is-bad-frame"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module", autouse=True)
def path() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", SOURCE)
        yield


@contextlib.contextmanager
def served(*options: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Start the reference as a process of its own; yields it with its addresses."""
    with subprocess.Popen([*SERVE, *options], stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            bound = json.loads(server.stderr.readline())
            yield server, [bound["tcp"], bound["http"]]
        finally:
            server.kill()


@pytest.fixture(scope="module")
def addresses() -> Iterator[list[str]]:
    """The addresses of a sound service that several tests share."""
    with served() as (_, bound):
        yield bound


def certify(folder: Path, *words: str) -> int:
    return cli.main(["certify", *words, "--report", str(folder)])


def outcomes(document: dict[str, Any]) -> Counter[str]:
    return Counter(row["outcome"] for row in document["checks"])


def listens(address: str) -> bool:
    host, _, port = address.rpartition("://")[2].partition("/")[0].rpartition(":")
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex((host, int(port))) == 0


def rows_in(folder: Path, number: int) -> bool:
    """Wait until a run that goes on has written so many passed rows; whether it did within a minute."""
    for _ in range(6000):
        with contextlib.suppress(OSError):
            lines = (folder / "run.jsonl").read_text("ascii").splitlines()[1:-1]
            if sum(json.loads(line)["outcome"] == "passed" for line in lines) >= number:
                return True
        time.sleep(0.01)
    return False


def test_a_run_over_both_transports_leaves_its_files(addresses: list[str], tmp_path: Path, capsys: Capture) -> None:
    code = certify(tmp_path / "r", *addresses, "-k", f"{HASH} or {VERB}", "--seed", "5")
    said = capsys.readouterr()
    made = read_document(tmp_path / "r" / "report.json")
    assert code == 0
    assert sorted((row["id"], row["transport"], row["outcome"]) for row in made["checks"]) == [
        (VERB, "http", "passed"),
        (VERB, "tcp", "passed"),
        (HASH, "http", "passed"),
        (HASH, "tcp", "passed"),
    ]
    assert (made["complete"], made["verdict"], made["target"]) == (True, "conforming", " ".join(addresses))
    assert made["scope"] == {"protocol": "yea", "role": "service", "transports": ["tcp", "http"], "slow": False}
    assert made["clauses"]["unreached"] == []
    for row in made["checks"]:
        replay = f"naysayer certify {' '.join(addresses)} --seed 5 --replay {row['id']}@{row['transport']}"
        assert row["replay"] == replay
    assert read_lines(tmp_path / "r" / "run.jsonl").complete
    assert ET.parse(tmp_path / "r" / "junit.xml").getroot().tag in ("testsuite", "testsuites")  # noqa: S314 - our own
    assert "CONFORMING" in said.out
    assert said.out.endswith(f"report: {tmp_path / 'r' / 'report.json'}\n")
    assert "profile: built-in profile conformance" in said.err
    assert " to calendar.book (role undoable)" in said.err


def test_one_row_can_be_replayed(addresses: list[str], tmp_path: Path, capsys: Capture) -> None:
    assert certify(tmp_path, *addresses, "--replay", f"{HASH}@http") == 0
    made = read_document(tmp_path / "report.json")
    assert [(row["id"], row["transport"]) for row in made["checks"]] == [(HASH, "http")]
    assert "target: http://" in capsys.readouterr().err


def test_without_a_profile_nothing_is_committed(tmp_path: Path, capsys: Capture, addresses: list[str]) -> None:
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    assert certify(tmp_path / "r", addresses[0], "--profile", str(empty), "-k", HASH) == 1
    made = read_document(tmp_path / "r" / "report.json")
    (row,) = made["checks"]
    assert (row["outcome"], row["why"]) == ("not_applicable", "the profile offers no role undoable")
    assert "COMMIT" not in capsys.readouterr().err


def test_a_server_is_started_with_its_ports_and_ended(tmp_path: Path, capsys: Capture) -> None:
    words = [*NAYSAYER, "serve", "yea", "--port", "{port}", "--http", "--http-port", "{http_port}"]
    assert certify(tmp_path, "--command", shlex.join(words), "-k", VERB) == 0
    made = read_document(tmp_path / "report.json")
    assert outcomes(made) == {"passed": 2}
    assert [listens(address) for address in made["target"].split()] == [False, False]


def test_without_a_target_the_reference_is_certified_over_four_transports(tmp_path: Path, capsys: Capture) -> None:
    tls, stdio = "yea/2.3/tls-is-the-same-stream", "yea/2.3/stdio-speaks-frames"
    assert certify(tmp_path, "-k", f"{VERB} or {tls} or {stdio}") == 0
    made = read_document(tmp_path / "report.json")
    assert sorted((row["id"], row["transport"], row["outcome"]) for row in made["checks"]) == [
        (VERB, "http", "passed"),
        (VERB, "stdio", "passed"),
        (VERB, "tcp", "passed"),
        (VERB, "tls", "passed"),
        (stdio, "stdio", "passed"),
        (tls, "tls", "passed"),
    ]
    assert made["scope"]["transports"] == ["tcp", "tls", "http", "stdio"]
    assert made["clauses"]["unreached"] == []
    (run,) = read_lines(tmp_path / "run.jsonl").runs
    assert {"YEA-2.3-06", "YEA-2.3-08", "YEA-2.3-09"} <= run.exercised
    assert "profile: built-in profile conformance" in capsys.readouterr().err


def test_a_service_of_standard_input_and_output_is_started_for_each_connection(tmp_path: Path) -> None:
    words = shlex.join([*NAYSAYER, "serve", "yea", "--stdio"])
    assert certify(tmp_path, f"stdio:{words}", "-k", HASH) == 0
    (row,) = read_document(tmp_path / "report.json")["checks"]
    assert (row["transport"], row["outcome"]) == ("stdio", "passed")
    assert shlex.split(row["replay"])[:3] == ["naysayer", "certify", f"stdio:{words}"]


DOUBT = "yea/4.4/interrupted-commit-counts-for-limits"


def test_a_server_that_keeps_its_data_is_killed_and_started_again(tmp_path: Path, capsys: Capture) -> None:
    words = [*NAYSAYER, "serve", "yea", "--port", "{port}", "--data", "{data}"]
    assert certify(tmp_path / "kept", "--command", shlex.join(words), "-k", DOUBT) == 0
    assert outcomes(read_document(tmp_path / "kept" / "report.json")) == {"passed": 1}


def test_a_server_that_keeps_nothing_is_not_killed(tmp_path: Path, capsys: Capture) -> None:
    words = [*NAYSAYER, "serve", "yea", "--port", "{port}"]
    assert certify(tmp_path, "--command", shlex.join(words), "-k", DOUBT) == 1
    (row,) = read_document(tmp_path / "report.json")["checks"]
    assert (row["outcome"], row["why"].partition(",")[0]) == ("not_applicable", "the command does not use {data}")


def test_a_service_that_is_killed_in_mid_run_leaves_a_report(tmp_path: Path, capsys: Capture) -> None:
    with served() as (server, bound):

        def kill() -> None:
            if rows_in(tmp_path, 3):
                server.send_signal(signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        code = certify(tmp_path, *bound)
        killer.join()
    made = read_document(tmp_path / "report.json")
    reasons = Counter(row["why"].partition(" to ")[0] for row in made["checks"] if row["outcome"] == "untested")
    died = [row for row in made["checks"] if "the target died during this check" in row["why"]]
    assert (code, made["complete"]) == (1, False)
    assert len(died) >= 1
    assert {row["outcome"] for row in died} == {"failed"}
    assert reasons["target gone: no connection"] > 50
    assert "target gone" in capsys.readouterr().out


def test_an_interruption_leaves_a_report_and_no_process(tmp_path: Path) -> None:
    words, mark = [*NAYSAYER, "certify", "--report", str(tmp_path)], {**os.environ, "MARK": f"mark of {tmp_path}"}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=mark) as run:
        assert rows_in(tmp_path, 3)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    made = read_document(tmp_path / "report.json")
    untested = Counter(row["why"] for row in made["checks"] if row["outcome"] == "untested")
    assert (run.returncode, made["complete"]) == (130, False)
    assert untested["interrupted"] > 50
    assert outcomes(made)["passed"] >= 3
    assert "Traceback" not in err
    assert "interrupted" in out
    assert [listens(address) for address in made["target"].split() if "://" in address] == [False, False, False]
    assert not children.PROC or children.marked(mark["MARK"]) == []


def test_a_termination_during_the_start_is_an_interruption_too(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    code = f"import os, time; open({str(pid_file)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    words = [*NAYSAYER, "certify", "--command", f"{shlex.join([sys.executable, '-c', code])} {{port}}"]
    with subprocess.Popen([*words, "--report", str(tmp_path / "r")], stderr=subprocess.PIPE, text=True) as run:
        for _ in range(3000):
            if pid_file.exists() and pid_file.read_text():
                break
            time.sleep(0.01)
        run.send_signal(signal.SIGTERM)
        _, err = run.communicate(timeout=30)
    assert (run.returncode, err) == (130, "naysayer: interrupted\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)
