"""State on disk outlives a process that is killed in the middle of a commit (YEA 4.4)."""

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from reference.yea.transports.serve import ServeOptions, serve
from tests.reference.yea.service.driving import K1, A, Caller, Frame, code, grant
from tests.reference.yea.transports.sockets import Client, run

ROOT = Path(__file__).parents[4]
SCRIPT = """
import asyncio, sys
from pathlib import Path
from reference.yea.transports.serve import ServeOptions, serve
asyncio.run(serve(ServeOptions(tcp_port=0, data=Path(sys.argv[1]))))
"""


class Served:
    """A server on a data folder, in a process of its own."""

    def __init__(self, data: Path) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(data)], stderr=subprocess.PIPE, cwd=ROOT)
        assert self.process.stderr is not None
        where = json.loads(self.process.stderr.readline())["tcp"]
        self.host, port = where.removeprefix("yea://").split(":")
        self.port = int(port)

    async def client(self) -> Client:
        """A new connection."""
        return Client(*await asyncio.open_connection(self.host, self.port))

    def kill(self) -> None:
        """SIGKILL: the process has no time to do anything."""
        self.process.kill()
        self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()


async def ask(client: Client, frame: Frame) -> Frame:
    """The final reply to a frame."""
    client.write(frame)
    while (reply := await client.read())["kind"] == "EVENT":
        pass
    return reply


@pytest.mark.parametrize("after", [0.0, 0.002, 0.01, 0.1, 0.3, 0.5])
def test_a_kill_at_any_time_leaves_no_commit_done_twice_and_no_total_forgotten(after: float, tmp_path: Path) -> None:
    async def test() -> None:
        caller = Caller()
        caller.now = time.time()
        limits: list[Any] = [{"total": {"of": "emails", "max": 1}}, {"total": {"of": "deliveries", "max": 1}}]
        slow = after >= 0.1
        capability = "shop.deliver" if slow else "shop.order"
        params: Frame = {"order": "o"} | ({"seconds": 0.4} if slow else {})
        token = grant(A, K1, *limits, base=False)
        served = Served(tmp_path)
        client = await served.client()
        reply = await ask(client, caller.framed(caller.intent(capability, params, token)))
        commit = caller.commit(reply["proposals"][0], token)
        client.write(caller.framed(commit))
        await asyncio.sleep(after)
        served.kill()
        await client.close()

        served = Served(tmp_path)
        client = await served.client()
        first = await ask(client, caller.framed(commit))
        again = await ask(client, caller.framed(commit))
        assert code(first) == code(again)
        assert code(again) in ("RECEIPT", "unavailable")
        assert again.get("replay", False) is (code(again) == "RECEIPT")
        status = await ask(client, caller.framed(caller.ask("shop.status", {"order": "o"})))
        assert status["data"]["orders"] in ((1,) if code(again) == "RECEIPT" else (0, 1))
        reply = await ask(client, caller.framed(caller.intent(capability, params, token)))
        other = await ask(client, caller.framed(caller.commit(reply["proposals"][0], token)))
        assert code(other) == "consent_required"
        served.kill()
        await client.close()

    run(test())


def test_a_folder_in_use_is_refused_with_a_sentence(tmp_path: Path) -> None:
    served = Served(tmp_path)
    assert (tmp_path / "yea.sqlite3").exists()
    with pytest.raises(OSError, match="as a store: database is locked"):
        asyncio.run(serve(ServeOptions(tcp_port=0, data=tmp_path)))
    served.kill()
