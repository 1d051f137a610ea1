import json
from pathlib import Path
from typing import Any

import pytest

from reports.baseline import read_baseline, write_baseline
from reports.errors import ReportError
from reports.model import Outcome
from reports.verdict import Baseline, baseline_of
from tests.reports import samples

FILE: dict[str, Any] = {
    "schema": "naysayer-baseline/1",
    "rows": [
        {"id": "yea/2.1/a", "transport": None, "outcome": "untested"},
        {"id": "yea/2.1/a", "transport": "tcp", "outcome": "failed"},
    ],
    "gaps": ["YEA-2.1-01", "YEA-4.4-03"],
}


@pytest.mark.parametrize("name", samples.REPORTS)
def test_a_baseline_reads_back(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a folder" / "baseline.json"
    baseline = baseline_of(samples.REPORTS[name])
    write_baseline(baseline, path)
    assert read_baseline(path) == baseline
    assert list(path.parent.iterdir()) == [path]


def test_the_file_is_sorted_for_diffs(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    rows = {("yea/2.1/a", "tcp"): Outcome.FAILED, ("yea/2.1/a", None): Outcome.UNTESTED}
    write_baseline(Baseline(rows, frozenset({"YEA-4.4-03", "YEA-2.1-01"})), path)
    assert json.loads(path.read_text()) == FILE


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"schema": "naysayer-report/1"}, "schema 'naysayer-report/1' is not naysayer-baseline/1"),
        ({"rows": {}}, "not a baseline: rows must be a list"),
        ({"rows": [{"id": "a", "transport": None, "outcome": "passed"}]}, "a cannot be known as passed"),
        ({"rows": [{"id": "a", "transport": None, "outcome": "fine"}]}, r"rows\[0\]\.outcome must be one of"),
        ({"rows": [FILE["rows"][0]] * 2}, "listed twice"),
        ({"extra": 1}, "unknown member extra"),
    ],
)
def test_what_is_no_baseline_is_refused(change: dict[str, Any], complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps(FILE | change))
    with pytest.raises(ReportError, match=rf"baseline\.json: .*{complaint}"):
        read_baseline(path)


@pytest.mark.parametrize("data", [b"", b"\xff", b"[" * 100_000])
def test_what_is_no_json_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_bytes(data)
    with pytest.raises(ReportError, match="not a JSON document"):
        read_baseline(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"gone\.json: cannot be read"):
        read_baseline(tmp_path / "gone.json")
