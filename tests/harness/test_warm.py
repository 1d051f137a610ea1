"""Warm starts: a fork is the command it was asked for, in a session of its own, and its end is told."""

import asyncio
import os
import shlex
import signal
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from harness.managed import Child
from harness.targets.addresses import parse
from harness.targets.stdio import stdio_target
from harness.targets.streams import StreamConnection
from harness.warm import LOST, PREFIX, Warm
from tests.harness.children import children, gone, needs_proc
from tests.harness.peers import Seen

STDIO = [*PREFIX, "serve", "yea", "--stdio"]


def warmly(script: Callable[[Warm], Awaitable[Any]]) -> Any:
    """Run a script with a process that forks, and return its result."""

    async def main() -> Any:
        warm = Warm()
        await warm.start()
        try:
            return await script(warm)
        finally:
            await warm.stop()

    result = asyncio.run(main())
    assert children() == []
    return result


async def last_words(child: Child) -> str:
    """Wait until a child has ended and said what it says last, a line that names naysayer or what was bound."""
    for _ in range(1000):
        if child.ended() and child.errors and child.errors[-1].startswith(("naysayer:", "{")):
            break
        await asyncio.sleep(0.01)
    return child.ended() or "still there"


@needs_proc
def test_each_connection_is_a_process_that_speaks_frames() -> None:
    async def script(warm: Warm) -> tuple[list[str], bool, bool]:
        at = stdio_target(
            parse(f"stdio:{shlex.join(STDIO)}"), time.time, timeout=10.0, start_timeout=20.0, spawn=warm.spawn
        )
        connections = await asyncio.gather(*(at.connect(Seen(), f"stdio{number}") for number in range(3)))
        kinds = []
        for each in connections:
            assert isinstance(each, StreamConnection)
            kinds.append((await each.request({"yea": 1, "id": "1", "verb": "HELLO"})).kind)
        assert at.peak_memory is not None
        seen = (at.peak_memory() or 0) > 1 << 20
        await asyncio.gather(*(each.close() for each in connections))
        return kinds, seen, at.peak_memory() is None

    assert warmly(script) == (["BRIEF"] * 3, True, True)


def test_a_fork_leads_a_session_and_ends_with_its_input_and_code_0() -> None:
    async def script(warm: Warm) -> tuple[bool, str]:
        child = Child(STDIO, "the child", talks=True, spawn=warm.spawn)
        await child.start()
        pid = child.pid or 0
        leads = os.getsid(pid) == os.getpgid(pid) == pid
        child.writer.close()
        said = await last_words(child)
        await child.stop(kill=True)
        return leads, said

    assert warmly(script) == (True, "ended with exit code 0; it said: {}")


def test_what_a_command_says_and_its_exit_code_are_its_own() -> None:
    async def script(warm: Warm) -> list[str]:
        told = []
        for words in (["serve", "yea", "--fault", "none"], ["serve", "yea", "--nonsense"]):
            child = Child([*PREFIX, *words], "the child", talks=True, spawn=warm.spawn)
            await child.start()
            told.append(await last_words(child))
            await child.stop()
        return told

    unknown, senseless = warmly(script)
    assert unknown == (
        "ended with exit code 2; it said: naysayer: no fault 'none'; `naysayer serve yea --fault list` shows them all"
    )
    assert senseless.startswith("ended with exit code 2; it said: naysayer: error: unrecognized arguments")


def test_a_fork_that_was_killed_says_by_what() -> None:
    async def script(warm: Warm) -> str | None:
        child = Child(STDIO, "the child", talks=True, spawn=warm.spawn)
        await child.start()
        await child.stop(kill=True)
        return child.ended()

    assert warmly(script).startswith(f"ended with exit code {-signal.SIGKILL}")


def test_no_other_command_is_started_warm() -> None:
    async def script(warm: Warm) -> None:
        for words in (["./serve"], [*PREFIX[:2], "other"], []):
            with pytest.raises(OSError, match="cannot be started warm"):
                await warm.spawn(words, 0, 1, 2)

    warmly(script)
    with pytest.raises(OSError, match="cannot be started warm"):
        asyncio.run(Warm().spawn(STDIO, 0, 1, 2))
    asyncio.run(Warm().stop())


@needs_proc
def test_the_death_of_what_forks_is_no_hang() -> None:
    async def script(warm: Warm) -> tuple[str, str]:
        child = Child(STDIO, "the child", talks=True, spawn=warm.spawn)
        await child.start()
        (forking,) = children()
        os.kill(forking, signal.SIGKILL)
        await child.finished(10)
        with pytest.raises(OSError) as caught:
            await warm.spawn(STDIO, 0, 1, 2)
        pid, code = child._process.pid if child._process else 0, (child.ended() or "").partition(";")[0]
        await child.stop(kill=True)
        assert await gone(pid)
        return code, str(caught.value.strerror)

    assert warmly(script) == (f"ended with exit code {LOST}", "the process that starts it has ended")


@needs_proc
def test_a_start_that_is_cancelled_leaves_a_fork_that_finds_its_input_at_an_end() -> None:
    async def script(warm: Warm) -> list[int]:
        child = Child(STDIO, "the child", talks=True, spawn=warm.spawn)
        starting = asyncio.ensure_future(child.start())
        await asyncio.sleep(0)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        other = Child(STDIO, "another", talks=True, spawn=warm.spawn)
        await other.start()
        await other.stop(kill=True)
        forks = list(warm._running)
        for fork in forks:
            assert await gone(fork)
        return forks

    assert len(warmly(script)) <= 1


@needs_proc
def test_a_fork_can_have_an_environment_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BYOB_URL", "http://ours.invalid")
    ours = {name: value for name, value in os.environ.items() if not name.startswith("BYOB_")}

    async def script(warm: Warm) -> list[str]:
        said = []
        for given in (ours, {**ours, "BYOB_URL": "http://theirs.invalid"}):
            child = Child([*PREFIX, "mcp"], "the bridge", talks=True, spawn=warm.spawn_with(given))
            await child.start()
            await last_words(child)
            said.append(child.errors[-1])
            await child.stop()
        return said

    assert warmly(script) == [
        "naysayer: the bridge needs BYOB_URL and BYOB_TABLE and BYOB_OWNER_KEY_FILE in its environment",
        "naysayer: the bridge needs BYOB_TABLE and BYOB_OWNER_KEY_FILE in its environment",
    ]
