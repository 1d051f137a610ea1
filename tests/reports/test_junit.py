from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from reports.baseline import Against, Change, Kind, Known
from reports.junit import junit
from reports.model import Outcome, Report, Run
from tests.reports import samples
from tests.reports.samples import SAYS


def parse(report: Report, against: Against | None = None) -> Element:
    # Parsed from bytes, as a CI server does: what XML forbids or UTF-8 cannot hold fails here.
    return ElementTree.fromstring(junit(report, says=SAYS, against=against).encode())  # noqa: S314 - the text is our own


def case(root: Element, name: str) -> Element:
    (found,) = (each for each in root.iter("testcase") if each.get("name") == name)
    return found


@pytest.mark.parametrize("name", samples.REPORTS)
def test_every_report_is_well_formed_and_its_totals_are_right(name: str) -> None:
    report = samples.REPORTS[name]
    root = parse(report)
    for suite in (root, *root.iter("testsuite")):
        cases = list(suite.iter("testcase"))
        assert suite.get("tests") == str(len(cases))
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert suite.get(attribute) == str(sum(each.find(tag) is not None for each in cases))
    unfinished = sum(not run.complete for run in report.runs)
    assert len(list(root.iter("testcase"))) == sum(report.counts.values()) + unfinished


@pytest.mark.parametrize(
    ("outcome", "tag", "kind"),
    [
        (Outcome.FAILED, "failure", "failed"),
        (Outcome.ERROR, "error", "error"),
        (Outcome.UNTESTED, "error", "untested"),
        (Outcome.NOT_APPLICABLE, "skipped", None),
    ],
)
def test_each_outcome_has_its_element(outcome: Outcome, tag: str, kind: str | None) -> None:
    row = samples.row(outcome)
    (element,) = case(parse(samples.FAILING), f"{row.id}@tcp")
    assert (element.tag, element.get("type")) == (tag, kind)
    assert element.get("message") == (row.why or 'YEA-2.1-02: wanted ERROR bad_frame; got {"verb":"HELLO"}')
    assert row.replay in (element.text or "")
    assert "An oversize frame is refused." in (element.text or "")


def test_a_pass_is_silent_and_a_warning_is_a_note() -> None:
    root = parse(samples.FAILING)
    assert list(case(root, "yea/2.1/passed-one@tcp")) == []
    (note,) = case(root, "yea/2.1/warned-one@tcp")
    assert note.tag == "system-out"
    assert (note.text or "").startswith("warned: YEA-2.1-02: wanted ERROR bad_frame; got")


def test_a_case_has_class_name_and_time() -> None:
    found = case(parse(samples.FAILING), "yea/2.1/passed-one@tcp")
    assert found.attrib == {"classname": "yea.2_1", "name": "yea/2.1/passed-one@tcp", "time": "0.125"}


def test_there_is_a_suite_for_each_transport() -> None:
    rows = (
        samples.row(name="a", transport=None),
        samples.row(name="a", transport="http"),
        samples.row(name="a", transport="tcp"),
        samples.row(name="b", transport="tcp"),
    )
    run = Run(samples.HEADER, rows, samples.CONFORMING.runs[0].footer)
    suites = parse(Report((run,))).findall("testsuite")
    assert [(suite.get("name"), suite.get("tests")) for suite in suites] == [
        ("yea over tcp", "2"),
        ("yea over http", "1"),
        ("yea", "1"),
    ]
    assert {suite.get("timestamp") for suite in suites} == {"2025-01-02T03:04:05"}


def test_the_properties_tell_what_the_cases_cannot() -> None:
    (suite,) = parse(samples.FAILING).findall("testsuite")
    assert [(each.get("name"), each.get("value")) for each in suite.iter("property")] == [
        ("target", "yea://127.0.0.1:7447"),
        ("verdict", "non-conforming"),
        ("seed", "7"),
        ("naysayer", "0.1.0"),
        ("catalogue", "1"),
        ("vectors", "1"),
        ("clauses exercised", "1 of 4"),
        ("clauses not exercised", "3: no check evaluated it"),
        ("note", "adapter lacks fit"),
    ]


@pytest.mark.parametrize("name", ["stopped", "torn"])
def test_an_unfinished_run_is_never_green(name: str) -> None:
    (error,) = case(parse(samples.REPORTS[name]), "naysayer/run-complete")
    assert error.get("type") == "incomplete"
    assert (error.get("message") or "").startswith("PARTIAL: ")


def test_both_protocols_have_their_own_suites() -> None:
    names = [suite.get("name") for suite in parse(samples.BOTH).findall("testsuite")]
    assert names == ["yea over tcp", "byob over http"]


def test_hostile_text_is_cleaned_and_bounded() -> None:
    text = junit(samples.HOSTILE)
    assert len(text) < 200_000
    assert not set(text) & set("\x00\x08\x1b\u202e\ud800\udfff\ufffe\x9b")
    assert "<b>" not in text


def test_a_known_failure_is_skipped_with_its_reason() -> None:
    known = {(f"yea/2.1/{name}-one", "tcp"): Known("x", reason="issue 7\x00") for name in ("failed", "untested")}
    root = parse(samples.FAILING, Against(known))
    for outcome in ("failed", "untested"):
        (element,) = case(root, f"yea/2.1/{outcome}-one@tcp")
        assert (element.tag, element.get("message")) == ("skipped", f"known to the baseline as {outcome}: issue 7\\x00")
        assert "again" in (element.text or "")
    assert (root.get("failures"), root.get("errors"), root.get("skipped")) == ("0", "1", "3")


def test_an_entry_that_is_not_true_is_a_failure() -> None:
    fixed = Change(Kind.FIXED, ("yea/2.1/passed-one", None), Outcome.PASSED, Known("yea/2.1/passed-one"))
    new = Change(Kind.NEW, ("yea/2.1/failed-one", "tcp"), Outcome.FAILED)
    root = parse(samples.CONFORMING, Against(changes=(fixed, new)))
    (suite,) = (each for each in root.iter("testsuite") if each.get("name") == "the baseline")
    (entry,) = suite.iter("testcase")
    (failure,) = entry
    said = "yea/2.1/passed-one is in the baseline, and now passed: take the entry out"
    assert (entry.get("name"), failure.tag, failure.get("message")) == ("yea/2.1/passed-one", "failure", said)
    assert (root.get("tests"), root.get("failures")) == ("5", "1")
