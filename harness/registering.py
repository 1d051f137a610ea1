"""What the registries of checks, monitors and faults have in common: how they are filled, and how a fault is found."""

import importlib
import importlib.util
import pkgutil
from collections.abc import Mapping
from typing import TypeVar

from harness.errors import UsageError

Entry = TypeVar("Entry")


def import_all(package: str) -> None:
    """Import every module of a package, so that each registers what it holds; nothing where there is no such package.

    Args:
        package: its full name; the package above it must be there.
    """
    if importlib.util.find_spec(package) is None:
        return
    for module in sorted(m.name for m in pkgutil.iter_modules(importlib.import_module(package).__path__)):
        importlib.import_module(f"{package}.{module}")


def fault_named(fault_id: str, known: Mapping[str, Entry], prefix: str, command: str) -> Entry:
    """Return a fault by id, with or without the prefix of its family.

    Args:
        fault_id: as a person wrote it.
        known: all there are, by id.
        prefix: what their ids begin with.
        command: what takes `--fault`, without `naysayer`.

    Raises UsageError for an unknown one.
    """
    entry = known.get(fault_id) or known.get(f"{prefix}{fault_id}")
    if entry is None:
        raise UsageError(f"no fault {fault_id!r}; `naysayer {command} --fault list` shows them all")
    return entry
