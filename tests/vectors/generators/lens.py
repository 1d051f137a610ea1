"""Writes the counted and tabled groups of lens-value.json and lens-reply.json; their other groups are written by hand.

`python -m tests.vectors.generators.lens` puts them in their place: where a group of the same name stands, else last.
"""

import re
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


JOINED = re.compile(r" · (risk|undo|expires): |\[[0-9]+\]\{.*,.*\}:$", re.MULTILINE)
"""Attributes after others, and tables of several columns: what joins them is missing in the text, see YEA-Q02."""


def shows_a_joint(case: Json) -> bool:
    """Whether the answers of a case depend on how attributes or the values of a row are joined."""
    texts = [answer["ok"]["text"] for answer in case["expected"] if "ok" in answer]
    return any(isinstance(text, str) and JOINED.search(text) for text in texts)


def marked(group: Json) -> Json:
    """A group whose cases say that the public vectors settle the joints that they show."""
    settled = {"basis": "public-vectors", "question": "YEA-Q02"}
    return {**group, "cases": [{**(settled if shows_a_joint(case) else {}), **case} for case in group["cases"]]}


def merged(document: Any, groups: list[Json]) -> Json:
    """A file's document with its generated groups anew."""
    fresh = {group["name"]: marked(group) for group in groups}
    kept = [fresh.pop(group["name"], group) for group in document["groups"]]
    return {**document, "groups": [*kept, *fresh.values()]}


def main() -> None:
    """Rewrite both files."""
    for name, groups in GROUPS.items():
        path = ROOT / "yea" / f"{name}.json"
        path.write_text(render(merged(parse(path), groups())), "utf-8")


if __name__ == "__main__":
    main()
