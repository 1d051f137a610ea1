"""Children: found ready by their first line, bounded in what they say, and ended with all that they started."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from harness import managed
from harness.errors import TargetError, UsageError
from harness.managed import Child, default_addresses, fill, fill_command, free_ports, placeholders, start_reference

PROC = Path("/proc/self/stat").exists()
needs_proc = pytest.mark.skipif(not PROC, reason="looks at /proc")


def python(code: str) -> Child:
    return Child([sys.executable, "-u", "-c", code], "the child")


def with_child(child: Child, script: Callable[[], Awaitable[Any]], *, kill: bool = True) -> Any:
    """Start a child, run a script, and end the child; returns what the script does."""

    async def main() -> Any:
        await child.start()
        try:
            return await script()
        finally:
            await child.stop(kill=kill)

    return asyncio.run(main())


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be buried does not."""
    if not PROC:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def gone(pid: int) -> bool:
    """Whether a process is gone, at once or within a few seconds."""
    for _ in range(500):
        if not alive(pid):
            return True
        await asyncio.sleep(0.01)
    return False


SLEEP = "import time; time.sleep(60)"


def test_the_first_line_is_returned_while_the_child_runs_on() -> None:
    child = python(f"import sys; sys.stderr.write('ready é\\nmore\\n'); {SLEEP}")

    async def script() -> tuple[str, str, bool, str | None]:
        return await child.first_line(10), await child.first_line(10), child.pid is not None, child.ended()

    assert with_child(child, script) == ("ready é", "ready é", True, None)
    assert child.pid is None


def test_a_child_that_ends_before_its_first_line_is_named_with_its_code() -> None:
    child = python("raise SystemExit(5)")

    async def script() -> str:
        with pytest.raises(TargetError) as caught:
            await child.first_line(10)
        return str(caught.value)

    assert with_child(child, script) == "the child: ended with exit code 5"


def test_a_child_that_ended_is_named_with_its_last_words() -> None:
    child = python("import sys; sys.exit('first\\nno such port')")

    async def script() -> str | None:
        await child.first_line(10)
        for _ in range(500):
            if child.ended() and len(child.errors) == 2:
                break
            await asyncio.sleep(0.01)
        return child.ended()

    assert with_child(child, script) == "ended with exit code 1; it said: no such port"


def test_a_child_that_says_nothing_runs_into_the_timeout() -> None:
    child = python(SLEEP)

    async def script() -> str:
        with pytest.raises(TargetError) as caught:
            await child.first_line(0.2)
        return str(caught.value)

    assert with_child(child, script) == "the child: said nothing within 0.2 s"


@needs_proc
def test_a_program_that_is_not_there_cannot_be_started() -> None:
    child = Child(["/nonexistent/server"], "the command")
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(TargetError) as caught:
        asyncio.run(child.start())
    assert str(caught.value) == "the command: cannot be started: No such file or directory"
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    asyncio.run(child.stop())


def test_a_child_ends_with_its_whole_process_group() -> None:
    forking = "import os, sys, time\npid = os.fork()\nif pid: sys.stderr.write(f'{pid}\\n')\ntime.sleep(60)"
    child = python(forking)

    async def script() -> tuple[int, int]:
        grandchild = int(await child.first_line(10))
        assert child.pid is not None
        return child.pid, grandchild

    pid, grandchild = with_child(child, script, kill=False)
    assert asyncio.run(gone(pid))
    assert asyncio.run(gone(grandchild))


def test_a_child_that_was_killed_ends_with_its_whole_process_group() -> None:
    forking = (
        "import os, signal, sys, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\npid = os.fork()\n"
        "if pid: sys.stderr.write(f'{pid}\\n'); os.kill(os.getpid(), signal.SIGKILL)\ntime.sleep(60)"
    )
    child = python(forking)

    async def script() -> int:
        return int(await child.first_line(10))

    assert asyncio.run(gone(with_child(child, script, kill=False)))


def test_a_child_that_ignores_sigterm_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(managed, "STOP_GRACE", 0.2)
    child = python(
        f"import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); sys.stderr.write('deaf\\n'); {SLEEP}"
    )

    async def script() -> None:
        await child.first_line(10)

    with_child(child, script, kill=False)
    assert child.ended() == f"ended with exit code {-signal.SIGKILL}; it said: deaf"


def test_a_child_gets_the_time_to_end_by_itself() -> None:
    child = python(
        "import signal, sys\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n"
        f"sys.stderr.write('polite\\n')\n{SLEEP}"
    )

    async def script() -> None:
        await child.first_line(10)

    with_child(child, script, kill=False)
    assert child.ended() == "ended with exit code 7; it said: polite"


def test_a_grandchild_that_escaped_does_not_hold_anybody_up() -> None:
    escaping = (
        "import os, sys, time\nif os.fork() == 0:\n    os.setsid()\n    sys.stderr.write(f'{os.getpid()}\\n')\n"
        "time.sleep(60)"
    )
    child = python(escaping)

    async def script() -> int:
        return int(await child.first_line(10))

    async def main() -> tuple[int, float]:
        await child.start()
        escaped = await script()
        begun = asyncio.get_running_loop().time()
        await child.stop()
        return escaped, asyncio.get_running_loop().time() - begun

    escaped, seconds = asyncio.run(main())
    assert seconds < 2
    os.kill(escaped, signal.SIGKILL)


def test_a_child_that_floods_its_standard_error_is_read_and_bounded() -> None:
    child = python(
        "import os\nos.write(2, b'ready\\n')\n"
        "for _ in range(64): os.write(2, b'x' * (1 << 18))\n"
        "os.write(2, b'\\n')\n"
        "for number in range(5000): os.write(2, b'line %d\\n' % number)\n"
        "os.write(2, b'\\xff' * 5000 + b'\\n')"
    )

    async def script() -> str | None:
        assert await child.first_line(10) == "ready"
        for _ in range(1000):
            if child.ended() and child.errors[-1].startswith("\\xff"):
                break
            await asyncio.sleep(0.01)
        return child.ended()

    ended = with_child(child, script)
    assert ended.startswith("ended with exit code 0; it said: \\xff")
    assert len(child.errors) == managed.KEPT_LINES
    assert list(child.errors)[-2] == "line 4999"
    assert max(map(len, child.errors)) <= 1000


def test_stopping_what_never_started_or_has_stopped_is_no_error() -> None:
    child = python("pass")
    asyncio.run(child.stop())

    async def script() -> None:
        await child.stop()
        await child.stop(kill=True)

    with_child(child, script)


# The embedded reference


def bound(code: str, timeout: float = 10.0) -> tuple[Any, list[int]]:
    """Start a child in the reference's place; returns what came of it, and the children that are left."""
    left: list[int] = []

    async def main() -> Any:
        try:
            child, addresses = await start_reference("yea", timeout)
        except TargetError as problem:
            return str(problem)
        finally:
            left.extend(children())
        await child.stop(kill=True)
        return addresses

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(managed, "reference_command", lambda protocol: [sys.executable, "-u", "-c", code])
        return asyncio.run(main()), left


def children() -> list[int]:
    """Return the processes that this one has started and not yet buried."""
    return [int(pid.name) for pid in Path("/proc").iterdir() if pid.name.isdigit() and _parent(pid) == os.getpid()]


def _parent(pid: Path) -> int:
    try:
        return int((pid / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


@needs_proc
def test_the_reference_says_where_it_is() -> None:
    said = '{"http": "http://h/yea", "tcp": "yea://h", "other": 1}'
    found, left = bound(f"import sys; sys.stderr.write('{said}\\n'); {SLEEP}")
    assert found == ["yea://h", "http://h/yea"]
    assert len(left) == 1


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
    "it says nothing": (SLEEP, "the embedded yea reference: said nothing within 0.5 s"),
}


@needs_proc
@pytest.mark.parametrize("name", NOT_UP)
def test_a_reference_that_does_not_come_up_leaves_nothing_behind(name: str) -> None:
    code, problem = NOT_UP[name]
    assert bound(code, 0.5 if name == "it says nothing" else 10.0) == (problem, [])


@needs_proc
def test_a_reference_whose_start_is_cancelled_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(managed, "reference_command", lambda protocol: [sys.executable, "-c", SLEEP])

    async def main() -> None:
        starting = asyncio.ensure_future(start_reference("yea", 10))
        await asyncio.sleep(0.1)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting

    asyncio.run(main())
    assert children() == []


# Commands with placeholders


def test_a_command_is_split_as_a_shell_would_and_filled() -> None:
    values = {"port": "1", "data": "/data/a b"}
    assert fill_command("serve --port {port} '--x={data} {y}' {data}/z $HOME `id`", values) == [
        "serve",
        "--port",
        "1",
        "--x=/data/a b {y}",
        "/data/a b/z",
        "$HOME",
        "`id`",
    ]
    assert fill("{a}{b}{{a}}", {"a": "1"}) == "1{b}{1}"


def test_a_command_that_is_none_is_refused() -> None:
    for command, problem in {
        "": "--command needs a program to start",
        "  ": "--command needs a program to start",
        "serve 'x": 'the command "serve \'x" cannot be split: No closing quotation',
    }.items():
        with pytest.raises(UsageError) as caught:
            fill_command(command, {})
        assert str(caught.value) == problem


def test_placeholders_are_ports_data_and_principals() -> None:
    values = placeholders(Path("/data"), {"a": "ed25519:A", "b": "ed25519:B"})
    ports = [values.pop(name) for name in ("port", "tls_port", "http_port")]
    assert values == {"data": "/data", "principal_a": "ed25519:A", "principal_b": "ed25519:B"}
    assert len(set(ports)) == 3
    assert all(1024 <= int(port) <= 65535 for port in ports)
    assert len(set(free_ports(5))) == 5


def test_addresses_follow_from_the_ports_that_a_command_names() -> None:
    values = {"port": "1", "tls_port": "2", "http_port": "3"}
    assert default_addresses("x {port} {http_port}", values) == ["yea://127.0.0.1:1", "http://127.0.0.1:3/yea"]
    assert default_addresses("x {tls_port}", values) == ["yeas://127.0.0.1:2"]
    assert default_addresses("x port", values) == []
