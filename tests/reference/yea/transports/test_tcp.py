"""yea:// (YEA 2.3)."""

import asyncio
import socket

import pytest

from reference.yea.transports.tcp import BindError, StreamServer, authority, listen
from tests.reference.yea.service.driving import Caller, code
from tests.reference.yea.transports.sockets import HELLO, Client, run


def has_ipv6() -> bool:
    """Whether this machine has the IPv6 loopback address."""
    try:
        listen("::1", 0).close()
    except OSError:
        return False
    return True


def test_a_port_in_use_is_one_clear_sentence() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BindError, match=rf"cannot listen on port {port} of 127.0.0.1: it is in use"):
            listen("127.0.0.1", port)


def test_an_address_that_is_none_is_one_clear_sentence() -> None:
    with pytest.raises(BindError, match=r"cannot listen on no\.such\.host\.invalid: "):
        listen("no.such.host.invalid", 0)


def test_an_address_is_written_as_a_url_writes_it() -> None:
    with listen("127.0.0.1", 0) as bound:
        assert authority(bound) == f"127.0.0.1:{bound.getsockname()[1]}"


@pytest.mark.skipif(not has_ipv6(), reason="no IPv6 loopback here")
def test_an_ipv6_address_is_in_brackets() -> None:
    with listen("::1", 0) as bound:
        assert authority(bound) == f"[::1]:{bound.getsockname()[1]}"


async def dial(listener: socket.socket) -> Client:
    """A connection to a server."""
    return Client(*await asyncio.open_connection(*listener.getsockname()[:2]))


def test_a_connection_is_served_and_nothing_comes_before_the_first_request() -> None:
    async def test() -> None:
        caller = Caller()
        listener = listen("127.0.0.1", 0)
        server = StreamServer(listener, caller.service, lambda: caller.now)
        await server.start()
        client, silent = await dial(listener), await dial(listener)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(silent.reader.read(1), 0.05)
        client.write(HELLO)
        assert code(await client.read()) == "BRIEF"
        await server.stop(0)
        assert await silent.rest() == []
        await client.close()
        await silent.close()

    run(test())


@pytest.mark.parametrize(("seconds", "grace", "wanted"), [(0.05, 5, "RECEIPT"), (5, 0.05, "unavailable")])
def test_stopping_gives_what_is_in_flight_some_time_and_then_interrupts_it(
    seconds: float, grace: float, wanted: str
) -> None:
    async def test() -> None:
        caller = Caller()
        proposal = caller.propose("shop.deliver", {"order": "o", "seconds": seconds})
        listener = listen("127.0.0.1", 0)
        server = StreamServer(listener, caller.service, lambda: caller.now)
        await server.start()
        client = await dial(listener)
        client.write(caller.framed(caller.commit(proposal)))
        await client.read()
        await server.stop(grace)
        await client.close()
        assert code(caller.send(caller.commit(proposal))) == wanted

    run(test())
