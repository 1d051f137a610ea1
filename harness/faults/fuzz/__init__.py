"""Fuzz faults: implementations that a property of `naysayer fuzz` must find fault with, in one place for all of them.

Three sorts. Adapter faults that vectors catch as well; services that checks catch as well; and faults of this package,
`unlisted` ones: no stored vector, or no check, catches them, which is why there is fuzzing at all. `naysayer selftest`
holds every property to its faults, and every unlisted one to its word; `naysayer serve --fault ID` shows the services
and table hosts among them to a person.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Any

from fuzz import properties
from fuzz.targets import Host, Operations, Wire
from fuzz.targets import Service as Serving
from harness import faults
from harness.adapters.operations import answer
from harness.adapters.serving import with_fault
from harness.errors import CatalogueError
from harness.faults import adapter
from harness.faults.tables import broken_host
from harness.fuzzed_hosts import local_host
from harness.fuzzed_services import local_service
from harness.registering import fault_named, import_all
from harness.targets.local import child_wire, local_wire
from reference.yea.conformance import conformance_service

PREFIX = "fuzz/"
"""Begins the ids of this package's own faults."""

PATIENCE = 1.0
"""Seconds that a broken service may take for a reply: it is in this process, and so are those who ask it."""

Fuzzed = Operations | Wire | Serving | Host


@dataclass(frozen=True)
class FuzzFault:
    """A registered fault.

    Args:
        id: `fuzz/property/words`, or the id of the adapter fault or of the service that it borrows.
        property: which property must find it.
        says: what is wrong, one sentence.
        op: the operation that answers wrongly; "" for a service or a table host.
        wrong: the broken operation, or the broken class of service, or of what a table host is made of.
        unlisted: whether nothing else catches it: no stored vector of the operation, no check of the wire.
        child: whether it shows only on a child over stdio, which ends a process of its own.
    """

    id: str
    property: str
    says: str
    op: str
    wrong: Callable[..., Any]
    unlisted: bool = False
    child: bool = False

    def over(self) -> str:
        """Return what its property is about."""
        return properties.load()[self.property].over

    def target(self) -> AbstractContextManager[Fuzzed]:
        """Return the broken target, ready to be fuzzed."""
        if self.op:
            return nullcontext(Faulty(self.op, self.wrong))
        if self.over() == properties.HOST:
            return local_host(self.make)
        if self.child:
            return child_wire(self.id, PATIENCE)
        return (local_service if self.over() == properties.SERVICE else local_wire)(self.make(), PATIENCE)

    def make(self, *given: Any, **options: Any) -> Any:
        """Return the broken service, with options for `conformance_service`, or the table host on a store.

        Not for a fault of an operation.
        """
        broken: Any = self.wrong
        if self.over() == properties.HOST:
            return broken_host(broken, *given)
        return conformance_service(service_class=broken, **options)


class Faulty:
    """The reference's operations, of which one answers wrongly."""

    def __init__(self, op: str, wrong: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self._table = with_fault(op, wrong)

    def call(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Answer as `Operations.call`."""
        return answer(operation, arguments, self._table)


_registry: dict[tuple[str, str], FuzzFault] = {}


def add(entry: FuzzFault) -> None:
    """Register a fault. Raises CatalogueError for one that its property has already, or that says nothing."""
    key = (entry.property, entry.id)
    if key in _registry or not entry.says:
        raise CatalogueError(f"fuzz fault {entry.id}: repeated id, or no docstring")
    _registry[key] = entry


def borrow(property_name: str, *names: str) -> None:
    """Let a property be held to faults that are there: adapters' (`canonical/spaces`), `yea/…` and `byob/…` ones."""
    for name in names:
        protocol = name.partition("/")[0]
        if protocol in ("yea", "byob"):
            service = faults.find(protocol, name)
            add(FuzzFault(service.id, property_name, service.says, "", service.service))
        else:
            wrong = adapter.find(name)
            add(FuzzFault(wrong.id, property_name, wrong.says, wrong.op, wrong.wrong))


def unlisted(property_name: str, words: str, op: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a broken operation or class of service that nothing else catches; its docstring says what is wrong."""

    def register(wrong: Callable[..., Any]) -> Callable[..., Any]:
        says = (wrong.__doc__ or "").strip().split("\n")[0]
        add(FuzzFault(f"{PREFIX}{property_name}/{words}", property_name, says, op, wrong, unlisted=True))
        return wrong

    return register


def listed(
    property_name: str, words: str, op: str = "", *, child: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a broken operation or class of service that a vector or a check may catch as well."""

    def register(wrong: Callable[..., Any]) -> Callable[..., Any]:
        says = (wrong.__doc__ or "").strip().split("\n")[0]
        add(FuzzFault(f"{PREFIX}{property_name}/{words}", property_name, says, op, wrong, child=child))
        return wrong

    return register


@cache
def load() -> dict[str, tuple[FuzzFault, ...]]:
    """Import every fuzz fault and return them by property."""
    import_all(__name__)
    made: dict[str, tuple[FuzzFault, ...]] = {}
    for (name, _), entry in sorted(_registry.items()):
        made[name] = (*made.get(name, ()), entry)
    return made


def served(protocol: str) -> dict[str, FuzzFault]:
    """Return the faults of this package that are services or table hosts of a protocol, by id."""
    every = [entry for found in load().values() for entry in found if entry.id.startswith(PREFIX) and not entry.op]
    return {entry.id: entry for entry in every if properties.load()[entry.property].protocol == protocol}


def find(protocol: str, fault_id: str) -> FuzzFault:
    """Return one of those by id; raises UsageError for an unknown one."""
    return fault_named(fault_id, served(protocol), PREFIX, f"serve {protocol}")
