"""The clause catalogue: whole, without blanks, and strict about its own rules."""

from collections import Counter

import pytest

from harness.catalogue import SECTION_TITLES, Clause, catalogue
from harness.errors import CatalogueError

YEA = catalogue("yea")


def test_every_clause_of_the_spec_is_there() -> None:
    assert YEA.protocol == "yea"
    assert len(YEA.clauses) == 563
    assert {clause.section for clause in YEA.clauses.values()} <= set(SECTION_TITLES["yea"])


def test_no_entry_has_blanks() -> None:
    assert all(clause.says.endswith(".") for clause in YEA.clauses.values())
    assert all(each.question and each.readings and each.reading for each in YEA.questions.values())


def test_ids_carry_their_section() -> None:
    wrong = [clause.id for clause in YEA.clauses.values() if not clause.id.startswith(f"YEA-{clause.section}-")]
    assert wrong == []


def test_what_nothing_can_show_says_why() -> None:
    assert [c.id for c in YEA.clauses.values() if (c.plane == "none") != bool(c.why)] == []


def test_questions_and_clauses_name_each_other_only_where_both_exist() -> None:
    asked = {question for clause in YEA.clauses.values() for question in clause.questions}
    named = {clause for question in YEA.questions.values() for clause in question.clauses}
    assert asked - set(YEA.questions) == set()
    assert named - set(YEA.clauses) == set()


STRICT = {"MUST": True, "MUST NOT": True, "RULE": True, "SHOULD": False, "SHOULD NOT": False, "MAY": False}


@pytest.mark.parametrize("level", STRICT)
def test_breaking_a_must_or_a_rule_fails(level: str) -> None:
    assert Clause("YEA-1-01", "1", level, "service", "wire", "x").strict is STRICT[level]


def test_reach_is_by_plane() -> None:
    planes = Counter(clause.plane for clause in YEA.clauses.values())
    assert len(YEA.in_reach(frozenset({"wire", "both"}))) == planes["wire"] + planes["both"]
    assert YEA.in_reach(frozenset()) == []


def test_an_unknown_clause_is_an_error_of_ours() -> None:
    with pytest.raises(CatalogueError) as caught:
        YEA.clause("YEA-99-01")
    assert str(caught.value) == "no clause YEA-99-01 in the yea catalogue"
