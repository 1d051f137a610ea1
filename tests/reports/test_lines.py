import json
from dataclasses import replace
from pathlib import Path

import pytest

from reports import lines
from reports.errors import ReportError
from reports.lines import LineWriter, encode, read_lines
from reports.model import Footer, Outcome, Report, Run, explain
from tests.reports import samples


def write(report: Report, path: Path) -> Path:
    with LineWriter(path) as writer:
        for run in report.runs:
            writer.header(run.header)
            for row in run.rows:
                writer.row(row)
            if run.footer is not None:
                writer.footer(run.footer)
    return path


@pytest.mark.parametrize("name", samples.REPORTS)
def test_what_was_written_reads_back(name: str, tmp_path: Path) -> None:
    report = samples.REPORTS[name]
    path = write(report, tmp_path / "a folder" / "run.jsonl")
    assert read_lines(path) == report
    assert path.read_bytes().isascii()


def test_every_line_is_there_as_soon_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with LineWriter(path) as writer:
        writer.header(samples.HEADER)
        assert read_lines(path) == Report((Run(samples.HEADER, ()),))
        writer.row(samples.PASSED[0])
        assert read_lines(path) == samples.TORN


def test_a_line_names_its_kind_and_its_schema() -> None:
    header = json.loads(encode(samples.HEADER))
    assert (header["kind"], header["schema"]) == ("header", "naysayer-report/1")
    assert json.loads(encode(Footer(complete=True))) == {
        "kind": "footer",
        "complete": True,
        "interrupted": None,
        "unreached": [],
        "exercised": [],
        "notes": [],
    }


@pytest.mark.parametrize("lost", [1, 30, 100])
def test_a_torn_last_line_is_ignored_and_the_run_is_incomplete(lost: int, tmp_path: Path) -> None:
    path = write(samples.FAILING, tmp_path / "run.jsonl")
    path.write_bytes(path.read_bytes()[:-lost])
    report = read_lines(path)
    assert report.runs[0].rows == samples.FAILING.runs[0].rows
    assert not report.complete


def test_a_run_that_was_cut_off_keeps_what_follows_it(tmp_path: Path) -> None:
    path = write(samples.TORN, tmp_path / "run.jsonl")
    other = write(samples.CONFORMING, tmp_path / "other.jsonl")
    path.write_bytes(path.read_bytes() + other.read_bytes())
    assert read_lines(path) == Report((*samples.TORN.runs, *samples.CONFORMING.runs))


def broken(position: int, line: bytes, tmp_path: Path) -> Path:
    path = write(samples.CONFORMING, tmp_path / "run.jsonl")
    every = path.read_bytes().splitlines(keepends=True)
    every[position] = line + b"\n"
    path.write_bytes(b"".join(every))
    return path


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"", "not a JSON object"),
        (b"{", "not a JSON object"),
        (b"\xff\xfe", "not a JSON object"),
        (b"[" * 100_000, "not a JSON object"),
        (b'{"kind":"row","seconds":' + b"9" * 5000 + b"}", "not a JSON object"),
        (b"[]", "neither a header, a row nor a footer"),
        (b"{}", "neither a header"),
        (b'{"kind":["row"]}', "neither a header"),
        (b'{"kind":"verdict"}', "neither a header"),
        (b'{"kind":"row"}', "row: member id is missing"),
        (b'{"kind":"footer","complete":1}', "footer: complete must be true or false"),
        (b'{"kind":"footer","complete":true,"mood":"good"}', "footer: unknown member mood"),
    ],
)
def test_a_broken_line_is_named(line: bytes, complaint: str, tmp_path: Path) -> None:
    path = broken(2, line, tmp_path)
    with pytest.raises(ReportError, match=f"line 3: {complaint}") as caught:
        read_lines(path)
    assert (caught.value.path, caught.value.line) == (path, 3)
    assert str(caught.value).startswith(f"{path}: line 3: ")


def test_a_row_before_any_header_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="line 1: a row outside of a run"):
        read_lines(broken(0, encode(samples.row()).encode(), tmp_path))


def test_another_schema_is_refused(tmp_path: Path) -> None:
    header = encode(samples.HEADER).replace("naysayer-report/1", "naysayer-report/9")
    with pytest.raises(ReportError, match="line 1: schema 'naysayer-report/9' is not naysayer-report/1"):
        read_lines(broken(0, header.encode(), tmp_path))


def test_a_second_row_of_one_check_and_transport_is_refused(tmp_path: Path) -> None:
    path = broken(2, encode(samples.PASSED[0]).encode(), tmp_path)
    with pytest.raises(ReportError, match=r"line 3: a second row of yea/2\.1/yea-2\.1-01 over tcp"):
        read_lines(path)


def test_an_empty_file_holds_no_run(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"")
    with pytest.raises(ReportError, match="holds no run"):
        read_lines(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"gone\.jsonl: cannot be read: No such file"):
        read_lines(tmp_path / "gone.jsonl")


def test_reading_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(samples.CONFORMING, tmp_path / "run.jsonl")
    monkeypatch.setattr(lines, "MAX_LINE", 100)
    with pytest.raises(ReportError, match="line 1: the line is over 100 bytes"):
        read_lines(path)
    monkeypatch.setattr(lines, "MAX_FILE", 1000)
    with pytest.raises(ReportError, match="the file is over 1,000 bytes"):
        read_lines(path)


def test_the_writer_keeps_the_order(tmp_path: Path) -> None:
    writer = LineWriter(tmp_path / "run.jsonl")
    with pytest.raises(ValueError, match="the writer is not open"):
        writer.header(samples.HEADER)
    with LineWriter(tmp_path / "run.jsonl") as writer:
        with pytest.raises(ValueError, match="a row outside of a run"):
            writer.row(samples.row())
        with pytest.raises(ValueError, match="a footer outside of a run"):
            writer.footer(Footer(complete=True))
        writer.header(samples.HEADER)
        with pytest.raises(ValueError, match="a header before the footer"):
            writer.header(samples.HEADER)
        writer.row(samples.row())
        with pytest.raises(ValueError, match=r"a second row of yea/2\.1/passed-one over tcp"):
            writer.row(samples.row())


def test_a_row_too_long_to_read_back_is_thinned_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_LINE", 2000)
    bad = samples.finding("YEA-2.1-02", Outcome.FAILED)
    good = samples.finding("YEA-2.1-01", Outcome.PASSED)
    row = replace(samples.row(Outcome.FAILED, text="x" * 4000), findings=(good, bad))
    path = write(Report((Run(samples.HEADER, (row,)),)), tmp_path / "run.jsonl")
    (kept,) = read_lines(path).rows()
    assert kept == replace(row, why=explain([bad]), findings=(bad,), transcript=kept.transcript)
    assert [event.text for event in kept.transcript] == ["[2 events and 2 findings left out: too much for one row]"]
