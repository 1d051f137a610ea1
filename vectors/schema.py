"""Vector files against their schemas.

`schemas/file.json` describes every file; beside it stands one schema for each operation, which adds what that
operation's `input` and `ok` look like. Both refuse unknown members.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry, Resource

from vectors.errors import VectorError

SCHEMAS = Path(__file__).parent / "schemas"


def schema_name(op: str) -> str:
    """The file name of an operation's schema, and of its vectors: dots and underscores become dashes."""
    return op.replace(".", "-").replace("_", "-") + ".json"


def check(document: Any, file: str) -> None:
    """Holds a parsed file against its schema; raises VectorError at the first breach, the deepest one."""
    _raise_first(_validator("file.json"), document, file)
    try:
        validator = _validator(schema_name(document["op"]))
    except FileNotFoundError:
        raise VectorError(file, "", "op", f"there is no schema for {document['op']!r}") from None
    _raise_first(validator, document, file)


def check_table(document: Any, name: str, file: str) -> None:
    """Holds a parsed table file against the schema of its table; raises VectorError at the first breach."""
    _raise_first(_validator(f"tables/{name}.json"), document, file)


@cache
def _registry() -> "Registry[Any]":
    shared = json.loads((SCHEMAS / "file.json").read_text("utf-8"))
    registry: Registry[Any] = Registry().with_resource("file.json", Resource.from_contents(shared))
    return registry


@cache
def _validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / name).read_text("utf-8"))
    return Draft202012Validator(schema, registry=_registry())


def _raise_first(validator: Draft202012Validator, document: Any, file: str) -> None:
    error = best_match(validator.iter_errors(document))
    if error is not None:
        case, field = _place(document, error)
        raise VectorError(file, case, field, error.message[:300])


def _place(document: Any, error: ValidationError) -> tuple[str, str]:
    """The case that an error lies in, and the path of the member inside it."""
    path = list(error.absolute_path)
    if len(path) < 4 or path[0] != "groups" or path[2] != "cases":
        return "", _dotted(path)
    case = document["groups"][path[1]]["cases"][path[3]]
    name = case.get("id") if isinstance(case, dict) else None
    return (name if isinstance(name, str) else _dotted(path[:4])), _dotted(path[4:])


def _dotted(path: list[Any]) -> str:
    return ".".join(map(str, path))
