"""Opening a connection over each of the transports (YEA 2.3), on this machine's own sockets and processes."""

import asyncio
import shlex
import socket
import ssl
import sys
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from reference.yea.client import Client, ClientError, ConnectionLost, NoReply, Unreachable, connect, open_link, opening
from reference.yea.conformance import SERVICE_ID, conformance_service
from reference.yea.transports.http_server import HttpServer
from reference.yea.transports.tcp import StreamServer, authority, listen
from reference.yea.transports.tls import throwaway_context

HELLO = """
import json, sys
sys.stderr.write("starting\\n"); sys.stderr.flush()
for line in sys.stdin:
    request = json.loads(line)
    brief = {"kind": "BRIEF", "service": {"id": "child", "name": "Child"}, "capabilities": []}
    print(json.dumps({"yea": 1, "id": "s", "re": request["id"], **brief}), flush=True)
"""


def run(test: Coroutine[Any, Any, None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(20):
            await test

    asyncio.run(bounded())


def child(script: str) -> str:
    """A stdio: address whose child runs this script."""
    return "stdio:" + shlex.join([sys.executable, "-c", script])


async def greeted(address: str, **options: Any) -> str | None:
    """The id of the service at an address."""
    async with Client(await open_link(address, **options)) as client:
        await client.hello()
        return client.service_id


def test_tcp_and_the_bridge() -> None:
    async def test() -> None:
        service = conformance_service()
        with listen("127.0.0.1", 0) as stream, listen("127.0.0.1", 0) as web:
            servers = [StreamServer(stream, service, time.time), HttpServer(web, service, time.time)]
            for server in servers:
                await server.start()
            for address in (f"yea://{authority(stream)}", f"http://{authority(web)}/yea"):
                assert await greeted(address) == SERVICE_ID
                async with await connect(address, budget=100) as client:
                    assert (await client.hello()).more
            for server in servers:
                await server.stop(0)

    run(test())


def test_tls_is_trusted_by_its_authority_only(tmp_path: Path) -> None:
    async def test() -> None:
        ca = tmp_path / "ca.pem"
        context = throwaway_context("127.0.0.1", ca)
        with listen("127.0.0.1", 0) as bound:
            server = StreamServer(bound, conformance_service(), time.time, context=context)
            await server.start()
            address = f"yeas://{authority(bound)}"
            trusting = ssl.create_default_context(cafile=str(ca))
            assert await greeted(address, context=trusting) == SERVICE_ID
            with pytest.raises(Unreachable, match="its certificate is not trusted"):
                await greeted(address)
            with pytest.raises(Unreachable, match="no connection to yeas://"):
                await greeted(address.replace("127.0.0.1", "127.0.0.2"), context=trusting)
            await server.stop(0)

    run(test())


def test_a_port_that_speaks_no_tls_cannot_be_reached() -> None:
    async def test() -> None:
        with listen("127.0.0.1", 0) as bound:
            server = StreamServer(bound, conformance_service(), time.time)
            await server.start()
            with pytest.raises(Unreachable):
                await greeted(f"yeas://{authority(bound)}")
            await server.stop(0)

    run(test())


def test_where_nobody_listens_there_is_no_connection() -> None:
    async def test() -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            port = taken.getsockname()[1]
            for address in (f"yea://127.0.0.1:{port}", f"yeas://127.0.0.1:{port}", f"http://127.0.0.1:{port}/yea"):
                with pytest.raises(Unreachable, match=f"no connection to {address}: connection refused"):
                    await greeted(address)

    run(test())


def test_a_childs_standard_input_and_output_carry_frames_and_its_errors_are_handed_on() -> None:
    async def test() -> None:
        said: list[str] = []
        assert await greeted(child(HELLO), on_error_line=said.append) == "child"
        assert said == ["starting"]
        assert await greeted(child(HELLO)) == "child"

    run(test())


def test_a_child_that_is_not_there_cannot_be_started(tmp_path: Path) -> None:
    async def test() -> None:
        with pytest.raises(Unreachable, match=r"/none cannot be started: No such file"):
            await greeted(f"stdio:{tmp_path}/none")

    run(test())


@pytest.mark.parametrize("script", ["", "print('junk')", "import sys; sys.exit(3)"])
def test_a_child_that_ends_is_a_lost_connection(script: str) -> None:
    async def test() -> None:
        with pytest.raises(ConnectionLost):
            await greeted(child(script))

    run(test())


STUBBORN = """
import os, signal, socket, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
server = socket.create_server(("127.0.0.1", 0))
if os.fork() == 0:
    sys.stderr.write(f"{server.getsockname()[1]}\\n"); sys.stderr.flush()
signal.pause()
"""


def test_a_child_that_will_not_end_is_ended_with_all_that_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "END_SECONDS", 0.05)

    async def test() -> None:
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        link = await open_link(child(STUBBORN), on_error_line=lambda line: port.set_result(int(line)))
        client = Client(link, timeout=0.01)
        _, writer = await asyncio.open_connection("127.0.0.1", await port)
        with pytest.raises(NoReply):
            await client.hello()
        await client.close()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port.result())
        writer.close()
        with pytest.raises(ClientError):
            await client.hello()

    run(test())


def test_of_a_childs_errors_each_line_is_short() -> None:
    script = "import sys; sys.stderr.write('x' * 100_000 + '\\nnext\\n\\xff\\nlast'); sys.stderr.flush(); input()"

    async def test() -> None:
        said: list[str] = []
        with pytest.raises((ConnectionLost, NoReply)):
            await greeted(child(script), on_error_line=said.append)
        # The connection may end before the second line was read.
        assert [len(line) for line in said[:2]] in ([opening.LONGEST_LINE, 4], [opening.LONGEST_LINE])

    run(test())
