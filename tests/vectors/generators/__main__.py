"""Writes every generated vector file into the package `vectors`."""

from tests.vectors.generators import DOCUMENTS
from vectors.reading import ROOT
from vectors.schema import schema_name
from vectors.writing import render

for op, make in DOCUMENTS.items():
    (ROOT / "yea" / schema_name(op)).write_text(render(make()), "utf-8")
