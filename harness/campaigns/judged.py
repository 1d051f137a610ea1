"""A failure as two answers: what the reference says to the same call, what the target said, and where they part."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fuzz.calls import Call
from harness.adapters import invariants
from harness.adapters.blocking import protocol_of
from harness.adapters.operations import answer
from vectors import Case, VectorFile, answers, load

CODED = frozenset({"byob.transition"})
"""Operations whose refusals have a code that the spec fixes (docs/adapters.md)."""

SHOWN = 60
"""Characters that are shown of both answers before and after the place where they part."""


@dataclass(frozen=True)
class Difference:
    """A call that the target answers otherwise than the reference does: `case` holds what is right."""

    call: Call
    case: Case

    @property
    def wanted(self) -> Mapping[str, Any]:
        """The reference's answer."""
        return self.case.expected[0]


def differences(calls: tuple[Call, ...], clauses: tuple[str, ...]) -> list[Difference]:
    """Return those calls that the target answers wrongly, each with the case that it makes.

    Args:
        calls: what was asked, and how the target answered.
        clauses: of the property that failed.
    """
    made = (Difference(call, _case(call, clauses)) for call in calls)
    return [each for each in made if not _is_right(each)]


def file_of(operation: str) -> VectorFile:
    """Return the vectors of an operation."""
    return next(file for file in load(protocol_of(operation)) if file.op == operation)


def _case(call: Call, clauses: tuple[str, ...]) -> Case:
    said = answer(call.operation, call.arguments)
    expected = {"ok": said["ok"]} if "ok" in said else {"error": True}
    code = said.get("error", {}).get("code")
    if code and call.operation in CODED:
        expected["code"] = code
    file = file_of(call.operation)
    return Case("", call.operation, call.arguments, (expected,), clauses, compare=file.compare, ignores=file.ignores)


def _is_right(made: Difference) -> bool:
    if "broke" in made.call.answer:
        return False
    if made.case.compare != "invariants":
        return answers.is_right(made.case, made.call.answer)
    ok = made.call.answer.get("ok")
    return isinstance(ok, Mapping) and not invariants.problems(made.call.arguments, ok)


def asked(call: Call) -> str:
    """Return the line that asks an adapter the same once more."""
    return json.dumps({"id": 1, "op": call.operation, **call.arguments})


def parted(wanted: str, got: str, width: int = SHOWN) -> tuple[str, str, str]:
    """Return two texts around the first place where they differ, and a line that marks it.

    Args:
        wanted, got: the texts, of characters that take one column each.
        width: how much is shown before and after that place.
    """
    pairs = enumerate(zip(wanted, got, strict=False))
    at = next((at for at, (one, other) in pairs if one != other), min(len(wanted), len(got)))
    start = max(at - width, 0)
    before = "…" if start else ""

    def around(text: str) -> str:
        return f"{before}{text[start : at + width]}{'…' if len(text) > at + width else ''}"

    mark = f"{' ' * (len(before) + at - start)}^ they part at character {at + 1}"
    return around(wanted), around(got), mark


def said(answered: Mapping[str, Any]) -> str:
    """Return an answer as one line of ASCII."""
    if "broke" in answered:
        return f"no answer: {answered['broke']}"
    return json.dumps(answered)
