"""The specifications as data: cases, one JSON Schema per kind, and a small loader.

`load("yea")` gives the files of a protocol, `answers.is_right(case, answer)` judges an adapter's answer. The formats
are explained in README.md, for implementers. `python -m vectors` is the lint.
"""

from vectors.errors import VectorError
from vectors.model import Case, Group, Note, VectorFile
from vectors.reading import ROOT, load, read, suites

VERSION = (ROOT / "VERSION").read_text("utf-8").strip()
"""The version of the vectors: the draft that they hold an implementation to, and a count."""

__all__ = ["VERSION", "Case", "Group", "Note", "VectorError", "VectorFile", "load", "read", "suites"]
