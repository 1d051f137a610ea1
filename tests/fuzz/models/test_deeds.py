"""What a session has done: totals are exact, and an undo gives back the state only where nothing stands between."""

from fractions import Fraction

from fuzz.models.deeds import UNREAD, Grant, Limit, Object
from fuzz.targets import Narrowed

USES = {"spend": {"amount": 2290, "scale": 2, "unit": "USD"}}


def limit(most: str, unit: str | None = "USD") -> Limit:
    return Limit("spend", unit, Fraction(most))


def test_a_total_is_exact() -> None:
    """YEA 6.3: values add as decimals, whatever their scales."""
    made = Grant("t", 1, "a", (limit("45.8"),))
    assert [made.charge(USES) for _ in range(3)] == [True, True, False]


def test_another_unit_does_not_fit() -> None:
    assert not limit("1000", None).covers(USES)


def test_what_is_not_reported_fits() -> None:
    assert limit("0").covers({"emails": {"amount": 9}})
    assert limit("0").covers(None)


def test_a_delegated_grant_shares_its_limits() -> None:
    """YEA 6.3: a delegation shares its root block's total."""
    shared = limit("22.9")
    first, second = Grant("t", 1, "a", (shared,)), Grant("u", 2, "a", (shared,))
    assert first.charge(USES)
    assert not second.covers(USES)


def test_the_state_before_is_that_of_the_only_commit() -> None:
    thing = Object(Narrowed("x", {}, None), "o", known=0)
    thing.done()
    thing.known = 1
    assert thing.undone() == 0


def test_with_two_commits_nobody_can_say() -> None:
    thing = Object(Narrowed("x", {}, None), "o", known=0)
    thing.done()
    thing.done()
    assert [thing.undone(), thing.undone()] == [UNREAD, UNREAD]
