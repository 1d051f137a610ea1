"""`naysayer certify --protocol byob-bridge`, as a person calls it."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from harness import cli

BRIDGE = ["certify", "--protocol", "byob-bridge"]
SAY = "byob-bridge/10/say-posts-a-say"
FAULTY = shlex.join([sys.executable, "-m", "harness.cli", "mcp", "--fault", "says-it-to-everybody"])


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Reports go to a folder of the test."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report(folder: Path) -> dict[str, object]:
    made: dict[str, object] = json.loads((folder / "naysayer-report" / "report.json").read_text())
    return made


def test_the_reference_bridge_is_certified_without_a_command(elsewhere: Path) -> None:
    assert cli.main([*BRIDGE, "-k", "byob-bridge/2 or byob-bridge/10/join-takes-a-seat"]) == 0
    made = report(elsewhere)
    assert (made["target"], made["verdict"], made["counts"]) == (
        "the reference bridge",
        "conforming",
        {"passed": 3, "failed": 0, "warned": 0, "not_applicable": 0, "untested": 0, "errors": 0},
    )
    assert made["scope"] == {"protocol": "byob-bridge", "role": "bridge", "transports": ["mcp"], "slow": False}


def test_a_command_is_certified_and_its_row_replayed(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*BRIDGE, "--command", FAULTY, "--seed", "7", "--replay", f"{SAY}@mcp"]) == 1
    [row] = report(elsewhere)["checks"]  # type: ignore[misc] # it is a list
    assert (row["id"], row["transport"], row["outcome"]) == (SAY, "mcp", "failed")
    assert row["replay"] == (
        f"naysayer certify --protocol byob-bridge --command {shlex.quote(FAULTY)} --seed 7 --replay {SAY}@mcp"
    )


NO_BRIDGE = {
    "no such program": (["--command", "no-such-bridge"], "--command: there is no program 'no-such-bridge'"),
    "an end": (["--command", "true"], "true: the handshake got no answer: the bridge ended with exit code 0"),
    "an echo": (["--command", "cat"], "cat: the bridge refused the handshake: Method not found"),
    "an address": (
        ["http://127.0.0.1:1"],
        "--protocol byob-bridge takes no TARGET: the bridge is what --command starts",
    ),
    "another transport": (
        ["--transport", "tcp"],
        "a bridge is certified over mcp only, on its standard input and output",
    ),
}


@pytest.mark.parametrize("name", NO_BRIDGE)
def test_what_is_no_bridge_is_told_in_one_sentence(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, sentence = NO_BRIDGE[name]
    assert cli.main([*BRIDGE, *words]) == 2
    assert capsys.readouterr().err.strip() == f"naysayer: {sentence}"
