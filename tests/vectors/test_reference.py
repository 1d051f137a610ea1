"""The reference answers every case rightly, those with an open basis too."""

import pytest

from harness.adapters import invariants
from harness.adapters.operations import YEA_OPERATIONS, answer
from vectors import Case, VectorFile, answers, load

FILES = load("yea")


def is_right(case: Case) -> bool:
    """Whether the reference's answer to a case is right."""
    got = answer(case.op, case.input)
    if case.compare == "invariants":
        return "ok" in got and not invariants.problems(case.input, got["ok"])
    return answers.is_right(case, got)


@pytest.mark.parametrize("file", FILES, ids=[file.op for file in FILES])
def test_the_reference_agrees_with_every_case(file: VectorFile) -> None:
    assert [case.id for case in file.cases if not is_right(case)] == []


def test_every_operation_has_vectors() -> None:
    assert {file.op for file in FILES} == YEA_OPERATIONS.keys()
