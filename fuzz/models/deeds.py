"""What has been done at a YEA service in a session, as far as its laws need to know it.

Written from the text: YEA 4.3 to 4.5 for what happens once, 6.3 for totals. Nothing here talks to anybody.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from fuzz.targets import Narrowed
from reference.yea.keys import KeyPair

UNREAD = object()
"""The state of what cannot be read."""


@dataclass
class Limit:
    """A `total` of a block: what may be used of a measure, and what has been (YEA 6.3)."""

    of: str
    unit: str | None
    most: Fraction
    used: Fraction = Fraction(0)

    def covers(self, uses: Any) -> bool:
        """Whether a proposal with these uses fits in what is left."""
        quantity = self._of(uses)
        return quantity is None or (quantity[1] == self.unit and self.used + quantity[0] <= self.most)

    def charge(self, uses: Any) -> None:
        """Count a commit."""
        quantity = self._of(uses)
        self.used += quantity[0] if quantity is not None else 0

    def _of(self, uses: Any) -> tuple[Fraction, Any] | None:
        quantity = uses.get(self.of) if isinstance(uses, Mapping) else None
        return None if quantity is None else (value_of(quantity), quantity.get("unit"))


def value_of(quantity: Mapping[str, Any]) -> Fraction:
    """Return the exact value of a quantity (YEA 5.1)."""
    return Fraction(quantity["amount"], 10 ** quantity.get("scale", 0))


@dataclass(frozen=True)
class Grant:
    """A token: its holder's number, its principal's name, and the limits of all its blocks."""

    token: str = field(repr=False)
    holder: int
    principal: str
    limits: tuple[Limit, ...] = ()

    @property
    def told(self) -> str:
        """In words, without the token."""
        limits = "".join(f", total {each.of} at most {float(each.most):g}" for each in self.limits)
        return f"agent {self.holder} for {self.principal}{limits}"

    def covers(self, uses: Any) -> bool:
        """Whether every limit leaves room for these uses."""
        return all(limit.covers(uses) for limit in self.limits)

    def charge(self, uses: Any) -> bool:
        """Count a commit against every limit, and return whether it fitted."""
        fitted = self.covers(uses)
        for limit in self.limits:
            limit.charge(uses)
        return fitted


@dataclass
class Object:
    """What is changed: the state read last, that before the only commit that stands, and how many stand."""

    narrowed: Narrowed
    name: str
    known: Any = UNREAD
    before: Any = UNREAD
    standing: int = 0

    def done(self) -> None:
        """A commit has happened; `known` is still what was read before it."""
        self.before = self.known if self.standing == 0 else UNREAD
        self.standing += 1

    def undone(self) -> Any:
        """A commit was undone; returns what the state must be, or UNREAD where other commits stand between."""
        self.standing -= 1
        wanted, self.before = self.before, UNREAD
        return wanted if self.standing == 0 else UNREAD


@dataclass
class Deed:
    """A proposal or an auto INTENT, and what has become of it.

    `frame` is that of an auto INTENT; `proposal` is missing where it was committed unseen. `receipt` and `reversal`
    are ids.
    """

    thing: Object
    grant: Grant
    proposal: Mapping[str, Any] | None = None
    frame: Mapping[str, Any] | None = None
    answer: tuple[Any, ...] = ()
    undoable: bool = True
    receipt: str = ""
    reversal: str = ""


@dataclass(frozen=True)
class Agent:
    """An agent of a session: its number and its key."""

    number: int
    key: KeyPair
