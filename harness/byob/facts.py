"""What is known of a table host, and what a run leaves there, shared by all its checks."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.byob.dialect import Dialect
from harness.byob.recipes import Place
from harness.byob.tokens import Tokens

SILENT = 4
"""After so many requests in a row without an answer, an endpoint is taken for silent."""


@dataclass(frozen=True)
class Left:
    """A table that a check made: its config, its admin token, the tokens and places of its seats by id, and the check.

    The table itself goes on filling `tokens` and `places`.
    """

    config: Mapping[str, Any]
    admin: str = field(repr=False)
    tokens: dict[str, str] = field(repr=False)
    places: dict[str, Place]
    check: str


@dataclass
class HostFacts:
    """Facts about one host.

    `create_headers` are sent with each creation of a table, from the profile. `left` are the tables of the run by id.
    `silent` counts, by endpoint, the requests in a row that got no answer.
    """

    dialect: Dialect = field(default_factory=Dialect)
    tokens: Tokens = field(default_factory=Tokens)
    create_headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    left: dict[str, Left] = field(default_factory=dict)
    silent: Counter[str] = field(default_factory=Counter)
