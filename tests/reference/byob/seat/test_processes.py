"""A command as a bot: prompt in, answer out, bounded, and nothing of it left behind."""

import asyncio
import inspect
import os
import sys
from pathlib import Path

import pytest

from reference.byob.seat import processes
from reference.byob.seat.asking import Ask, BotError
from reference.byob.seat.bots import command
from tests.harness.children import alive, gone, needs_proc

PLENTY = 60.0


def answer(program: str, prompt: str = "p", *, seconds: float = PLENTY, most: int = 1 << 20) -> str:
    arguments = [sys.executable, "-c", program]
    return asyncio.run(processes.answer(arguments, prompt, seconds=seconds, most_bytes=most))


def descriptors() -> int:
    """How many descriptors are open here."""
    return len([*Path("/proc/self/fd").iterdir()])


def test_the_prompt_is_its_input_and_what_it_prints_the_answer() -> None:
    assert answer("import sys; print(sys.stdin.read()[::-1], end='')", "é!") == "!é"


def test_it_may_leave_its_input_unread() -> None:
    assert answer("print('done')", "x" * 5_000_000) == "done\n"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; sys.exit(3)", "ended with exit code 3"),
        ("import os; os.abort()", "ended with signal 6"),
        (r"import sys; sys.stdout.buffer.write(b'\xff')", "printed what is not UTF-8"),
        ("while True: print('x' * 1000)", "printed more than 10000 bytes"),
    ],
)
def test_what_is_no_answer(program: str, said: str) -> None:
    with pytest.raises(BotError, match=said):
        answer(program, most=10_000)


@pytest.mark.parametrize("program", ["/no/such/program", "a\0b"])
def test_a_program_that_cannot_be_started(program: str) -> None:
    with pytest.raises(BotError, match="cannot be started"):
        asyncio.run(processes.answer([program], "p", seconds=PLENTY))


def test_one_that_takes_too_long_is_ended_with_what_it_started(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    os.mkfifo(note)
    program = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(note)!r}, 'w').write(str(child.pid))\n"
        "time.sleep(600)\n"
    )

    async def test() -> None:
        task = asyncio.create_task(processes.answer([sys.executable, "-c", program], "p", seconds=PLENTY))
        pid = int(await asyncio.to_thread(note.read_text))
        assert alive(pid)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await gone(pid)

    asyncio.run(test())
    with pytest.raises(BotError, match=r"gave no answer within 0\.01 s"):
        answer("import time; time.sleep(600)", seconds=0.01)


def test_one_that_leaves_a_child_behind_has_answered(tmp_path: Path) -> None:
    program = (
        "import subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print('the answer', flush=True)\n"
    )
    assert answer(program) == "the answer\n"


@needs_proc
def test_no_descriptor_is_left_open() -> None:
    before = descriptors()
    answer("print(1)")
    with pytest.raises(BotError):
        asyncio.run(processes.answer(["/no/such/program"], "p", seconds=PLENTY))
    assert descriptors() == before


def test_a_command_is_a_bot() -> None:
    bot = command([sys.executable, "-c", "print(input())"])

    async def test() -> None:
        got = bot(Ask("speak", "t", "b", {}, ()))
        assert inspect.isawaitable(got)
        assert str(await got).startswith('You are the seat "b" at the table "t".')

    asyncio.run(test())
