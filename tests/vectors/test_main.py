"""`python -m vectors`."""

from pathlib import Path

import pytest

from tests.vectors.files import good, write
from vectors import __main__ as main
from vectors import lint, reading, tables
from vectors.writing import render


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of suites in place of the stored one."""
    monkeypatch.setattr(reading, "ROOT", tmp_path)
    monkeypatch.setattr(lint, "ROOT", tmp_path)
    monkeypatch.setattr(tables, "NAMES", ())
    return tmp_path


def test_good_files_are_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, None, text=render(good()))
    assert main.main([]) == 0
    assert capsys.readouterr() == ("    2  yea est\n    2  cases\n", "")


def test_tables_are_counted(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "NAMES", ("visibility",))
    assert main.main([]) == 0
    assert capsys.readouterr() == ("    0  cases\n  164  in the table of visibility\n", "")


def test_a_problem_is_one_sentence_and_exit_code_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, {**good(), "section": "eight"})
    assert main.main([]) == 1
    assert capsys.readouterr().err.startswith("yea/est.json, section: ")


def test_format_restores_the_one_spelling(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(folder, good())
    assert main.main([]) == 1
    assert main.main(["--format"]) == 0
    assert path.read_text("utf-8") == render(good())


def test_format_names_a_file_that_it_cannot_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, None, text="{")
    assert main.main(["--format"]) == 1
    assert "yea/est.json: cannot be read" in capsys.readouterr().err


def test_an_unknown_option_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main(["--fix"])
    assert ended.value.code == 2
