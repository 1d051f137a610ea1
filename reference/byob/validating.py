"""Request bodies, entries and projections against their JSON Schemas (BYOB 2).

The seven schemas live beside this module in `schemas/`. They are compiled once per process.
"""

from typing import Any

NAMES = (
    "table-config",
    "join-request",
    "capability-card",
    "post-request",
    "owner-decision",
    "ledger-entry",
    "projection",
)
"""The schemas that BYOB 2 names."""


def validate(name: str, body: Any) -> None:
    """Check a JSON value against the schema `name`, one of `NAMES`.

    Unknown members are fine. A config without an end condition passes: that is E_NO_TERMINATION, not a schema fault.
    So does a join with another protocol: that is E_PROTOCOL.
    Raises ByobError E_SCHEMA with one sentence that names the member and what is wanted of it, never its value.
    """
    raise NotImplementedError(name)
