"""What a tool calls its arguments: the spec names the tools alone, so they are filled by synonym (BYOB-Q109)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from harness.errors import Untested
from reference.yea import jsontext

SYNONYMS: dict[str, tuple[str, ...]] = {
    "seat": ("seat", "seatid", "seatname", "chair", "name", "id"),
    "role": ("role", "seatrole", "rolename"),
    "owner": ("owner", "ownerid"),
    "table": ("table", "tableid"),
    "kind": ("kind", "seatkind"),
    "body": ("body", "text", "message", "content", "note", "comment", "say", "words", "summary", "statement"),
    "to": ("to", "recipients", "recipient", "addressees", "addressee", "address", "audience"),
    "effects": ("effects", "effect", "changes", "actions"),
    "task": ("task", "taskid", "id"),
    "decision": ("decision", "verdict", "choice", "answer", "approve", "approved"),
    "reason": ("reason", "why", "because", "comment", "note"),
    "state": ("state", "status", "progress", "newstate"),
    "artifact": ("artifact", "receipt", "output", "data", "evidence", "result", "value"),
    "result": ("result", "verdict", "outcome", "passed", "pass", "ok"),
    "since": ("since", "cursor", "after", "sinceseq"),
}
"""By the member of the spec: what it may be called, small letters and digits only, the likeliest first."""

YES = {"approve", "pass", "running"}
MOST_LEVELS = 4


@dataclass(frozen=True)
class Naming:
    """What a profile says of a bridge's arguments, by tool: the name of each member, and values of its own."""

    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    fixed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


NOTHING_SAID = Naming()
NOTHING_MORE: Mapping[str, Any] = MappingProxyType({})


def properties(schema: Any) -> dict[str, dict[str, Any]]:
    """Return the arguments of an input schema by name, each with what its `$ref` or its one alternative says."""
    found = schema.get("properties") if isinstance(schema, dict) else None
    listed = found.items() if isinstance(found, dict) else ()
    return {str(name): resolved(each, schema) for name, each in listed if isinstance(each, dict)}


def innermost(schema: Any) -> dict[str, dict[str, Any]]:
    """Return the arguments of an input schema, or where its one argument is an object, the members of that."""
    known = properties(schema)
    whole = _one_object(known)
    return known if whole is None else properties(_inner(schema, known[whole]))


def resolved(part: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a schema with its `$ref` followed, and of alternatives the one that is not null."""
    for _ in range(MOST_LEVELS):
        reference = part.get("$ref")
        listed = part.get("anyOf", part.get("oneOf"))
        if isinstance(reference, str):
            inner: Any = schema
            for step in reference.removeprefix("#/").split("/"):
                inner = inner.get(step) if isinstance(inner, dict) else None
        elif isinstance(listed, list):
            real = [each for each in listed if isinstance(each, dict) and each.get("type") != "null"]
            inner = real[0] if len(real) == 1 else None
        else:
            return part
        if not isinstance(inner, dict):
            return part
        part = inner
    return part


def name_of(tool: str, schema: Any, member: str, naming: Naming = NOTHING_SAID) -> str | None:
    """Return what a tool calls a member, or None where no argument of its can be told to be that."""
    named = naming.names.get(tool, {}).get(member)
    if named is not None:
        return named
    known = innermost(schema)
    plain = {re.sub(r"[^a-z0-9]", "", name.lower()): name for name in known}
    return next((plain[word] for word in SYNONYMS[member] if word in plain), None)


def fill(
    tool: str,
    schema: Any,
    given: Mapping[str, Any],
    optional: Mapping[str, Any],
    naming: Naming = NOTHING_SAID,
    more: Mapping[str, Any] = NOTHING_MORE,
) -> dict[str, Any]:
    """Return a tool's arguments.

    Args:
        tool: its name.
        schema: its input schema.
        given: by the spec's member, what it has to be told.
        optional: what it is told where it has an argument for that.
        naming: what the profile says of it.
        more: further arguments by the tool's own names, which stand back behind all others.

    A tool that declares no arguments at all is given what it has to be told under the spec's names. Raises Untested
    where no argument can be told to be a given member, and for an argument that is required and that nothing here is
    (BYOB-Q109).
    """
    known = properties(schema)
    whole = _one_object(known)
    if whole is not None:
        return {whole: fill(tool, _inner(schema, known[whole]), given, optional, naming, more)}
    filled: dict[str, Any] = dict(naming.fixed.get(tool, {}))
    for member, value in {**given, **optional}.items():
        name = name_of(tool, schema, member, naming)
        if name is not None and name not in filled:
            filled[name] = suited(value, known.get(name, {}))
        elif member in given and not known:
            filled[member] = value
        elif member in given:
            raise Untested(f"{tool} has no argument that is known for {member}: it has {', '.join(known)} (BYOB-Q109)")
    required = schema.get("required", []) if isinstance(schema, dict) else []
    missing = [str(name) for name in required if name not in filled] if isinstance(required, list) else []
    if missing:
        raise Untested(f"{tool} requires {', '.join(missing)}, which is none of what it is known to need (BYOB-Q109)")
    return {**more, **filled}


def _inner(schema: Any, whole: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object inside of another, with the definitions that it may refer to."""
    return {**whole, "$defs": schema.get("$defs")}


def _one_object(known: dict[str, dict[str, Any]]) -> str | None:
    """The name of the one argument that holds all others, where a tool takes an object of its own."""
    if len(known) != 1:
        return None
    [(name, inner)] = known.items()
    return name if inner.get("properties") and isinstance(inner["properties"], dict) else None


def suited(value: Any, schema: dict[str, Any]) -> Any:
    """Return a value as an argument of this schema takes it: as JSON in a string, as a list, or as yes or no."""
    kinds = schema.get("type")
    kind = kinds[0] if isinstance(kinds, list) and kinds else kinds
    choices = schema.get("enum")
    if kind == "boolean" and isinstance(value, str):
        return value in YES
    if isinstance(choices, list) and value not in choices and isinstance(value, str):
        return next((each for each in choices if str(each).lower().startswith(value[:4].lower())), value)
    if kind == "string" and isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ",".join(value)
    if kind == "string" and not isinstance(value, str):
        return jsontext.dumps(value)
    if kind == "array" and not isinstance(value, list):
        return [value]
    if kind == "object" and isinstance(value, list) and len(value) == 1:
        return value[0]
    return value
