"""Faults: small broken services and hosts, each made from the reference by overriding one thing.

    @fault("yea/oversize-frame-hangs-up", "yea/2.1/oversize-frame-is-refused", transports=("tcp",))
    class OversizeHangsUp(Service):
        '''Closes the connection on an oversized frame.'''

        def oversize(self) -> Reply: ...

A fault claims the checks and monitors that must fail on it. `naysayer selftest` holds it to that; `naysayer serve yea
--fault ID` shows it to a person. The docstring's first line says what is wrong with the service. What a class for BYOB
is made from, see `harness.faults.tables`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar

from harness.check import PROTOCOL_TRANSPORTS, package_of
from harness.errors import CatalogueError
from harness.registering import fault_named, import_all
from reference.yea.conformance import conformance_service

Broken = TypeVar("Broken", bound=type[Any])


@dataclass(frozen=True)
class Fault:
    """A registered fault.

    Args:
        id: `protocol/words`.
        says: what is wrong with the service, one sentence.
        kills: ids of the checks and monitors that must fail (or, by a SHOULD, warn) on it.
        service: the broken class: a YEA Service, a Table, Host or Api of BYOB, or a Bridge.
        transports: over which the claimed checks must fail; the others are not looked at. For BYOB: http, or mcp.
        outcome: what the claimed rows must be: `failed`, or `warned` where the clause is a SHOULD.
        traffic: for a fault that claims monitors, which checks give them enough to see, as for `-k`; all by default.
        live: it shows only on a process of its own; see `harness.live` and `harness.bridges.laboratory`.
        in_the_clear: a live one whose TCP port passes for its TLS port.
    """

    id: str
    says: str
    kills: tuple[str, ...]
    service: type[Any]
    transports: tuple[str, ...] = ("tcp", "http")
    outcome: str = "failed"
    traffic: str = ""
    live: bool = False
    in_the_clear: bool = False

    @property
    def protocol(self) -> str:
        """The protocol, the id's first part."""
        return self.id.split("/")[0]

    def make(self, *given: Any, **options: Any) -> Any:
        """Return the broken conformance service, with options for `conformance_service`, or the host on a store."""
        if self.protocol == "byob":
            from harness.faults import tables  # here, because a stdio service has to start fast

            return tables.broken_host(self.service, *given)
        return conformance_service(service_class=self.service, **options)


_registry: dict[str, Fault] = {}


def fault(fault_id: str, *kills: str, **options: Any) -> Callable[[Broken], Broken]:
    """Register a broken class; see `Fault`. Raises CatalogueError for a repeated id or no claim."""

    def register(service: Broken) -> Broken:
        add(Fault(fault_id, (service.__doc__ or "").strip().split("\n")[0], kills, service, **options))
        return service

    return register


def add(entry: Fault) -> None:
    """Register a fault that was made from a table."""
    if entry.protocol in PROTOCOL_TRANSPORTS:
        entry = replace(entry, transports=PROTOCOL_TRANSPORTS[entry.protocol])
    if entry.id in _registry or not entry.kills or not entry.says:
        raise CatalogueError(f"fault {entry.id}: repeated id, no claimed check, or no docstring")
    _registry[entry.id] = entry


@cache
def load(protocol: str) -> dict[str, Fault]:
    """Import every fault of a protocol and return them by id; none for a protocol that has none yet."""
    import_all(f"harness.faults.{package_of(protocol)}")
    return {i: f for i, f in sorted(_registry.items()) if i.startswith(f"{protocol}/")}


def find(protocol: str, fault_id: str) -> Fault:
    """Return a fault by id, with or without its protocol; raises UsageError for an unknown one."""
    return fault_named(
        fault_id, load(protocol), f"{protocol}/", "mcp" if protocol == "byob-bridge" else f"serve {protocol}"
    )
