"""An adapter asked one question at a time, for fuzzing: the same driver on an event loop of its own."""

import asyncio
from collections.abc import Mapping
from typing import Any

from harness.adapters.operations import answer
from harness.adapters.process import Adapter, GivenUp
from harness.adapters.session import speaking

AS_OFTEN_AS_IT_TAKES = 10**9


def protocol_of(operation: str) -> str:
    """Return the protocol that an operation belongs to."""
    return "byob" if operation.startswith("byob.") else "yea"


class BlockingAdapter:
    """An adapter program behind plain calls; a context manager that starts and stops it.

    Args:
        arguments: the program and its arguments.
        patience: seconds without an answer after which it hangs.
        suites: the protocols that it is asked in: at least one of them it has to speak.
    """

    def __init__(self, arguments: list[str], patience: float, *suites: str) -> None:
        # It breaks as often as the search for the smallest input makes it; the campaign bounds that.
        self._adapter = Adapter(arguments, patience, AS_OFTEN_AS_IT_TAKES, AS_OFTEN_AS_IT_TAKES)
        self._suites = suites
        self._spoken: list[str] = []
        self._runner = asyncio.Runner()
        self._number = 0

    def __enter__(self) -> "BlockingAdapter":
        try:
            self._spoken = self._runner.run(speaking(self._adapter, *self._suites))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._adapter.stop())
        self._runner.close()

    def call(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the adapter's answer, or {"broke": why} when it gave none.

        What belongs to a protocol that it does not speak is unsupported.
        """
        if protocol_of(operation) not in self._spoken:
            return {"unsupported": True}
        self._number += 1
        try:
            made = self._runner.run(self._adapter.ask_one({"id": self._number, "op": operation, **arguments}))
        except GivenUp as problem:
            return {"broke": str(problem)}
        return {"broke": made.broke} if made.value is None else dict(made.value)


class OwnOperations:
    """The reference's own operations, called directly."""

    def call(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the reference's answer."""
        return answer(operation, arguments)
