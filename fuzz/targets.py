"""What fuzzing sees of a target: a few operations, whoever answers them."""

from collections.abc import Mapping
from typing import Any, Protocol

Arguments = Mapping[str, Any]
Answer = Mapping[str, Any]


class Operations(Protocol):
    """An implementation's pure functions."""

    def call(self, operation: str, arguments: Arguments) -> Answer:
        """Return {"ok": …}, {"error": …}, {"unsupported": true}, or {"broke": str} when there was no answer."""
