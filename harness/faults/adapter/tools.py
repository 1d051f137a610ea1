"""What the tables of adapter faults are made with."""

import json
from collections.abc import Callable
from typing import Any

from harness.faults.adapter import AdapterFault, Answer, Arguments, add
from reference.yea.caveats import Context

Run = Callable[[Arguments], dict[str, Any]]
"""A broken operation: arguments in, the members of its ok out; what it raises is a refusal."""

Row = tuple[str, str, str, Run]
"""A fault: the words of its id, what is wrong in one sentence, the words of the cases it claims, and the operation."""


def register(op: str, *rows: Row) -> None:
    """Register the faults of one operation. The claimed cases are separated by blanks, without the operation."""
    for words, says, kills, run in rows:
        claimed = tuple(f"{op}/{case}" for case in kills.split())
        add(AdapterFault(f"adapter/{op}/{words}", op, says, claimed, answering(run)))


def answering(run: Run) -> Callable[[Arguments], Answer]:
    """The same as an operation of an adapter: a refusal is an error, and so is input that is too deep for it."""

    def wrong(arguments: Arguments) -> Answer:
        try:
            return {"ok": run(arguments)}
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
            return {"error": {"message": f"{type(error).__name__}: {str(error)[:200]}"}}

    return wrong


def read(arguments: Arguments, name: str = "json") -> Any:
    """The JSON of an argument, as Python's own reader has it."""
    return json.loads(arguments[name])


def rewrite(value: Any, change: Callable[[Any], Any]) -> Any:
    """The value with every scalar in it changed, keys aside."""
    if isinstance(value, dict):
        return {name: rewrite(item, change) for name, item in value.items()}
    if isinstance(value, list):
        return [rewrite(item, change) for item in value]
    return change(value)


def context(arguments: Arguments) -> Context:
    """The request of a `grant.check`."""
    return Context(**read(arguments, "context"))
