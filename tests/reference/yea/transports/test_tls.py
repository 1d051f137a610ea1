"""yeas:// (YEA 2.3)."""

import asyncio
import ssl
from pathlib import Path

import pytest
import trustme

from reference.yea.transports.tcp import StreamServer, listen
from reference.yea.transports.tls import CertificateError, own_context, throwaway_context
from tests.reference.yea.service.driving import Caller, code
from tests.reference.yea.transports.sockets import HELLO, Client, run


async def hello(context: ssl.SSLContext, ca: Path) -> None:
    """A HELLO over TLS, checked against an authority; then one in the clear, which gets nothing."""
    caller = Caller()
    listener = listen("127.0.0.1", 0)
    server = StreamServer(listener, caller.service, lambda: caller.now, context=context)
    await server.start()
    host, port = listener.getsockname()[:2]
    trusting = ssl.create_default_context(cafile=str(ca))
    client = Client(*await asyncio.open_connection(host, port, ssl=trusting))
    client.write(HELLO)
    assert code(await client.read()) == "BRIEF"
    plain = Client(*await asyncio.open_connection(host, port))
    plain.write(HELLO)
    assert b"BRIEF" not in await plain.reader.read()
    await client.close()
    await plain.close()
    await server.stop(0)


def test_a_made_up_certificate_is_good_for_the_host(tmp_path: Path) -> None:
    run(hello(throwaway_context("127.0.0.1", tmp_path / "ca.pem"), tmp_path / "ca.pem"))


def test_a_certificate_of_ones_own(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    issued = authority.issue_cert("127.0.0.1")
    issued.cert_chain_pems[0].write_to_path(str(tmp_path / "cert.pem"))
    issued.private_key_pem.write_to_path(str(tmp_path / "key.pem"))
    run(hello(own_context(tmp_path / "cert.pem", tmp_path / "key.pem"), tmp_path / "ca.pem"))


def test_a_certificate_that_cannot_be_used_is_one_clear_sentence(tmp_path: Path) -> None:
    junk = tmp_path / "junk.pem"
    with pytest.raises(CertificateError, match=f"cannot use the certificate {junk} with the key {junk}: No such file"):
        own_context(junk, junk)
    junk.write_text("junk")
    with pytest.raises(CertificateError, match="cannot use the certificate"):
        own_context(junk, junk)
