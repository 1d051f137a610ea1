"""`naysayer certify` of BYOB table hosts from end to end: few tests, since each costs a second or two."""

import contextlib
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import harness
from harness import cli
from reports.document import read_document

SOURCE = str(Path(harness.__file__).parent.parent)
NAYSAYER = [sys.executable, "-m", "harness.cli"]
HTTP, CODES = "byob/2/http-and-json", "byob/11/codes-of-configs"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module", autouse=True)
def path() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", SOURCE)
        yield


@contextlib.contextmanager
def serving(*words: str) -> Iterator[str]:
    """Serve a reference as a process of its own; yields its web address."""
    with subprocess.Popen([*NAYSAYER, "serve", *words], stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            yield json.loads(server.stderr.readline())["http"]
        finally:
            server.kill()


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    """The address of a sound host that several tests share."""
    with serving("byob", "--port", "0") as address:
        yield address


def certify(folder: Path, *words: str) -> int:
    return cli.main(["certify", *words, "--report", str(folder)])


def rows(folder: Path) -> dict[str, str]:
    return {row["id"]: row["outcome"] for row in read_document(folder / "report.json")["checks"]}


@pytest.mark.parametrize("words", [(), ("--protocol", "byob")], ids=["probed", "named"])
def test_a_host_behind_an_address_is_certified(host: str, words: tuple[str, ...], tmp_path: Path) -> None:
    assert certify(tmp_path, host, *words, "-k", HTTP) == 0
    document = read_document(tmp_path / "report.json")
    assert document["scope"] == {"protocol": "byob", "role": "host", "transports": ["http"], "slow": False}
    assert rows(tmp_path) == {HTTP: "passed"}


def test_the_base_path_may_be_part_of_the_address(host: str, tmp_path: Path) -> None:
    assert certify(tmp_path, f"{host}/v0.1/", "-k", HTTP) == 0


def test_one_row_is_run_again_with_all_that_it_was_run_with(host: str, tmp_path: Path, capsys: Capture) -> None:
    assert certify(tmp_path, host, "-k", HTTP, "--seed", "7") == 0
    row = read_document(tmp_path / "report.json")["checks"][0]
    words = shlex.split(row["replay"])
    assert words == ["naysayer", "certify", host, "--seed", "7", "--replay", f"{HTTP}@http"]
    assert cli.main([*words[1:], "--report", str(tmp_path / "again")]) == 0
    assert rows(tmp_path / "again") == {HTTP: "passed"}
    assert "Dialect of the host, learned or set in the profile: " in capsys.readouterr().out


def test_the_embedded_references_are_certified_together(tmp_path: Path) -> None:
    assert certify(tmp_path, "-k", f"{HTTP} or yea/2.1/unknown-verb-is-bad-frame", "--transport", "http") == 0
    document = read_document(tmp_path / "report.json")
    assert [run["scope"]["protocol"] for run in document["runs"]] == ["yea", "byob"]
    assert document["counts"]["passed"] == sum(run["counts"]["passed"] for run in document["runs"]) == 2


def test_a_selection_of_one_protocol_starts_that_one_alone(tmp_path: Path) -> None:
    assert certify(tmp_path, "-k", HTTP) == 0
    assert read_document(tmp_path / "report.json")["scope"]["protocol"] == "byob"


def test_a_host_is_started_restarted_and_ended(tmp_path: Path) -> None:
    command = shlex.join([*NAYSAYER, "serve", "byob", "--port", "{port}", "--data", "{data}"])
    outlasts = "byob/5/tasks-outlast-a-restart"
    assert certify(tmp_path, "--protocol", "byob", "--command", command, "-k", outlasts) == 0
    assert rows(tmp_path) == {outlasts: "passed"}


def test_a_host_without_data_is_not_restarted(tmp_path: Path) -> None:
    command = shlex.join([*NAYSAYER, "serve", "byob", "--http-port", "{http_port}"])
    outlasts = "byob/5/tasks-outlast-a-restart"
    certify(tmp_path, "--protocol", "byob", "--command", command, "-k", outlasts)
    row = read_document(tmp_path / "report.json")["checks"][0]
    assert row["outcome"] == "not_applicable"
    assert row["why"] == "the command does not use {data}, so the service keeps no state that would outlast a restart"


def test_a_broken_host_fails_and_is_told_which_clause_it_broke(tmp_path: Path, capsys: Capture) -> None:
    with serving("byob", "--port", "0", "--fault", "creations-as-text") as address:
        assert certify(tmp_path, address, "--protocol", "byob", "-k", HTTP) == 1
    said = capsys.readouterr().out
    assert f"FAILED  {HTTP}@http" in said and "BYOB-2-01" in said


def test_a_profile_sets_the_dialect(host: str, tmp_path: Path, capsys: Capture) -> None:
    profile = tmp_path / "p.toml"
    profile.write_text(f'[target]\naddresses = ["{host}"]\n[dialect]\nheartbeat_ms = 250\ntotal = "tokens_used"\n')
    assert certify(tmp_path, "--profile", str(profile), "-k", HTTP) == 0
    assert "heartbeat_ms from 250" in capsys.readouterr().out


WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "two hosts": (("http://127.0.0.1:1", "http://127.0.0.1:2"), "a table host has one address, http://HOST:PORT"),
    "a YEA address": (("yea://127.0.0.1:1",), "a table host has one address, http://HOST:PORT"),
    "a transport that it has not": (("http://127.0.0.1:1", "--transport", "tcp"), "the target has no address over tcp"),
    "nobody there": (("http://127.0.0.1:1",), "http://127.0.0.1:1: connection refused"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_makes_no_sense_is_said_in_one_sentence(name: str, tmp_path: Path, capsys: Capture) -> None:
    words, problem = WRONG[name]
    assert certify(tmp_path, *words, "--protocol", "byob") == 2
    assert capsys.readouterr().err.startswith(f"naysayer: {problem}")


def test_a_service_is_told_from_a_host(tmp_path: Path, capsys: Capture) -> None:
    with serving("yea", "--port", "0", "--http", "--http-port", "0") as address:
        assert certify(tmp_path, address, "-k", "yea/2.1/unknown-verb-is-bad-frame") == 0
        assert read_document(tmp_path / "report.json")["scope"]["protocol"] == "yea"
        assert certify(tmp_path, address, "--protocol", "byob") == 2
    assert f"naysayer: {address}: does not speak BYOB: " in capsys.readouterr().err


def test_the_progress_counts_the_rows_that_come_and_says_no_stop(host: str, tmp_path: Path, capsys: Capture) -> None:
    assert certify(tmp_path, host, "-k", "byob/6") == 0
    made = len(rows(tmp_path))
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("checks: ")]
    assert said[0] == f"checks: {made} checks to run"
    assert said[-1] == f"checks: {made} of {made}: {made} passed"
