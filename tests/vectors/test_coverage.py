"""Which clauses the vectors show."""

import tomllib
from importlib.resources import files
from typing import Any

from vectors import load

CATALOGUE: list[dict[str, Any]] = tomllib.loads((files("harness.catalogue") / "yea.toml").read_text("utf-8"))["clause"]
NAMED = {clause for file in load("yea") for case in file.cases for clause in case.clauses}
SECTIONS = ("2.1", "4.5", "5.1", "6.1", "6.2", "6.3", "6.4", "6.5", "6.6", "8", "9", "9.1", "9.2", "10")


def shown_by_an_adapter() -> set[str]:
    """The clauses of the pure functions that an adapter can show."""
    seen = {entry["id"]: entry for entry in CATALOGUE if entry["plane"] in ("adapter", "both")}
    return {name for name, entry in seen.items() if entry["section"] in SECTIONS}


def test_every_clause_that_an_adapter_can_show_is_named_by_a_case() -> None:
    assert sorted(shown_by_an_adapter() - NAMED) == []


def test_cases_and_notes_name_clauses_of_the_catalogue_only() -> None:
    noted = {clause for file in load("yea") for note in file.notes.values() for clause in note.clauses}
    assert sorted((NAMED | noted) - {entry["id"] for entry in CATALOGUE}) == []


def test_cases_name_no_clause_that_only_a_wire_shows() -> None:
    """But for section 8, whose rules for cuts stand under the wire and are what `fit` is judged by."""
    outside = [entry for entry in CATALOGUE if entry["plane"] not in ("adapter", "both")]
    on_the_wire = {entry["id"] for entry in outside if entry["section"] != "8"}
    assert sorted(NAMED & on_the_wire) == []


def test_there_are_more_than_600_cases() -> None:
    assert sum(len(list(file.cases)) for file in load("yea")) >= 600


def test_questions_of_cases_are_questions_of_the_catalogue() -> None:
    known = {entry["id"] for entry in tomllib.loads(_questions())["question"]}
    asked = {case.question for file in load("yea") for case in file.cases} - {None}
    assert sorted(asked - known) == []


def _questions() -> str:
    return (files("harness.catalogue") / "yea-questions.toml").read_text("utf-8")
