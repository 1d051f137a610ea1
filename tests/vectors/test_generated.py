"""The stored files of what is hashed or signed are what the generators write."""

import pytest

from tests.vectors.generators import DOCUMENTS
from vectors.reading import ROOT
from vectors.schema import schema_name
from vectors.writing import render


@pytest.mark.parametrize("op", DOCUMENTS)
def test_the_stored_file_is_what_its_generator_writes(op: str) -> None:
    stored = (ROOT / "yea" / schema_name(op)).read_text("utf-8")
    same = stored == render(DOCUMENTS[op]())
    assert same, f"{op}: run `python -m tests.vectors.generators`, and look at what changed"
