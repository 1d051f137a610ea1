"""`--baseline` and `--write-baseline`: the way of somebody whose service does not conform yet."""

import json
from argparse import Namespace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness import check, cli
from harness.commands import known
from harness.errors import UsageError
from reports.document import read_document
from reports.errors import ReportError
from reports.model import Footer
from tests.harness.commands.serving import served
from tests.reports import samples

CONFLICT = "yea/4.4/hash-mismatch-conflicts"
HIDES = "yea/4.4/conflict-hides-the-hash"
VERB = "yea/2.1/unknown-verb-is-bad-frame"
Capture = pytest.CaptureFixture[str]


def certify(folder: Path, address: str, *words: str) -> int:
    return cli.main(["certify", address, "-k", f"{HIDES} or {VERB}", "--report", str(folder / "report"), *words])


def give_reasons(path: Path, reason: str = "issue 7") -> None:
    path.write_text(path.read_text().replace('"reason": ""', f'"reason": "{reason}"'))


def cases(folder: Path) -> dict[str, list[str]]:
    root = ElementTree.parse(folder / "report" / "junit.xml").getroot()  # noqa: S314 - our own
    return {case.get("name", ""): [element.tag for element in case] for case in root.iter("testcase")}


def test_from_a_failing_service_to_a_sound_one(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "known.json"
    with (
        served("--fault", "conflict-tells-the-hash-in-its-message") as tells,
        served("--fault", "verbs-in-any-case") as verb,
    ):
        # It fails today: what fails is written down.
        assert certify(tmp_path, tells, "--write-baseline", str(path)) == 1
        said = f"baseline: {path} has 1 entry; write into 1 empty reason why it is accepted\n"
        assert capsys.readouterr().err.endswith(said)
        # Without a reason it is not accepted, and nothing is run.
        assert certify(tmp_path, tells, "--baseline", str(path)) == 2
        assert f"{path}: {HIDES}@tcp has no reason" in capsys.readouterr().err
        # With one it is, and the target is said to fail all the same.
        give_reasons(path)
        assert certify(tmp_path, tells, "--baseline", str(path)) == 0
        out = capsys.readouterr().out
        assert f"  {HIDES}@tcp: issue 7\nAgainst the baseline: nothing new\n" in out
        assert "NON-CONFORMING: 1 of 2 checks failed." in out
        made = read_document(tmp_path / "report" / "report.json")
        assert made["baseline"] == {"known": [{"id": HIDES, "transport": "tcp", "reason": "issue 7"}], "changes": []}
        assert cases(tmp_path) == {f"{HIDES}@tcp": ["skipped"], f"{VERB}@tcp": []}
        # What is outside of the selection is left alone.
        assert certify(tmp_path, tells, "--baseline", str(path), "-k", VERB) == 0
        # The old failure goes and a new one comes: both are said.
        assert certify(tmp_path, verb, "--baseline", str(path)) == 1
        out = capsys.readouterr().out
        assert f"  {VERB}@tcp failed, and the baseline does not know it: fix it, or give it an entry" in out
        assert f"  {HIDES}@tcp is in the baseline, and now passed: take the entry out\n" in out
        assert cases(tmp_path)[f"{VERB}@tcp"] == cases(tmp_path)[HIDES + "@tcp"] == ["failure"]
        # Written anew, the fixed one is out and the new one in.
        assert certify(tmp_path, verb, "--baseline", str(path), "--write-baseline", str(path)) == 1
        assert [row["id"] for row in json.loads(path.read_text())["rows"]] == [VERB]


def test_the_reference_has_nothing_to_write(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "known.json"
    with served() as address:
        assert certify(tmp_path, address, "--write-baseline", str(path)) == 0
        assert capsys.readouterr().err.endswith(f"baseline: {path} has 0 entries\n")
        assert certify(tmp_path, address, "--baseline", str(path), "--strict") == 0


def options(baseline: Path | None = None, written: Path | None = None) -> Namespace:
    return Namespace(baseline=baseline, write_baseline=written)


def test_without_the_options_nothing_is_held_or_written(tmp_path: Path) -> None:
    made = known.known_failures(options())
    assert made.hold(samples.FAILING, strict=False) is None
    made.keep(samples.FAILING, strict=False)
    assert list(tmp_path.iterdir()) == []


def test_what_an_interrupted_run_did_not_get_to_is_not_known(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "known.json"
    known.known_failures(options(written=path)).keep(samples.STOPPED, strict=False)
    assert not path.exists()
    assert capsys.readouterr().err == f"baseline: {path} was not written, since the run did not reach its end\n"
    assert samples.STOPPED.runs[0].footer != Footer(complete=True)


def test_no_file_is_replaced_that_is_no_baseline(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    path.write_text("[]")
    with pytest.raises(UsageError, match=r"--write-baseline would replace what is no baseline: .*notes\.json"):
        known.known_failures(options(written=path))


def test_reasons_that_are_there_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    wanted = known.known_failures(options(written=path))
    wanted.keep(samples.FAILING, strict=False)
    give_reasons(path)
    before = path.read_text()
    known.known_failures(options(written=path)).keep(samples.FAILING, strict=False)
    assert path.read_text() == before


def test_a_file_that_cannot_be_written_is_named_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"^--write-baseline .*/file/known\.json: cannot be written: "):
        known.known_failures(options(written=tmp_path / "file" / "known.json"))


def test_a_file_that_cannot_be_written_after_all_is_named(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    wanted = known.known_failures(options(written=path))
    path.mkdir()
    with pytest.raises(UsageError, match=r"known\.json: cannot be written: "):
        wanted.keep(samples.FAILING, strict=False)


def test_a_missing_baseline_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"gone\.json: cannot be read"):
        known.known_failures(options(baseline=tmp_path / "gone.json"))


@pytest.mark.parametrize("name", ["yea/2.1/no-such-check", "byob/1/no-such-check"])
def test_an_entry_of_no_check_fails_a_run(name: str, tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    path.write_text(json.dumps({"schema": "naysayer-baseline/1", "rows": [{"id": name, "reason": "x"}]}))
    against = known.known_failures(options(baseline=path)).hold(samples.CONFORMING, strict=False)
    assert against is not None
    assert [(change.kind, change.key) for change in against.changes] == [("unknown", (name, None))]


def test_an_entry_of_a_check_that_is_not_run_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    rows = [{"id": each, "reason": "x"} for each in (next(iter(check.load("yea"))), "est/emoji")]
    path.write_text(json.dumps({"schema": "naysayer-baseline/1", "rows": rows}))
    against = known.known_failures(options(baseline=path)).hold(samples.CONFORMING, strict=False)
    assert against is not None
    assert against.changes == ()
