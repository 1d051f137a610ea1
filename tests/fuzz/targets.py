"""Targets for tests of fuzzing: broken ones, and second opinions that share nothing with the reference."""

import json
from collections.abc import Callable
from typing import Any

from fuzz.targets import Answer, Arguments
from harness.adapters.operations import answer
from harness.adapters.serving import with_fault
from harness.faults import adapter as faults
from tests.vectors import oracle
from tests.vectors.generators import second


class Faulty:
    """The reference with an adapter fault."""

    def __init__(self, fault_id: str) -> None:
        fault = faults.find(fault_id)
        self._table = with_fault(fault.op, fault.wrong)

    def call(self, operation: str, arguments: Arguments) -> Answer:
        return answer(operation, arguments, self._table)


class Always:
    """Gives one answer to everything."""

    def __init__(self, made: Answer) -> None:
        self.made, self.calls = made, 0

    def call(self, operation: str, arguments: Arguments) -> Answer:
        self.calls += 1
        return self.made


class Telling:
    """Answers by a function."""

    def __init__(self, tell: Callable[[str, Arguments], Answer]) -> None:
        self._tell = tell

    def call(self, operation: str, arguments: Arguments) -> Answer:
        return self._tell(operation, arguments)


def second_opinion(operation: str, arguments: Arguments) -> dict[str, Any]:
    """Answer `canonical` and `grant.check` by code that was written from the text once more."""
    if operation == "grant.check":
        names = ("token", "trusted", "proof_key")
        said = {name: arguments[name] for name in names}
        return {"ok": {"decision": oracle.decision(**said, context=json.loads(arguments["context"]))}}
    assert operation == "canonical"
    try:
        text = second.canonical(json.loads(arguments["json"]))
    except ValueError as problem:
        return {"error": {"message": str(problem)}}
    return {"ok": {"text": text}}
