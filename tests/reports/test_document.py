import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from reports.baseline import Against, Change, Kind, Known
from reports.document import document, dumps, read_document, schema, validate, write_document
from reports.errors import ReportError
from reports.model import Outcome, Report, Run
from reports.words import change_line
from tests.reports import samples


def test_the_schema_is_itself_valid() -> None:
    Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("name", samples.REPORTS)
def test_every_document_is_valid_and_survives_its_text(name: str) -> None:
    made = document(samples.REPORTS[name])
    validate(made)
    assert json.loads(dumps(made)) == made
    assert made["verdict"] == samples.VERDICTS[name]
    assert dumps(made).isascii()


def test_no_lone_surrogate_is_left_for_a_strict_reader() -> None:
    json.dumps(document(samples.HOSTILE), ensure_ascii=False).encode()


def test_a_document_has_just_the_members_of_the_design() -> None:
    made = document(samples.FAILING)
    first = samples.FAILING.runs[0].rows[0]
    assert made | {"checks": made["checks"][:1]} == {
        "schema": "naysayer-report/1",
        "target": "yea://127.0.0.1:7447",
        "started": "2025-01-02T03:04:05Z",
        "complete": True,
        "versions": {"naysayer": "0.1.0", "catalogue": "1", "vectors": "1"},
        "scope": {"protocol": "yea", "role": "service", "transports": ["tcp", "http"], "slow": False},
        "verdict": "non-conforming",
        "counts": {
            "passed": 1,
            "failed": 1,
            "warned": 1,
            "not_applicable": 1,
            "untested": 1,
            "errors": 1,
        },
        "clauses": {
            "total": 4,
            "exercised": 1,
            "unreached": [
                {"id": name, "why": "no check evaluated it"} for name in ("YEA-2.1-01", "YEA-4.4-03", "YEA-8-04")
            ],
        },
        "checks": [
            {
                "id": "yea/2.1/passed-one",
                "title": "A check that passed",
                "clauses": ["YEA-2.1-02"],
                "level": "MUST",
                "basis": "text",
                "transport": "tcp",
                "outcome": "passed",
                "why": "",
                "transcript": [
                    {"at": 0.25, "dir": "sent", "conn": "c1", "text": '{"verb":"HELLO"}', "bytes": 16},
                    {"at": 0.5, "dir": "received", "conn": "c1", "text": "{}", "bytes": 2},
                ],
                "replay": first.replay,
                "seconds": 0.125,
            }
        ],
    }


def test_a_failed_row_without_a_why_says_what_its_findings_say() -> None:
    failed = document(samples.FAILING)["checks"][1]
    assert failed["why"] == 'YEA-2.1-02 (MUST): wanted ERROR bad_frame; got {"verb":"HELLO"}'


def test_both_protocols_make_sums_and_the_worst_verdict() -> None:
    spoiled = replace(
        samples.BOTH.runs[1],
        rows=(samples.row(Outcome.UNTESTED, name="byob/3/join", clause="BYOB-3-01", transport=None),),
    )
    made = document(Report((samples.BOTH.runs[0], spoiled)))
    assert made["scope"] == {
        "protocol": "yea+byob",
        "role": "service+table",
        "transports": ["tcp", "http", "mcp"],
        "slow": False,
    }
    assert made["verdict"] == "partial"
    assert [part["verdict"] for part in made["runs"]] == ["conforming", "partial"]
    assert [part["scope"]["protocol"] for part in made["runs"]] == ["yea", "byob"]
    assert made["counts"] | {"passed": 0, "untested": 0} == dict.fromkeys(made["counts"], 0)
    assert (made["counts"]["passed"], made["counts"]["untested"], made["clauses"]["total"]) == (4, 1, 5)
    assert len(made["checks"]) == 5


def test_a_second_row_of_one_check_and_transport_is_refused() -> None:
    twice = Run(samples.HEADER, (samples.row(), samples.row()))
    with pytest.raises(ReportError, match=r"2 rows of yea/2\.1/passed-one over tcp"):
        document(Report((twice,)))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"extra": 1}, "extra"),
        ({"verdict": "fine"}, "verdict"),
        ({"verdict": "conforming"}, "verdict: conforming with 1 failed"),
        ({"started": "yesterday"}, "started"),
        ({"counts": {"passed": 1}}, "counts"),
        ({"checks": []}, "counts: says"),
        ({"clauses": {"total": 9, "exercised": 1, "unreached": []}}, "clauses/total: says 9"),
        ({"runs": []}, "runs"),
    ],
)
def test_what_is_no_report_is_refused(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ReportError, match=complaint):
        validate(document(samples.FAILING) | change)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("stopped", "conforming with 1 errors or untested"), ("torn", "although the run is incomplete")],
)
def test_an_unfinished_run_is_never_conforming(name: str, complaint: str) -> None:
    with pytest.raises(ReportError, match=complaint):
        validate(document(samples.REPORTS[name]) | {"verdict": "conforming"})


def test_the_worst_verdict_of_the_parts_is_demanded() -> None:
    with pytest.raises(ReportError, match="verdict: says partial"):
        validate(document(samples.BOTH) | {"verdict": "partial"})


@pytest.mark.parametrize("value", [None, 1, [], "x", {}])
def test_other_json_values_are_refused(value: object) -> None:
    with pytest.raises(ReportError):
        validate(value)


def test_a_written_document_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "a folder" / "report.json"
    made = write_document(samples.HOSTILE, path)
    assert read_document(path) == made
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100_000, b"7" * 5000])
def test_a_file_that_is_no_json_is_named(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(data)
    with pytest.raises(ReportError, match=r"report\.json: not a JSON document"):
        read_document(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"gone\.json: cannot be read: No such file"):
        read_document(tmp_path / "gone.json")


def test_a_report_against_a_baseline_says_what_is_known_and_what_is_new() -> None:
    key = ("yea/2.1/failed-one", "tcp")
    gone = Change(Kind.UNKNOWN, ("yea/2.1/gone", None), known=Known("yea/2.1/gone"))
    made = document(samples.FAILING, Against({key: Known("yea/2.1/failed-one", reason="issue\ud800")}, changes=(gone,)))
    validate(made)
    assert "baseline" not in document(samples.FAILING)
    assert made["verdict"] == "non-conforming"
    assert made["baseline"] == {
        "known": [{"id": key[0], "transport": "tcp", "reason": "issue\\ud800"}],
        "changes": [{"kind": "unknown", "id": "yea/2.1/gone", "transport": None, "say": change_line(gone)}],
    }
