"""The seat SDK: how a bot sits at a table (BYOB 2, 4 to 9).

`client` has the host and the seat. Below it everything that needs no I/O is apart: `posts` (what a seat may post),
`disclosure` (the owner's rules), `joining` (what an owner signs), `reading` (what counts as an answer), `expanding`
(references), `fixed` (texts for withheld posts). `wire` does the I/O.
"""

from reference.byob.seat.client import Seat, TableHost
from reference.byob.seat.disclosure import Rules, RulesError
from reference.byob.seat.errors import (
    AddressError,
    AnswerLost,
    BadAnswer,
    Disclosure,
    Misuse,
    Refused,
    SeatError,
    Unreachable,
    Unsendable,
)
from reference.byob.seat.reading import Memory, Projection, Task

__all__ = [
    "AddressError",
    "AnswerLost",
    "BadAnswer",
    "Disclosure",
    "Memory",
    "Misuse",
    "Projection",
    "Refused",
    "Rules",
    "RulesError",
    "Seat",
    "SeatError",
    "TableHost",
    "Task",
    "Unreachable",
    "Unsendable",
]
