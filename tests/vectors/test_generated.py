"""The stored files of what is hashed, signed or worked out are what the generators write."""

import pytest

from tests.vectors.generators import DOCUMENTS, stored
from vectors.writing import render


@pytest.mark.parametrize("op", DOCUMENTS)
def test_the_stored_file_is_what_its_generator_writes(op: str) -> None:
    same = stored(op).read_text("utf-8") == render(DOCUMENTS[op]())
    assert same, f"{op}: run `python -m tests.vectors.generators`, and look at what changed"
