"""Parts of Lens are replaced for one call only, and a broken part leaves the rest of Lens right."""

from typing import Any

import pytest

from harness.adapters import invariants
from harness.faults import adapter
from harness.faults.adapter.overriding import overriding
from reference.yea.lens import lens_reply, lens_value
from vectors import Case, answers, load

FAULTS = {name: entry for name, entry in adapter.load().items() if entry.op in ("lens.value", "lens.reply", "fit")}
CASES = {file.op: list(file.cases) for file in load("yea")}
FRAME = {"kind": "ANSWER", "data": {"b": 1, "10": [1e21], "2": "é"}}


def test_a_part_is_replaced_wherever_it_is_used() -> None:
    with overriding({"number_text": lambda number: "N"}):
        assert lens_value([1, [[2]]]) == "items[2]:\n  - N\n  - [[N]]"


def test_the_parts_come_back_after_the_call() -> None:
    before = lens_reply(FRAME)
    with overriding({"members": dict.items, "number_text": repr, "LEVELS": 1}):
        assert lens_reply(FRAME) != before
    assert lens_reply(FRAME) == before


def test_the_parts_come_back_when_the_call_fails() -> None:
    def stumble(_: object) -> str:
        raise ArithmeticError

    before = lens_reply(FRAME)
    with pytest.raises(ArithmeticError), overriding({"number_text": stumble}):
        lens_reply(FRAME)
    assert lens_reply(FRAME) == before


def passes(case: Case, answer: dict[str, Any]) -> bool:
    """Whether an answer is right."""
    if case.compare == "invariants":
        return "ok" in answer and not invariants.problems(case.input, answer["ok"])
    return answers.is_right(case, answer)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_leaves_cases_right(name: str) -> None:
    """One that breaks everything would be caught by anything. A sample of the short cases is looked at."""
    entry = FAULTS[name]
    sample = [case for case in CASES[entry.op] if len(case.input["json"]) < 3000][::5]
    right = [case.id for case in sample if passes(case, entry.wrong(dict(case.input)))]
    assert len(right) > len(sample) // 10


def test_there_are_many_faults_of_each_operation() -> None:
    counts = [sum(entry.op == op for entry in FAULTS.values()) for op in ("lens.value", "lens.reply", "fit")]
    assert min(counts) >= 20
