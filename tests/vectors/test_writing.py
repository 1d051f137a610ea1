"""The one spelling of a vector file."""

import json
from pathlib import Path

import pytest

from tests.vectors.files import case, good
from vectors import lint
from vectors.writing import WIDTH, render


@pytest.mark.parametrize("path", lint.paths(), ids=lambda path: path.name)
def test_what_is_written_reads_as_what_was_given(path: Path) -> None:
    document = json.loads(path.read_text("utf-8"))
    assert json.loads(render(document)) == document


def test_a_short_case_is_one_line() -> None:
    lines = render(good()).splitlines()
    assert '      {"id": "est/word", "input": {"text": "word"}, "expected": [{"ok": {"count": 1}}]},' in lines


def test_a_long_case_is_three_lines() -> None:
    document = good()
    case(document)["input"]["text"] = "x" * WIDTH
    assert f'      {{"id": "est/word",\n       "input": {{"text": "{"x" * WIDTH}"}},\n       "expected": [' in render(
        document
    )


@pytest.mark.parametrize(
    ("character", "shown"),
    [
        ("é", "é"),
        ("😀", "😀"),
        ("\u00a0", "\\u00a0"),
        ("\u2028", "\\u2028"),
        ("\u200d", "\\u200d"),
        ("\ufeff", "\\ufeff"),
        ("\x7f", "\\u007f"),
        ("\ud800", "\\ud800"),
        ("\U000e0001", "\\udb40\\udc01"),
        ("\n", "\\n"),
    ],
)
def test_what_a_reader_cannot_see_is_escaped(character: str, shown: str) -> None:
    document = good()
    case(document)["input"]["text"] = character
    assert f'{{"text": "{shown}"}}' in render(document)
    assert json.loads(render(document)) == document
