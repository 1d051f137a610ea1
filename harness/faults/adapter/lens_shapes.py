"""Faults of `lens.value` in objects, arrays, tables and depth (YEA 9.1)."""

from collections.abc import Callable
from typing import Any

from harness.faults.adapter.overriding import value_row
from harness.faults.adapter.tools import register
from reference.yea.lens import depth, order, values
from reference.yea.lens.compact import compact_json
from reference.yea.lens.strings import string_text

STEP = values.STEP
Table = tuple[list[str], list[Any]] | None


def _keys(row: Any) -> list[str]:
    return [key for key, _ in order.members(row)]


def _tables(is_table: Callable[[list[Any]], bool]) -> Callable[[list[Any]], Table]:
    """Tables by another rule. A row that lacks a column is a mistake too."""
    return lambda value: (_keys(value[0]), value) if is_table(value) else None


def _is_row(item: Any) -> bool:
    return isinstance(item, dict) and bool(item) and values._all_scalars(item.values())


def _same_key_sets(value: list[Any]) -> bool:
    return all(map(_is_row, value)) and all(item.keys() == value[0].keys() for item in value)


def _written_order(value: list[Any]) -> bool:
    return all(map(_is_row, value)) and all(list(item) == list(value[0]) for item in value)


def _neighbours(value: list[Any]) -> bool:
    return all(map(_is_row, value)) and all(_keys(item) == _keys(value[0]) for item in value[:2])


def _no_nulls(value: list[Any]) -> bool:
    return _table(value) is not None and not any(None in item.values() for item in value)


def _objects(value: list[Any]) -> bool:
    """Objects with the same keys, whatever they hold; also none."""
    return all(isinstance(item, dict) for item in value) and all(_keys(item) == _keys(value[0]) for item in value)


def _array(
    *, comma: str = ",", empty: str = "{name}: []", table: Callable[[list[Any]], Table] | None = None
) -> Callable[[list[str], str, str, list[Any]], None]:
    """An array, with other signs or another rule for tables."""

    def add(lines: list[str], indent: str, name: str, value: list[Any]) -> None:
        made = (table or _table)(value) if value and not values._all_scalars(value) else None
        if not value:
            lines.append(indent + empty.format(name=name))
        elif made is None:
            _add_array(lines, indent, name, value)
        else:
            columns = ",".join(map(string_text, made[0]))
            lines.append(f"{indent}{name}[{len(value)}]{{{columns}}}:")
            lines += [indent + STEP + comma.join(values.scalar_text(row[key]) for key in made[0]) for row in made[1]]

    return add


def _misaligned(lines: list[str], indent: str, value: list[Any]) -> None:
    """Later entries stand under the dash."""
    for item in value:
        start = len(lines)
        _add_elements(lines, indent, [item])
        lines[start + 1 :] = [line.removeprefix(STEP) for line in lines[start + 1 :]]


def _opened(lines: list[str], indent: str, value: list[Any]) -> None:
    """An array in an array is written over several lines."""
    for item in value:
        if isinstance(item, list) and not values._all_scalars(item):
            lines.append(f"{indent}-")
            values._add_elements(lines, indent + STEP, item)
        else:
            _add_elements(lines, indent, [item])


def _json_lists(lines: list[str], indent: str, value: list[Any]) -> None:
    for item in value:
        if isinstance(item, list):
            lines.append(f"{indent}- {compact_json(item)}")
        else:
            _add_elements(lines, indent, [item])


def _json_objects(lines: list[str], indent: str, value: list[Any]) -> None:
    for item in value:
        if isinstance(item, dict):
            lines.append(f"{indent}- {compact_json(item)}")
        else:
            _add_elements(lines, indent, [item])


def _scalars_below(lines: list[str], indent: str, value: list[Any]) -> None:
    for item in value:
        if isinstance(item, (dict, list)):
            _add_elements(lines, indent, [item])
        else:
            lines += [f"{indent}-", f"{indent}{STEP}{values.scalar_text(item)}"]


def _all_empty_scalars(items: Any) -> bool:
    return all(not isinstance(item, (dict, list)) or not item for item in items)


def _without_nulls(lines: list[str], indent: str, name: str, value: Any) -> None:
    if value is not None:
        _add_member(lines, indent, name, value)


def _without_empties(lines: list[str], indent: str, name: str, value: Any) -> None:
    if value not in ({}, []):
        _add_member(lines, indent, name, value)


def _unnamed_top(value: Any) -> list[str]:
    if isinstance(value, list) and values._all_scalars(value):
        return [values._scalar_list(value)]
    return _lean_lines(value)


def _indented_top(value: Any) -> list[str]:
    lines = _lean_lines(value)
    return [STEP + line for line in lines] if isinstance(value, list) else lines


def _keeps_empties(value: Any, levels: int) -> Any:
    return value if levels == 0 and not value else _cut(value, levels)


def _bare_ellipsis(text: str) -> str:
    return text if text == depth.ELLIPSIS else string_text(text)


_table, _add_array, _add_elements, _add_member = (
    values._table,
    values._add_array,
    values._add_elements,
    values._add_member,
)
_lean_lines, _cut = values.lean_lines, depth._cut

TABLES = (
    value_row(
        "spaced-rows",
        "Joins the values of a row by a comma and a space.",
        "table-two-rows table-one-row table-scalars-of-all-kinds",
        _add_array=_array(comma=", "),
    ),
    value_row(
        "tabbed-rows",
        "Joins the values of a row by a tab.",
        "table-two-rows table-empty-strings",
        _add_array=_array(comma="\t"),
    ),
    value_row(
        "key-sets",
        "Makes a table of rows whose keys come in different orders.",
        "no-table-other-order no-table-other-order-with-indices",
        _table=_tables(_same_key_sets),
    ),
    value_row(
        "written-order",
        "Compares the keys of rows in the order in which they were written.",
        "order-of-rows-written-differently",
        _table=_tables(_written_order),
    ),
    value_row(
        "first-rows-decide",
        "Compares the keys of the first two elements only.",
        "no-table-last-of-three",
        _table=_tables(_neighbours),
    ),
    value_row(
        "one-row-is-no-table",
        "Makes a table of two elements and more.",
        "table-one-row order-of-columns",
        _table=_tables(lambda value: len(value) > 1 and _table(value) is not None),
    ),
    value_row(
        "null-is-no-scalar",
        "Makes no table with null in a row.",
        "table-scalars-of-all-kinds table-of-nulls",
        _table=_tables(_no_nulls),
    ),
    value_row(
        "rows-of-anything",
        "Makes a table of objects that hold objects and arrays, and of empty ones.",
        "no-table-list-in-each-row no-table-object-in-a-row no-table-empty-objects dash-one-empty-object",
        _table=_tables(_objects),
    ),
)

ARRAYS = (
    value_row(
        "empty-is-scalar",
        "Takes an empty object or array for a scalar.",
        "no-table-array-in-a-row dash-compact-json-of-empties dash-one-empty-list top-list-of-an-empty-list",
        _all_scalars=_all_empty_scalars,
    ),
    value_row(
        "counts-empty-arrays",
        "Writes an empty array as a header of 0 elements.",
        "array-empty-member top-empty-list",
        _add_array=_array(empty="{name}[0]:"),
    ),
    value_row(
        "dash-misaligned",
        "Puts the later entries of an element under its dash.",
        "dash-object dash-first-entry-an-object table-first-in-a-dash-item",
        _add_elements=_misaligned,
    ),
    value_row(
        "opens-nested-arrays",
        "Writes an array in an array over several lines.",
        "dash-compact-json dash-compact-json-of-empties",
        _add_elements=_opened,
    ),
    value_row(
        "json-lists",
        "Writes an array of scalars in an array as JSON.",
        "dash-lists dash-only-lists",
        _add_elements=_json_lists,
    ),
    value_row(
        "json-objects",
        "Writes objects in an array as JSON.",
        "dash-object no-table-extra-key",
        _add_elements=_json_objects,
    ),
    value_row(
        "scalars-below",
        "Writes a scalar element on the line below its dash.",
        "dash-scalars no-table-scalar-last no-table-null-first",
        _add_elements=_scalars_below,
    ),
    value_row(
        "drops-nulls",
        "Leaves out members that are null.",
        "literals-as-members object-empty-everywhere",
        _add_member=_without_nulls,
    ),
    value_row(
        "drops-empties",
        "Leaves out empty members.",
        "object-empty-member array-empty-member object-empty-everywhere",
        _add_member=_without_empties,
    ),
    value_row("no-items", "Gives a top-level array no name.", "top-list top-empty-list", lean_lines=_unnamed_top),
    value_row(
        "indented-top",
        "Indents a top-level array.",
        "top-table top-list-of-an-empty-object",
        lean_lines=_indented_top,
    ),
)

DEPTH = (
    value_row("depth-63", "Cuts a level too early.", "64-objects 64-arrays", LEVELS=63),
    value_row("depth-65", "Cuts a level too late.", "65-objects 65-arrays empty-array-at-level-64", LEVELS=65),
    value_row(
        "empties-at-level-64",
        "Shows an empty object or array at level 64.",
        "empty-object-at-level-64 empty-array-at-level-64",
        _cut=_keeps_empties,
    ),
    value_row(
        "no-cut",
        "Does not cut at all.",
        "65-objects 66-objects rows-at-level-64-make-a-list",
        cut=lambda value: value,
    ),
    value_row(
        "bare-ellipsis",
        "Writes the … of a cut without quotes.",
        "65-objects quoted-ellipsis rows-at-level-64-make-a-list",
        string_text=_bare_ellipsis,
    ),
)

register("lens.value", *TABLES, *ARRAYS, *DEPTH)
