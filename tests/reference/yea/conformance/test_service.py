"""The conformance service as a whole."""

import hashlib

from reference.yea.conformance import SERVICE_ID, TEST_PRINCIPALS, conformance_service
from reference.yea.keys import KeyPair
from reference.yea.service import Service
from tests.reference.yea.service.driving import Caller

NAMES = [
    "calendar.event",
    "calendar.agenda",
    "shop.status",
    "shop.menu",
    "shop.terms",
    "calendar.book",
    "calendar.move",
    "calendar.clear",
    "calendar.suggest",
    "calendar.plan",
    "calendar.hold",
    "calendar.pencil",
    "calendar.claim",
    "shop.order",
    "shop.tip",
    "shop.deliver",
    "shop.flaky",
]


def test_the_brief_lists_every_capability_with_its_summary() -> None:
    brief = Caller().send({"verb": "HELLO", "budget": 10**6})
    assert brief["service"]["id"] == SERVICE_ID == "conformance.naysayer.example"
    assert brief["service"]["name"] == "naysayer conformance service"
    assert [entry["name"] for entry in brief["capabilities"]] == NAMES
    assert [entry["kind"] for entry in brief["capabilities"]] == ["ask"] * 5 + ["intent"] * 12
    assert all(entry["summary"] for entry in brief["capabilities"])
    assert all(("risk" in entry) is (entry["kind"] == "intent") for entry in brief["capabilities"])


def test_the_test_principals_are_those_that_are_published() -> None:
    assert (
        tuple(KeyPair(hashlib.sha256(f"naysayer test principal {letter}".encode()).digest()).public for letter in "ab")
        == TEST_PRINCIPALS
    )
    assert conformance_service().trusted == set(TEST_PRINCIPALS)


def test_trust_store_and_class_may_be_chosen() -> None:
    class Other(Service):
        pass

    service = conformance_service(trusted=[], service_class=Other)
    assert type(service) is Other
    assert service.trusted == frozenset()


def test_two_services_share_nothing() -> None:
    one, two = Caller(), Caller()
    one.committed("calendar.book", {"event": "e"})
    assert (one.event("e")["bookings"], two.event("e")["bookings"]) == (1, 0)
