"""stdio: a child per connection, whose start is not the service's time, and which ends with all that it started."""

import asyncio
import os
import shlex
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from harness import managed
from harness.errors import TargetFault, TargetGone, UsageError
from harness.targets import stdio
from harness.targets.addresses import parse
from harness.targets.base import Target
from harness.targets.stdio import MOST_LATE, stdio_target
from harness.targets.streams import StreamConnection
from tests.harness.children import SLEEP, children, gone, needs_proc
from tests.harness.peers import Seen

SERVICE = """
import json, os, sys, time
{first}
for line in sys.stdin:
    frame = json.loads(line)
    reply = {{"yea": 1, "id": "s" + frame["id"], "re": frame["id"], "kind": "BRIEF", "pid": os.getpid()}}
    print(json.dumps(reply), flush=True)
{last}
"""


def target(first: str = "", last: str = "", *, timeout: float = 10.0, start_timeout: float = 20.0) -> Target:
    """Return a target whose children run a small service, with code before and after it."""
    return program(SERVICE.format(first=first, last=last), timeout=timeout, start_timeout=start_timeout)


def program(code: str, *, timeout: float = 10.0, start_timeout: float = 20.0) -> Target:
    command = shlex.join([sys.executable, "-u", "-c", code])
    return stdio_target(parse(f"stdio:{command}"), time.time, timeout=timeout, start_timeout=start_timeout)


def talk(at: Target, script: Callable[[StreamConnection], Awaitable[Any]]) -> Any:
    """Run a script on a connection and return its result."""

    async def main() -> Any:
        connection = await at.connect(Seen(), "stdio1")
        assert isinstance(connection, StreamConnection)
        try:
            return await script(connection)
        finally:
            await connection.close()

    return asyncio.run(main())


async def pid(connection: StreamConnection) -> int:
    return int((await connection.request({"yea": 1, "id": "1", "verb": "HELLO"})).reply["pid"])


def fault(at: Target) -> str:
    """Return why a connection cannot be had."""
    with pytest.raises(TargetFault) as caught:
        asyncio.run(at.connect(Seen(), "stdio1"))  # type: ignore[arg-type]
    return f"{type(caught.value).__name__}: {caught.value.why}"


def test_a_connection_is_a_child_of_its_own_and_as_good_as_new() -> None:
    async def script(connection: StreamConnection) -> tuple[Any, ...]:
        fresh = (connection.received_bytes, connection.received_lines, connection.junk)
        return connection.transport, fresh, await pid(connection)

    one, two = (talk(target(), script) for _ in range(2))
    assert one[:2] == two[:2] == ("stdio", (0, 0, []))
    assert one[2] != two[2]


def test_what_asks_a_child_whether_it_runs_is_in_the_transcript() -> None:
    seen = Seen()

    async def main() -> None:
        connection = await target().connect(seen, "stdio1")
        await connection.close()

    asyncio.run(main())
    assert (len(seen.out), b'"verb":"HELLO"' in seen.out[0], len(seen.frames)) == (1, True, 1)


def test_its_start_does_not_count_as_the_time_of_an_answer() -> None:
    assert talk(target("time.sleep(0.5)", timeout=0.3), pid) > 0


def test_it_may_be_loaded_but_not_restarted() -> None:
    at = target()
    assert (at.transport, at.managed, at.loopback, at.restart, at.at_once) == ("stdio", True, True, None, stdio.AT_ONCE)
    assert at.not_restarted.startswith("over stdio each connection is a process")


@needs_proc
def test_the_memory_of_the_running_children_is_seen() -> None:
    at = target()
    assert at.peak_memory is not None
    peak = at.peak_memory

    async def script(connection: StreamConnection) -> int | None:
        return peak()

    assert (talk(at, script) or 0) > 1 << 20
    assert peak() is None


BAD: dict[str, tuple[str, str]] = {
    "ends at once": (
        "import sys; sys.stderr.write('first\\nno such option\\n'); sys.exit(3)",
        "the child ended with exit code 3; it said: no such option",
    ),
    "is no service": (
        "print('hello')",
        "the child ended with exit code 0; it wrote b'hello'",
    ),
    "closes its output": (
        f"import os; os.close(1); {SLEEP}",
        "the child closed its standard output",
    ),
}


@needs_proc
@pytest.mark.parametrize("name", BAD)
def test_a_child_that(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "END_GRACE", 0.5 if name == "closes its output" else 5.0)
    code, why = BAD[name]
    assert fault(program(code)) == f"TargetFault: {why}"
    assert children() == []


@needs_proc
def test_after_some_children_that_never_answered_no_more_are_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "END_GRACE", 0.1)
    at = program(f"print('hello'); {SLEEP}", start_timeout=0.3)
    late = "TargetFault: the child did not answer HELLO within 0.3 s of its start; it wrote b'hello'"
    assert [fault(at) for _ in range(MOST_LATE)] == [late] * MOST_LATE
    assert fault(at).startswith("TargetGone: no connection to stdio:")
    assert fault(at).endswith("3 children in a row did not answer within 0.3 s")
    assert children() == []


def test_a_program_that_is_not_there_is_a_target_that_is_gone() -> None:
    at = stdio_target(parse("stdio:/nonexistent/service --x"), time.time, timeout=1.0, start_timeout=1.0)
    said = "no connection to stdio:/nonexistent/service --x: cannot be started: No such file or directory"
    assert fault(at) == f"TargetGone: {said}"


def test_a_command_that_cannot_be_split_is_wrong_usage() -> None:
    with pytest.raises(UsageError):
        stdio_target(parse("stdio:serve 'x"), time.time, timeout=1.0, start_timeout=1.0)


def test_what_it_writes_before_it_is_asked_stays_to_be_found() -> None:
    async def script(connection: StreamConnection) -> list[str]:
        return [junk.problem for junk in connection.junk]

    (problem,) = talk(target("print('service started', flush=True)"), script)
    assert problem.startswith("not JSON")


def test_a_flood_on_standard_error_holds_nothing_up() -> None:
    assert talk(target("os.write(2, b'x' * (1 << 22)); sys.stderr.write('line\\n' * 100_000)"), pid) > 0


@needs_proc
def test_its_whole_process_group_ends_with_the_connection() -> None:
    forking = "child = os.fork()\nif child == 0: time.sleep(60)\nos.getpid = lambda: child"
    grandchild = talk(target(forking), pid)
    assert asyncio.run(gone(grandchild))
    assert children() == []


@needs_proc
def test_a_child_that_does_not_end_with_its_input_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "END_GRACE", 0.1)
    monkeypatch.setattr(managed, "STOP_GRACE", 0.1)
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    assert asyncio.run(gone(talk(target(deaf, "time.sleep(60)"), pid)))
    assert children() == []


def test_a_child_gets_the_time_to_end_by_itself(tmp_path: Any) -> None:
    file = tmp_path / "ended"
    talk(target(last=f"open({str(file)!r}, 'w').write('well')"), pid)
    assert file.read_text() == "well"


@pytest.mark.parametrize(
    ("last", "wanted"), [("", 0), ("sys.exit(3)", 3), ("os.kill(os.getpid(), 15)", -signal.SIGTERM)]
)
def test_how_a_child_ends_by_itself_is_known(last: str, wanted: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "END_GRACE", 20.0)

    async def script(connection: StreamConnection) -> list[int | None]:
        running = await connection.exit_code()
        await connection.finish()
        await connection.wait_closed()
        return [running, await connection.exit_code()]

    assert talk(target(last=last), script) == [None, wanted]


def test_the_death_of_a_child_is_the_end_of_its_connection() -> None:
    async def script(connection: StreamConnection) -> str:
        os.kill(await pid(connection), signal.SIGKILL)
        with pytest.raises(TargetFault) as caught:
            await connection.request({"yea": 1, "id": "2", "verb": "HELLO"})
        assert not isinstance(caught.value, TargetGone)
        return caught.value.why

    assert talk(target(), script) == "HELLO got a closed connection (the target closed the connection)"


@needs_proc
def test_a_connection_that_is_cancelled_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "END_GRACE", 0.1)

    async def main() -> None:
        connecting = asyncio.ensure_future(program(SLEEP).connect(Seen(), "stdio1"))
        for _ in range(1000):
            if children():
                break
            await asyncio.sleep(0.01)
        connecting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await connecting

    asyncio.run(main())
    assert children() == []
