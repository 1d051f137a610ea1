"""Compact JSON: exactly what ECMAScript JSON.stringify writes (YEA 9.2).

For values that the depth cut has bounded: it recurses once a level.
"""

from reference.yea.lens.order import members
from reference.yea.lens.strings import quoted
from reference.yea.numbers import NO_NUMBERS, number_text
from reference.yea.types import Json


def compact_json(value: Json) -> str:
    """The text of a value without whitespace, keys in ECMAScript order, numbers per Number::toString."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return f"[{','.join(map(compact_json, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join([f'{quoted(key)}:{compact_json(item)}' for key, item in members(value)])}}}"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = number_text(value)
    return "null" if text in NO_NUMBERS else text
