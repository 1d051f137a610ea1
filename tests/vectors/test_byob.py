"""The vectors of BYOB: the reference agrees, and so does a second implementation in ECMAScript."""

import json
import shutil
import subprocess
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from harness.adapters.operations import BYOB_OPERATIONS, answer
from tests.vectors.generators import byob_transitions
from vectors import VectorFile, answers, load

FILES = load("byob")
NODE = shutil.which("node")
NAMED = {clause for file in FILES for case in file.cases for clause in case.clauses}
CATALOGUE: list[dict[str, Any]] = tomllib.loads((files("harness.catalogue") / "byob.toml").read_text("utf-8"))["clause"]
WARNING_ONLY = {f"BYOB-9-{number}" for number in (50, 51, 78, 79, 80, 81)}  # what the diagram does not draw

by_op = pytest.mark.parametrize("file", FILES, ids=[file.op for file in FILES])


@cache
def by_ecmascript(op: str) -> dict[str, dict[str, Any]]:
    """What byob.mjs answers to each case of an operation."""
    [file] = [file for file in FILES if file.op == op]
    cases = list(file.cases)
    calls = json.dumps([{"op": op, **case.input} for case in cases])
    script = Path(__file__).parent / "byob.mjs"
    run = subprocess.run([str(NODE), str(script)], input=calls, capture_output=True, text=True, timeout=60, check=True)
    return dict(zip([case.id for case in cases], json.loads(run.stdout), strict=True))


def test_every_operation_has_vectors() -> None:
    assert {file.op for file in FILES} == BYOB_OPERATIONS.keys()


def test_there_are_more_than_250_cases() -> None:
    assert sum(len(list(file.cases)) for file in FILES) >= 250


@by_op
def test_the_reference_agrees_with_every_case(file: VectorFile) -> None:
    assert [case.id for case in file.cases if not answers.is_right(case, answer(case.op, case.input))] == []


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
@by_op
def test_ecmascript_answers_as_the_vectors_do(file: VectorFile) -> None:
    made = by_ecmascript(file.op)
    assert [case.id for case in file.cases if not answers.is_right(case, made[case.id])] == []


def test_every_clause_that_an_adapter_can_show_is_named_by_a_case() -> None:
    shown = {entry["id"] for entry in CATALOGUE if entry["plane"] in ("adapter", "both")}
    assert sorted(shown ^ NAMED) == []


def test_every_such_clause_can_fail_but_for_what_the_text_leaves_open() -> None:
    binding = {c for file in FILES for case in file.cases if case.basis == "text" for c in case.clauses}
    assert NAMED - binding == WARNING_ONLY


def test_notes_and_questions_are_those_of_the_catalogue() -> None:
    noted = {clause for file in FILES for note in file.notes.values() for clause in note.clauses}
    assert sorted(noted - {entry["id"] for entry in CATALOGUE}) == []
    questions = tomllib.loads((files("harness.catalogue") / "byob-questions.toml").read_text("utf-8"))["question"]
    asked = {case.question for file in FILES for case in file.cases} - {None}
    assert sorted(asked - {entry["id"] for entry in questions}) == []


def test_every_pair_of_state_and_event_has_its_case() -> None:
    [file] = [file for file in FILES if file.op == "byob.transition"]
    pairs = {(case.input["state"], case.input["event"]) for case in file.cases}
    assert {(state, event) for state in byob_transitions.DRAWN for event in byob_transitions.EVENTS} <= pairs
