"""Every clause that a session at a table or with a service may be told to break is one of the catalogue."""

import re
from pathlib import Path

import pytest

import fuzz
from harness.catalogue import catalogue

ID = re.compile(r"\"((YEA|BYOB)-[0-9.]+-[0-9]+)\"")


@pytest.mark.parametrize("path", sorted(Path(fuzz.__path__[0]).rglob("*.py")), ids=lambda path: path.stem)
def test_named_clauses_are_in_the_catalogue(path: Path) -> None:
    named = {found[0]: found[1].lower() for found in ID.findall(path.read_text())}
    assert {name for name, protocol in named.items() if name not in catalogue(protocol).clauses} == set()
