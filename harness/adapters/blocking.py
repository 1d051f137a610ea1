"""An adapter asked one question at a time, for fuzzing: the same driver on an event loop of its own."""

import asyncio
from collections.abc import Mapping
from typing import Any

from harness.adapters.operations import answer
from harness.adapters.process import Adapter, Answer


class BlockingAdapter:
    """An adapter program behind plain calls; a context manager that starts and stops it.

    Args:
        arguments: the program and its arguments.
        patience: seconds without an answer after which it hangs.
    """

    def __init__(self, arguments: list[str], patience: float) -> None:
        self._adapter = Adapter(arguments, patience)
        self._runner = asyncio.Runner()
        self._number = 0

    def __enter__(self) -> "BlockingAdapter":
        self._runner.run(self._adapter.start())
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._adapter.stop())
        self._runner.close()

    def call(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the adapter's answer, or {"broke": why} when it gave none."""
        self._number += 1
        made: list[Answer] = []
        request = {"id": self._number, "op": operation, **arguments}
        self._runner.run(self._adapter.ask([request], lambda _, answered: made.append(answered)))
        return dict(made[0].value) if made[0].value is not None else {"broke": made[0].broke}


class OwnOperations:
    """The reference's own operations, called directly."""

    def call(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the reference's answer."""
        return answer(operation, arguments)
