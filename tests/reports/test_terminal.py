import re
from dataclasses import replace
from io import BytesIO, StringIO, TextIOWrapper

import pytest

from reports.baseline import Against, Change, Kind, Known
from reports.model import Outcome, Report, Row, Run
from reports.terminal import summary, wants_colour, write_summary
from reports.words import verdict_line
from tests.reports import samples
from tests.reports.samples import SAYS, SECTIONS


class Tty(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


SGR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("name", samples.REPORTS)
@pytest.mark.parametrize("colour", [False, True])
def test_the_verdict_is_the_last_line(name: str, colour: bool) -> None:
    report = samples.REPORTS[name]
    text = summary(report, sections=SECTIONS, says=SAYS, colour=colour)
    assert SGR.sub("", text).splitlines()[-1] == verdict_line(report)
    assert bool(SGR.search(text)) is colour


@pytest.mark.parametrize("name", samples.REPORTS)
@pytest.mark.parametrize("colour", [False, True])
def test_only_printable_text_and_our_own_colours_reach_the_terminal(name: str, colour: bool) -> None:
    text = SGR.sub("", summary(samples.REPORTS[name], sections=SECTIONS, says=SAYS, colour=colour))
    assert all(line.isprintable() for line in text.split("\n"))
    assert len(text) < 60_000


def test_markup_in_a_targets_text_is_shown_as_it_is() -> None:
    assert "[bold red]markup[/]" in summary(samples.HOSTILE)


def test_a_failing_report_in_full() -> None:
    assert summary(samples.FAILING, sections=SECTIONS, says=SAYS) == FAILING


FAILING = """\
yea://127.0.0.1:7447
yea, service, over tcp, http
naysayer 0.1.0, catalogue 1, vectors 1; started 2025-01-02T03:04:05Z; seed 7


 section      passed   failed   warned   not applicable   untested   error
 ─────────────────────────────────────────────────────────────────────────
 2.1 Frames        1        1        1                1          1       1

 total             1        1        1                1          1       1

WARNED  yea/2.1/warned-one@tcp  (MUST, basis open)
  A check that warned
  YEA-2.1-02 (MUST)  An oversize frame is refused.
    wanted  ERROR bad_frame
    got     {"verb":"HELLO"}
  exchange (seconds, → sent, ← received)
     0.250 → c1 (16 bytes): {"verb":"HELLO"}
     0.500 ← c1 (2 bytes): {}
  again  naysayer certify yea://127.0.0.1:7447 --replay yea/2.1/warned-one@tcp

UNTESTED  yea/2.1/untested-one@tcp  (MUST)
  A check that untested
  YEA-2.1-02  An oversize frame is refused.
  why  the first control was refused
  exchange (seconds, → sent, ← received)
     0.250 → c1 (16 bytes): {"verb":"HELLO"}
     0.500 ← c1 (2 bytes): {}
  again  naysayer certify yea://127.0.0.1:7447 --replay yea/2.1/untested-one@tcp

ERROR  yea/2.1/error-one@tcp  (MUST)
  A check that error
  YEA-2.1-02  An oversize frame is refused.
  why  KeyError: 'proposals'
  exchange (seconds, → sent, ← received)
     0.250 → c1 (16 bytes): {"verb":"HELLO"}
     0.500 ← c1 (2 bytes): {}
  again  naysayer certify yea://127.0.0.1:7447 --replay yea/2.1/error-one@tcp

FAILED  yea/2.1/failed-one@tcp  (MUST)
  A check that failed
  YEA-2.1-02 (MUST)  An oversize frame is refused.
    wanted  ERROR bad_frame
    got     {"verb":"HELLO"}
  exchange (seconds, → sent, ← received)
     0.250 → c1 (16 bytes): {"verb":"HELLO"}
     0.500 ← c1 (2 bytes): {}
  again  naysayer certify yea://127.0.0.1:7447 --replay yea/2.1/failed-one@tcp

Not applicable: 1 check
  1  the profile has no role big-ask: yea/2.1/not-applicable-one@tcp

Clauses exercised: 1 of 4 in scope
  3 not reached: no check evaluated it
Note: adapter lacks fit

NON-CONFORMING: 1 of 6 checks failed; 1 error of naysayer's own; 1 check untested; \
2 binding clauses were not exercised.
"""


def test_sections_stand_in_the_order_of_the_spec() -> None:
    names = ["2.10", "10", "2.9", "2", "A", "6.6"]
    rows = tuple(replace(samples.row(name=f"x/{name}"), section=name) for name in names)
    lines = summary(Report((Run(samples.HEADER, rows),))).splitlines()
    first = [line.split()[0] for line in lines if line.split() and line.split()[0] in names]
    assert first == ["2", "2.9", "2.10", "6.6", "10", "A"]


def test_checks_that_never_began_are_one_block_for_one_reason() -> None:
    rows = tuple(
        replace(samples.row(Outcome.UNTESTED, name=f"yea/2.1/n{number}", why="target gone"), transcript=())
        for number in range(3)
    )
    text = summary(Report((Run(samples.HEADER, rows),)), says=SAYS)
    assert text.count("target gone") == 1
    assert "UNTESTED  3 checks: target gone\n  yea/2.1/n0@tcp\n    clauses  YEA-2.1-02\n    again  " in text


def test_many_checks_that_never_began_are_named_in_one_line_each() -> None:
    rows = tuple(
        replace(samples.row(Outcome.UNTESTED, name=f"yea/2.1/n{number:03}", why="target gone"), transcript=())
        for number in range(50)
    )
    lines = summary(Report((Run(samples.HEADER, rows),)), says=SAYS).splitlines()
    at = lines.index("UNTESTED  50 checks: target gone")
    named = [f"  yea/2.1/n{number:03}@tcp  YEA-2.1-02" for number in range(40)]
    assert lines[at + 1 : at + 43] == [*named, "  and 10 more; the report file has them", ""]


def test_many_rows_that_do_not_apply_are_named_in_part() -> None:
    rows = tuple(samples.row(Outcome.NOT_APPLICABLE, name=f"n{number}") for number in range(20))
    text = summary(Report((Run(samples.HEADER, rows),)))
    assert "  20  the profile has no role big-ask: n0@tcp, " in text
    assert "n7@tcp and 12 more\n" in text


def test_a_report_on_both_protocols_gives_each_its_verdict_first() -> None:
    assert summary(samples.BOTH).splitlines()[-3:-1] == ["yea service: conforming", "byob table: conforming"]


FAILED = ("yea/2.1/failed-one", "tcp")
KNOWN = {FAILED: Known("yea/2.1/failed-one", reason="issue 7")}
NEW = Change(Kind.NEW, ("yea/2.1/untested-one", "tcp"), Outcome.UNTESTED)


@pytest.mark.parametrize(
    ("against", "shown"),
    [
        (Against(), "Against the baseline: nothing new\n"),
        (
            Against(KNOWN, changes=(NEW,)),
            "Known to the baseline: 1 check\n  yea/2.1/failed-one@tcp: issue 7\nAgainst the baseline:\n"
            "  yea/2.1/untested-one@tcp untested, and the baseline does not know it: "
            "fix it, or give it an entry with a reason\n",
        ),
    ],
)
def test_a_baseline_is_told_before_the_verdict(against: Against, shown: str) -> None:
    text = summary(samples.FAILING, against=against)
    assert shown in text
    assert text.splitlines()[-1] == verdict_line(samples.FAILING)


def test_what_is_known_is_not_shown_in_full() -> None:
    headline = "FAILED  yea/2.1/failed-one@tcp"
    assert headline in summary(samples.FAILING)
    assert headline not in summary(samples.FAILING, against=Against(KNOWN))


def test_a_narrow_terminal_breaks_no_command() -> None:
    text = summary(samples.FAILING, width=40)
    assert f"  again  {samples.row(Outcome.FAILED).replay}\n" in text


@pytest.mark.parametrize(
    ("stream", "environ", "wanted"),
    [
        (Tty(), {}, True),
        (Tty(), {"NO_COLOR": ""}, True),
        (Tty(), {"NO_COLOR": "1"}, False),
        (Tty(), {"TERM": "dumb"}, False),
        (StringIO(), {}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(stream: StringIO, environ: dict[str, str], wanted: bool) -> None:
    assert wants_colour(stream, environ) is wanted


@pytest.mark.parametrize(
    ("stream", "no_color", "coloured"), [(StringIO(), "", False), (Tty(), "1", False), (Tty(), "", True)]
)
def test_the_stream_decides_on_escape_sequences(
    stream: StringIO, no_color: str, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    write_summary(samples.FAILING, stream, sections=SECTIONS, says=SAYS)
    assert ("\x1b" in stream.getvalue()) is coloured
    assert SGR.sub("", stream.getvalue()).endswith(f"{verdict_line(samples.FAILING)}\n")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_what_a_stream_cannot_encode_is_escaped(encoding: str) -> None:
    raw = BytesIO()
    stream = TextIOWrapper(raw, encoding=encoding)
    write_summary(samples.HOSTILE, stream)
    assert verdict_line(samples.HOSTILE).encode(encoding) in raw.getvalue()


def alike_rows(count: int) -> tuple[Row, ...]:
    return tuple(samples.row(Outcome.FAILED, name=f"yea/2.1/n{number:03}", text="RECEIPT") for number in range(count))


def test_many_rows_that_ended_alike_are_one_block_and_the_first_of_them_is_shown() -> None:
    other = samples.row(Outcome.FAILED, name="yea/2.1/other", text="ERROR limit")
    text = summary(Report((Run(samples.HEADER, (*alike_rows(60), other)),)), says=SAYS)
    shown = [line for line in text.splitlines() if "yea/2.1/" in line and "again" not in line]
    assert shown == [
        "FAILED  yea/2.1/other@tcp  (MUST)",
        "FAILED  yea/2.1/n000@tcp  (MUST)",
        *(f"  yea/2.1/n{number:03}@tcp  YEA-2.1-02: wanted ERROR bad_frame" for number in range(1, 41)),
    ]
    assert "FAILED  60 checks alike, perhaps for one reason: RECEIPT\nFAILED  yea/2.1/n000@tcp" in text
    assert "  and 19 more; the report file has them\n" in text


def test_the_transports_of_one_check_are_one_line() -> None:
    rows = alike_rows(8)
    over = tuple(replace(row, transport=transport) for row in rows for transport in ("tcp", "http"))
    text = summary(Report((Run(samples.HEADER, over),)), says=SAYS)
    assert "FAILED  8 checks alike" in text
    assert "\n  yea/2.1/n000@http  YEA-2.1-02: wanted" in text
    assert "\n  yea/2.1/n007@tcp, http  YEA-2.1-02: wanted" in text


def test_a_few_rows_are_each_shown_by_themselves() -> None:
    text = summary(Report((Run(samples.HEADER, alike_rows(6)),)), says=SAYS)
    assert text.count("  again  ") == 6
