"""`@seat` and `role:x` single a seat out; `*` does not."""

import pytest

from reference.byob.addressing import addresses, named_seats
from tests.reference.byob.making import seat

SEATS = {each.id: each for each in (seat("a", role="critic"), seat("b"), seat("role:critic"))}


@pytest.mark.parametrize(
    ("to", "id", "is_meant"),
    [
        (["@a"], "a", True),
        (["@a"], "b", False),
        (["@ab"], "a", False),
        (["@b", "@a"], "a", True),
        (["a"], "a", False),
        (["*"], "a", False),
        ([], "a", False),
        (["role:critic"], "a", True),
        (["role:critics"], "a", False),
        (["role:critic"], "b", False),
        (["@role:critic"], "a", False),
        (["role:critic"], "role:critic", False),
        (["@c"], "c", True),  # it has not joined yet
        (["role:critic"], "c", False),
    ],
)
def test_whom_addresses_single_out(to: list[str], id: str, is_meant: bool) -> None:
    assert addresses(to, id, SEATS) is is_meant


def test_the_seats_that_are_named_keep_their_order() -> None:
    assert named_seats(["@b", "*", "role:a", "@a", "@@c"]) == ("b", "a", "@c")
