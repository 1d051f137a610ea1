"""What a schema fault is called: the member, and what is wanted of it; never the value that was sent (BYOB 11)."""

from collections.abc import Callable, Iterable
from typing import Any, cast

from jsonschema.exceptions import ValidationError

_LONGEST_NAME = 40

_TYPES = {
    "object": "an object",
    "array": "a list",
    "string": "a string",
    "integer": "an integer",
    "boolean": "true or false",
    "null": "null",
}

_WANTED: dict[str, Callable[[Any], str]] = {
    "type": lambda types: " or ".join(_TYPES[each] for each in ([types] if isinstance(types, str) else types)),
    "enum": lambda words: f"one of {', '.join(words)}",
    "const": str,
    "minimum": lambda least: f"{least} or more",
    "minLength": lambda least: f"a string of {least} or more characters",
    "minItems": lambda least: f"a list of {least} or more",
    "maxItems": lambda most: f"a list of {most} at most",
    "minProperties": lambda least: f"an object of {least} or more members",
    "maxProperties": lambda most: f"an object of {most} members at most",
}
"""Keyword of a schema → what it wants. A schema that describes itself is quoted instead."""


def sentence(error: ValidationError) -> str:
    """One sentence about a breach of a schema, such as `effects is required` or `to[0] must be an address: …`."""
    path = _path(error.absolute_path)
    keyword, value = str(error.validator), cast(Any, error.validator_value)
    if keyword == "required":
        missing = next(name for name in value if name not in cast(Any, error.instance))
        return f"{path}.{missing} is required" if path else f"{missing} is required"
    described = cast(Any, error.schema).get("description")
    wanted = described or _WANTED[keyword](value)
    whole = path or "the body"
    if "propertyNames" in error.absolute_schema_path:
        return f"every name in {whole} must be {wanted}"
    return f"{whole} must be {wanted}"


def _path(steps: Iterable[str | int]) -> str:
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{_short(step)}"
    return text.removeprefix(".")


def _short(name: str) -> str:
    """A member's name as a message shows it. It may come from the request, so it is bounded and printable."""
    shown = name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…"
    return shown if shown.isprintable() else ascii(shown)
