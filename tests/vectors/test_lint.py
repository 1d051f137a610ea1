"""The lint finds what a schema cannot."""

from pathlib import Path
from typing import Any

import pytest

from tests.vectors.files import case, good, write
from vectors import lint
from vectors.writing import render


def problems(folder: Path, document: dict[str, Any]) -> list[str]:
    """What the lint says of a document in the one spelling."""
    return lint.lint([write(folder, None, text=render(document))])[1]


def test_the_stored_files_have_no_problem() -> None:
    files, found = lint.lint(lint.paths())
    assert (found, len(files) > 10) == ([], True)


def test_a_good_file_has_no_problem(tmp_path: Path) -> None:
    assert problems(tmp_path, good()) == []


def test_a_broken_file_is_one_problem_and_the_others_are_read(tmp_path: Path) -> None:
    broken = write(tmp_path, None, name="hash.json", text="{")
    files, found = lint.lint([broken, write(tmp_path, None, text=render(good()))])
    assert ([file.op for file in files], len(found)) == (["est"], 1)


def test_an_id_of_another_operation(tmp_path: Path) -> None:
    document = good()
    case(document)["id"] = "hash/word"
    assert problems(tmp_path, document) == ["yea/est.json, hash/word, id: does not begin with est/"]


def test_an_id_that_stands_twice(tmp_path: Path) -> None:
    document = good()
    case(document, 1)["id"] = "est/word"
    assert problems(tmp_path, document) == ["yea/est.json, est/word, id: stands more than once"]


def test_an_input_that_stands_twice(tmp_path: Path) -> None:
    document = good()
    case(document, 1)["input"] = {"text": "word"}
    assert problems(tmp_path, document) == ["yea/est.json, est/euro, input: the same input as est/word"]


def test_a_case_without_a_clause(tmp_path: Path) -> None:
    document = good()
    del document["groups"][0]["clauses"]
    assert problems(tmp_path, document) == [
        "yea/est.json, est/word, clauses: names no clause, and neither does its group"
    ]


def test_an_open_basis_without_its_question(tmp_path: Path) -> None:
    document = good()
    del case(document, 1)["question"]
    assert problems(tmp_path, document) == [
        "yea/est.json, est/euro, question: an open basis needs the question that is open"
    ]


def test_a_flag_without_a_note(tmp_path: Path) -> None:
    document = good()
    case(document)["flags"] = ["units"]
    assert problems(tmp_path, document) == ["yea/est.json, est/word, flags: the flag 'units' has no note"]


def test_a_note_without_a_flag(tmp_path: Path) -> None:
    document = good()
    del case(document, 1)["flags"]
    assert problems(tmp_path, document) == ["yea/est.json, notes.bytes: no case has this flag"]


def test_a_protocol_in_another_folder(tmp_path: Path) -> None:
    assert problems(tmp_path, {**good(), "protocol": "byob"}) == ["yea/est.json, protocol: 'byob' in the folder 'yea'"]


@pytest.mark.parametrize("spoil", [lambda text: text + "\n", lambda text: text.replace("€", "\\u20ac")])
def test_another_spelling_of_the_file(tmp_path: Path, spoil: Any) -> None:
    found = lint.lint([write(tmp_path, None, text=spoil(render(good())))])[1]
    assert found == ["yea/est.json: is not in the one spelling; `python -m vectors --format` restores it"]
