"""In-process targets: an in-memory stream is a stream, and both transports reach the same service."""

import asyncio
from typing import Any

from harness.clock import run_virtual, virtual_now
from harness.targets.memory import bridge_target, stream_pair, stream_target
from reference.yea.conformance import conformance_service
from tests.harness.peers import Seen


def test_what_one_end_writes_the_other_reads() -> None:
    async def main() -> list[bytes]:
        (reader, writer), (their_reader, their_writer) = stream_pair()
        writer.write(b"ping")
        their_writer.writelines([b"po", b"ng"])
        await writer.drain()
        got = [await their_reader.readexactly(4), await reader.readexactly(4)]
        writer.close()
        await writer.wait_closed()
        writer.write(b"lost")
        got.append(await their_reader.read())
        their_writer.close()
        got.append(await reader.read())
        return got

    assert run_virtual(main()) == [b"ping", b"pong", b"", b""]


def test_both_transports_reach_one_service() -> None:
    async def main() -> list[Any]:
        service = conformance_service()
        briefs = []
        for make in (stream_target, bridge_target):
            target = make(service, virtual_now, timeout=5.0)
            assert target.in_process and target.loopback and target.managed
            connection = await target.connect(Seen(), "c")
            exchange = await connection.request({"yea": 1, "id": "1", "verb": "HELLO"})
            await connection.close()
            briefs.append({name: exchange.reply[name] for name in ("re", "kind", "service", "capabilities")})
        return briefs

    over_stream, over_http = run_virtual(main())
    assert over_stream == over_http
    assert over_stream["kind"] == "BRIEF"


def test_closing_a_connection_ends_what_served_it() -> None:
    async def main() -> int:
        connection = await stream_target(conformance_service(), virtual_now, timeout=5.0).connect(Seen(), "c")
        await connection.close()
        return len(asyncio.all_tasks())

    assert run_virtual(main()) == 1
