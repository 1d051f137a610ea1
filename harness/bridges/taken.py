"""The `[bridge]` table of a profile: what an MCP bridge takes that the spec does not fix (BYOB-Q108, BYOB-Q109)."""

from dataclasses import dataclass, field
from typing import Any

from harness.bridges.arguments import SYNONYMS, Naming
from harness.errors import ProfileError
from harness.members import members

MEMBERS = {"key_file": str, "arguments": dict, "fixed": dict}


@dataclass(frozen=True)
class Taken:
    """What a profile says of a bridge: a template for the owner's key file, None for those that are tried, and what its
    tools call their arguments.
    """

    key_file: str | None = None
    naming: Naming = field(default_factory=Naming)


def read(file: str, given: Any) -> Taken:
    """Return the `[bridge]` table; raises ProfileError naming the file and the member that is wrong."""
    members(file, "bridge", given, MEMBERS)
    names, fixed = given.get("arguments", {}), given.get("fixed", {})
    for tool, table in names.items():
        members(file, f"bridge.arguments.{tool}", table, dict.fromkeys(SYNONYMS, str))
    for tool, table in fixed.items():
        if not isinstance(table, dict):
            raise ProfileError(file, f"bridge.fixed.{tool}", "must be a table of arguments and their values")
    return Taken(given.get("key_file"), Naming(names, fixed))
