"""`naysayer certify --adapter`: the wire and the functions in one report, with one verdict."""

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

import harness
from harness import cli
from reports.document import read_document
from tests.harness.adapters import programs

SOURCE = str(Path(harness.__file__).parent.parent)
REFERENCE = shlex.join([sys.executable, "-m", "harness.cli", "adapter"])
WIRE = ["--transport", "tcp", "-k", "yea/2.1/unknown-verb-is-bad-frame"]
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", SOURCE)


def certify(report: Path, adapter: str) -> int:
    """Run one check of the embedded reference over TCP, and the vectors through an adapter."""
    return cli.main(["certify", *WIRE, "--adapter", adapter, "--report", str(report)])


def verdicts(made: dict[str, Any]) -> list[tuple[str, str]]:
    return [(run["scope"]["role"], run["verdict"]) for run in made["runs"]]


def test_two_sound_runs_make_one_verdict(tmp_path: Path, capsys: Capture) -> None:
    code = certify(tmp_path, REFERENCE)
    made = read_document(tmp_path / "report.json")
    assert (code, made["verdict"], made["complete"]) == (0, "conforming", True)
    assert verdicts(made) == [("service", "conforming"), ("library", "conforming")]
    assert {row["transport"] for row in made["checks"]} == {"tcp", "adapter"}
    assert made["counts"]["passed"] == len(made["checks"]) == sum(run["counts"]["passed"] for run in made["runs"])
    said = capsys.readouterr().out
    assert said.count("CONFORMING") == 1


def test_a_fault_in_the_functions_fails_the_whole(tmp_path: Path, capsys: Capture) -> None:
    command = f"{REFERENCE} --fault est/bytes"
    code = certify(tmp_path, command)
    made = read_document(tmp_path / "report.json")
    assert (code, made["verdict"]) == (1, "non-conforming")
    assert verdicts(made) == [("service", "conforming"), ("library", "non-conforming")]
    (replay, *_) = [row["replay"] for row in made["checks"] if row["outcome"] == "failed"]
    assert replay.startswith(f"naysayer vectors --adapter {shlex.quote(command)} --replay est/")


def test_operations_that_are_not_supported_leave_the_whole_partial(tmp_path: Path, capsys: Capture) -> None:
    code = "def bad(request): right(request)\ndef right(request):\n"
    code += "    reply(request, ok=HELLO) if request['op'] == 'hello' else reply(request, unsupported=True)\n"
    code_ = certify(tmp_path / "r", programs.command(programs.program(tmp_path, code + programs.LOOP)))
    made = read_document(tmp_path / "r" / "report.json")
    assert (code_, made["verdict"]) == (1, "partial")  # nothing at all was judged of the functions
    assert verdicts(made) == [("service", "conforming"), ("library", "partial")]


TABLES = ["--protocol", "byob", "-k", "byob/2/a-seat-reads-its-projection"]


def certify_tables(report: Path, adapter: str, *words: str) -> int:
    """Run one check of the embedded table host, and the vectors of BYOB through an adapter."""
    return cli.main(["certify", *(words or TABLES), "--adapter", adapter, "--report", str(report)])


def test_a_table_host_and_its_functions_make_one_verdict(tmp_path: Path, capsys: Capture) -> None:
    code = certify_tables(tmp_path, REFERENCE)
    made = read_document(tmp_path / "report.json")
    assert (code, made["verdict"]) == (0, "conforming")
    assert [(run["scope"]["protocol"], run["scope"]["role"]) for run in made["runs"]] == [
        ("byob", "host"),
        ("byob", "library"),
    ]
    assert capsys.readouterr().out.count("CONFORMING") == 1


def test_a_fault_in_the_functions_of_a_host_fails_the_whole(tmp_path: Path, capsys: Capture) -> None:
    command = f"{REFERENCE} --fault byob.verify/always"
    assert certify_tables(tmp_path, command) == 1
    made = read_document(tmp_path / "report.json")
    assert verdicts(made) == [("host", "conforming"), ("library", "non-conforming")]
    (replay, *_) = [row["replay"] for row in made["checks"] if row["outcome"] == "failed"]
    assert replay.startswith(f"naysayer vectors --adapter {shlex.quote(command)} --replay byob.verify/")


def test_of_both_references_an_adapter_is_asked_for_what_it_speaks(tmp_path: Path, capsys: Capture) -> None:
    """What its hello does not list is out of scope."""
    code = f"""
sys.path.insert(0, {SOURCE!r})
from harness.adapters.operations import answer
HELLO["protocols"] = ["byob"]
for line in sys.stdin:
    request = json.loads(line)
    reply(request, **(dict(ok=HELLO) if request["op"] == "hello" else answer(request["op"], request)))
"""
    command = shlex.join([sys.executable, str(programs.program(tmp_path, code))])
    words = ["-k", f"{WIRE[-1]} or {TABLES[-1]}"]
    assert certify_tables(tmp_path / "r", command, *words) == 0
    made = read_document(tmp_path / "r" / "report.json")
    assert [(run["scope"]["protocol"], run["scope"]["role"]) for run in made["runs"]] == [
        ("yea", "service"),
        ("byob", "host"),
        ("byob", "library"),
    ]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("sys.exit(3)", "is no adapter: hello got no answer (it ended with exit code 3)"),
        ("HELLO['protocols'] = ['byob']\nright(json.loads(sys.stdin.readline()))", "does not speak yea"),
    ],
)
def test_what_is_no_adapter_ends_the_run_before_it_begins(
    code: str, sentence: str, tmp_path: Path, capsys: Capture
) -> None:
    script = programs.program(tmp_path, code)
    assert certify(tmp_path / "r", programs.command(script)) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"naysayer: adapter {programs.command(script)}: {sentence}")
    assert not (tmp_path / "r" / "run.jsonl").exists()
