"""`naysayer fuzz frames`: over sockets of this machine, so few examples."""

import asyncio
import shlex
import signal
import sys
import time
from pathlib import Path

import pytest

from fuzz.targets import Seen
from harness import cli, fuzzing
from harness.faults import fuzz as faults
from harness.targets import stdio
from harness.targets.addresses import parse
from harness.targets.blocking import BlockingWire
from harness.targets.local import local_wire
from harness.targets.stdio import stdio_target
from reference.yea.conformance import conformance_service
from tests.harness.commands.serving import SERVE, SOURCE, fuzz, served

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", SOURCE)


def complaint(capsys: Capture, *words: str) -> str:
    assert cli.main(["fuzz", *words]) == 2
    return capsys.readouterr().err.removeprefix("naysayer: ").rstrip("\n")


def broken(monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    """Let a broken service stand in for the embedded reference."""
    (fault,) = (each for found in faults.load().values() for each in found if each.id.endswith(words))
    monkeypatch.setattr(fuzzing, "conformance_service", fault.make)


def test_the_embedded_reference_holds(capsys: Capture) -> None:
    code, lines = fuzz(capsys, "frames", "--examples", "30", "--seed", "1")
    assert (code, [line.split(": ")[0] for line in lines]) == (0, ["held  frames/answered", "held  frames/split"])
    assert all(": 30 examples, " in line for line in lines)


def test_a_live_service_holds_over_a_stream_and_over_the_bridge(capsys: Capture, tmp_path: Path) -> None:
    with served("--http", "--http-port", "0") as address:
        code, lines = fuzz(capsys, "frames", "--target", address, "--examples", "20")
        assert (code, [line.split(": ")[0] for line in lines]) == (0, ["held  frames/answered", "held  frames/split"])
        profile = tmp_path / "p.toml"
        profile.write_text(f'[target]\naddresses = ["{address}"]\n')
        assert fuzz(capsys, "frames/answered", "--profile", str(profile), "--examples", "5")[0] == 0


def test_children_that_speak_frames_hold(capsys: Capture) -> None:
    words = shlex.join([*SERVE[:5], "--stdio"])
    code, lines = fuzz(capsys, "frames/answered", "--target", f"stdio:{words}", "--examples", "10")
    assert (code, lines[0].split(": ")[0]) == (0, "held  frames/answered")


CHILD = """
import json, os, sys
for line in sys.stdin.buffer:
    try:
        frame = json.loads(line)
    except ValueError:
        {end}
    print(json.dumps({{"yea": 1, "id": "s", "re": frame["id"], "kind": "BRIEF"}}), flush=True)
"""


@pytest.mark.parametrize(("end", "exit_code"), [("sys.exit(3)", 3), ("os.kill(os.getpid(), 6)", -6)])
def test_how_a_child_ended_is_seen(end: str, exit_code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "END_GRACE", 20.0)
    address = parse(f"stdio:{shlex.join([sys.executable, '-c', CHILD.format(end=end)])}")
    with asyncio.Runner() as runner:
        target = stdio_target(address, time.time, timeout=20.0, start_timeout=20.0)
        wire = BlockingWire(target, 20.0, runner, large=True)
        assert wire.send([b"no frame\n"], [], 1) == Seen(closed=True, exit_code=exit_code)
        assert wire.begin(fresh=False)


def test_a_fault_that_crashes_is_served_by_children() -> None:
    (fault,) = (each for each in faults.load()["frames/answered"] if each.child)
    with fault.target() as wire:
        assert isinstance(wire, BlockingWire)
        assert wire.send([b"\xff\n"], [], 1).exit_code == -signal.SIGABRT


def test_a_failure_is_shrunk_and_can_be_found_again(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, "loses-a-full-buffer")
    words = ("frames/answered", "--examples", "400", "--timeout", "0.5")
    code, lines = fuzz(capsys, *words, "--seed", "1")
    assert (code, lines[0].split(":")[0]) == (1, "failed  frames/answered")
    assert len(lines[1]) <= 250
    assert "b'x' * " in lines[1]
    assert lines[2].startswith("  problem   no final reply to ")
    again = lines[3].removeprefix("  again     naysayer fuzz ")
    assert fuzz(capsys, *shlex.split(again)) == (1, lines)


def test_what_ended_a_service_is_told_and_nothing_more_is_tried(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(monkeypatch, "dies-on-broken-text")
    code, lines = fuzz(capsys, "frames", "--examples", "400", "--seed", "1")
    assert (code, lines[0].split(":")[0]) == (1, "failed  frames/answered")
    assert [line.split()[0] for line in lines[1:4]] == ["before", "last", "problem"]
    assert "no connection to yea://127.0.0.1:" in lines[3]
    assert lines[5:] == ["untested  frames/split: the target can no longer be reached"]


def test_a_property_needs_the_target_that_it_is_about(capsys: Capture) -> None:
    said = complaint(capsys, "frames", "--adapter", "x")
    assert said == "frames/answered is about a live service: it takes --target, and no --adapter"
    said = complaint(capsys, "lens/value", "--target", "yea://127.0.0.1:1")
    assert said == "lens/value is about pure functions: it takes --adapter, and no --target, --command or --profile"


def test_a_service_that_is_not_there_is_wrong_usage(capsys: Capture) -> None:
    assert complaint(capsys, "frames", "--target", "yea://127.0.0.1:1").startswith("yea://127.0.0.1:1: ")


def test_a_wire_tells_what_came() -> None:
    with local_wire(conformance_service(), 5.0) as wire:
        assert wire.begin(fresh=False)
        seen = wire.send([b'{"yea":1,"id":"a",', b'"verb":"PING"}\n'], ["a"])
        assert [(frame["re"], frame["code"]) for frame in seen.frames] == [("a", "bad_frame")]
        assert (seen.junk, seen.closed, wire.begin(fresh=False)) == ((), False, False)
        assert wire.send([b"[]\n"], [], 1).frames[0]["kind"] == "ERROR"
        assert wire.finish() is not None
        assert wire.begin(fresh=True)
