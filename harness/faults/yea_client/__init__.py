"""Client faults: the reference client with one thing wrong, by a mistake that implementers make.

    @client_fault("yea-client/hangs-up-on-oversize", "yea-client/2.1/oversize-reply-is-rejected")
    def hangs_up() -> None:
        '''Closes the connection when a reply is too large.'''
        patch(links.StreamLink, "_read", …)

A fault changes one thing in the process that becomes the client, and claims the checks that must fail on it. `naysayer
selftest --protocol yea-client` holds it to that; `naysayer client --fault ID` shows it to a person. The docstring's
first line says what is wrong.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from harness.clients.program import Program
from harness.errors import CatalogueError
from harness.registering import fault_named, import_all

Change = Callable[[], None]
PREFIX = "yea-client/"


@dataclass(frozen=True)
class ClientFault:
    """A registered fault.

    Args:
        id: `yea-client/words`.
        says: what is wrong with the client, one sentence.
        kills: ids of the checks and monitors that must fail (or, by a SHOULD, warn) on it.
        change: makes it so, in a process that does nothing else.
        kind: the program that it is; the reference's unless the fault is in how it uses the client.
        transports: over which the claimed checks must fail.
        outcome: what the claimed rows must be: `failed`, or `warned` where the clause is a SHOULD.
        traffic: for one that claims a monitor, the checks that make it traffic, as for `-k`.
    """

    id: str
    says: str
    kills: tuple[str, ...]
    change: Change = lambda: None
    kind: type[Program] = Program
    transports: tuple[str, ...] = ("tcp",)
    outcome: str = "failed"
    traffic: str = ""

    def program(self) -> type[Program]:
        """Make this process the faulty client, and return its program."""
        self.change()
        return self.kind


_registry: dict[str, ClientFault] = {}


def client_fault(fault_id: str, *kills: str, **options: object) -> Callable[[Change], Change]:
    """Register a change; see `ClientFault`. Raises CatalogueError as `add` does."""

    def register(change: Change) -> Change:
        says = (change.__doc__ or "").strip().split("\n")[0]
        add(ClientFault(fault_id, says, kills, change, **options))  # type: ignore[arg-type] # checked by the class
        return change

    return register


def program_fault(fault_id: str, *kills: str, **options: object) -> Callable[[type[Program]], type[Program]]:
    """Register a program that is broken; see `ClientFault`. Raises CatalogueError as `add` does."""

    def register(kind: type[Program]) -> type[Program]:
        says = (kind.__doc__ or "").strip().split("\n")[0]
        add(ClientFault(fault_id, says, kills, kind=kind, **options))  # type: ignore[arg-type] # checked by the class
        return kind

    return register


def add(entry: ClientFault) -> None:
    """Register a fault that was made from a table; raises CatalogueError for a repeated id, no claim or no sentence."""
    if entry.id in _registry or not entry.kills or not entry.says or not entry.id.startswith(PREFIX):
        raise CatalogueError(f"fault {entry.id}: repeated or malformed id, no claimed check, or no docstring")
    _registry[entry.id] = entry


def patch(holder: object, name: str, value: object) -> None:
    """Replace what a module or class has under a name; raises AttributeError when it has nothing there."""
    getattr(holder, name)
    setattr(holder, name, value)


@cache
def load() -> dict[str, ClientFault]:
    """Import every client fault and return them by id."""
    import_all(__name__)
    return dict(sorted(_registry.items()))


def find(fault_id: str) -> ClientFault:
    """Return a fault by id, with or without `yea-client/`; raises UsageError for an unknown one."""
    return fault_named(fault_id, load(), PREFIX, "client")
