"""Request bodies, entries and projections against their JSON Schemas (BYOB 2).

The seven schemas live beside this module in `schemas/`, and are compiled once per process. An integer is one that is
written as an integer, of at most 53 bits: 200.0 is none here, as nothing that counts is sent so.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, TypeChecker
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry, Resource

from reference.byob import wording
from reference.byob.errors import ByobError
from reference.byob.types import POST_KINDS
from reference.yea.types import MAX_INTEGER

SCHEMAS = Path(__file__).parent / "schemas"

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

MAX_DEPTH = 64
"""Arrays and objects inside each other, the body itself included. Deeper ones are refused before anything recurses."""


def validate(name: str, body: Any) -> None:
    """Check a JSON value against the schema `name`, one of `NAMES`.

    Unknown members are fine. A config without an end condition passes: that is E_NO_TERMINATION, not a schema fault.
    So does a join with another protocol: that is E_PROTOCOL.
    Raises ByobError E_SCHEMA with one sentence that names the member and what is wanted of it, never its value.
    """
    if not is_shallow(body):
        raise ByobError("E_SCHEMA", f"{name}: lists and objects must nest at most {MAX_DEPTH} deep")
    kind = body.get("kind") if isinstance(body, dict) else None
    validator = _validator(name, kind) if name == "post-request" and kind in POST_KINDS else _validator(name)
    for error in validator.iter_errors(body):
        raise ByobError("E_SCHEMA", f"{name}: {wording.sentence(error)}")


def is_shallow(value: Any) -> bool:
    """Whether lists and objects nest at most MAX_DEPTH deep, the value itself included. Never recurses."""
    level = [value]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below += item.values()
            elif isinstance(item, list):
                below += item
        level = below
    return not any(isinstance(item, (dict, list)) for item in level)


def _is_integer(_: TypeChecker, value: object) -> bool:
    return type(value) is int and -MAX_INTEGER <= value <= MAX_INTEGER


def _pattern(validator: Any, pattern: str, value: object, schema: Any) -> Any:
    """The keyword `pattern` as ECMAScript reads it: its $ stands for the end only, and not also before a line break."""
    if isinstance(value, str) and not _compiled(pattern).search(value):
        yield ValidationError("does not match")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("$", r"\Z"))


_Validator: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {"pattern": _pattern},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer),
)


@cache
def _registry() -> "Registry[Any]":
    texts = ((SCHEMAS / f"{name}.json").read_text("utf-8") for name in NAMES)
    resources = [Resource.from_contents(json.loads(text)) for text in texts]
    return resources @ Registry()


@cache
def _validator(name: str, kind: str | None = None) -> Draft202012Validator:
    """The compiled schema. kind: as it is for bodies of this kind, which takes a fifth of the time."""
    schema = _registry().contents(f"{name}.json")
    made: Draft202012Validator = _Validator(schema if kind is None else _decided(schema, kind), registry=_registry())
    return made


def _decided(schema: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """A schema whose conditions on `kind` are decided: what holds for a kind is there, the rest is not."""
    parts = []
    for part in schema.get("allOf", []):
        condition = part["if"]["properties"]["kind"]
        if kind in condition.get("enum", [condition.get("const")]):
            parts.append(_decided(part["then"], kind))
    return {**schema, "allOf": parts} if parts else {name: value for name, value in schema.items() if name != "allOf"}
