"""Faults: small broken services, each made from the reference by overriding one thing.

    @fault("yea/oversize-frame-hangs-up", "yea/2.1/oversize-frame-is-refused", transports=("tcp",))
    class OversizeHangsUp(Service):
        '''Closes the connection on an oversized frame.'''

        def oversize(self) -> Reply: ...

A fault claims the checks and monitors that must fail on it. `naysayer selftest` holds it to that; `naysayer serve yea
--fault ID` shows it to a person. The docstring's first line says what is wrong with the service.
"""

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from harness.errors import CatalogueError, UsageError
from reference.yea.conformance import conformance_service
from reference.yea.service import Service


@dataclass(frozen=True)
class Fault:
    """A registered fault.

    Args:
        id: `protocol/words`.
        says: what is wrong with the service, one sentence.
        kills: ids of the checks and monitors that must fail (or, by a SHOULD, warn) on it.
        service: the broken class.
        transports: over which the claimed checks must fail; the others are not looked at.
        outcome: what the claimed rows must be: `failed`, or `warned` where the clause is a SHOULD.
        traffic: for a fault that claims monitors, which checks give them enough to see, as for `-k`; all by default.
        live: it shows only on a process of its own, over real sockets; see `harness.live`.
    """

    id: str
    says: str
    kills: tuple[str, ...]
    service: type[Service]
    transports: tuple[str, ...] = ("tcp", "http")
    outcome: str = "failed"
    traffic: str = ""
    live: bool = False

    def make(self, **options: Any) -> Service:
        """Return the broken conformance service; options go to `conformance_service`."""
        return conformance_service(service_class=self.service, **options)


_registry: dict[str, Fault] = {}


def fault(fault_id: str, *kills: str, **options: Any) -> Callable[[type[Service]], type[Service]]:
    """Register a broken service class; see `Fault`. Raises CatalogueError for a repeated id or no claim."""

    def register(service: type[Service]) -> type[Service]:
        add(Fault(fault_id, (service.__doc__ or "").strip().split("\n")[0], kills, service, **options))
        return service

    return register


def add(entry: Fault) -> None:
    """Register a fault that was made from a table."""
    if entry.id in _registry or not entry.kills or not entry.says:
        raise CatalogueError(f"fault {entry.id}: repeated id, no claimed check, or no docstring")
    _registry[entry.id] = entry


@cache
def load(protocol: str) -> dict[str, Fault]:
    """Import every fault of a protocol and return them by id; none for a protocol that has none yet."""
    if importlib.util.find_spec(f"harness.faults.{protocol}") is None:
        return {}
    package = importlib.import_module(f"harness.faults.{protocol}")
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"harness.faults.{protocol}.{module}")
    return {i: f for i, f in sorted(_registry.items()) if i.startswith(f"{protocol}/")}


def find(protocol: str, fault_id: str) -> Fault:
    """Return a fault by id, with or without its protocol; raises UsageError for an unknown one."""
    known = load(protocol)
    entry = known.get(fault_id) or known.get(f"{protocol}/{fault_id}")
    if entry is None:
        raise UsageError(f"no fault {fault_id!r}; `naysayer serve {protocol} --fault list` shows them all")
    return entry
