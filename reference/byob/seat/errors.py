"""What can go wrong on a seat's side of the wire, one tree.

SeatError               the root; its text is one sentence
├── Misuse              nothing was sent
│   ├── AddressError    an address that names no table host
│   ├── Unsendable      a post that no host can take: no JSON, too large or too deep
│   └── Disclosure      a post that the owner's disclosure rules withhold (E_DISCLOSURE, BYOB 9)
├── Unreachable         no connection could be made, or none of its answers came: it may be tried again
│   └── AnswerLost      the request was sent and no answer came: it may have been done
├── BadAnswer           the host sent something that is no answer
└── Refused             the host answered with an error (BYOB 11)
"""

from typing import Final

E_DISCLOSURE: Final = "E_DISCLOSURE"


class SeatError(Exception):
    """The root. `str()` is one sentence; texts of a host in it are shortened and on one line."""


class Misuse(SeatError):
    """Nothing was sent."""


class AddressError(Misuse):
    """An address that names no table host."""


class Unsendable(Misuse):
    """A post that no host can take."""


class Disclosure(Misuse):
    """A post that the owner's disclosure rules withhold (BYOB 9). Nothing of it was sent.

    position: of the rule among the owner's, from 1. The pattern is private, so it is never told.
    undecided: the rule could not be tried in the time that there is, and counts as matching.
    """

    code: Final = E_DISCLOSURE
    http_status: Final = 451

    def __init__(self, position: int, *, undecided: bool = False) -> None:
        super().__init__(position, undecided)
        self.position, self.undecided = position, undecided

    def __str__(self) -> str:
        why = "could not be decided in time for this post" if self.undecided else "withholds this post"
        return f"{self.code}: the owner's disclosure rule {self.position} {why}; nothing was sent"


class Unreachable(SeatError):
    """No connection could be made. Nothing was done, and it may be tried again."""


class AnswerLost(Unreachable):
    """The request was sent and no answer came. It may have been done: read before it is sent again."""


class BadAnswer(SeatError):
    """The host sent something that is no answer."""


class Refused(SeatError):
    """The host answered with an error (BYOB 11).

    status: the HTTP status. code: such as E_NOT_FLOOR. message: the host's words, shortened and on one line.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(status, code, message)
        self.status, self.code, self.message = status, code, message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}" if self.message else self.code
