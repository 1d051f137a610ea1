"""The clause catalogue: whole, without blanks, and strict about its own rules."""

from collections import Counter

import pytest

from harness.catalogue import SECTION_TITLES, Catalogue, Clause, catalogue
from harness.errors import CatalogueError

YEA, BYOB = catalogue("yea"), catalogue("byob")
BOTH = pytest.mark.parametrize("known", [YEA, BYOB], ids=lambda known: str(known.protocol))


def test_every_clause_of_the_spec_is_there() -> None:
    assert YEA.protocol == "yea"
    assert len(YEA.clauses) == 563
    assert BYOB.protocol == "byob"
    assert (len(BYOB.clauses), len(BYOB.questions)) == (453, 118)
    assert Counter(clause.plane for clause in BYOB.clauses.values()) == {
        "wire": 380,
        "both": 49,
        "adapter": 3,
        "none": 21,
    }


@BOTH
def test_every_section_has_a_title(known: Catalogue) -> None:
    assert {clause.section for clause in known.clauses.values()} <= set(SECTION_TITLES[known.protocol])


@BOTH
def test_no_entry_has_blanks(known: Catalogue) -> None:
    assert all(clause.says.endswith(".") for clause in known.clauses.values())
    assert all(each.question and each.readings and each.reading for each in known.questions.values())


@BOTH
def test_ids_carry_their_section(known: Catalogue) -> None:
    name = known.protocol.upper()
    assert [c.id for c in known.clauses.values() if not c.id.startswith(f"{name}-{c.section}-")] == []


@BOTH
def test_what_nothing_can_show_says_why(known: Catalogue) -> None:
    assert [c.id for c in known.clauses.values() if (c.plane == "none") != bool(c.why)] == []


@BOTH
def test_questions_and_clauses_name_each_other_only_where_both_exist(known: Catalogue) -> None:
    asked = {question for clause in known.clauses.values() for question in clause.questions}
    named = {clause for question in known.questions.values() for clause in question.clauses}
    assert asked - set(known.questions) == set()
    assert named - set(known.clauses) == set()


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
