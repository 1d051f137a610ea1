"""Writes the counted and tabled groups of lens-value.json and lens-reply.json; their other groups are written by hand.

`python -m tests.vectors.generators.lens` puts them in their place: where a group of the same name stands, else last.
"""

from collections.abc import Callable
from typing import Any

from tests.vectors.generators import lens_depth, lens_members
from tests.vectors.generators.documents import Json
from vectors.reading import ROOT, parse
from vectors.writing import render

GROUPS: dict[str, Callable[[], list[Json]]] = {
    "lens-value": lens_depth.value_groups,
    "lens-reply": lambda: [*lens_members.groups(), *lens_depth.reply_groups()],
}
"""The generated groups of each file."""


def merged(document: Any, groups: list[Json]) -> Json:
    """A file's document with its generated groups anew."""
    fresh = {group["name"]: group for group in groups}
    kept = [fresh.pop(group["name"], group) for group in document["groups"]]
    return {**document, "groups": [*kept, *fresh.values()]}


def main() -> None:
    """Rewrite both files."""
    for name, groups in GROUPS.items():
        path = ROOT / "yea" / f"{name}.json"
        path.write_text(render(merged(parse(path), groups())), "utf-8")


if __name__ == "__main__":
    main()
