"""JUnit XML, which CI systems read.

One suite per transport (and per protocol, if a report has both), one test case per check, named as
`--replay` takes it. How the six outcomes map:

| outcome | element |
| --- | --- |
| passed | none |
| failed | `<failure type="failed">` |
| warned | none; a note in `<system-out>`, since a warning must not turn a build red |
| not applicable | `<skipped>` with the reason |
| untested | `<error type="untested">`: a skip would read as green, yet nothing was learned |
| error | `<error type="error">` |
| failed or untested, and known to the baseline | `<skipped>` with the reason that the baseline gives |

What is not as the baseline says and is no row (an entry to be taken out, for example) is one failed test case each.
A run that did not reach its end has one more test case, `naysayer/run-complete`, which is an error: what
never ran must not read as green. Text from a target is cleaned of all that XML forbids.
"""

from collections.abc import Iterable, Mapping
from typing import Final
from xml.etree import ElementTree

from reports.baseline import Against, Kind, spelt
from reports.model import Outcome, Report, Row, Run
from reports.text import SHORT, plain
from reports.verdict import run_verdict
from reports.words import change_line, details, unreached_reasons, verdict_line, where

_ELEMENTS: Final = {
    Outcome.FAILED: "failure",
    Outcome.ERROR: "error",
    Outcome.UNTESTED: "error",
    Outcome.NOT_APPLICABLE: "skipped",
}


_ROW_CHANGES: Final = frozenset({Kind.NEW, Kind.OTHER, Kind.EXPIRED})


def junit(report: Report, *, says: Mapping[str, str] | None = None, against: Against | None = None) -> str:
    """The report as JUnit XML text with its declaration.

    `says` maps clause ids to what the clauses say; `against` is the report held against a baseline.
    """
    held = against or Against()
    root = ElementTree.Element("testsuites", name="naysayer")
    for run in report.runs:
        for transport in _transports(run):
            rows = [row for row in run.rows if row.transport == transport]
            _suite(root, run, transport, rows, says or {}, held)
        if not run.complete:
            _unfinished(root, run)
    _untrue(root, held)
    _totals(root, root.iter("testcase"))
    ElementTree.indent(root)
    # The encoding is stated here, for ElementTree would leave it to the caller's locale.
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _transports(run: Run) -> list[str | None]:
    used = [row.transport for row in run.rows]
    known = [name for name in run.header.scope.transports if name in used]
    return list(dict.fromkeys([*known, *used])) or [None]


def _suite(
    root: ElementTree.Element,
    run: Run,
    transport: str | None,
    rows: list[Row],
    says: Mapping[str, str],
    held: Against,
) -> None:
    name = f"{run.header.scope.protocol} over {transport}" if transport else run.header.scope.protocol
    suite = ElementTree.SubElement(root, "testsuite", name=plain(name, SHORT))
    # JUnit's timestamps have no zone.
    suite.set("timestamp", plain(run.header.started, SHORT).removesuffix("Z").removesuffix("+00:00"))
    _properties(suite, run)
    for row in rows:
        _case(suite, row, says, held)
    _totals(suite, suite.iter("testcase"))


def _properties(suite: ElementTree.Element, run: Run) -> None:
    header = run.header
    properties = ElementTree.SubElement(suite, "properties")
    pairs = [
        ("target", header.target),
        ("verdict", run_verdict(run).value),
        ("seed", str(header.seed)),
        ("naysayer", header.versions.naysayer),
        ("catalogue", header.versions.catalogue),
        ("vectors", header.versions.vectors),
        ("clauses exercised", f"{len(run.exercised)} of {len(header.clauses)}"),
        *(("clauses not exercised", f"{number}: {why}") for why, number in unreached_reasons(run)),
        *(("note", note) for note in (run.footer.notes if run.footer else ())),
    ]
    for name, value in pairs:
        ElementTree.SubElement(properties, "property", name=name, value=plain(value, SHORT))


def _case(suite: ElementTree.Element, row: Row, says: Mapping[str, str], held: Against) -> None:
    # A dot separates packages to most readers, so a section's own dot is written otherwise.
    folder = row.id.rpartition("/")[0].replace(".", "_").replace("/", ".") or "naysayer"
    case = ElementTree.SubElement(suite, "testcase", classname=plain(folder, SHORT), name=where(row))
    case.set("time", f"{row.seconds:.3f}")
    text = "\n".join(details(row, says))
    if row.key in held.known:
        message = f"known to the baseline as {row.outcome}: {held.known[row.key].reason}"
        ElementTree.SubElement(case, "skipped", message=plain(message, SHORT)).text = text
    elif row.outcome in _ELEMENTS:
        element = ElementTree.SubElement(case, _ELEMENTS[row.outcome], message=_message(row))
        if row.outcome is not Outcome.NOT_APPLICABLE:
            element.set("type", row.outcome.value)
        element.text = text
    elif row.outcome is Outcome.WARNED:
        ElementTree.SubElement(case, "system-out").text = f"warned: {_message(row)}\n{text}"


def _message(row: Row) -> str:
    bad = next((found for found in row.findings if not found.ok), None)
    if row.why or bad is None:
        return plain(row.why or row.title, SHORT)
    return plain(f"{bad.clause}: wanted {bad.wanted[:100]}; got {bad.got[:100]}", SHORT)


def _unfinished(root: ElementTree.Element, run: Run) -> None:
    suite = ElementTree.SubElement(root, "testsuite", name=plain(f"{run.header.scope.protocol} run", SHORT))
    case = ElementTree.SubElement(suite, "testcase", classname="naysayer", name="naysayer/run-complete")
    case.set("time", "0.000")
    message = verdict_line(Report((run,)))
    ElementTree.SubElement(case, "error", message=message, type="incomplete").text = message
    _totals(suite, suite.iter("testcase"))


def _untrue(root: ElementTree.Element, held: Against) -> None:
    changes = [change for change in held.changes if change.kind not in _ROW_CHANGES]
    if not changes:
        return
    suite = ElementTree.SubElement(root, "testsuite", name="the baseline")
    for change in changes:
        message = change_line(change)
        name = plain(spelt(change.key), SHORT)
        case = ElementTree.SubElement(suite, "testcase", classname="naysayer.baseline", name=name, time="0.000")
        ElementTree.SubElement(case, "failure", message=message, type=change.kind.value).text = message
    _totals(suite, suite.iter("testcase"))


def _totals(suite: ElementTree.Element, cases: Iterable[ElementTree.Element]) -> None:
    found = list(cases)
    suite.set("tests", str(len(found)))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(sum(case.find(tag) is not None for case in found)))
    suite.set("time", f"{sum(float(case.get('time', '0')) for case in found):.3f}")
