"""Writes every generated vector file, and the generated groups of the others, into the package `vectors`."""

from tests.vectors.generators import DOCUMENTS, lens
from vectors.reading import ROOT
from vectors.schema import schema_name
from vectors.writing import render

for op, make in DOCUMENTS.items():
    (ROOT / "yea" / schema_name(op)).write_text(render(make()), "utf-8")
lens.main()
