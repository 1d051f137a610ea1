"""Whom an entry addresses: `*`, `@seat` or `role:x` (BYOB 5)."""

from collections.abc import Iterable, Mapping

from reference.byob.types import Seat

AT = "@"
ROLE = "role:"


def named_seats(to: Iterable[str]) -> tuple[str, ...]:
    """The ids of the seats that addresses name one by one, in their order: ["@a", "*"] names a."""
    return tuple(address.removeprefix(AT) for address in to if address.startswith(AT))


def addresses(to: Iterable[str], seat: str, seats: Mapping[str, Seat]) -> bool:
    """Whether addresses single out a seat, by its id or by its role. `*` singles out nobody.

    seats: all seats that have joined, by id.
    """
    wanted = {AT + seat}
    known = seats.get(seat)
    if known is not None and known.role is not None:
        wanted.add(ROLE + known.role)
    return not wanted.isdisjoint(to)
