import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from reports.baseline import TRANSPORTS, Baseline, Gap, Known, read_baseline, spelt, write_baseline
from reports.document import schema
from reports.errors import ReportError
from reports.model import Outcome

ROW: dict[str, Any] = {"id": "yea/2.1/a", "transport": "tcp", "outcome": "failed", "reason": "issue 7"}
FILE: dict[str, Any] = {
    "schema": "naysayer-baseline/1",
    "rows": [{"id": "yea/2.1/a", "reason": "issue 8", "expires": "2027-01-31"}, ROW],
    "gaps": [{"clause": "YEA-2.1-01", "reason": "no such role"}, {"clause": "YEA-4.4-03", "reason": "issue 9"}],
}
BASELINE = Baseline(
    (
        Known("yea/2.1/a", reason="issue 8", expires="2027-01-31"),
        Known("yea/2.1/a", "tcp", Outcome.FAILED, "issue 7"),
    ),
    (Gap("YEA-2.1-01", "no such role"), Gap("YEA-4.4-03", "issue 9")),
)


def written(tmp_path: Path, change: dict[str, Any]) -> Path:
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps(FILE | change))
    return path


def test_a_baseline_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "a folder" / "baseline.json"
    write_baseline(BASELINE, path)
    assert read_baseline(path) == BASELINE
    assert list(path.parent.iterdir()) == [path]


def test_the_file_is_sorted_for_diffs(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(Baseline(BASELINE.rows[::-1], BASELINE.gaps[::-1]), path)
    assert json.loads(path.read_text()) == FILE


def test_only_the_id_and_the_reason_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_text('{"schema": "naysayer-baseline/1", "rows": [{"id": "yea/2.1/a", "reason": "x"}]}')
    assert read_baseline(path) == Baseline((Known("yea/2.1/a", reason="x"),))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"schema": "naysayer-report/1"}, "schema 'naysayer-report/1' is not naysayer-baseline/1"),
        ({"rows": {}}, "not a baseline: rows must be a list"),
        ({"rows": [ROW | {"outcome": "passed"}]}, r"rows\[0\]: yea/2.1/a cannot be known as passed, only as failed"),
        ({"rows": [ROW | {"outcome": "fine"}]}, r"rows\[0\]\.outcome must be one of"),
        ({"rows": [ROW | {"transport": "tpc"}]}, "transport must be one of tcp, tls, stdio, http, mcp, adapter, not "),
        ({"rows": [ROW | {"expires": "soon"}]}, "expires must be a day such as 2027-01-31, not 'soon'"),
        ({"rows": [ROW | {"expires": "20270131"}]}, "expires must be a day"),
        ({"rows": [ROW | {"expires": "2027-02-30"}]}, "expires must be a day"),
        ({"rows": [ROW] * 2}, "yea/2.1/a@tcp is listed twice"),
        ({"gaps": [{"clause": "YEA-2.1-01", "reason": "x"}] * 2}, "YEA-2.1-01 is listed twice"),
        ({"extra": 1}, "unknown member extra"),
        ({"rows": [ROW | {"reason": ""}]}, "yea/2.1/a@tcp has no reason: say in its `reason` why it is accepted"),
        ({"rows": [{"id": "yea/2.1/a"}]}, "yea/2.1/a has no reason"),
        ({"rows": [ROW | {"reason": " \t"}]}, "yea/2.1/a@tcp has no reason"),
        ({"gaps": [{"clause": "YEA-2.1-01"}]}, "YEA-2.1-01 has no reason"),
        ({"rows": [ROW | {"reason": ""}], "gaps": [{"clause": "YEA-2.1-01"}]}, r"\(and 1 more have none\)"),
    ],
)  # fmt: skip
def test_what_is_no_baseline_is_refused(change: dict[str, Any], complaint: str, tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=rf"baseline\.json: .*{complaint}"):
        read_baseline(written(tmp_path, change))


def test_a_file_that_is_about_to_be_written_anew_needs_no_reasons(tmp_path: Path) -> None:
    path = written(tmp_path, {"rows": [ROW | {"reason": ""}], "gaps": []})
    assert read_baseline(path, unreasoned=True) == Baseline((Known("yea/2.1/a", "tcp", Outcome.FAILED),))


@pytest.mark.parametrize("data", [b"", b"\xff", b"[" * 100_000])
def test_what_is_no_json_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_bytes(data)
    with pytest.raises(ReportError, match="not a JSON document"):
        read_baseline(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"gone\.json: cannot be read"):
        read_baseline(tmp_path / "gone.json")


@pytest.mark.parametrize(
    ("known", "takes"),
    [(None, {"failed", "untested"}), (Outcome.FAILED, {"failed"}), (Outcome.UNTESTED, {"untested"})],
)
def test_an_entry_takes_what_it_names(known: Outcome | None, takes: set[str]) -> None:
    assert {outcome for outcome in Outcome if Known("a", outcome=known).takes(outcome)} == takes


@pytest.mark.parametrize(
    ("expires", "expired"), [(None, False), ("2027-01-30", True), ("2027-01-31", False), ("2027-02-01", False)]
)
def test_an_entry_counts_on_its_last_day(expires: str | None, expired: bool) -> None:
    assert Known("a", expires=expires).expired(date(2027, 1, 31)) is expired


def test_the_transports_are_those_of_a_report() -> None:
    assert list(TRANSPORTS) == schema()["$defs"]["transport"]["enum"]


def test_a_key_is_spelt_as_replay_takes_it() -> None:
    assert (spelt(("a/b", "tcp")), spelt(("a/b", None))) == ("a/b@tcp", "a/b")
