"""`naysayer vectors` from end to end: exit codes, verdicts and what is said, with small adapters as programs."""

import json
import shlex
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import harness
from harness import cli
from reports.document import read_document
from tests.harness.adapters import folders, programs
from vectors import load, reading, suites

SOURCE = str(Path(harness.__file__).parent.parent)
REFERENCE = shlex.join([sys.executable, "-m", "harness.cli", "adapter"])
DOCS = Path(__file__).parents[3] / "docs" / "adapters"
Capture = pytest.CaptureFixture[str]
Document = dict[str, Any]


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", SOURCE)


def vectors(report: Path, *words: str) -> tuple[int, Document]:
    """Run `naysayer vectors` and return its exit code and report."""
    code = cli.main(["vectors", *words, "--report", str(report)])
    return code, read_document(report / "report.json")


def complaint(capsys: Capture, *words: str) -> str:
    """Run a command that must be refused and return the one sentence that it says."""
    assert cli.main(list(words)) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    return said.err.removeprefix("naysayer: ").rstrip("\n")


def outcomes(made: Document) -> Counter[str]:
    return Counter(row["outcome"] for row in made["checks"])


def operation(row: dict[str, Any]) -> str:
    return str(row["id"].partition("/")[0])


# The whole suite


def test_the_reference_conforms(tmp_path: Path, capsys: Capture) -> None:
    code, made = vectors(tmp_path, "--adapter", REFERENCE, "--strict")
    assert (code, made["verdict"], made["complete"]) == (0, "conforming", True)
    assert outcomes(made) == {"passed": sum(len(list(file.cases)) for suite in suites() for file in load(suite))}
    scope = {"role": "library", "transports": ["adapter"], "slow": False}
    assert [run["scope"] for run in made["runs"]] == [{"protocol": name, **scope} for name in ("yea", "byob")]
    assert [run["clauses"]["unreached"] for run in made["runs"]] == [[], []]
    assert made["target"] == f"adapter {REFERENCE} (naysayer reference {made['versions']['naysayer']})"
    assert ET.parse(tmp_path / "junit.xml").getroot().tag in ("testsuite", "testsuites")  # noqa: S314 - our own
    said = capsys.readouterr()
    assert "CONFORMING" in said.out
    assert said.out.endswith(f"report: {tmp_path / 'report.json'}\n")


@pytest.mark.parametrize("suite", ["yea", "byob"])
def test_one_suite_may_be_asked_alone(suite: str, tmp_path: Path, capsys: Capture) -> None:
    code, made = vectors(tmp_path, "--adapter", REFERENCE, "--suite", suite, "--strict")
    assert (code, made["verdict"]) == (0, "conforming")
    assert outcomes(made) == {"passed": sum(len(list(file.cases)) for file in load(suite))}
    assert (made["scope"]["protocol"], made["clauses"]["unreached"]) == (suite, [])


@pytest.mark.parametrize("example", ["minimal.py", "minimal.mjs"])
def test_the_examples_pass_what_they_support(example: str, tmp_path: Path, capsys: Capture) -> None:
    node = shutil.which("node")
    if example.endswith(".mjs") and node is None:
        pytest.skip("node is not installed")
    runner = sys.executable if example.endswith(".py") else str(node)
    code, made = vectors(tmp_path, "--adapter", shlex.join([runner, str(DOCS / example)]))
    by_outcome = {
        outcome: {operation(row) for row in made["checks"] if row["outcome"] == outcome} for outcome in outcomes(made)
    }
    lacking = {file.op for file in load("yea")} - {"canonical", "est"}
    has = {"canonical", "est", *(file.op for file in load("byob"))}
    assert by_outcome == {"passed": has, "not_applicable": lacking}
    assert (code, made["verdict"]) == (0, "partial")
    said = capsys.readouterr().out
    named = ", ".join(sorted(lacking))
    assert f"Note: Operations that the adapter does not support, never counted as passed: {named}.\n" in said
    assert "PARTIAL: nothing failed, but not everything was shown: " in said


@pytest.mark.parametrize("op", ["proof.sign", "lens.value", "byob.tokens"])
def test_an_operation_that_is_not_supported_is_no_pass(op: str, tmp_path: Path, capsys: Capture) -> None:
    """Its clauses may all be shown by other operations; the verdict is partial nevertheless."""
    code = f"""
sys.path.insert(0, {SOURCE!r})
from harness.adapters import serving
from harness.adapters.operations import OPERATIONS
serving.serve(sys.stdin.buffer, sys.stdout.buffer, {{k: v for k, v in OPERATIONS.items() if k != {op!r}}})
"""
    script = programs.program(tmp_path, code)
    code_, made = vectors(tmp_path / "r", "--adapter", shlex.join([sys.executable, str(script)]))
    assert {run["scope"]["protocol"]: run["verdict"] for run in made["runs"]} == {
        suite: "partial" if op in {file.op for file in load(suite)} else "conforming" for suite in suites()
    }
    rows = [row for row in made["checks"] if row["outcome"] != "passed"]
    assert {(operation(row), row["outcome"]) for row in rows} == {(op, "not_applicable")}
    assert {row["why"] for row in rows} == {f"the adapter does not support the operation {op}"}
    assert (code_, made["verdict"]) == (0, "partial")
    assert f"never counted as passed: {op}.\n" in capsys.readouterr().out


def test_a_fault_fails(tmp_path: Path, capsys: Capture) -> None:
    code, made = vectors(tmp_path, "--adapter", f"{REFERENCE} --fault canonical/spaces", "--suite", "yea")
    assert (code, made["verdict"]) == (1, "non-conforming")
    failed = [row for row in made["checks"] if row["outcome"] == "failed"]
    assert {operation(row) for row in failed} == {"canonical"}
    assert {operation(row) for row in made["checks"] if row["outcome"] == "warned"} == {"canonical"}
    assert "wanted" in failed[0]["why"]
    assert failed[0]["transcript"]


def test_a_fault_of_one_protocol_leaves_the_other_alone(tmp_path: Path, capsys: Capture) -> None:
    code, made = vectors(tmp_path, "--adapter", f"{REFERENCE} --fault byob.transition/approved-receipt-allowed")
    assert (code, made["verdict"]) == (1, "non-conforming")
    assert [run["verdict"] for run in made["runs"]] == ["conforming", "non-conforming"]
    assert [row["id"] for row in made["checks"] if row["outcome"] == "failed"] == ["byob.transition/approved-receipt"]
    assert "BYOB-9-56" in capsys.readouterr().out


def test_what_rests_on_an_open_question_warns(tmp_path: Path, capsys: Capture) -> None:
    """An adapter that counts kana as others: a warning for the reading that it does not take, and no failure."""
    code = f"""
sys.path.insert(0, {SOURCE!r})
from harness.adapters.operations import answer
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "byob.tokens":
        cjk = sum("\u4e00" <= character <= "\u9fff" for character in request["text"])
        reply(request, ok={{"count": cjk + (len(request["text"]) - cjk + 3) // 4}})
    else:
        reply(request, **answer(request["op"], request))
"""
    script = programs.program(tmp_path, code)
    command = shlex.join([sys.executable, str(script)])
    code_, made = vectors(tmp_path / "r", "--adapter", command, "--suite", "byob")
    assert (code_, made["verdict"]) == (0, "conforming")
    assert outcomes(made).keys() == {"passed", "warned"}
    assert {row["basis"] for row in made["checks"] if row["outcome"] == "warned"} == {"open"}


# One case, and what is asked wrongly


def replayed(row: dict[str, Any]) -> list[str]:
    words = shlex.split(row["replay"])
    assert words[:2] == ["naysayer", "vectors"]
    return words[2:]


def test_a_row_says_how_to_run_it_alone(tmp_path: Path, capsys: Capture) -> None:
    adapter = f"{REFERENCE} --fault canonical/spaces"
    _, whole = vectors(tmp_path / "1", "--adapter", adapter, "--timeout", "20", "--suite", "yea")
    row = next(row for row in whole["checks"] if row["outcome"] == "failed")
    code, alone = vectors(tmp_path / "2", *replayed(row))
    assert code == 1
    assert alone["checks"] == [{**row, "seconds": alone["checks"][0]["seconds"]}]


def test_a_replayed_case_that_passes_is_a_pass(tmp_path: Path, capsys: Capture) -> None:
    code, made = vectors(tmp_path, "--adapter", REFERENCE, "--replay", "canonical/null")
    assert (code, made["verdict"], outcomes(made)) == (0, "conforming", {"passed": 1})


def test_an_unknown_case_is_wrong_usage(tmp_path: Path, capsys: Capture) -> None:
    words = ["vectors", "--adapter", REFERENCE, "--replay", "est/none", "--report", str(tmp_path)]
    assert complaint(capsys, *words) == "there is no vector 'est/none'"
    assert complaint(capsys, *words, "--suite", "byob") == "there is no vector 'est/none' in the suite byob"


def test_a_folder_is_one_of_yea(tmp_path: Path, capsys: Capture) -> None:
    said = complaint(capsys, "vectors", "--adapter", REFERENCE, "--dir", str(tmp_path), "--suite", "byob")
    assert said == "--dir is a folder of YEA's: it goes with no --suite but yea"


def test_a_case_of_byob_is_found_by_its_id(tmp_path: Path, capsys: Capture) -> None:
    code, made = vectors(tmp_path, "--adapter", REFERENCE, "--replay", "byob.tokens/sentence")
    assert (code, made["scope"]["protocol"], outcomes(made)) == (0, "byob", {"passed": 1})


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "x", "4000"])
def test_a_patience_that_is_none_is_wrong_usage(value: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["vectors", "--adapter", "x", f"--timeout={value}"])
    assert caught.value.code == 2
    assert "--timeout" in capsys.readouterr().err


def test_no_program_is_wrong_usage(tmp_path: Path, capsys: Capture) -> None:
    said = complaint(capsys, "vectors", "--adapter", "", "--report", str(tmp_path))
    assert said == "--adapter needs a program to start"


# Adapters that cannot be asked


def test_a_program_that_does_not_start_is_named(tmp_path: Path, capsys: Capture) -> None:
    said = complaint(capsys, "vectors", "--adapter", f"{tmp_path}/none x", "--report", str(tmp_path / "r"))
    assert said == f"adapter {tmp_path}/none x: cannot be started: No such file or directory"
    assert not (tmp_path / "r" / "report.json").exists()


def test_an_adapter_of_no_protocol_is_wrong_usage(tmp_path: Path, capsys: Capture) -> None:
    code = "HELLO['protocols'] = []\ndef bad(request): right(request)\n"
    script = programs.program(tmp_path, code + programs.LOOP)
    said = complaint(capsys, "vectors", "--adapter", programs.command(script), "--report", str(tmp_path / "r"))
    named = f"adapter {programs.command(script)}"
    assert said == f"{named}: does not speak yea or byob: the protocols in its hello are: none"


def test_an_adapter_of_another_protocol_is_wrong_usage(tmp_path: Path, capsys: Capture) -> None:
    code = "HELLO['protocols'] = ['byob', 5]\ndef bad(request): right(request)\n"
    script = programs.program(tmp_path, code + programs.LOOP)
    words = ["--adapter", programs.command(script), "--suite", "yea", "--report", str(tmp_path / "r")]
    assert complaint(capsys, "vectors", *words).endswith("does not speak yea: the protocols in its hello are: byob, 5")


# Adapters that break, over a small folder


def reference(tmp_path: Path, bad: str, op: str = "uses.valid") -> str:
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
    return shlex.join([sys.executable, str(programs.program(tmp_path, code))])


@pytest.mark.parametrize(
    ("bad", "why", "note"),
    [
        ("os._exit(4)", "got it ended with exit code 4", "it ended with exit code 4 (3)"),
        ("write('oops\\n')", "got a line that is not JSON: b'oops\\n'", "a line that is not JSON (5)"),
    ],
)
def test_an_adapter_that_breaks_has_failed_where_it_breaks(
    bad: str, why: str, note: str, tmp_path: Path, capsys: Capture
) -> None:
    folder = folders.write(tmp_path / "c")
    command = reference(tmp_path, f"sys.stderr.write('my last words\\n')\n{bad}")
    code, made = vectors(tmp_path / "r", "--adapter", command, "--dir", str(folder))
    assert (code, made["verdict"], made["complete"]) == (1, "non-conforming", True)
    assert outcomes(made) == {"passed": 18, "failed": 2}
    failed = [row for row in made["checks"] if row["outcome"] == "failed"]
    assert [row["id"] for row in failed] == ["official/uses/water", "official/uses/no-amount"]
    assert all(why in row["why"] for row in failed)
    said = capsys.readouterr().out
    assert f"Note: The adapter broke and was started again: {note}.\n" in said
    assert "Note: Its last words on standard error: my last words\n" in said


def test_a_silent_adapter_has_failed_where_it_is_silent(tmp_path: Path, capsys: Capture) -> None:
    folder = folders.write(
        tmp_path / "c", uses={"quantities": [], "wellFormed": [folders.FILES["uses"]["wellFormed"][0]]}
    )
    command = reference(tmp_path, "time.sleep(600)")
    code, made = vectors(tmp_path / "r", "--adapter", command, "--dir", str(folder), "--timeout", "3")
    assert (code, outcomes(made)) == (1, {"passed": 17, "failed": 1})
    (row,) = [row for row in made["checks"] if row["outcome"] == "failed"]
    assert "no answer within 3 s" in row["why"]
    assert "--timeout 3 " in row["replay"]


def test_an_adapter_that_is_given_up_leaves_the_rest_untested(tmp_path: Path, capsys: Capture) -> None:
    command = reference(tmp_path, "os.remove(sys.argv[0])\nos._exit(1)", "proof.verify")
    code, made = vectors(tmp_path / "r", "--adapter", command, "--dir", str(folders.write(tmp_path / "c")))
    untested = [row for row in made["checks"] if row["outcome"] == "untested"]
    why = "the adapter could not be started again and was given up: it ended with exit code 2"
    assert {row["why"] for row in untested} == {why}
    assert {row["id"] for row in untested} >= {"official/proof/1-verify", "official/uses/water"}
    assert (code, made["verdict"], made["complete"]) == (1, "partial", False)
    assert len(made["checks"]) == 20
    assert f"the run ended early ({why})" in capsys.readouterr().out
    assert {why} <= {clause["why"] for clause in made["clauses"]["unreached"]}


def test_what_an_adapter_writes_cannot_command_the_terminal(tmp_path: Path, capsys: Capture) -> None:
    escape = "\x1b]0;owned\x07\x1b[2J"
    bad = f"sys.stderr.write({escape!r} + '\\n')\nreply(request, ok={{'valid': {escape!r}}})"
    command = reference(tmp_path, bad)
    vectors(tmp_path / "r", "--adapter", command, "--dir", str(folders.write(tmp_path / "c")))
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err
    assert "\\x1b]0;owned" in said.out


# The public folder


def test_the_reference_passes_a_folder(tmp_path: Path, capsys: Capture) -> None:
    folder = folders.write(tmp_path / "c", printable=[{"text": "x", "printable": "x"}])
    code, made = vectors(tmp_path / "r", "--adapter", REFERENCE, "--dir", str(folder))
    assert (code, made["verdict"], outcomes(made)) == (0, "conforming", {"passed": 20})
    assert {row["basis"] for row in made["checks"]} == {"public-vectors"}
    said = capsys.readouterr().out
    assert "Note: Read: canonical.json (" in said
    assert "Note: Not read, not known here: printable.json, grants.json: seeds, " in said


def test_a_folder_whose_operation_is_not_supported_is_partial(tmp_path: Path, capsys: Capture) -> None:
    command = reference(tmp_path, "reply(request, unsupported=True)", "lens.reply")
    code, made = vectors(tmp_path / "r", "--adapter", command, "--dir", str(folders.write(tmp_path / "c")))
    assert (code, made["verdict"], outcomes(made)) == (0, "partial", {"passed": 18, "not_applicable": 2})
    assert "never counted as passed: lens.reply.\n" in capsys.readouterr().out


def test_a_row_of_a_folder_says_how_to_run_it_alone(tmp_path: Path, capsys: Capture) -> None:
    folder = folders.write(tmp_path / "a folder")
    command = reference(tmp_path, "reply(request, ok={'valid': True})")
    _, whole = vectors(tmp_path / "1", "--adapter", command, "--dir", str(folder))
    (row,) = [row for row in whole["checks"] if row["outcome"] == "failed"]
    code, alone = vectors(tmp_path / "2", *replayed(row))
    assert (code, [each["id"] for each in alone["checks"]]) == (1, ["official/uses/no-amount"])


def test_a_broken_folder_names_the_place(tmp_path: Path, capsys: Capture) -> None:
    folder = folders.write(tmp_path / "c", hash=[{"name": "x", "proposal": {}}])
    said = complaint(capsys, "vectors", "--adapter", REFERENCE, "--dir", str(folder), "--report", str(tmp_path / "r"))
    assert said == f"{folder}/hash.json, case 1 'x': hash is missing"


# Broken vector files of our own


def test_a_broken_vector_file_names_file_case_and_field(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = reading.ROOT / "yea" / "est.json"
    document = json.loads(source.read_text("utf-8"))
    case = document["groups"][0]["cases"][1]
    case["input"]["text"] = 5
    (tmp_path / "yea").mkdir()
    (tmp_path / "yea" / "est.json").write_text(json.dumps(document))
    monkeypatch.setattr(reading, "ROOT", tmp_path)
    reading._load.cache_clear()
    try:
        said = complaint(capsys, "vectors", "--adapter", REFERENCE, "--report", str(tmp_path / "r"))
    finally:
        reading._load.cache_clear()
    assert said.startswith(f"yea/est.json, {case['id']}, input.text: 5 is not ")


# Interruptions


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_a_report(number: signal.Signals, tmp_path: Path) -> None:
    folder = folders.write(tmp_path / "c")
    bad = f"open({str(tmp_path / 'asked')!r}, 'w').close()\ntime.sleep(600)"
    words = ["--adapter", reference(tmp_path, bad), "--dir", str(folder), "--report", str(tmp_path / "r")]
    run = [sys.executable, "-m", "harness.cli", "vectors", "--timeout", "600", *words]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        while not (tmp_path / "asked").exists():
            assert child.poll() is None
        child.send_signal(number)
        out, err = child.communicate(timeout=60)
    made = read_document(tmp_path / "r" / "report.json")
    untested = [row for row in made["checks"] if row["outcome"] == "untested"]
    assert (child.returncode, made["complete"]) == (130, False)
    assert {row["why"] for row in untested} == {"interrupted"}
    assert len(made["checks"]) == 20
    assert "Traceback" not in err
    assert "interrupted" in out
