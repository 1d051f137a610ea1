"""`naysayer serve yea`: its flags, what they serve, and what it says when they make no sense."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness import cli, command_line, faults
from harness.commands.serve import options
from harness.faults import fuzz
from reference.yea.conformance import conformance_service
from reference.yea.transports.serve import ServeOptions
from tests.reference.yea.service.driving import K1
from tests.reference.yea.transports.sockets import HELLO

ROOT = Path(__file__).parents[3]


def asked(*flags: str) -> ServeOptions:
    return options(command_line.parser().parse_args(["serve", "yea", *flags]))


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        ([], {"tcp_port": 7447}),
        (["--tls"], {"tcp_port": 7447, "tls_port": 7448}),
        (["--http"], {"tcp_port": 7447, "http_port": 8080}),
        (["--port", "0", "--tls-port", "0", "--http-port", "0"], {"tcp_port": 0, "tls_port": 0, "http_port": 0}),
        (["--stdio"], {"tcp_port": None, "stdio": True}),
        (["--stdio", "--port", "1"], {"tcp_port": 1, "stdio": True}),
        (
            ["--tls", "--cert", "c.pem", "--key", "k.pem"],
            {"tcp_port": 7447, "tls_port": 7448, "cert": Path("c.pem"), "key": Path("k.pem")},
        ),
        (["--host", "::1", "--data", "d"], {"tcp_port": 7447, "host": "::1", "data": Path("d")}),
        (["--trust", K1.public, "--trust", "x"], {"tcp_port": 7447, "trust": (K1.public, "x")}),
    ],
)
def test_flags_are_what_is_served(flags: list[str], wanted: dict[str, Any]) -> None:
    assert asked(*flags) == ServeOptions(service_factory=conformance_service, **wanted)


def test_a_fault_can_keep_its_state_too() -> None:
    name = next(iter(faults.load("yea")))
    made = asked("--fault", name, "--data", "d")
    assert (made.data, made.service_factory) == (Path("d"), faults.find("yea", name).make)


@pytest.mark.parametrize("name", fuzz.served("yea"))
def test_a_fault_of_fuzzing_is_served(name: str) -> None:
    service = asked("--fault", name).service_factory(trusted=(K1.public,))
    assert (type(service), service.trusted) == (fuzz.find("yea", name).wrong, {K1.public})


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--cert", "c", "--key", "k"], "--cert and --key are for TLS; add --tls"),
        (["--tls", "--cert", "c"], "--cert and --key belong together: a certificate and its private key"),
        (["--tls-port", "0", "--key", "k"], "--cert and --key belong together: a certificate and its private key"),
        (
            ["--port", "0", "--tls-port", "0", "--cert", "none.pem", "--key", "none.pem"],
            "cannot use the certificate none.pem with the key none.pem: No such file or directory",
        ),
        (["--port", "0", "--data", "{file}"], "cannot keep the state in {file}: it is no folder; name a folder, or "),
        (
            ["--port", "0", "--data", "{file}/below"],
            "cannot keep the state in {file}/below: {file} is no folder; name a folder, or one that can be made",
        ),
        (
            ["--port", "0", "--data", "/dev/null/below"],
            "cannot keep the state in /dev/null/below: /dev/null is no folder; ",
        ),
        (["--port", "0", "--data", "/proc/none"], "cannot keep the state in /proc/none: "),
        (["--port", "0", "--host", "256.1.1.1"], "cannot listen on 256.1.1.1: "),
    ],
)
def test_what_cannot_be_served_is_one_sentence(
    flags: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    code = cli.main(["serve", "yea", *(flag.replace("{file}", str(file)) for flag in flags)])
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"naysayer: {said.replace('{file}', str(file))}")


def test_a_store_that_is_none_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "yea.sqlite3").write_bytes(b"no database " * 200)
    assert cli.main(["serve", "yea", "--port", "0", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"naysayer: cannot use {tmp_path}/yea.sqlite3 as a store: ")


@pytest.mark.parametrize("port", ["-1", "65536", "x", "٣", ""])
def test_a_port_is_a_number_that_a_port_can_have(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        asked("--tls-port", port)
    assert (ended.value.code, "must be a number from 0 to 65535" in capsys.readouterr().err) == (2, True)


def test_stdio_carries_frames_alone_and_the_first_line_on_standard_error_says_what_was_bound(tmp_path: Path) -> None:
    flags = ["--stdio", "--port", "0", "--tls-port", "0", "--http-port", "0", "--data", str(tmp_path / "data")]
    done = subprocess.run(
        [sys.executable, "-m", "harness.cli", "serve", "yea", *flags],
        input=HELLO,
        capture_output=True,
        cwd=ROOT,
        timeout=20,
        check=True,
    )
    first, *notes = done.stderr.decode().splitlines()
    assert {name: url.split(":")[0] for name, url in json.loads(first).items()} == {
        "tcp": "yea",
        "tls": "yeas",
        "http": "http",
    }
    assert [note.split(";")[0] for note in notes] == ["made up a certificate for TLS"]
    assert [json.loads(line)["kind"] for line in done.stdout.splitlines()] == ["BRIEF"]
    assert (tmp_path / "data" / "yea.sqlite3").exists()
