"""The embedded reference: where it says it is, its certificate, and that no start leaves a child behind."""

import asyncio
import ssl
import sys
from pathlib import Path
from typing import Any

import pytest

from harness import embedded
from harness.embedded import make_certificate, start, stdio_address
from harness.errors import TargetError
from harness.targets.addresses import parse
from harness.targets.tls import trusting
from tests.harness.children import SLEEP, children, needs_proc

BOUND = '{"tcp": "yea://127.0.0.1:1", "tls": "yeas://127.0.0.1:2", "http": "http://127.0.0.1:3/yea", "other": 1}'


def started(folder: Path, code: str, timeout: float = 10.0) -> tuple[Any, list[int], list[tuple[str, ...]]]:
    """Start a child in the reference's place; returns what came of it, what is left, and the options it was given."""
    left: list[int] = []
    given: list[tuple[str, ...]] = []

    def command(protocol: str, *options: str) -> list[str]:
        given.append(options)
        return [sys.executable, "-u", "-c", code]

    async def main() -> Any:
        try:
            made = await start("yea", folder, timeout, "--fault", "x")
        except TargetError as problem:
            return str(problem)
        finally:
            left.extend(children())
        await made.child.stop(kill=True)
        return made.addresses

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedded, "command", command)
        return asyncio.run(main()), left, given


@needs_proc
def test_the_reference_says_where_it_is_and_can_be_started_there_again(tmp_path: Path) -> None:
    found, left, given = started(tmp_path, f"import sys; sys.stderr.write('{BOUND}\\n'); {SLEEP}")
    assert found == {"tcp": "yea://127.0.0.1:1", "tls": "yeas://127.0.0.1:2", "http": "http://127.0.0.1:3/yea"}
    assert len(left) == 1
    free, bound = (" ".join(options) for options in given)
    assert free.startswith("--port 0 --tls-port 0 --http-port 0 --cert ")
    assert free.endswith(f"--data {tmp_path}/data --fault x")
    assert bound == free.replace("--port 0 --tls-port 0 --http-port 0", "--port 1 --tls-port 2 --http-port 3")


NOT_UP = {
    "it ends": ("raise SystemExit(3)", "the embedded yea reference: ended with exit code 3"),
    "it says something else": (
        f"import sys; sys.stderr.write('Traceback\\n'); {SLEEP}",
        "the embedded yea reference: did not say what it bound but 'Traceback'",
    ),
    "it says a number": (
        f"import sys; sys.stderr.write('5\\n'); {SLEEP}",
        "the embedded yea reference: did not say what it bound but '5'",
    ),
    "it leaves one out": (
        f"import sys; sys.stderr.write('{{}}\\n'); {SLEEP}",
        "the embedded yea reference: did not say what it bound but '{}'",
    ),
    "it says nothing": (SLEEP, "the embedded yea reference: said nothing within 0.5 s"),
}


@needs_proc
@pytest.mark.parametrize("name", NOT_UP)
def test_a_reference_that_does_not_come_up_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    code, problem = NOT_UP[name]
    found, left, _ = started(tmp_path, code, 0.5 if name == "it says nothing" else 10.0)
    assert (found, left) == (problem, [])


@needs_proc
def test_a_reference_whose_start_is_cancelled_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "command", lambda *_: [sys.executable, "-c", SLEEP])

    async def main() -> None:
        starting = asyncio.ensure_future(start("yea", tmp_path, 10))
        for _ in range(1000):
            if children():
                break
            await asyncio.sleep(0.01)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting

    asyncio.run(main())
    assert children() == []


def test_its_certificate_is_for_this_machine_and_its_authority_is_known(tmp_path: Path) -> None:
    ca, chain = make_certificate(tmp_path)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(chain, chain)

    async def shake(host: str) -> bool:
        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.close()

        served = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=server)
        port = served.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusting(ca), server_hostname=host)
        ended = await reader.read() == b""
        writer.close()
        served.close()
        return ended

    assert [asyncio.run(shake(host)) for host in ("127.0.0.1", "localhost")] == [True, True]


def test_over_stdio_it_is_started_once_a_connection() -> None:
    address = parse(stdio_address("yea"))
    assert address.transport == "stdio"
    assert address.command.endswith("-m harness.cli serve yea --stdio")
