"""Reading a table of a profile strictly: an unknown member, or one of the wrong type, is named."""

from collections.abc import Mapping
from typing import Any

from harness.errors import ProfileError

TYPE_WORDS: dict[Any, str] = {
    dict: "a table",
    list: "a list",
    str: "a string",
    bool: "true or false",
    int: "an integer",
    float: "a number",
}


def members(file: str, where: str, given: Any, known: Mapping[str, Any]) -> None:
    """Refuse an unknown member or one of the wrong type, by name."""
    if not isinstance(given, dict):
        raise ProfileError(file, where, "must be a table")
    for key, value in given.items():
        dotted = f"{where}.{key}" if where else key
        if key not in known:
            raise ProfileError(file, dotted, f"is not a known member; known are {', '.join(known)}")
        wanted = known[key]
        wrong_bool = isinstance(value, bool) and wanted is not bool
        if wrong_bool or not isinstance(value, wanted):
            got = TYPE_WORDS.get(type(value), "a date or time")
            raise ProfileError(file, dotted, f"must be {TYPE_WORDS.get(wanted, 'a number')}, not {got}")
