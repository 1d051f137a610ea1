"""A client is started within bounds, whatever it does, and its process group is ended."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.clients.results import Result
from harness.clients.starting import MOST_OUTPUT, Orders, Starter, Watching
from harness.errors import TargetFault, UsageError
from tests.harness.children import gone, needs_proc

DONE = 'print(\'{"outcome": "done"}\', flush=True)'
PATIENCE = 20.0
SHORT = 0.2


def starter(folder: Path, code: str, timeout: float = PATIENCE) -> Starter:
    (folder / "client.py").write_text(code)
    return Starter(f"'{sys.executable}' -u '{folder}/client.py' {{url}} {{do}} {{params}}", folder, timeout=timeout)


async def ran(start: Starter, times: int, watching: Watching | None = None) -> list[Result]:
    who = start.identity("played.example", lambda: 1000.0)
    orders = Orders("yea://127.0.0.1:1", "commit", times, who, start.folder / "ca.pem")
    return (await start.run(orders, watching or Watching())).results


def outcome(start: Starter, times: int = 1, watching: Watching | None = None) -> Any:
    try:
        return asyncio.run(ran(start, times, watching))
    except TargetFault as problem:
        return problem.why


def test_its_results_are_those_that_it_printed(tmp_path: Path) -> None:
    code = f"import sys\nfor _ in sys.argv[2].split(','):\n  print('log')\n  {DONE}"
    assert outcome(starter(tmp_path, code), 3) == [Result("done")] * 3


def test_a_last_line_without_its_end_counts(tmp_path: Path) -> None:
    assert outcome(starter(tmp_path, 'print(\'{"outcome": "failed"}\', end="")')) == [Result("failed")]


def test_what_comes_after_the_last_result_does_not_count(tmp_path: Path) -> None:
    assert outcome(starter(tmp_path, f"{DONE}\n{DONE}")) == [Result("done")]


def test_the_exit_code_does_not_count_once_all_is_said(tmp_path: Path) -> None:
    assert outcome(starter(tmp_path, f"{DONE}\nimport sys\nsys.exit(3)")) == [Result("done")]


def test_it_gets_its_placeholders_as_one_word_each(tmp_path: Path) -> None:
    code = f"import json, sys\nassert json.loads(sys.argv[3])['event'] == 'lunch'\n{DONE}"
    assert outcome(starter(tmp_path, code)) == [Result("done")]


def test_its_standard_input_is_at_its_end(tmp_path: Path) -> None:
    assert outcome(starter(tmp_path, f"import sys\nsys.stdin.read()\n{DONE}")) == [Result("done")]


def test_one_that_lingers_once_all_is_said_is_ended(tmp_path: Path) -> None:
    assert outcome(starter(tmp_path, f"{DONE}\nimport time\ntime.sleep(60)")) == [Result("done")]


def test_one_that_crashes_is_told_with_its_last_words(tmp_path: Path) -> None:
    why = outcome(starter(tmp_path, f"{DONE}\nraise ValueError('no such thing')"), 2)
    assert why == "the client printed 1 of 2 results and ended with exit code 1; it said: ValueError: no such thing"


def test_one_that_hangs_is_ended(tmp_path: Path) -> None:
    why = outcome(starter(tmp_path, "import time\ntime.sleep(60)", SHORT))
    assert why == "the client hung: it did nothing for 0.6 s"


def test_one_that_hangs_after_it_began_is_ended_sooner(tmp_path: Path) -> None:
    why = outcome(starter(tmp_path, f"{DONE}\nimport time\ntime.sleep(60)", SHORT * 10), 2)
    assert why == "the client hung: it did nothing for 2 s"


def test_one_that_closes_its_output_and_hangs_is_ended(tmp_path: Path) -> None:
    why = outcome(starter(tmp_path, "import os, time\nos.close(1)\ntime.sleep(60)", SHORT))
    assert why == "the client hung: it did nothing for 0.6 s"


def test_one_that_floods_its_output_is_ended(tmp_path: Path) -> None:
    why = outcome(starter(tmp_path, "while True: print('x' * 65536)"))
    assert why == f"the client printed more than {MOST_OUTPUT >> 20} MiB"


def test_one_that_floods_the_service_is_ended(tmp_path: Path) -> None:
    class Flooded(Watching):
        """Hears a flood as soon as the client has begun."""

        def begin(self, *begun: Any) -> None:
            super().begin(*begun)
            asyncio.get_running_loop().call_soon(lambda: [self.heard() for _ in range(41)])

    why = outcome(starter(tmp_path, "import time\ntime.sleep(60)"), watching=Flooded())
    assert why == "the client floods the service with requests"


@needs_proc
def test_its_whole_group_is_ended(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(child.pid))\n{DONE}"
    )

    async def main() -> bool:
        await ran(starter(tmp_path, code), 1)
        return await gone(int((tmp_path / "pid").read_text()))

    assert asyncio.run(main())


def test_keys_are_files_for_their_owner_alone(tmp_path: Path) -> None:
    who = starter(tmp_path, "").identity("played.example", lambda: 1000.0)
    assert [file.stat().st_mode & 0o777 for file in (who.seed_file, who.principal_file)] == [0o600, 0o600]
    assert who.agent.public != who.principal.public


WRONG = {
    "no program": ("naysayer-has-no-such-program {url}", "there is no program 'naysayer-has-no-such-program'"),
    "no address": ("echo hello", "--command needs {url} in it: where the played service is"),
    "half a word": ("echo '{url}", "cannot be split"),
    "nothing": ("", "--command needs a program to start"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_command_that_cannot_be_started_is_wrong_usage(tmp_path: Path, name: str) -> None:
    command, problem = WRONG[name]
    with pytest.raises(UsageError) as raised:
        Starter(command, tmp_path).check()
    assert problem in str(raised.value)
