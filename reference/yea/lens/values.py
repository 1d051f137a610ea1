"""Lean notation: how Lens writes an arbitrary JSON value (YEA 9.1).

Every function but `lens_value` is for values that the depth cut has bounded, so recursion is too.
"""

from collections.abc import Iterable

from reference.yea.lens.compact import compact_json
from reference.yea.lens.depth import cut
from reference.yea.lens.order import members
from reference.yea.lens.strings import string_text
from reference.yea.numbers import number_text
from reference.yea.types import Json

STEP = "  "
"""One level of indentation."""


def lens_value(value: Json) -> str:
    """The lean notation of any JSON value, lines joined by \\n, none at the end. Never raises (YEA 9.1)."""
    return "\n".join(lean_lines(cut(value)))


def lean_lines(value: Json) -> list[str]:
    """The lines of a value at the top: an object's entries, an array as `items`, a scalar alone."""
    lines: list[str] = []
    if isinstance(value, dict) and value:
        _add_entries(lines, "", value)
    elif isinstance(value, list):
        _add_array(lines, "", "items", value)
    else:
        lines.append(scalar_text(value))
    return lines


def member_lines(name: str, value: Json, indent: str) -> list[str]:
    """The lines of one object member at an indent given as spaces."""
    lines: list[str] = []
    _add_member(lines, indent, name, value)
    return lines


def scalar_text(value: Json) -> str:
    """A value where a scalar stands; an object or array there is its compact JSON."""
    if isinstance(value, str):
        return string_text(value)
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number_text(value)
    return compact_json(value)


def _add_entries(lines: list[str], indent: str, value: dict[str, Json]) -> None:
    for key, item in members(value):
        _add_member(lines, indent, string_text(key), item)


def _add_member(lines: list[str], indent: str, name: str, value: Json) -> None:
    if isinstance(value, list):
        _add_array(lines, indent, name, value)
    elif not isinstance(value, dict):
        lines.append(f"{indent}{name}: {scalar_text(value)}")
    elif value:
        lines.append(f"{indent}{name}:")
        _add_entries(lines, indent + STEP, value)
    else:
        lines.append(f"{indent}{name}: {{}}")


def _add_array(lines: list[str], indent: str, name: str, value: list[Json]) -> None:
    if _all_scalars(value):
        lines.append(f"{indent}{name}: {_scalar_list(value)}")
        return
    table = _table(value)
    if table is None:
        lines.append(f"{indent}{name}[{len(value)}]:")
        _add_elements(lines, indent + STEP, value)
        return
    columns, rows = table
    lines.append(f"{indent}{name}[{len(value)}]{{{','.join(map(string_text, columns))}}}:")
    margin = indent + STEP
    lines += [margin + ",".join(map(scalar_text, map(row.__getitem__, columns))) for row in rows]


def _add_elements(lines: list[str], indent: str, value: list[Json]) -> None:
    """The elements of an array that is neither a scalar list nor a table, each after a dash."""
    for item in value:
        if isinstance(item, dict) and item:
            first = len(lines)
            _add_entries(lines, indent + STEP, item)
            # The first entry moves up to the dash, which is as wide as the indent that it replaces.
            lines[first] = f"{indent}- {lines[first][len(indent) + len(STEP) :]}"
        elif isinstance(item, dict):
            lines.append(f"{indent}- {{}}")
        elif isinstance(item, list) and _all_scalars(item):
            lines.append(f"{indent}- {_scalar_list(item)}")
        else:
            lines.append(f"{indent}- {scalar_text(item)}")


def _scalar_list(value: list[Json]) -> str:
    return f"[{', '.join(map(scalar_text, value))}]"


def _table(value: list[Json]) -> tuple[list[str], list[dict[str, Json]]] | None:
    """The columns and rows of an array of like objects of scalars (YEA 9.1, table form), None for any other."""
    first = value[0]
    if not isinstance(first, dict) or not first:
        return None
    written = list(first)
    columns = [key for key, _ in members(first)]
    rows: list[dict[str, Json]] = []
    for row in value:
        if not isinstance(row, dict) or not _all_scalars(row.values()):
            return None
        # Two objects may be written in different orders and still have the same property order.
        if list(row) != written and [key for key, _ in members(row)] != columns:
            return None
        rows.append(row)
    return columns, rows


def _all_scalars(values: Iterable[Json]) -> bool:
    return {dict, list}.isdisjoint(map(type, values))
