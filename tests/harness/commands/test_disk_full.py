"""A disk that fills up in the middle of a run: what was found is left, one sentence says so, and the exit code is 3."""

import errno
import shlex
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness import cli
from reports.document import read_document
from reports.lines import LineWriter
from tests.harness.commands.serving import SOURCE, served

Capture = pytest.CaptureFixture[str]
FULL = OSError(errno.ENOSPC, "No space left on device")


class Filling:
    """A text file on a disk with room for so many characters more; what does not fit is torn."""

    def __init__(self, file: Any, room: int) -> None:
        self.file, self.room = file, room

    def write(self, text: str) -> None:
        self.file.write(text[: self.room])
        self.room -= len(text)
        if self.room < 0:
            self.file.flush()
            raise FULL

    def flush(self) -> None:
        self.file.flush()

    def close(self) -> None:
        self.file.close()
        if self.room < 0:
            raise FULL


@pytest.fixture
def filling(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let every run's lines have room for so many characters only."""
    monkeypatch.setenv("PYTHONPATH", SOURCE)

    def fill(room: int) -> None:
        enter = LineWriter.__enter__

        def limited(self: LineWriter) -> LineWriter:
            made = enter(self)
            file: Any = Filling(self._file, room)
            self._file = file
            return made

        monkeypatch.setattr(LineWriter, "__enter__", limited)

    return fill


def no_room_over(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no file be written whole that is longer than this."""
    write = Path.write_text

    def limited(self: Path, data: str, *arguments: Any, **options: Any) -> int:
        if len(data) > size:
            raise FULL
        return write(self, data, *arguments, **options)

    monkeypatch.setattr(Path, "write_text", limited)


def test_a_run_leaves_a_report_of_what_it_found(
    filling: Callable[[int], None], tmp_path: Path, capsys: Capture
) -> None:
    filling(30_000)
    with served() as address:
        code = cli.main(["certify", address, "-k", "yea/2 or yea/4.1", "--report", str(tmp_path)])
    said = capsys.readouterr().err.splitlines()[-1]
    assert said == (
        f"naysayer: {tmp_path}/run.jsonl: No space left on device; what was found until then is in "
        f"{tmp_path}/report.json; make room and run it again"
    )
    made = read_document(tmp_path / "report.json")
    assert (code, made["complete"], made["verdict"]) == (3, False, "partial")
    assert Counter(row["outcome"] for row in made["checks"])["passed"] >= 5


REFERENCE = shlex.join([sys.executable, "-m", "harness.cli", "adapter"])


@pytest.mark.parametrize(
    ("room", "left"),
    [
        (10**9, "what was found until then is in {}/report.json"),
        (0, "nothing more could be written; what there is stands in {}/run.jsonl"),
    ],
)
def test_the_vectors_do_so_too(
    room: int,
    left: str,
    filling: Callable[[int], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    (tmp_path / "report.json").write_text("of an earlier run")
    filling(400_000)
    no_room_over(room, monkeypatch)
    assert cli.main(["vectors", "--adapter", REFERENCE, "--report", str(tmp_path)]) == 3
    lines = capsys.readouterr().err.splitlines()
    wanted = (
        f"naysayer: {tmp_path}/run.jsonl: No space left on device; {left.format(tmp_path)}; make room and run it again"
    )
    assert lines[-1] == wanted
    assert "Traceback" not in "".join(lines)
    assert (tmp_path / "report.json").exists() is (room > 0)


def test_a_report_that_does_not_fit_is_left_without_its_exchanges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("PYTHONPATH", SOURCE)
    words = ["vectors", "--adapter", f"{REFERENCE} --fault canonical/spaces", "--report", str(tmp_path)]
    cli.main(words)
    whole = len((tmp_path / "report.json").read_text())
    no_room_over(whole - 1000, monkeypatch)
    assert cli.main(words) == 3
    assert len((tmp_path / "report.json").read_text()) < whole - 1000
    assert read_document(tmp_path / "report.json")["complete"]
    assert "what was found until then is in" in capsys.readouterr().err
