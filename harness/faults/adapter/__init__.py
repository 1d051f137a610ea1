"""Adapter faults: one operation answers wrongly, by a mistake that implementers make.

    @adapter_fault("adapter/est/counts-bytes", "est", "est/emoji")
    def counts_bytes(arguments: Arguments) -> Answer:
        '''Counts bytes instead of code points.'''

A fault claims the vector cases that must fail on it. `naysayer selftest` holds it to that; `naysayer adapter --fault
ID` shows it to a person. The docstring's first line says what is wrong. The other operations stay the reference's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from harness.errors import CatalogueError
from harness.registering import fault_named, import_all

Arguments = dict[str, Any]
"""The arguments of an operation, without `id` and `op`."""

Answer = dict[str, Any]
"""{"ok": …} or {"error": …}."""


@dataclass(frozen=True)
class AdapterFault:
    """A registered fault.

    Args:
        id: `adapter/operation/words`.
        op: the operation that it answers.
        says: what is wrong with it, one sentence.
        kills: ids of the vector cases that must fail on it.
        wrong: the broken operation.
    """

    id: str
    op: str
    says: str
    kills: tuple[str, ...]
    wrong: Callable[[Arguments], Answer]


_registry: dict[str, AdapterFault] = {}


def adapter_fault(
    fault_id: str, op: str, *kills: str
) -> Callable[[Callable[[Arguments], Answer]], Callable[[Arguments], Answer]]:
    """Register a broken operation; see `AdapterFault`. Raises CatalogueError as `add` does."""

    def register(wrong: Callable[[Arguments], Answer]) -> Callable[[Arguments], Answer]:
        add(AdapterFault(fault_id, op, (wrong.__doc__ or "").strip().split("\n")[0], kills, wrong))
        return wrong

    return register


def add(entry: AdapterFault) -> None:
    """Register a fault that was made from a table.

    Raises CatalogueError for a repeated id, for no claimed case, and for one of another operation.
    """
    if entry.id in _registry or not entry.kills or not entry.says:
        raise CatalogueError(f"fault {entry.id}: repeated id, no claimed case, or no docstring")
    if any(not case.startswith(f"{entry.op}/") for case in entry.kills):
        raise CatalogueError(f"fault {entry.id}: claims a case of another operation than {entry.op}")
    _registry[entry.id] = entry


@cache
def load() -> dict[str, AdapterFault]:
    """Import every adapter fault and return them by id."""
    import_all(__name__)
    return dict(sorted(_registry.items()))


def find(fault_id: str) -> AdapterFault:
    """Return a fault by id, with or without `adapter/`; raises UsageError for an unknown one."""
    return fault_named(fault_id, load(), "adapter/", "adapter")
