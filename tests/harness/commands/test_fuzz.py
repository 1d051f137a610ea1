"""`naysayer fuzz` from end to end: what it says, what it keeps, and that its failures can be found again."""

import ast
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import harness
from fuzz import properties
from harness import cli
from harness.adapters import process
from harness.campaigns import keeping
from reports.document import read_document
from tests.harness.adapters import programs

SOURCE = str(Path(harness.__file__).parent.parent)
REFERENCE = shlex.join([sys.executable, "-m", "harness.cli", "adapter"])
SPACES = f"{REFERENCE} --fault canonical/spaces"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PYTHONPATH", SOURCE)


def fuzz(capsys: Capture, *words: str) -> tuple[int, list[str]]:
    """Run `naysayer fuzz`; returns its exit code and the lines of its standard output but for what was covered."""
    code = cli.main(["fuzz", *words])
    return code, uncovered(capsys.readouterr().out)


def uncovered(said: str) -> list[str]:
    return [line for line in said.splitlines() if not line.startswith("covered  ")]


def complaint(capsys: Capture, *words: str) -> str:
    assert cli.main(["fuzz", *words]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    return said.err.removeprefix("naysayer: ").rstrip("\n")


def adapter(folder: Path, bad: str, op: str = "canonical") -> str:
    """The command of an adapter that is the reference's, but for one operation: for that it runs a few statements."""
    body = "\n".join(f"        {line}" for line in bad.splitlines())
    code = f"""
sys.path.insert(0, {SOURCE!r})
from harness.adapters.operations import answer
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == {op!r}:
{body}
    else:
        reply(request, **answer(request["op"], request))
"""
    return shlex.join([sys.executable, str(programs.program(folder, code))])


def part(lines: list[str], name: str) -> str:
    (line,) = [line for line in lines if line.startswith(f"  {name} ")]
    return line.removeprefix(f"  {name} ").strip()


# What holds


def test_the_reference_holds(capsys: Capture) -> None:
    names = ["canonical/agrees", "lens/reply", "caveats/agrees", "fit/whole", "byob/transition"]
    code, lines = fuzz(capsys, *names, "--examples", "20", "--seed", "1")
    assert code == 0
    assert [line.split(":")[0] for line in lines] == [f"held  {name}" for name in names]
    assert all(": 20 examples, " in line for line in lines)
    assert "; accepted " in lines[0]


def test_the_reference_holds_as_an_adapter(capsys: Capture) -> None:
    code, lines = fuzz(capsys, "lens", "--adapter", REFERENCE, "--examples", "20")
    assert (code, [line.split()[0] for line in lines]) == (0, ["held"] * len(properties.select("lens")))


def test_a_property_that_is_named_twice_runs_once(capsys: Capture) -> None:
    code, lines = fuzz(capsys, "lens/reply", "lens", "--examples", "1")
    assert (code, len(lines)) == (0, len(properties.select("lens")))


def test_nothing_is_written_where_it_runs(capsys: Capture) -> None:
    fuzz(capsys, "canonical", "--examples", "5")
    assert list(Path.cwd().iterdir()) == []


# What fails


def test_a_failure_is_told_with_its_smallest_input(capsys: Capture) -> None:
    code, lines = fuzz(capsys, "canonical/agrees", "--adapter", SPACES, "--seed", "3", "--examples", "200")
    entry = properties.load()["canonical/agrees"]
    assert code == 1
    assert lines[0] == f"failed  canonical/agrees: {entry.title} ({', '.join(entry.clauses)})"
    assert len(part(lines, "smallest")) <= 60
    assert part(lines, "problem").startswith("wanted ")


def test_the_command_that_it_prints_finds_the_failure_again(capsys: Capture, tmp_path: Path) -> None:
    _, lines = fuzz(capsys, "canonical/agrees", "--adapter", SPACES, "--examples", "200", "--timeout", "20")
    words = shlex.split(part(lines, "again"))
    assert words[:3] == ["naysayer", "fuzz", "canonical/agrees"]
    command = [sys.executable, "-m", "harness.cli", *words[1:]]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 1
    assert [line for line in uncovered(run.stdout) if "  again " not in line] == lines[:-1]
    assert part(run.stdout.splitlines(), "again") == part(lines, "again")


def test_the_seed_decides_what_is_tried(capsys: Capture, tmp_path: Path) -> None:
    log = tmp_path / "asked"
    command = adapter(tmp_path, f"open({str(log)!r}, 'a').write(line)\nreply(request, **answer('canonical', request))")
    seen = []
    for seed in ("1", "1", "2"):
        log.write_text("")
        assert fuzz(capsys, "canonical/agrees", "--adapter", command, "--seed", seed, "--examples", "30")[0] == 0
        seen.append([json.loads(line)["json"] for line in log.read_text().splitlines()])
    assert seen[0] == seen[1] != seen[2]
    assert len(seen[0]) == 30


def test_one_failure_fails_the_whole(capsys: Capture) -> None:
    code, lines = fuzz(capsys, "canonical/agrees", "lens/value", "--adapter", SPACES, "--examples", "100")
    assert code == 1
    assert [line.split()[0] for line in lines if not line.startswith("  ")] == ["failed", "held"]


def test_an_adapter_that_dies_has_failed(capsys: Capture, tmp_path: Path) -> None:
    command = adapter(
        tmp_path, "if len(request['json']) > 8:\n    os._exit(5)\nreply(request, **answer('canonical', request))"
    )
    code, lines = fuzz(capsys, "canonical/agrees", "lens/value", "--adapter", command, "--examples", "60")
    assert (code, lines[0].split()[0], lines[-1].split()[0]) == (1, "failed", "held")
    assert part(lines, "problem") == "canonical: no answer: it ended with exit code 5"
    assert len(part(lines, "smallest")) <= 60


def test_an_adapter_that_hangs_has_failed_in_time(capsys: Capture, tmp_path: Path) -> None:
    command = adapter(tmp_path, "time.sleep(600)")
    words = ("--adapter", command, "--timeout", "2", "--seconds", "0.1", "--examples", "50")
    code, lines = fuzz(capsys, "canonical/agrees", *words)
    assert (code, part(lines, "problem")) == (1, "canonical: no answer: no answer within 2 s")
    assert part(lines, "again").endswith(" --examples 50")
    assert " --timeout 2 " in part(lines, "again")


def test_an_adapter_that_does_not_come_back_has_failed(capsys: Capture, tmp_path: Path) -> None:
    command = adapter(tmp_path, "os.remove(sys.argv[0])\nos._exit(1)")
    code, lines = fuzz(capsys, "canonical/agrees", "lens/value", "--adapter", command, "--examples", "20")
    assert (code, [line.split()[0] for line in lines if not line.startswith("  ")]) == (1, ["failed", "failed"])
    assert "could not be started again" in lines[2]


def test_an_answer_that_changes_is_flaky(capsys: Capture, tmp_path: Path) -> None:
    """A target that answers by chance has not held, whatever the search for the smallest input makes of it."""
    answered = str(tmp_path / "answered")
    bad = f"""right = os.path.exists({answered!r})
open({answered!r}, 'w').close()
reply(request, **(answer('canonical', request) if right else {{'ok': {{'text': 'wrong'}}}}))"""
    code, lines = fuzz(capsys, "canonical/agrees", "--adapter", adapter(tmp_path, bad), "--examples", "20")
    assert (code, lines[0].split()[0]) == (1, "flaky")


def test_what_a_target_writes_cannot_command_the_terminal(capsys: Capture, tmp_path: Path) -> None:
    escape = "\x1b]0;owned\x07\x1b[2J\u202e"
    bad = f"reply(request, error={{'message': {escape!r}}}, **{{{escape!r}: 1}})"
    code = cli.main(["fuzz", "canonical/agrees", "--adapter", adapter(tmp_path, bad), "--examples", "20"])
    said = capsys.readouterr()
    assert code == 1
    assert [character for character in said.out + said.err if character < " " and character != "\n"] == []
    assert "\u202e" not in said.out
    assert "owned" in said.out


def test_the_inputs_cannot_command_the_terminal_either(capsys: Capture, tmp_path: Path) -> None:
    command = adapter(
        tmp_path, "reply(request, ok={'text': '\\x1b' if '\\x7f' in request['json'] else answer('canonical', request)})"
    )
    cli.main(["fuzz", "canonical/agrees", "--adapter", command, "--examples", "20"])
    assert [character for character in capsys.readouterr().out if character < " " and character != "\n"] == []


# What shows nothing


def test_an_operation_that_is_not_supported_is_no_pass(capsys: Capture, tmp_path: Path) -> None:
    command = adapter(tmp_path, "reply(request, unsupported=True)")
    assert fuzz(capsys, "canonical", "--adapter", command, "--examples", "20") == (
        1,
        [
            "not applicable  canonical/agrees: the adapter does not support canonical",
            "not applicable  canonical/idempotent: the adapter does not support canonical",
            "not applicable  canonical/key-order: the adapter does not support canonical",
        ],
    )


def test_what_is_supported_may_hold_beside_it(capsys: Capture, tmp_path: Path) -> None:
    command = adapter(tmp_path, "reply(request, unsupported=True)")
    code, lines = fuzz(capsys, "canonical/agrees", "lens/value", "--adapter", command, "--examples", "20")
    assert (code, [line.split("  ")[0] for line in lines]) == (0, ["not applicable", "held"])


def test_the_time_bounds_a_run(capsys: Capture) -> None:
    code, lines = fuzz(capsys, "canonical/agrees", "--seconds", "0.5", "--examples", "1000000000")
    assert (code, lines[0].split()[0]) == (0, "held")


# What is kept


def test_a_failure_is_kept_and_tried_first(capsys: Capture, tmp_path: Path) -> None:
    kept, log = tmp_path / "kept", tmp_path / "asked"
    words = ("--save", str(kept), "--examples", "200")
    code, lines = fuzz(capsys, "canonical", "--adapter", SPACES, "--seed", "1", *words)
    assert code == 1
    first = lines[: lines.index("  kept      " + str(kept / "yea" / "canonical.json")) + 1]
    assert f"--save {kept} " in part(first, "again")
    entry = json.loads((kept / "canonical-agrees.json").read_text())
    (call,) = entry["calls"]
    assert entry == {
        "property": "canonical/agrees",
        "smallest": part(first, "smallest"),
        "problem": entry["problem"],
        "seed": 1,
        "examples": 200,
        "calls": [{"op": "canonical", "input": {"json": call["input"]["json"]}, "answer": call["answer"]}],
    }
    command = adapter(tmp_path, f"open({str(log)!r}, 'a').write(line)\nreply(request, **answer('canonical', request))")
    assert fuzz(capsys, "lens/value", "canonical/agrees", "--adapter", command, "--seed", "2", *words)[0] == 0
    assert json.loads(log.read_text().splitlines()[0])["json"] == call["input"]["json"]


def test_one_property_does_not_sweep_away_what_another_kept(capsys: Capture, tmp_path: Path) -> None:
    words = ("--save", str(tmp_path / "kept"), "--examples", "100")
    fuzz(capsys, "canonical/agrees", "--adapter", SPACES, *words)
    before = sorted(str(path) for path in (tmp_path / "kept" / "examples").rglob("*"))
    fuzz(capsys, "canonical/idempotent", "lens", *words)
    after = sorted(str(path) for path in (tmp_path / "kept" / "examples").rglob("*"))
    assert before == after != []


def test_a_folder_that_cannot_be_written_is_named(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = complaint(capsys, "canonical", "--save", str(tmp_path / "file" / "x"))
    assert said == f"--save {tmp_path}/file/x: cannot be written: Not a directory"


def test_what_is_kept_are_vectors_that_fail_and_pass(capsys: Capture, tmp_path: Path) -> None:
    """A fault that no stored vector catches is caught by what fuzzing left."""
    kept = tmp_path / "kept"
    fault = f"{shlex.quote(sys.executable)} -c {shlex.quote(UNLISTED)}"
    code, lines = fuzz(capsys, "byob/tokens", "--adapter", fault, "--examples", "2000", "--save", str(kept))
    assert (code, lines[-1]) == (1, f"  kept      {kept}/byob/byob-tokens.json")
    for adapter_command, expected in ((fault, 1), (REFERENCE, 0)):
        words = ["vectors", "--adapter", adapter_command, "--dir", str(kept), "--report", str(tmp_path / "report")]
        assert cli.main(words) == expected
    report = json.loads((tmp_path / "report" / "report.json").read_text())
    assert [row["id"].partition("/")[0] for row in report["checks"]] == ["byob.tokens"]


UNLISTED = """
from harness.adapters import serving
from harness.faults.fuzz import load
import sys
fault = next(each for each in load()["byob/tokens"] if each.unlisted)
serving.serve(sys.stdin.buffer, sys.stdout.buffer, serving.with_fault(fault.op, fault.wrong))
"""


def test_a_disk_that_is_full_loses_nothing_that_was_found(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: Path, *_: object) -> list[Path]:
        raise keeping.NotKept(f"--save {folder}: x cannot be written: No space left on device")

    monkeypatch.setattr(keeping, "keep", full)
    words = ["canonical/agrees", "est", "--adapter", SPACES, "--examples", "60", "--save", str(tmp_path / "kept")]
    code = cli.main(["fuzz", *words])
    said = capsys.readouterr()
    assert code == 3
    assert [line.split()[0] for line in uncovered(said.out) if line[0] != " "] == ["failed", "held", "held"]
    assert said.err == (
        f"naysayer: --save {tmp_path}/kept: x cannot be written: No space left on device; "
        "it is told above all the same\n"
    )


# What a failure shows


def test_both_answers_are_shown_and_where_they_part(capsys: Capture) -> None:
    _, lines = fuzz(capsys, "canonical/agrees", "--adapter", SPACES, "--examples", "200", "--seed", "3")
    wanted, got = part(lines, "wanted"), part(lines, "got")
    at = lines[lines.index(f"  got       {got}") + 1].index("^") - len("  got       ")
    assert (wanted[:at], wanted[at] != got[at]) == (got[:at], True)
    request = json.loads(part(lines, "asked"))
    assert (request["op"], request["json"]) == ("canonical", ast.literal_eval(part(lines, "smallest")))


def test_a_report_has_a_row_for_each_property(capsys: Capture, tmp_path: Path) -> None:
    words = ("--adapter", SPACES, "--examples", "60", "--report", str(tmp_path / "report"))
    code, lines = fuzz(capsys, "canonical/agrees", "est/agrees", "byob/tokens", *words)
    report = read_document(tmp_path / "report" / "report.json")
    assert (code, lines[-1]) == (1, f"report: {tmp_path}/report/report.json")
    assert {row["id"]: row["outcome"] for row in report["checks"]} == {
        "canonical/agrees": "failed",
        "est/agrees": "passed",
        "byob/tokens": "passed",
    }
    (row,) = (row for row in report["checks"] if row["id"] == "canonical/agrees")
    assert row["replay"] == part(lines, "again")
    assert [event["dir"] for event in row["transcript"]] == ["sent", "received"]
    assert [run["scope"]["protocol"] for run in report["runs"]] == ["byob", "yea"]


def test_what_was_covered_is_told_in_the_end(capsys: Capture) -> None:
    cli.main(["fuzz", "est", "--examples", "10"])
    clauses = dict.fromkeys(c for name in ("est/additive", "est/agrees") for c in properties.load()[name].clauses)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("covered  20 examples, ")
    assert last.endswith(f" {len(clauses)} clauses: {', '.join(clauses)}")


def test_what_is_only_recommended_is_a_warning(capsys: Capture, tmp_path: Path) -> None:
    command = adapter(tmp_path, "reply(request, ok={'json': request['json']})", "fit")
    code, lines = fuzz(capsys, "fit/budget", "--adapter", command, "--examples", "60")
    assert (code, lines[0].split()[0]) == (0, "warned")


# Several processes


def test_the_examples_are_shared_among_processes(capsys: Capture) -> None:
    code, lines = fuzz(capsys, "est/agrees", "--examples", "41", "--workers", "2", "--seed", "1")
    assert (code, [line.partition("; ")[0].partition(", ")[0] for line in lines]) == (
        0,
        ["held  est/agrees: 41 examples"],
    )


def test_a_failure_of_several_processes_can_be_found_again(capsys: Capture) -> None:
    words = ("--adapter", SPACES, "--examples", "200", "--workers", "2", "--seed", "3")
    _, lines = fuzz(capsys, "canonical/agrees", *words)
    first = lines[: next(at for at, line in enumerate(lines) if line.startswith("  again ")) + 1]
    again = shlex.split(part(first, "again"))
    _, more = fuzz(capsys, *again[2:])
    assert more == first


def test_an_interruption_tells_what_was_found(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "harness.cli", "fuzz", "est/agrees", "--examples", "1000000000", "--workers", "2"]
    log = tmp_path / "log"
    with log.open("wb") as out:
        run = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, start_new_session=True)
    assert run.stderr is not None
    with run.stderr:
        assert run.stderr.readline().startswith(b"fuzz: ")  # both are at work
        os.killpg(run.pid, signal.SIGINT)
        assert run.stderr.read().endswith(b"naysayer: interrupted\n")
    assert run.wait() == 130
    assert log.read_text().startswith("held  est/agrees: ")


def test_dask_is_named_where_it_is_missing(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = complaint(capsys, "est", "--dask", "tcp://127.0.0.1:9")
    assert said == "--dask needs Dask: pip install -c constraints.txt '.[distributed]' in the clone"


# Wrong usage


def test_an_unknown_property_is_wrong_usage(capsys: Capture) -> None:
    said = complaint(capsys, "canonical", "lense")
    assert said == f"there is no property 'lense'; there are {', '.join(properties.load())}"


@pytest.mark.parametrize(
    "words",
    [
        ["--examples", "0"],
        ["--examples", "x"],
        ["--seconds", "0"],
        ["--seconds", "nan"],
        ["--seed", "-1"],
        ["--timeout", "0"],
    ],
)
def test_a_number_that_is_none_is_wrong_usage(words: list[str], capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["fuzz", "canonical", *words])
    assert caught.value.code == 2
    assert words[0] in capsys.readouterr().err


def test_a_program_that_does_not_start_is_named(capsys: Capture, tmp_path: Path) -> None:
    said = complaint(capsys, "canonical", "--adapter", f"{tmp_path}/none")
    assert said == f"adapter {tmp_path}/none: cannot be started: No such file or directory"
    assert complaint(capsys, "canonical", "--adapter", " ") == "--adapter needs a program to start"


def test_a_program_that_is_no_adapter_is_named(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "STOP_GRACE", 0.1)
    script = programs.program(tmp_path, "write('hello\\n'); time.sleep(600)")
    said = complaint(capsys, "canonical", "--adapter", programs.command(script))
    assert said.endswith("is no adapter: hello got no answer (a line that is not JSON: b'hello\\n')")


def test_an_adapter_of_another_protocol_is_named(capsys: Capture, tmp_path: Path) -> None:
    code = "HELLO['protocols'] = ['byob']\ndef bad(request): right(request)\n"
    script = programs.program(tmp_path, code + programs.LOOP)
    said = complaint(capsys, "canonical", "--adapter", programs.command(script))
    assert said.endswith("does not speak yea: the protocols in its hello are: byob")


def test_the_adapter_is_ended(capsys: Capture, tmp_path: Path) -> None:
    command = adapter(
        tmp_path, f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\nreply(request, error={{}})"
    )
    fuzz(capsys, "canonical/idempotent", "--adapter", command, "--examples", "5")
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
