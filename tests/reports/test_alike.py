from dataclasses import replace

import pytest

from reports.alike import Alike, alike, decisive
from reports.model import Outcome, Row
from tests.reports import samples


def failed(name: str, got: str, transport: str = "tcp") -> Row:
    return samples.row(Outcome.FAILED, name=name, text=got, transport=transport)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("FAILURE", "FAILURE"),
        ("INTENT got HTTP 201", "COMMIT got HTTP 201"),
        ('kind "A" (first of 12)', 'kind "B \\" b" (first of 1,400)'),
        ("a right INTENT for the role undoable got X", "a right INTENT for the role slow-commit got X"),
    ],
)
def test_rows_are_alike_but_for_names_and_numbers(one: str, other: str) -> None:
    rows = (failed("a", one), failed("b", other))
    assert [group.rows for group in alike(rows)] == [rows]


@pytest.mark.parametrize(("one", "other"), [("RECEIPT", "PROPOSALS"), ("ERROR internal", "ERROR limit"), ("", "x")])
def test_what_came_tells_rows_apart(one: str, other: str) -> None:
    rows = (failed("a", one), failed("b", other))
    assert [group.rows for group in alike(rows)] == [(row,) for row in rows]


def test_what_was_let_pass_is_told_apart_by_the_section_that_forbids_it() -> None:
    rows = [
        replace(failed(name, "RECEIPT"), findings=(replace(samples.finding(clause, Outcome.FAILED), got="RECEIPT"),))
        for name, clause in (("a", "YEA-6.1-05"), ("b", "YEA-6.1-04"), ("c", "YEA-6.3-19"))
    ]
    assert [[row.id for row in group.rows] for group in alike(rows)] == [["c"], ["a", "b"]]


def test_the_largest_group_stands_last_and_counts_checks_once_over_all_transports() -> None:
    many = tuple(failed(f"c{number}", "RECEIPT", over) for number in range(2) for over in ("tcp", "http"))
    few = tuple(failed("d", 'INTENT got "x"', over) for over in ("tcp", "tls", "stdio", "http"))
    groups = alike((*many, *few))
    assert groups == [Alike('"x"', few), Alike("RECEIPT", many)]
    assert [group.checks for group in groups] == [1, 2]


def test_what_broke_a_row_is_the_finding_of_its_own_outcome() -> None:
    warned = samples.finding("YEA-8-04", Outcome.WARNED)
    broken = samples.finding("YEA-2.1-02", Outcome.FAILED)
    row = replace(samples.row(Outcome.FAILED), findings=(warned, broken))
    assert decisive(row) == broken
    assert decisive(replace(row, outcome=Outcome.UNTESTED)) == warned
    assert decisive(samples.row(Outcome.UNTESTED)) is None


def test_rows_without_a_finding_are_alike_by_their_reason() -> None:
    rows = [samples.row(Outcome.UNTESTED, name=name, why=why) for name, why in (("a", "x 1"), ("b", "x 2"), ("c", ""))]
    assert [(group.shape, len(group.rows)) for group in alike(rows)] == [("no reason given", 1), ("x 1", 2)]


def test_a_shape_is_short_and_safe() -> None:
    (group,) = alike([failed("a", samples.HUGE)])
    assert group.shape.isprintable()
    assert len(group.shape) <= 80
