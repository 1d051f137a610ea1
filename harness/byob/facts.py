"""What is known of a table host, and what a run leaves there, shared by all its checks."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.byob.dialect import Dialect
from harness.byob.tokens import Tokens


@dataclass(frozen=True)
class Left:
    """A table that a check made: its admin token, the tokens of its seats by id, and the check's id."""

    admin: str = field(repr=False)
    seats: dict[str, str] = field(repr=False)
    check: str


@dataclass
class HostFacts:
    """Facts about one host.

    `create_headers` are sent with each creation of a table, from the profile. `left` are the tables of the run by id.
    """

    dialect: Dialect = field(default_factory=Dialect)
    tokens: Tokens = field(default_factory=Tokens)
    create_headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    left: dict[str, Left] = field(default_factory=dict)
