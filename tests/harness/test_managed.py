"""Children: found ready by their first line, bounded in what they say, and ended with all that they started."""

import asyncio
import os
import shlex
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from harness import managed
from harness.errors import TargetError, TargetGone, UsageError
from harness.managed import (
    Child,
    default_addresses,
    fill,
    fill_address,
    fill_command,
    free_ports,
    placeholders,
    restart,
    until_ready,
)
from tests.harness.children import SLEEP, children, gone, needs_proc, python


def with_child(child: Child, script: Callable[[], Awaitable[Any]], *, kill: bool = True) -> Any:
    """Start a child, run a script, and end the child; returns what the script does."""

    async def main() -> Any:
        await child.start()
        try:
            return await script()
        finally:
            await child.stop(kill=kill)

    return asyncio.run(main())


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


# Children that talk


def test_a_child_that_talks_reads_what_is_written_and_the_other_way_round() -> None:
    child = python("import sys\nfor line in sys.stdin: print(line.upper(), end='', flush=True)", talks=True)

    async def script() -> tuple[bytes, bool, bytes]:
        child.writer.write(b"one\n")
        answer = await child.reader.readline()
        child.writer.close()
        return answer, await child.finished(10), await child.reader.read()

    assert with_child(child, script) == (b"ONE\n", True, b"")


@needs_proc
def test_a_child_that_talks_leaves_no_descriptor_open() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    child = python("pass", talks=True)

    async def script() -> bool:
        return await child.finished(10)

    assert with_child(child, script)
    with pytest.raises(TargetError):
        asyncio.run(Child(["/nonexistent/server"], "the command", talks=True).start())
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@needs_proc
def test_a_start_that_is_cancelled_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    child = python(SLEEP, talks=True)

    async def never(descriptor: int) -> Any:
        os.close(descriptor)
        raise asyncio.CancelledError

    monkeypatch.setattr(child, "_writing", never)

    async def main() -> None:
        with pytest.raises(asyncio.CancelledError):
            await child.start()
        await child.stop()

    asyncio.run(main())
    assert children() == []


# Readiness and restarts


def test_what_is_not_ready_is_asked_again() -> None:
    asked: list[int] = []

    async def ask() -> str:
        asked.append(1)
        if len(asked) < 3:
            raise TargetError("yea://x", "connection refused")
        return "ready"

    assert asyncio.run(until_ready(None, ask, 10)) == "ready"
    assert len(asked) == 3


async def refuse() -> None:
    raise TargetError("yea://x", "connection refused")


def test_patience_has_an_end() -> None:
    with pytest.raises(TargetError) as caught:
        asyncio.run(until_ready(None, refuse, 0))
    assert str(caught.value) == "yea://x: connection refused"


def test_a_child_that_ended_is_not_waited_for() -> None:
    child = python("raise SystemExit('no such port')")

    async def script() -> str:
        with pytest.raises(TargetError) as caught:
            await until_ready(child, refuse, 60)
        return str(caught.value)

    assert with_child(child, script) == "the child: ended with exit code 1; it said: no such port"


def test_a_restart_kills_and_starts_the_same_command_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    deaf = "import os, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    child = python(f"{deaf}; f = open({str(log)!r}, 'a'); print(os.getpid(), file=f, flush=True); {SLEEP}")

    def started() -> list[int]:
        return [int(line) for line in log.read_text().splitlines()] if log.exists() else []

    def ask(number: int) -> Callable[[], Awaitable[None]]:
        async def asking() -> None:
            if len(started()) < number:
                raise TargetError("the child", "does not answer")

        return asking

    async def script() -> tuple[list[int], int | None]:
        await until_ready(child, ask(1), 10)
        await restart(child, ask(2), 10)
        return started(), child.pid

    (first, second), pid = with_child(child, script)
    assert (second, asyncio.run(gone(first)), asyncio.run(gone(second))) == (pid, True, True)


def test_what_does_not_come_up_again_is_gone(tmp_path: Path) -> None:
    once = f"import os; os.mkdir({str(tmp_path / 'once')!r}); {SLEEP}"
    child = python(once)

    async def ready() -> None:
        if not (tmp_path / "once").exists():
            await refuse()

    async def script() -> str:
        await until_ready(child, ready, 10)
        with pytest.raises(TargetGone) as caught:
            await restart(child, refuse, 60)
        return caught.value.why

    why = with_child(child, script)
    assert why.startswith("it did not come up again after it was killed: ended with exit code 1; it said: FileExists")


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


def test_a_value_stays_one_word_of_a_stdio_command() -> None:
    values = {"port": "1", "data": "/data/a b"}
    filled = fill_address("stdio:./serve --stdio {data}", values)
    assert shlex.split(filled.removeprefix("stdio:")) == ["./serve", "--stdio", "/data/a b"]
    assert fill_address("yea://127.0.0.1:{port}", values) == "yea://127.0.0.1:1"
