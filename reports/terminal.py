"""The summary of a report for a terminal or a log.

A table by section, every row that did not pass in full, the reasons of what did not apply and was not
reached, and the verdict as the last line. Nothing from a target reaches the stream raw: all of it goes
through `words` and `text.plain`, and is never read as rich markup. Without a tty, with NO_COLOR or with
TERM=dumb the text holds no escape sequence at all.
"""

import os
import shutil
from collections import defaultdict
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import Final, TextIO, TypeAlias

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.alike import Alike, alike, decisive
from reports.baseline import Against
from reports.model import Outcome, Report, Row, Run
from reports.text import LONG, SHORT, plain
from reports.verdict import Verdict, run_verdict, verdict
from reports.words import (
    NAMES,
    change_line,
    count,
    details,
    known_line,
    reasons,
    run_line,
    unreached_reasons,
    verdict_line,
    where,
)

WIDTH: Final = 100
"""Columns where the stream does not say how many it has."""

_STYLES: Final = {
    Outcome.PASSED: "green",
    Outcome.FAILED: "bold red",
    Outcome.WARNED: "yellow",
    Outcome.NOT_APPLICABLE: "dim",
    Outcome.UNTESTED: "magenta",
    Outcome.ERROR: "bold magenta",
}
_VERDICT_STYLES: Final = {
    Verdict.CONFORMING: "bold green",
    Verdict.PARTIAL: "bold yellow",
    Verdict.NON_CONFORMING: "bold red",
}
# The worst stands last, nearest to the verdict and the prompt.
_IN_FULL: Final = (Outcome.WARNED, Outcome.UNTESTED, Outcome.ERROR, Outcome.FAILED)
_SHOWN_IDS: Final = 8
_FEW: Final = 6
"""Rows of one outcome that are each shown by themselves; more are shown in groups of those that ended alike."""
_ONE_LINE: Final = 160
_SHOWN_ROWS: Final = 40
"""Rows of one group that are named."""

Sections: TypeAlias = Mapping[str, Mapping[str, str]]
"""Protocols to their section numbers to titles."""


def write_summary(
    report: Report,
    stream: TextIO,
    *,
    sections: Sections | None = None,
    says: Mapping[str, str] | None = None,
    against: Against | None = None,
) -> None:
    """Write the summary to a stream, in colour if it is a terminal that wants it.

    `sections` maps protocols to section numbers to titles, `says` clause ids to what the clauses say; `against` is the
    report held against a baseline: what that accepts is listed, and not shown in full. What the stream cannot encode
    is escaped.
    """
    colour = wants_colour(stream)
    width = shutil.get_terminal_size((WIDTH, 24)).columns if stream.isatty() else WIDTH
    text = summary(report, sections=sections, says=says, against=against, colour=colour, width=width)
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


def wants_colour(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether escape sequences may go to the stream."""
    return stream.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def summary(
    report: Report,
    *,
    sections: Sections | None = None,
    says: Mapping[str, str] | None = None,
    against: Against | None = None,
    colour: bool = False,
    width: int = WIDTH,
) -> str:
    """The summary as text that ends with the verdict's line; see `write_summary` for the others."""
    buffer = StringIO()
    console = Console(
        file=buffer,
        width=max(40, width),
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
    )
    for run in report.runs:
        titles = (sections or {}).get(run.header.scope.protocol, {})
        _run(console, run, titles, says or {}, against or Against())
    if against is not None:
        _against(console, against)
    if len(report.runs) > 1:
        for run in report.runs:
            _line(console, run_line(run), _VERDICT_STYLES[run_verdict(run)])
    _line(console, verdict_line(report), _VERDICT_STYLES[verdict(report)])
    text = buffer.getvalue()
    # The table pads its lines, which is of no use in a log.
    return text if colour else "".join(f"{line.rstrip()}\n" for line in text.split("\n")[:-1])


def _run(console: Console, run: Run, sections: Mapping[str, str], says: Mapping[str, str], against: Against) -> None:
    _heading(console, run)
    if run.rows:
        console.print(_table(run, sections))
    shown = [row for row in run.rows if row.outcome in _IN_FULL and row.key not in against.known]
    for outcome in _IN_FULL:
        rows = [row for row in shown if row.outcome is outcome]
        _in_full(console, rows, outcome, says, brief=len(shown) > 1)
    _not_applicable(console, [row for row in run.rows if row.outcome is Outcome.NOT_APPLICABLE])
    _unreached(console, run)
    for note in run.footer.notes if run.footer else ():
        _line(console, f"Note: {plain(note, LONG)}")
    _line(console, "")


def _line(console: Console, text: str, style: str = "") -> None:
    # Not wrapped by us: a replay command must be copied in one piece.
    console.print(Text(text, style=style), soft_wrap=True)


def _against(console: Console, against: Against) -> None:
    if against.known:
        _line(console, f"Known to the baseline: {count(len(against.known), 'check')}", "bold")
        for key, entry in against.known.items():
            _line(console, f"  {known_line(key, entry)}")
    _line(console, "Against the baseline:" if against.changes else "Against the baseline: nothing new", "bold")
    for change in against.changes:
        _line(console, f"  {change_line(change)}")
    _line(console, "")


def _heading(console: Console, run: Run) -> None:
    header = run.header
    scope, versions = header.scope, header.versions
    over = ", ".join(scope.transports) or "no transport"
    slow = ", slow checks too" if scope.slow else ""
    _line(console, plain(header.target, SHORT), "bold")
    _line(console, plain(f"{scope.protocol}, {scope.role}, over {over}{slow}", SHORT))
    made = f"naysayer {versions.naysayer}, catalogue {versions.catalogue}, vectors {versions.vectors}"
    _line(console, plain(f"{made}; started {header.started}; seed {header.seed}", SHORT), "dim")
    _line(console, "")


def _table(run: Run, sections: Mapping[str, str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_footer=True)
    table.add_column("section", "total", overflow="fold")
    for outcome in Outcome:
        total = run.counts[outcome]
        footer = Text(f"{total:,}", _STYLES[outcome] if total else "")
        table.add_column(NAMES[outcome], footer, justify="right", no_wrap=True)
    for section in sorted({row.section for row in run.rows}, key=_section_order):
        title = sections.get(section, "")
        rows = [row for row in run.rows if row.section == section]
        table.add_row(Text(plain(f"{section} {title}".strip(), SHORT)), *_cells(rows))
    return table


def _section_order(section: str) -> tuple[tuple[int, int, str], ...]:
    # 2.10 comes after 2.9, and numbers before words.
    parts = section.split(".")
    return tuple((0, int(part), "") if part.isdecimal() and len(part) < 9 else (1, 0, part) for part in parts)


def _cells(rows: list[Row]) -> Iterable[Text]:
    for outcome in Outcome:
        number = sum(row.outcome is outcome for row in rows)
        yield Text(f"{number:,}", _STYLES[outcome]) if number else Text("·", "dim")


def _in_full(console: Console, rows: list[Row], outcome: Outcome, says: Mapping[str, str], *, brief: bool) -> None:
    began = [row for row in rows if not _never_began(row)]
    if len(began) <= _FEW:
        for row in began:
            _one(console, row, says, brief=brief)
    else:
        for those in alike(sorted(began, key=lambda row: (_section_order(row.section), row.id))):
            _group(console, those, says)
    for reason, group in reasons(row for row in rows if _never_began(row)).items():
        _line(console, f"UNTESTED  {count(len(group), 'check')}: {reason}", _STYLES[outcome])
        for row in group[:_SHOWN_ROWS]:
            if len(group) > _FEW:
                _line(console, plain(f"  {where(row)}  {', '.join(row.clauses)}", _ONE_LINE))
                continue
            _line(console, f"  {where(row)}")
            _line(console, f"    clauses  {plain(', '.join(row.clauses), SHORT)}")
            _line(console, f"    again  {plain(row.replay, LONG)}")
        _more(console, len(group))
        _line(console, "")


def _one(console: Console, row: Row, says: Mapping[str, str], *, brief: bool) -> None:
    basis = f", basis {row.basis}" if row.outcome is Outcome.WARNED else ""
    _line(console, f"{NAMES[row.outcome].upper()}  {where(row)}  ({row.level}{basis})", _STYLES[row.outcome])
    for line in details(row, says, brief=brief):
        _line(console, f"  {line}")
    _line(console, "")


def _group(console: Console, group: Alike, says: Mapping[str, str]) -> None:
    """One row of those that ended alike, and where the same came in the others."""
    others: dict[str, list[Row]] = defaultdict(list)
    for row in group.rows[1:]:
        others[row.id].append(row)
    if others:
        name = NAMES[group.rows[0].outcome].upper()
        title = f"{name}  {count(group.checks, 'check')} alike, perhaps for one reason: {group.shape}"
        _line(console, title, _STYLES[group.rows[0].outcome])
    _one(console, group.rows[0], says, brief=True)
    for check in list(others)[:_SHOWN_ROWS]:
        row = others[check][0]
        over = ", ".join(dict.fromkeys(str(each.transport) for each in others[check]))
        found = decisive(row)
        said = f"  {found.clause}: wanted {found.wanted}" if found is not None else ""
        _line(console, plain(f"  {check}@{over}{said}", _ONE_LINE))
    _more(console, len(others))
    if others:
        _line(console, "")


def _more(console: Console, number: int) -> None:
    """Say how many rows of so many are not named."""
    if number > _SHOWN_ROWS:
        _line(console, f"  and {number - _SHOWN_ROWS:,} more; the report file has them")


def _never_began(row: Row) -> bool:
    # Five hundred of these, for one reason, are one block.
    return row.outcome is Outcome.UNTESTED and not row.transcript and not row.findings


def _not_applicable(console: Console, rows: list[Row]) -> None:
    if not rows:
        return
    _line(console, f"Not applicable: {count(len(rows), 'check')}", "bold")
    for reason, group in reasons(rows).items():
        ids = list(dict.fromkeys(where(row) for row in group))
        more = f" and {len(ids) - _SHOWN_IDS:,} more" if len(ids) > _SHOWN_IDS else ""
        _line(console, f"  {len(group):,}  {reason}: {', '.join(ids[:_SHOWN_IDS])}{more}")
    _line(console, "")


def _unreached(console: Console, run: Run) -> None:
    total = len(run.header.clauses)
    _line(console, f"Clauses exercised: {len(run.exercised):,} of {total:,} in scope", "bold")
    for reason, number in unreached_reasons(run):
        _line(console, f"  {number:,} not reached: {reason}")
