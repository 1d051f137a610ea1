"""Writes every generated vector file, and the generated groups of the others, into the package `vectors`."""

from tests.vectors.generators import DOCUMENTS, TABLES, lens, stored
from vectors.tables import FOLDER
from vectors.writing import render, render_table

for op, make in DOCUMENTS.items():
    stored(op).parent.mkdir(exist_ok=True)
    stored(op).write_text(render(make()), "utf-8")
FOLDER.mkdir(exist_ok=True)
for name, make in TABLES.items():
    (FOLDER / f"{name}.json").write_text(render_table(make()), "utf-8")
lens.main()
