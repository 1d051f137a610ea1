"""Writes vector files so that they read well and their diffs are small: a case is a line, or a few.

`render` is the one spelling of a file; the lint holds every file to it and `python -m vectors --format` restores it.
"""

import json
from collections.abc import Iterable
from typing import Any

WIDTH = 160  # of a case that is one line, in characters
HEAD = ("schema", "op", "protocol", "section", "compare", "ignores")
FIRST = ("id", "comment", "flags", "basis", "question", "clauses")


def render(document: dict[str, Any]) -> str:
    """The text of a vector file, from its parsed JSON; it ends with a newline."""
    lines = [f"  {_member(name, document[name])}," for name in HEAD if name in document]
    if "notes" in document:
        lines += ['  "notes": {', *_joined(f"    {_member(n, v)}" for n, v in document["notes"].items()), "  },"]
    lines += ['  "groups": [', *_joined("\n".join(_group(group)) for group in document["groups"]), "  ]"]
    return "\n".join(["{", *lines, "}", ""])


def render_table(document: dict[str, Any]) -> str:
    """The text of a table file, from its parsed JSON: a member of a group is a line, of a list there each element."""
    head = [f"  {_member(name, value)}," for name, value in document.items() if name != "groups"]
    groups = [f"    {{\n{_members(group)}\n    }}" for group in document["groups"]]
    return "\n".join(["{", *head, '  "groups": [', *_joined(groups), "  ]", "}", ""])


def _members(group: dict[str, Any]) -> str:
    lines = []
    for name, value in group.items():
        if isinstance(value, list):
            lines.append(
                "\n".join([f"      {_json(name)}: [", *_joined(f"        {_json(each)}" for each in value), "      ]"])
            )
        else:
            lines.append(f"      {_member(name, value)}")
    return "\n".join(_joined(lines))


def _group(group: dict[str, Any]) -> list[str]:
    head = ", ".join(_member(name, value) for name, value in group.items() if name != "cases")
    return [f'    {{{head}, "cases": [', *_joined(_case(case) for case in group["cases"]), "    ]}"]


def _case(case: dict[str, Any]) -> str:
    """One line if it fits; else one for what it says of itself, one for the input and one for the answers."""
    members = {name: case[name] for name in (*FIRST, "input", "expected") if name in case}
    line = "      {" + ", ".join(_member(name, value) for name, value in members.items()) + "}"
    if len(line) <= WIDTH:
        return line
    first = ", ".join(_member(name, value) for name, value in members.items() if name in FIRST)
    rest = [f"       {_member(name, members[name])}" for name in ("input", "expected") if name in members]
    return ",\n".join([f"      {{{first}", *rest]) + "}"


def _joined(items: Iterable[str]) -> list[str]:
    """The items, each but the last with a comma."""
    texts = list(items)
    return [f"{text}," for text in texts[:-1]] + texts[-1:]


def _member(name: str, value: Any) -> str:
    return f"{_json(name)}: {_json(value)}"


def _json(value: Any) -> str:
    return "".join(map(_shown, json.dumps(value, ensure_ascii=False)))


def _shown(character: str) -> str:
    """A character as it is, or as its escape when a reader could not see it."""
    if character.isprintable():
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
