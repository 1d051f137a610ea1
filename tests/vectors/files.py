"""A small vector file to break."""

import copy
import json
from pathlib import Path
from typing import Any

GOOD: dict[str, Any] = {
    "schema": "naysayer-vectors/1",
    "op": "est",
    "protocol": "yea",
    "section": "8",
    "notes": {"bytes": {"bug": "counts bytes", "clauses": ["YEA-8-06"]}},
    "groups": [
        {
            "name": "letters",
            "clauses": ["YEA-8-01"],
            "cases": [
                {"id": "est/word", "input": {"text": "word"}, "expected": [{"ok": {"count": 1}}]},
                {
                    "id": "est/euro",
                    "comment": "three bytes",
                    "flags": ["bytes"],
                    "basis": "open",
                    "question": "YEA-Q77",
                    "clauses": ["YEA-8-06"],
                    "input": {"text": {"repeat": [["€", 2], ["a", 3]]}},
                    "expected": [{"ok": {"count": 3}}, {"error": True}],
                },
            ],
        }
    ],
}


def good() -> dict[str, Any]:
    """A copy to change."""
    return copy.deepcopy(GOOD)


def case(document: dict[str, Any], at: int = 0) -> dict[str, Any]:
    """A case of a document."""
    found: dict[str, Any] = document["groups"][0]["cases"][at]
    return found


def write(folder: Path, document: Any, name: str = "est.json", text: str | None = None) -> Path:
    """Store a document where a suite would have it."""
    path = folder / "yea" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document) if text is None else text, "utf-8")
    return path
