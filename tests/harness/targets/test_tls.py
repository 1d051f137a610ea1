"""TLS: the stream driver inside TLS, whom it trusts, and what it says when there is no TLS to be had."""

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trustme

from harness.embedded import make_certificate
from harness.errors import HarnessError, TargetGone
from harness.targets import tls
from harness.targets.addresses import parse
from harness.targets.tls import tls_target, trusting
from tests.harness.peers import Peer, Seen, answering, brief, saying


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An authority, and a certificate of this machine with its key."""
    return make_certificate(tmp_path_factory.mktemp("tls"))


def serving(chain: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, chain)
    return context


def meet(peer: Peer, script: Callable[[int], Awaitable[str]], server: ssl.SSLContext | None = None) -> str:
    """Serve a peer on a free port of this machine, run a script that gets the port, and return its result."""

    async def main() -> str:
        served = await asyncio.start_server(peer, "127.0.0.1", 0, ssl=server)
        try:
            return await script(served.sockets[0].getsockname()[1])
        finally:
            served.close()

    return asyncio.run(main())


def refusal(peer: Peer, server: ssl.SSLContext | None, client: ssl.SSLContext) -> str:
    """Return why there is no TLS connection to a peer."""

    async def script(port: int) -> str:
        target = tls_target(parse(f"yeas://127.0.0.1:{port}"), time.time, timeout=5.0, context=client)
        with pytest.raises(TargetGone) as caught:
            await target.connect(Seen(), "tls1")
        return caught.value.why.removeprefix(f"no connection to yeas://127.0.0.1:{port}: ")

    return meet(peer, script, server)


def test_frames_go_through_tls_and_back(certificate: tuple[Path, Path]) -> None:
    ca, chain = certificate

    async def script(port: int) -> str:
        target = tls_target(parse(f"yeas://127.0.0.1:{port}"), time.time, timeout=5.0, context=trusting(ca))
        connection = await target.connect(Seen(), "tls1")
        exchange = await connection.request({"yea": 1, "id": "1", "verb": "HELLO"})
        await connection.close()
        return f"{target.transport} {connection.transport} {exchange.kind}"

    assert meet(answering(brief), script, serving(chain)) == "tls tls BRIEF"


def test_the_port_is_7448_unless_it_is_said() -> None:
    assert parse("yeas://[::1]").port == 7448


def test_an_authority_that_nobody_named_is_named_as_the_cause(certificate: tuple[Path, Path]) -> None:
    why = refusal(answering(brief), serving(certificate[1]), trusting(None))
    assert why.startswith("its certificate is not valid (")
    assert why.endswith('); a profile can name its authority: [target] ca = "FILE"')


def test_a_certificate_of_another_host_is_not_accepted(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("elsewhere.example").configure_cert(server)
    why = refusal(answering(brief), server, trusting(tmp_path / "ca.pem"))
    assert why.startswith("its certificate is not valid (IP address mismatch")
    assert "a profile" not in why


async def hanging_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


NO_TLS: dict[str, tuple[Peer, str]] = {
    "a plain service": (saying(b'{"yea":1}\n'), "it does not speak TLS (wrong version number)"),
    "a server that hangs up": (hanging_up, "it closed the connection during the TLS handshake"),
    "a server that says nothing": (lambda reader, writer: asyncio.Event().wait(), "no TLS within 0.2 s"),
}


@pytest.mark.parametrize("name", NO_TLS)
def test_where_there_is_no_tls(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    peer, problem = NO_TLS[name]
    if name == "a server that says nothing":
        monkeypatch.setattr(tls, "CONNECT_TIMEOUT", 0.2)

    async def kept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await peer(reader, writer)
        except asyncio.CancelledError:
            return
        finally:
            writer.close()

    assert refusal(kept, None, trusting(None)) == problem


def test_a_refused_port_is_said_as_over_tcp() -> None:
    async def main() -> None:
        target = tls_target(parse("yeas://127.0.0.1:1"), time.time, timeout=5.0, context=trusting(None))
        await target.connect(Seen(), "tls1")

    with pytest.raises(TargetGone) as caught:
        asyncio.run(main())
    assert caught.value.why == "no connection to yeas://127.0.0.1:1: connection refused"


def test_a_file_that_is_no_authority_is_one_sentence(tmp_path: Path) -> None:
    empty, missing = tmp_path / "empty.pem", tmp_path / "missing.pem"
    empty.write_text("no certificate")
    for file, why in ((empty, "NO_CERTIFICATE_OR_CRL_FOUND"), (missing, "No such file or directory")):
        with pytest.raises(HarnessError) as caught:
            trusting(file)
        assert str(caught.value) == f"{file} cannot be used as a certificate authority: {why}"
