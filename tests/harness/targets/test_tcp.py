"""TCP: the stream driver over a socket of this machine."""

import asyncio
import time

import pytest

from harness.errors import TargetGone
from harness.targets.addresses import parse
from harness.targets.tcp import reason, tcp_target
from tests.harness.peers import BRIEF, Seen, answering, brief


def test_frames_go_over_a_socket_and_back() -> None:
    async def main() -> str:
        server = await asyncio.start_server(answering(brief), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        connection = await tcp_target(parse(f"yea://127.0.0.1:{port}"), time.time, timeout=5.0).connect(Seen(), "tcp1")
        exchange = await connection.request({"yea": 1, "id": "1", "verb": "HELLO"})
        await connection.close()
        server.close()
        await server.wait_closed()
        return exchange.kind

    assert asyncio.run(main()) == BRIEF["kind"]


def test_a_target_knows_where_it_is() -> None:
    target = tcp_target(parse("yea://[::1]:9"), time.time, timeout=5.0, managed=True)
    assert (target.transport, target.address, target.loopback, target.managed) == ("tcp", "yea://[::1]:9", True, True)
    assert not tcp_target(parse("yea://192.0.2.1"), time.time, timeout=5.0).loopback


def test_a_refused_port_is_a_target_that_is_gone() -> None:
    async def main() -> None:
        await tcp_target(parse("yea://127.0.0.1:1"), time.time, timeout=5.0).connect(Seen(), "tcp1")

    with pytest.raises(TargetGone) as caught:
        asyncio.run(main())
    assert caught.value.why == "no connection to yea://127.0.0.1:1: connection refused"


def test_the_cause_is_given_without_its_number() -> None:
    assert reason(ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 1)")) == "connection refused"
    assert reason(OSError(113, "No route to host")) == "No route to host"
    assert reason(OSError("Multiple exceptions")) == "Multiple exceptions"
