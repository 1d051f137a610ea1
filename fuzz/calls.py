"""What an adapter was asked for one example, and what it answered: a failure is shown, and kept, as its calls."""

from dataclasses import dataclass
from typing import Any

from fuzz.targets import Answer, Arguments, Operations


@dataclass(frozen=True)
class Call:
    """One operation with its arguments, and the answer as `Operations.call` gives it."""

    operation: str
    arguments: dict[str, Any]
    answer: dict[str, Any]


class Recording:
    """`Operations` that remember the calls since the last `forget`."""

    def __init__(self, target: Operations) -> None:
        self._target = target
        self._calls: list[Call] = []

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls, in order."""
        return tuple(self._calls)

    def forget(self) -> None:
        """Begin anew."""
        self._calls = []

    def call(self, operation: str, arguments: Arguments) -> Answer:
        """See `Operations.call`."""
        made = self._target.call(operation, arguments)
        self._calls.append(Call(operation, dict(arguments), dict(made)))
        return made
