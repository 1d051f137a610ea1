"""Serving until a signal (the command `naysayer serve yea`)."""

import asyncio
import json
import signal
import ssl
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from reference.yea.conformance import TEST_PRINCIPALS
from reference.yea.service import Service
from reference.yea.transports.serve import (
    ServeOptions,
    TrustError,
    addresses,
    is_loopback,
    principals,
    run,
    serve,
    servers_on,
)
from reference.yea.transports.tcp import BindError, listen
from reference.yea.transports.tls import CertificateError
from tests.reference.yea.service.driving import K1, Caller, code
from tests.reference.yea.transports import sockets

ROOT = Path(__file__).parents[4]
SCRIPT = """
import asyncio
from reference.yea.transports.serve import ServeOptions, serve
asyncio.run(serve(ServeOptions(tcp_port=0, http_port=0)))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly_and_the_first_line_says_where_it_was(number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", SCRIPT], stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stderr is not None
        where = json.loads(process.stderr.readline())
        assert where.keys() == {"tcp", "http"}
        assert httpx.get(where["http"]).json()["kind"] == "BRIEF"
        process.send_signal(number)
        rest = process.stderr.read()
        assert (process.wait(10), rest) == (0, b"")


def test_the_notes_come_when_everything_runs(capsys: pytest.CaptureFixture[str]) -> None:
    async def test() -> None:
        caller = Caller()
        stop = asyncio.Event()
        with listen("127.0.0.1", 0) as bound:
            serving = asyncio.create_task(run(servers_on({"tcp": bound}, caller.service, None), ["one", "two"], stop))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            host, port = bound.getsockname()[:2]
            client = sockets.Client(*await asyncio.open_connection(host, port))
            client.write(sockets.HELLO)
            assert code(await client.read()) == "BRIEF"
            stop.set()
            await serving
            await client.close()
        assert capsys.readouterr().err == "one\ntwo\n"

    sockets.run(test())


def test_a_port_in_use_is_refused_with_a_sentence() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BindError, match="it is in use"):
            asyncio.run(serve(ServeOptions(tcp_port=0, http_port=port)))


def test_the_test_principals_count_on_loopback_only_and_trust_replaces_them() -> None:
    assert principals(ServeOptions()) == TEST_PRINCIPALS
    assert principals(ServeOptions(host="0.0.0.0")) == ()
    assert principals(ServeOptions(trust=(K1.public,))) == (K1.public,)


def test_a_key_to_trust_is_a_public_key() -> None:
    made: list[Service] = []

    def factory(**_: object) -> Service:
        made.append(Caller().service)
        return made[0]

    with pytest.raises(TrustError, match="'ed25519:x' is no public key"):
        asyncio.run(serve(ServeOptions(trust=("ed25519:x",), service_factory=factory)))
    assert made == []


@pytest.mark.parametrize(
    ("host", "wanted"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("x", False),
    ],
)
def test_loopback(host: str, wanted: bool) -> None:
    assert is_loopback(host) is wanted


def test_addresses_are_urls_by_transport() -> None:
    with listen("127.0.0.1", 0) as bound:
        port = bound.getsockname()[1]
        assert addresses({"tcp": bound, "tls": bound, "http": bound}) == {
            "tcp": f"yea://127.0.0.1:{port}",
            "tls": f"yeas://127.0.0.1:{port}",
            "http": f"http://127.0.0.1:{port}/yea",
        }


def test_stdio_is_served_until_its_input_ends_and_carries_frames_only() -> None:
    quiet = SCRIPT.replace("tcp_port=0, http_port=0", "tcp_port=None, stdio=True")
    done = subprocess.run(
        [sys.executable, "-c", quiet], input=sockets.HELLO * 2, capture_output=True, cwd=ROOT, timeout=10
    )
    assert [json.loads(line)["kind"] for line in done.stdout.splitlines()] == ["BRIEF", "BRIEF"]
    assert (done.returncode, done.stderr) == (0, b"{}\n")


def test_tls_is_served_with_a_certificate_that_its_authority_vouches_for() -> None:
    script = SCRIPT.replace("tcp_port=0, http_port=0", "tcp_port=None, tls_port=0")
    with subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stderr is not None
        url = json.loads(process.stderr.readline())["tls"]
        ca = Path(process.stderr.readline().decode().split()[-1])
        context = ssl.create_default_context(cafile=str(ca))

        async def test() -> None:
            host, port = url.removeprefix("yeas://").split(":")
            client = sockets.Client(*await asyncio.open_connection(host, int(port), ssl=context))
            client.write(sockets.HELLO)
            assert code(await client.read()) == "BRIEF"
            await client.close()

        sockets.run(test())
        process.terminate()
        assert process.wait(10) == 0
        assert not ca.exists()


def test_a_certificate_needs_its_key(tmp_path: Path) -> None:
    none = tmp_path / "none.pem"
    for options in (
        ServeOptions(tcp_port=None, tls_port=0, cert=none),
        ServeOptions(tcp_port=None, tls_port=0, cert=none, key=none),
    ):
        with pytest.raises(CertificateError, match="certificate"):
            asyncio.run(serve(options))
