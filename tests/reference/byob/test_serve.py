"""Serving tables until a signal (the command `naysayer serve byob`), over restarts."""

import asyncio
import contextlib
import json
import logging
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.clock import run_virtual
from reference.byob.serve import WATCH_SECONDS, ServeOptions, serve, watch
from reference.byob.store import StoreError
from reference.yea.transports.tcp import BindError, listen
from tests.reference.byob.playing import Play, config
from tests.reference.byob.serving import ScriptedHost

ROOT = Path(__file__).parents[3]
SCRIPT = """
import asyncio, sys
from pathlib import Path
from reference.byob.serve import ServeOptions, serve
asyncio.run(serve(ServeOptions(port=0, data=Path(sys.argv[1]) if sys.argv[1:] else None)))
"""


@contextlib.contextmanager
def served(*arguments: str) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """The base URL of a host in a process of its own, and the process."""
    command = [sys.executable, "-c", SCRIPT, *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stderr is not None
        try:
            where = json.loads(process.stderr.readline())
            assert where.keys() == {"http"}
            yield f"{where['http']}/v0.1/tables", process
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly_with_its_event_streams(number: signal.Signals) -> None:
    play = Play().create()
    with served() as (tables, process), httpx.Client() as client:
        assert client.post(tables, json=config()).status_code == 200
        token = client.post(f"{tables}/t/seats", json=play.request("a")).json()["seat_token"]
        headers = {"authorization": f"Bearer {token}"}
        with client.stream("GET", f"{tables}/t/events", headers=headers) as stream:
            events = stream.iter_lines()
            assert next(events) == "event: hello"
            process.send_signal(number)
            assert [*events] == ['data: {"table":"t","seat":"a"}', ""]
        assert process.stderr is not None
        assert (process.stderr.read(), process.wait(10)) == (b"", 0)


def test_a_kill_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    play = Play().create()
    with served(str(tmp_path / "data")) as (tables, process), httpx.Client() as client:
        admin = {"authorization": "Bearer " + client.post(tables, json=config()).json()["admin_token"]}
        token = client.post(f"{tables}/t/seats", json=play.request("a")).json()["seat_token"]
        seat = {"authorization": f"Bearer {token}"}
        said = client.post(f"{tables}/t/entries", headers=seat, json={"kind": "say", "body": "é"}).json()
        before = client.get(f"{tables}/t/ledger", headers=admin).json()
        process.kill()
    with served(str(tmp_path / "data")) as (tables, _), httpx.Client() as client:
        assert client.get(f"{tables}/t/ledger", headers=admin).json() == before
        assert client.get(f"{tables}/t/entries/{said['seq']}", headers=seat).json()["body"] == "é"
        assert client.post(f"{tables}/t/seats", json=play.request("a")).json()["error"]["code"] == "E_SEAT_TAKEN"
        assert client.post(tables, json=config()).json()["error"]["code"] == "E_CONFIG"


def test_two_hosts_never_share_a_folder(tmp_path: Path) -> None:
    with served(str(tmp_path)), pytest.raises(StoreError, match="another process keeps its tables in "):
        asyncio.run(serve(ServeOptions(port=0, data=tmp_path)))


def test_a_port_in_use_is_refused_before_the_folder_is_touched(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(BindError, match="it is in use"):
        asyncio.run(serve(ServeOptions(port=taken.getsockname()[1], data=tmp_path / "data")))
    assert not (tmp_path / "data").exists()


def test_the_watchdogs_are_asked_all_the_time_whatever_goes_wrong(caplog: pytest.LogCaptureFixture) -> None:
    class Ticking(ScriptedHost):
        ticks = 0

        def tick(self, now: float) -> float | None:
            self.ticks += 1
            if self.ticks == 2:
                raise OSError(28, "No space left on device")
            return None

    async def test() -> None:
        host = Ticking()
        watching: asyncio.Task[Any] = asyncio.create_task(watch(host, None))
        await asyncio.sleep(9.5 * WATCH_SECONDS)
        watching.cancel()
        assert host.ticks == 10

    with caplog.at_level(logging.INFO):
        run_virtual(test())
    (record,) = caplog.records
    assert record.getMessage().startswith("E_INTERNAL: OSError in test_serve.py, line ")
