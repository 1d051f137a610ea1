"""Reading vector files: what a case becomes, and what is said of a file that is broken."""

from pathlib import Path

import pytest

import vectors
from tests.vectors.files import case, good, write
from vectors import Case, VectorError, reading


def refused(folder: Path, document: object, **options: str) -> VectorError:
    """What is said of a file."""
    with pytest.raises(VectorError) as caught:
        reading.read(write(folder, document, **options))
    return caught.value


def test_a_case_has_its_group_s_clauses_and_its_own(tmp_path: Path) -> None:
    file = reading.read(write(tmp_path, good()))
    assert list(file.cases) == [
        Case("est/word", "est", {"text": "word"}, ({"ok": {"count": 1}},), ("YEA-8-01",)),
        Case(
            id="est/euro",
            op="est",
            input={"text": "€€aaa"},
            expected=({"ok": {"count": 3}}, {"error": True}),
            clauses=("YEA-8-01", "YEA-8-06"),
            basis="open",
            question="YEA-Q77",
            comment="three bytes",
            flags=("bytes",),
        ),
    ]
    assert file.notes == {"bytes": vectors.Note("counts bytes", ("YEA-8-06",))}


def test_a_case_knows_how_its_file_compares(tmp_path: Path) -> None:
    document = {**good(), "compare": "json-any-order", "ignores": ["detail"]}
    for each in reading.read(write(tmp_path, document)).cases:
        assert (each.compare, each.ignores) == ("json-any-order", ("detail",))


def test_a_breach_of_the_schema_names_file_case_and_field(tmp_path: Path) -> None:
    document = good()
    case(document)["input"]["txt"] = case(document)["input"].pop("text")
    error = refused(tmp_path, document)
    assert (error.file, error.case, error.field) == ("yea/est.json", "est/word", "input")
    assert str(error).startswith("yea/est.json, est/word, input: ")


def test_a_case_without_an_id_is_named_by_its_place(tmp_path: Path) -> None:
    document = good()
    del case(document, 1)["id"]
    assert refused(tmp_path, document).case == "groups.0.cases.1"


def test_a_wrong_answer_shape_is_named(tmp_path: Path) -> None:
    document = good()
    case(document)["expected"] = [{"ok": {"count": "1"}}]
    error = refused(tmp_path, document)
    assert (error.case, error.field) == ("est/word", "expected.0.ok.count")


@pytest.mark.parametrize("member", ["comments", "why"])
def test_an_unknown_member_is_refused(tmp_path: Path, member: str) -> None:
    document = good()
    case(document)[member] = "x"
    assert member in refused(tmp_path, document).problem


def test_an_operation_without_a_schema_is_refused(tmp_path: Path) -> None:
    error = refused(tmp_path, {**good(), "op": "estimate"})
    assert (error.field, "no schema" in error.problem) == ("op", True)


def test_a_file_under_another_name_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, good(), name="hash.json").field == "op"


@pytest.mark.parametrize("text", ["", "{", "[1,2]", "null", "\ufeff{}", "[" * 100_000])
def test_a_file_that_is_no_vector_file_is_named(tmp_path: Path, text: str) -> None:
    assert str(refused(tmp_path, None, text=text)).startswith("yea/est.json")


def test_a_file_that_is_no_utf_8_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, good())
    path.write_bytes(b"\xff")
    with pytest.raises(VectorError, match=r"yea/est\.json: cannot be read"):
        reading.read(path)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(VectorError, match="cannot be read"):
        reading.read(tmp_path / "est.json")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 10)
    assert "larger than 10 bytes" in str(refused(tmp_path, good()))


def test_a_repeated_text_is_bounded(tmp_path: Path) -> None:
    document = good()
    case(document)["input"]["text"] = {"repeat": [["ab", 3_000_000]]}
    error = refused(tmp_path, document)
    assert (error.case, error.field) == ("est/word", "input.text")


def test_an_unknown_suite_is_refused() -> None:
    with pytest.raises(VectorError, match="no such suite; there is"):
        vectors.load("http")


def test_the_suites_are_the_folders_with_vectors() -> None:
    assert "yea" in vectors.suites()
    assert "schemas" not in vectors.suites()


def test_the_version_names_the_draft() -> None:
    assert vectors.VERSION.startswith("yea-1-draft-1")
