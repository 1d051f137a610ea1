"""`naysayer serve byob`: its flags, what they serve, and what it says when they make no sense."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness import cli, command_line, faults
from harness.commands.serve import table_options
from harness.faults import fuzz
from reference.byob.host import Host
from reference.byob.serve import DEFAULT_PORT, ServeOptions
from reference.byob.store import MemoryStore
from tests.reference.byob.playing import config

ROOT = Path(__file__).parents[3]


def asked(*flags: str) -> ServeOptions:
    return table_options(command_line.parser("serve").parse_args(["serve", "byob", *flags]))


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        ([], {}),
        (["--port", "0"], {"port": 0}),
        (["--http-port", "0"], {"port": 0}),
        (["--http", "--http-port", "8701"], {"port": 8701}),
        (["--host", "::1", "--data", "d"], {"host": "::1", "data": Path("d")}),
    ],
)
def test_flags_are_what_is_served(flags: list[str], wanted: dict[str, Any]) -> None:
    assert asked(*flags) == ServeOptions(host_factory=Host, **wanted)


def test_a_table_host_has_a_port_of_its_own() -> None:
    assert asked().port == DEFAULT_PORT == 8700


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--tls"], "--tls is for yea; a table host takes --host, --port and --data"),
        (["--tls-port", "1"], "--tls-port is for yea; a table host takes --host, --port and --data"),
        (["--cert", "c"], "--cert is for yea; "),
        (["--key", "k"], "--key is for yea; "),
        (["--stdio"], "--stdio is for yea; "),
        (["--trust", "ed25519:x"], "--trust is for yea; "),
        (["--port", "1", "--http-port", "1"], "--port and --http-port are the same for a table host; give one of them"),
        (["--port", "0", "--data", "{file}"], "cannot keep tables in {file}: it is no folder; name a folder, or "),
        (["--port", "0", "--data", "{file}/below"], "cannot keep tables in {file}/below: {file} is no folder; name "),
        (["--port", "0", "--host", "256.1.1.1"], "cannot listen on 256.1.1.1: "),
        (["--fault", "fuzz/none"], "no fault 'fuzz/none'; `naysayer serve byob --fault list` shows them all"),
        (["--fault", "none-of-them"], "no fault 'none-of-them'; `naysayer serve byob --fault list` shows them all"),
    ],
)
def test_what_cannot_be_served_is_one_sentence(
    flags: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    code = cli.main(["serve", "byob", *(flag.replace("{file}", str(file)) for flag in flags)])
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"naysayer: {said.replace('{file}', str(file))}")


def test_a_damaged_ledger_is_one_sentence_that_names_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.jsonl").write_text("no ledger\n")
    assert cli.main(["serve", "byob", "--port", "0", "--data", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"naysayer: line 1 of {tmp_path}/t.jsonl is damaged; ")


@pytest.mark.parametrize("protocol", ["yea", "byob"])
def test_the_faults_of_a_protocol_are_listed_with_those_of_fuzzing(
    protocol: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve", protocol, "--fault", "list"]) == 0
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()] == [*faults.load(protocol), *fuzz.served(protocol)]
    assert (err, fuzz.served(protocol) != {}) == ("", True)


@pytest.mark.parametrize("name", fuzz.served("byob"))
def test_a_fault_of_fuzzing_is_served(name: str) -> None:
    host = asked("--fault", name).host_factory(MemoryStore())
    host.create(config(), 0.0)
    assert type(host.tables["t"]) is fuzz.find("byob", name).wrong


def test_a_protocol_without_faults_loads_none() -> None:
    assert faults.load("no-such-protocol") == {}


def test_the_first_line_on_standard_error_says_what_was_bound(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "harness.cli", "serve", "byob", "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stderr is not None
        where = json.loads(process.stderr.readline())
        got = httpx.get(f"{where['http']}/v0.1/tables/none/memory")
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=20)
    assert (got.status_code, got.headers["byob-protocol"]) == (404, "byob/0.1")
    assert (where.keys(), out, err, process.returncode) == ({"http"}, b"", b"", 0)
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
