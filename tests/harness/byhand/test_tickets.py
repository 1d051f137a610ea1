"""Files with tokens: for their owner alone, never overwritten, and gone when there was no token to write."""

import stat
from pathlib import Path

import pytest

from harness.byhand import tickets
from harness.byhand.tickets import AdminTicket, SeatTicket
from harness.errors import HarnessError

SEAT = SeatTicket("http://h", "t", "s", "secret")


def test_a_ticket_is_read_back_and_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "t.s.json"
    with tickets.reserve(path) as file:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        file.write(SEAT)
    assert tickets.read(SeatTicket, path) == SEAT
    assert "secret" not in repr(SEAT) + repr(AdminTicket("u", "t", "secret"))


def test_without_a_token_there_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "t.s.json"
    with pytest.raises(ZeroDivisionError), tickets.reserve(path):
        raise ZeroDivisionError
    assert not path.exists()
    path.write_text("mine")
    with pytest.raises(HarnessError, match="a file with a token is never overwritten"), tickets.reserve(path):
        pass
    assert path.read_text() == "mine"


@pytest.mark.parametrize("text", ["", "[]", '{"url": "u", "table": "t", "seat": 7, "seat_token": "x"}', "[" * 9999])
def test_another_file_is_refused_by_what_makes_the_right_one(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(HarnessError, match="is not the file that `naysayer byob join` makes"):
        tickets.read(SeatTicket, path)


def test_names_of_files_stay_in_the_folder() -> None:
    assert tickets.default_path("../a b", "admin") == Path("..%2Fa%20b.admin.json")
