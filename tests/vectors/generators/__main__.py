"""Writes every generated vector file, and the generated groups of the others, into the package `vectors`."""

from tests.vectors.generators import DOCUMENTS, lens, stored
from vectors.writing import render

for op, make in DOCUMENTS.items():
    stored(op).parent.mkdir(exist_ok=True)
    stored(op).write_text(render(make()), "utf-8")
lens.main()
