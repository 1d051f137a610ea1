"""The driver against adapters that break in every way: only what breaks them fails, and the driving always ends."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from harness.adapters import process, program
from harness.adapters.process import Adapter, Answer, GivenUp
from harness.errors import TargetError, UsageError
from tests.harness.adapters import programs

T = TypeVar("T")

LONG = 60.0  # never waited for
SHORT = 1.0  # for those that hang: they are waited for
COUNT = 150


def requests(count: int = COUNT) -> list[dict[str, Any]]:
    return [{"id": number, "op": "x", "n": number} for number in range(1, count + 1)]


def run(adapter: Adapter, script: Callable[[Adapter], Awaitable[T]]) -> T:
    """Start an adapter, run a script with it and stop it."""

    async def main() -> T:
        try:
            await adapter.start()
            return await script(adapter)
        finally:
            await adapter.stop()

    return asyncio.run(main())


def ask(adapter: Adapter, count: int = COUNT) -> dict[int, Answer]:
    """Ask an adapter so many requests and return its answers."""
    answers: dict[int, Answer] = {}

    def done(number: int, answer: Answer) -> None:
        assert number not in answers
        answers[number] = answer

    run(adapter, lambda each: each.ask(requests(count), done))
    return answers


def wrong(answers: dict[int, Answer]) -> dict[int, str]:
    """Return why each request failed that is not answered as it should be."""
    good = {number: Answer({"ok": {"n": number}}) for number in answers}
    return {number: answer.broke or str(answer.value) for number, answer in answers.items() if answer != good[number]}


def right(tmp_path: Path) -> Path:
    return programs.failing(tmp_path, "right(request)")


def test_a_right_adapter_is_asked_everything_once(tmp_path: Path) -> None:
    adapter = Adapter(programs.words(right(tmp_path)), LONG)
    answers = ask(adapter, 600)
    assert (len(answers), wrong(answers), adapter.breaks) == (600, {}, {})
    assert adapter.greeting == {"name": "odd", "version": "1", "adapter": 1, "protocols": ["yea"]}


NOT_JSON, TOO_DEEP = "a line that is not JSON", "an answer of more than 16 levels"
NOT_ONE, NO_ID = "an answer without exactly one of ok, error and unsupported", "an answer whose id is no integer"
UNKNOWN = "an answer to an id that was not asked: 4711"
BREAKS = {
    "dies": ("os._exit(7)", "it ended with exit code 7"),
    "dies cleanly": ("sys.exit()", "it ended with exit code 0"),
    "crashes": ("os.kill(os.getpid(), signal.SIGSEGV)", "it was ended by SIGSEGV"),
    "raises": ("raise ValueError", "it ended with exit code 1"),
    "closes its output": ("os.close(1); time.sleep(600)", "it closed its standard output"),
    "writes junk": ("write('Loading\\n'); right(request)", f"{NOT_JSON}: b'Loading"),
    "writes an empty line": ("write('\\n'); right(request)", f"{NOT_JSON}: b'\\n'"),
    "writes half a line": ("""write('{"id": 3'); os._exit(1)""", "it ended with exit code 1 within the line"),
    "writes a list": ("write('[3]\\n')", "a line that is no object: b'[3]\\n'"),
    "writes NaN": ("reply(request, ok=float('nan'))", NOT_JSON),
    "writes what is not UTF-8": ("""raw(b'{"id": 3, "ok": "\\xff"}\\n')""", NOT_JSON),
    "writes a byte order mark": ("raw(b'\\xef\\xbb\\xbf'); right(request)", NOT_JSON),
    "writes UTF-16": ("""raw('{"id": 3, "ok": 3}'.encode("utf-16") + b"\\n")""", NOT_JSON),
    "writes 100,000 levels": ("""write('{"id": 3, "ok": ' + "[" * 10**5 + "]" * 10**5 + "}\\n")""", NOT_JSON),
    "writes 500 levels": ("""write('{"id": 3, "ok": ' + "[" * 500 + "]" * 500 + "}\\n")""", TOO_DEEP),
    "answers an unknown id": ("request['id'] = 4711; right(request)", UNKNOWN),
    "answers an id of text": ("request['id'] = '3'; right(request)", NO_ID),
    "answers true for an id": ("request['id'] = True; right(request)", NO_ID),
    "answers no id": ("""write('{"ok": {}}\\n')""", NO_ID),
    "answers both ok and error": ("reply(request, ok={'n': 3}, error={})", NOT_ONE),
    "answers neither": ("reply(request)", NOT_ONE),
    "answers twice": ("right(request); right(request)", "a second answer to the request 3"),
    "answers and then writes junk": ("right(request); write('done\\n')", f"{NOT_JSON}: b'done"),
    "answers an unknown id as well": ("right(request); right({**request, 'id': 4711})", UNKNOWN),
    "floods its output": ("while True: write('y' * 1000 + '\\n')", NOT_JSON),
    "floods its output with answers": ("request['id'] = 4711\nwhile True: right(request)", UNKNOWN),
}


@pytest.mark.parametrize(("bad", "why"), BREAKS.values(), ids=BREAKS.keys())
def test_only_the_request_that_breaks_it_fails(bad: str, why: str, tmp_path: Path) -> None:
    adapter = Adapter(programs.words(programs.failing(tmp_path, bad)), LONG)
    answers = ask(adapter)
    assert list(wrong(answers)) == [3]
    assert answers[3].broke.startswith(why)
    assert answers[3].asked
    assert len(answers) == COUNT
    assert adapter.breaks.total() in (2, 3)


def test_an_answer_with_other_members_is_an_answer(tmp_path: Path) -> None:
    script = programs.failing(tmp_path, "reply(request, ok={'n': 3}, seconds=0.1)")
    assert ask(Adapter(programs.words(script), LONG))[3] == Answer({"ok": {"n": 3}, "seconds": 0.1})


def test_unsupported_is_an_answer(tmp_path: Path) -> None:
    script = programs.failing(tmp_path, "reply(request, unsupported=True)")
    answers = ask(Adapter(programs.words(script), LONG))
    assert [number for number, answer in answers.items() if answer.unsupported] == [3]


def test_silence_is_one_failure(tmp_path: Path) -> None:
    adapter = Adapter(programs.words(programs.failing(tmp_path, "time.sleep(600)")), SHORT)
    answers = ask(adapter)
    assert wrong(answers) == {3: "no answer within 1 s"}
    assert adapter.breaks == {"no answer within 1 s": 2}


def test_a_line_that_never_ends_is_one_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "LINE_LIMIT", 1 << 16)
    monkeypatch.setattr(process, "LINE_LIMIT", 1 << 16)
    script = programs.failing(tmp_path, "while True: write('y' * 10000)")
    answers = ask(Adapter(programs.words(script), LONG))
    assert wrong(answers) == {3: "a line longer than 0 MiB"}


def test_a_second_answer_is_found_when_others_came_in_between(tmp_path: Path) -> None:
    code = """
late = []
for line in sys.stdin:
    request = json.loads(line)
    right(request)
    if request.get("n") == 3:
        late.append(request)
    elif late and request["op"] == "hello" or request.get("n") == 40:
        right(late.pop())
"""
    answers = ask(Adapter(programs.words(programs.program(tmp_path, code)), LONG))
    assert (wrong(answers), len(answers)) == ({}, COUNT)


def test_answers_may_come_in_any_order(tmp_path: Path) -> None:
    code = """
rest = b""
while data := os.read(0, 1 << 20):
    *lines, rest = (rest + data).split(b"\\n")
    for line in reversed(lines):
        right(json.loads(line))
"""
    adapter = Adapter(programs.words(programs.program(tmp_path, code)), LONG)
    assert (wrong(ask(adapter)), adapter.breaks) == ({}, {})


def test_no_more_than_the_pipeline_is_under_way(tmp_path: Path) -> None:
    code = f"""
right(json.loads(sys.stdin.readline()))
for _ in range(2):
    lines = [sys.stdin.readline() for _ in range({process.PIPELINE})]
    os.set_blocking(0, False)
    assert sys.stdin.buffer.raw.read(1) is None
    os.set_blocking(0, True)
    for line in lines:
        right(json.loads(line))
for line in sys.stdin:
    right(json.loads(line))
"""
    adapter = Adapter(programs.words(programs.program(tmp_path, code)), LONG)
    assert (wrong(ask(adapter, 2 * process.PIPELINE)), adapter.breaks) == ({}, {})


def test_what_it_says_on_standard_error_is_kept_and_bounded(tmp_path: Path) -> None:
    script = programs.failing(
        tmp_path, "right(request); sys.stderr.write(('x' * 5000 + '\\n') * 2000 + 'last words\\n')"
    )
    adapter = Adapter(programs.words(script), LONG)
    assert wrong(ask(adapter)) == {}
    assert len(adapter.errors) == process.KEPT_ERRORS
    assert max(map(len, adapter.errors)) <= program.KEPT_CHARACTERS
    assert adapter.errors[-1] == "last words"


def test_a_flood_on_standard_error_holds_nothing_up(tmp_path: Path) -> None:
    code = """
if os.fork() == 0:
    while True:
        os.write(2, b"y" * 1000)
"""
    script = programs.program(tmp_path, code + programs.LOOP.replace("bad(request)", "right(request)"))
    assert wrong(ask(Adapter(programs.words(script), LONG))) == {}


def test_it_is_greeted_first_after_each_start(tmp_path: Path) -> None:
    code = """
assert json.loads(sys.stdin.readline()) == {"id": 0, "op": "hello"}
reply({"id": 0}, ok=HELLO)

def bad(request):
    os._exit(1)
"""
    adapter = Adapter(programs.words(programs.program(tmp_path, code + programs.LOOP)), LONG)
    assert wrong(ask(adapter)) == {3: "it ended with exit code 1"}


# Adapters that are none


def complaint(adapter: Adapter) -> str:
    with pytest.raises(TargetError) as caught:
        ask(adapter)
    return str(caught.value).removeprefix(f"{adapter.name}: ")


NO_ADAPTERS = {
    "dies at once": ("sys.stderr.write('no such module\\n'); sys.exit(3)",
                     "is no adapter: hello got no answer (it ended with exit code 3; it said: no such module)"),
    "junk": ("write('Welcome\\n'); time.sleep(600)",
             "is no adapter: hello got no answer (a line that is not JSON: b'Welcome\\n')"),
    "refuses hello": ("reply({'id': 0}, error={'message': 'who?'}); time.sleep(600)",
                      f'is no adapter: hello wants {process.WANTED_HELLO}, not {{"error": {{"message": "who?"}}}}'),
    "has no hello": ("reply({'id': 0}, unsupported=True); time.sleep(600)",
                     f'is no adapter: hello wants {process.WANTED_HELLO}, not {{"unsupported": true}}'),
    "another version": ("reply({'id': 0}, ok={**HELLO, 'adapter': 2}); time.sleep(600)",
                        f"is no adapter: hello wants {process.WANTED_HELLO}, not"),
    "a version that is true": ("reply({'id': 0}, ok={**HELLO, 'adapter': True}); time.sleep(600)",
                               f"is no adapter: hello wants {process.WANTED_HELLO}, not"),
    "no list of protocols": ("reply({'id': 0}, ok={**HELLO, 'protocols': 'yea'}); time.sleep(600)",
                             f"is no adapter: hello wants {process.WANTED_HELLO}, not"),
    "answers another id": ("reply({'id': 1}, ok=HELLO); time.sleep(600)",
                           "is no adapter: hello got no answer (an answer to an id that was not asked: 1)"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "sentence"), NO_ADAPTERS.values(), ids=NO_ADAPTERS.keys())
def test_what_is_no_adapter_is_said_to_be_none(code: str, sentence: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(process, "STOP_GRACE", 0.0)
    assert complaint(Adapter(programs.words(programs.program(tmp_path, code)), LONG)).startswith(sentence)


def test_a_program_that_says_nothing_is_no_adapter(tmp_path: Path) -> None:
    adapter = Adapter(programs.words(programs.program(tmp_path, "time.sleep(600)")), SHORT)
    assert complaint(adapter) == "is no adapter: hello got no answer (no answer within 1 s)"


def test_a_program_that_cannot_be_started_is_said_to_be_one(tmp_path: Path) -> None:
    plain = tmp_path / "plain.txt"
    plain.write_text("hello")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\x00\x01")
    binary.chmod(0o755)
    made = {name: complaint(Adapter([name])) for name in (f"{tmp_path}/none", str(plain), str(tmp_path), str(binary))}
    assert list(made.values()) == [
        "cannot be started: No such file or directory",
        "cannot be started: Permission denied",
        "cannot be started: Permission denied",
        "cannot be started: Exec format error",
    ]
    assert complaint(Adapter(["a\0b"])) == "cannot be started: embedded null byte"


@pytest.mark.parametrize(("command", "problem"), [("", "needs a program"), ("'x", "cannot be split"), (" ", "needs")])
def test_a_command_that_is_none_is_wrong_usage(command: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        program.split_command(command)


def test_a_command_is_split_as_a_shell_would() -> None:
    assert program.split_command("java -jar 'my adapter.jar' $HOME") == ["java", "-jar", "my adapter.jar", "$HOME"]


# Giving up


def test_an_adapter_that_always_breaks_is_given_up(tmp_path: Path) -> None:
    code = "right(json.loads(sys.stdin.readline())); sys.stdin.readline(); os._exit(9)"
    adapter = Adapter(programs.words(programs.program(tmp_path, code)), LONG, most_breaks=6)
    answers = ask(adapter)
    asked = {number: answer.broke for number, answer in answers.items() if answer.asked}
    # Whether the last break hit a request alone depends on how far the writer had come.
    assert asked in [dict.fromkeys(range(1, most), "it ended with exit code 9") for most in (5, 6)]
    rest = {answer.broke for answer in answers.values() if not answer.asked}
    assert (rest, len(answers)) == ({"the adapter broke 6 times and was given up"}, COUNT)


def test_an_adapter_that_is_always_silent_is_given_up_sooner(tmp_path: Path) -> None:
    script = programs.program(tmp_path, "right(json.loads(sys.stdin.readline())); time.sleep(600)")
    adapter = Adapter(programs.words(script), SHORT, most_silences=2)
    answers = ask(adapter)
    assert [number for number, answer in answers.items() if answer.asked] == [1]
    assert answers[2].broke == "the adapter broke 2 times and was given up"


def test_an_adapter_that_does_not_come_up_again_is_given_up(tmp_path: Path) -> None:
    script = programs.failing(tmp_path, "os.remove(sys.argv[0]); os._exit(1)")
    answers = ask(Adapter(programs.words(script), LONG))
    assert {number for number, answer in answers.items() if answer.asked} == {1, 2}
    why = "the adapter could not be started again and was given up: it ended with exit code 2"
    assert {answer.broke for answer in answers.values() if not answer.asked} == {why}


# Asking one thing at a time


def one_by_one(adapter: Adapter, count: int = 6) -> dict[int, Answer]:
    async def script(each: Adapter) -> dict[int, Answer]:
        return {request["id"]: await each.ask_one(request) for request in requests(count)}

    return run(adapter, script)


@pytest.mark.parametrize("kind", ["dies", "writes junk", "answers twice", "answers both ok and error"])
def test_asked_one_by_one_only_the_request_that_breaks_it_fails(kind: str, tmp_path: Path) -> None:
    bad, why = BREAKS[kind]
    answers = one_by_one(Adapter(programs.words(programs.failing(tmp_path, bad)), LONG))
    late = kind == "answers twice"  # which nothing shows before the next answer
    assert list(wrong(answers)) == ([] if late else [3])
    assert late or answers[3].broke.startswith(why)


def test_asked_one_by_one_a_silence_is_waited_for_once(tmp_path: Path) -> None:
    adapter = Adapter(programs.words(programs.failing(tmp_path, "time.sleep(600)")), SHORT)
    assert wrong(one_by_one(adapter)) == {3: "no answer within 1 s"}
    assert adapter.breaks.total() == 1


def test_asked_one_by_one_a_lost_adapter_is_given_up(tmp_path: Path) -> None:
    script = programs.failing(tmp_path, "os.remove(sys.argv[0]); os._exit(1)")
    with pytest.raises(GivenUp, match="could not be started again"):
        one_by_one(Adapter(programs.words(script), LONG))


# The end


def gone(pid: int) -> bool:
    """Whether a process that was killed is gone within ten seconds, or a zombie that its new parent leaves alone."""
    stat = Path(f"/proc/{pid}/stat")
    for _ in range(1000):
        try:
            os.kill(pid, 0)
            if stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.01)
    return False


def test_the_end_of_its_input_is_enough(tmp_path: Path) -> None:
    script = programs.program(tmp_path, f"{programs.LOOP}\nopen({str(tmp_path / 'end')!r}, 'w').write('reached')\n")
    ask(Adapter(programs.words(script), LONG), 2)
    assert (tmp_path / "end").read_text() == "reached"


def test_what_ignores_the_end_is_killed_with_its_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "STOP_GRACE", 0.1)
    code = f"""
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = os.fork()
if not child:
    time.sleep(600)
open({str(tmp_path / "pids")!r}, "w").write(f"{{os.getpid()}} {{child}}")
{programs.LOOP}
time.sleep(600)
"""
    ask(Adapter(programs.words(programs.program(tmp_path, code)), LONG), 2)
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert [gone(pid) for pid in pids] == [True, True]


def test_what_left_its_group_with_the_pipes_holds_nothing_up(tmp_path: Path) -> None:
    code = f"""
child = os.fork()
if not child:
    os.setsid()
    time.sleep(600)
open({str(tmp_path / "pid")!r}, "w").write(str(child))
{programs.LOOP}
"""
    script = programs.program(tmp_path, code.replace("bad(request)", "right(request)"))
    try:
        assert wrong(ask(Adapter(programs.words(script), LONG))) == {}
    finally:
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)


def test_what_reads_nothing_more_holds_nothing_up(tmp_path: Path) -> None:
    """The requests fill its pipe, which a process outside its group keeps open."""
    code = f"""
child = os.fork()
if not child:
    os.setsid()
    time.sleep(600)
open({str(tmp_path / "pid")!r}, "w").write(str(child))
right(json.loads(sys.stdin.readline()))
time.sleep(600)
"""
    adapter = Adapter(programs.words(programs.program(tmp_path, code)), SHORT, most_silences=1)
    large = [{"id": number, "op": "x", "text": "y" * 100_000} for number in range(1, 9)]
    answers: dict[int, Answer] = {}
    try:
        run(adapter, lambda each: each.ask(large, answers.__setitem__))
    finally:
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    assert {answer.broke for answer in answers.values()} == {"the adapter broke 1 times and was given up"}
