"""`naysayer fuzz yea/sessions` and `byob/sessions` with other processes: what they find, replay, start and survive."""

import shlex
import sys
from pathlib import Path

import pytest

from harness import cli, session
from harness.profile import EMPTY
from tests.harness.commands.serving import SOURCE, fuzz, served

Capture = pytest.CaptureFixture[str]
STARTED = shlex.join([sys.executable, "-m", "harness.cli", "serve"])


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", SOURCE)


def problem(lines: list[str]) -> str:
    return next(line for line in lines if line.startswith("  problem "))


def test_a_failure_names_its_clause_and_is_found_again_where_it_is_and_not_elsewhere(capsys: Capture) -> None:
    with served("--fault", "yea/hash-unchecked") as address:
        code, lines = fuzz(capsys, "yea/sessions", "--target", address, "--examples", "40", "--seed", "3")
        assert (code, lines[0][-13:]) == (1, " (YEA-4.4-02)")
        assert lines[1] == "  smallest"
        assert [line.split()[0] for line in lines[2:4]] == ["1.", "2."]
        again = shlex.split(lines[-1].removeprefix("  again     naysayer fuzz "))
        code, repeated = fuzz(capsys, *again)
        assert (code, problem(repeated)) == (1, problem(lines))
    with served() as sound:
        assert fuzz(capsys, *[sound if word == address else word for word in again])[0] == 0


def test_a_service_is_started_and_ended(capsys: Capture) -> None:
    command = f"{STARTED} yea --port {{port}} --fault yea/requester-unchecked"
    words = ("--command", command, "--examples", "60", "--seed", "4", "--workers", "2")
    code, lines = fuzz(capsys, "yea/sessions", *words)
    assert (code, lines[0][-13:]) == (1, " (YEA-4.4-04)")
    assert sum(line.startswith("failed ") for line in lines) == 1  # of two workers, which saw other ids
    assert lines[-1].startswith(f"  again     naysayer fuzz yea/sessions --command {shlex.quote(command)} --seed ")


def test_a_table_host_is_killed_and_started_again(capsys: Capture, tmp_path: Path) -> None:
    command = f"{STARTED} byob --port {{port}} --data {{data}}"
    words = ("--command", command, "--examples", "3", "--seed", "4", "--report", str(tmp_path))
    code, lines = fuzz(capsys, "byob/sessions", *words)
    assert (code, lines[0][:20]) == (0, "held  byob/sessions:")
    assert (tmp_path / "report.json").exists()


def test_a_service_that_nobody_lets_us_use_is_wrong_usage(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "recognise", lambda *_: EMPTY)
    with served() as address:
        assert cli.main(["fuzz", "yea/sessions", "--target", address]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "naysayer: yea/sessions needs a profile with a principal and one of the roles uses, undoable, irreversible or "
        "multi: name one with --profile; naysayer init TARGET writes a first one"
    )
