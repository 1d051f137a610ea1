"""Targets for tests of fuzzing: broken ones, and second opinions that share nothing with the reference."""

import hashlib
import json
import math
import re
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


TOKEN = re.compile(r"[A-Za-z]+|[0-9]{1,3}|\n {2,}|[^ \t\n\r\f\vA-Za-z0-9]")
"""The expression of YEA 8, as it stands there."""


def second_opinion(operation: str, arguments: Arguments) -> dict[str, Any]:
    """Answer by code that was written from the text once more."""
    try:
        return {"ok": SECOND[operation](arguments)}
    except ValueError as problem:
        return {"error": {"message": str(problem)}}


def _decision(arguments: Arguments) -> dict[str, Any]:
    names = ("token", "trusted", "proof_key")
    said = {name: arguments[name] for name in names}
    return {"decision": oracle.decision(**said, context=json.loads(arguments["context"]))}


def _sorted(text: str) -> str:
    return json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _tokens(text: str) -> int:
    ideographs = sum("\u4e00" <= letter <= "\u9fff" for letter in text)
    return ideographs + math.ceil((len(text) - ideographs) / 4)


SECOND: dict[str, Callable[[Arguments], dict[str, Any]]] = {
    "canonical": lambda given: {"text": second.canonical(json.loads(given["json"]))},
    "grant.check": _decision,
    "est": lambda given: {"count": len(TOKEN.findall(given["text"]))},
    "byob.canonical": lambda given: {"text": _sorted(given["json"])},
    "byob.prefix_hash": lambda given: {"hash": hashlib.sha256(_sorted(given["json"]).encode()).hexdigest()},
    "byob.tokens": lambda given: {"count": _tokens(given["text"])},
}
