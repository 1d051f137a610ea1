"""The conformance service: capabilities that cover every role of a check.

`docs/conformance-service.md` specifies them for implementers in any language.
"""

import hashlib
from collections.abc import Callable, Iterable, MutableMapping

from reference.yea.conformance import calendar, shop
from reference.yea.conformance.world import Change, World
from reference.yea.keys import KeyPair
from reference.yea.service import IdSource, MemoryStore, Service, Store, random_id
from reference.yea.service.capability import Capability

__all__ = [
    "PRINCIPAL_A_SEED",
    "PRINCIPAL_B_SEED",
    "SERVICE_ID",
    "TEST_PRINCIPALS",
    "World",
    "capabilities",
    "conformance_service",
]

SERVICE_ID = "conformance.naysayer.example"
SERVICE_NAME = "naysayer conformance service"
SUMMARY = "Everything that a check of YEA needs. Events and orders are named by the caller."

PRINCIPAL_A_SEED = hashlib.sha256(b"naysayer test principal a").digest()
PRINCIPAL_B_SEED = hashlib.sha256(b"naysayer test principal b").digest()
"""The seeds of the two published test principals. Anyone knows them: trust them on loopback only."""

TEST_PRINCIPALS = (KeyPair(PRINCIPAL_A_SEED).public, KeyPair(PRINCIPAL_B_SEED).public)
"""Their public keys."""

CAPABILITIES: tuple[Callable[[World], Capability], ...] = (
    calendar.Event,
    calendar.Agenda,
    shop.Status,
    shop.Menu,
    shop.Terms,
    calendar.Book,
    calendar.Move,
    calendar.Clear,
    calendar.Suggest,
    calendar.Arrange,
    calendar.Hold,
    calendar.Pencil,
    calendar.Claim,
    shop.Order,
    shop.Tip,
    shop.Deliver,
    shop.Flaky,
)
"""In the order of the BRIEF: asks, then intents."""


def capabilities(world: World) -> list[Capability]:
    """The capabilities, all about one world."""
    return [make(world) for make in CAPABILITIES]


def conformance_service(
    *,
    trusted: Iterable[str] = TEST_PRINCIPALS,
    store: Store | None = None,
    objects: MutableMapping[str, list[Change]] | None = None,
    ids: IdSource = random_id,
    service_class: type[Service] = Service,
) -> Service:
    """A conformance service.

    trusted: the public keys of its principals, by default the published test ones. store: its state, by
    default in memory. objects: what its capabilities are about, by default a new dict. ids: where its ids come
    from. service_class: what to make, so that a subclass can break a rule.
    """
    return service_class(
        id=SERVICE_ID,
        name=SERVICE_NAME,
        summary=SUMMARY,
        capabilities=capabilities(World(objects)),
        trusted=trusted,
        store=MemoryStore() if store is None else store,
        ids=ids,
    )
