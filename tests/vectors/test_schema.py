"""The schemas of vector files."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from vectors import schema

NAMES = sorted(path.name for path in schema.SCHEMAS.glob("*.json"))


def parsed(name: str) -> Any:
    """A schema."""
    return json.loads((schema.SCHEMAS / name).read_text("utf-8"))


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every schema inside a schema that describes an object."""
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(item)
    if isinstance(value, dict) and value.get("type") == "object" and "properties" in value:
        yield value


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(parsed(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_refuses_unknown_members_everywhere(name: str) -> None:
    assert [each for each in objects(parsed(name)) if each.get("additionalProperties") is not False] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_uses_no_format_that_nobody_checks(name: str) -> None:
    assert '"format"' not in (schema.SCHEMAS / name).read_text("utf-8")


@pytest.mark.parametrize("name", [name for name in NAMES if name != "file.json"])
def test_a_schema_is_named_after_its_operation(name: str) -> None:
    assert schema.schema_name(parsed(name)["properties"]["op"]["const"]) == name
