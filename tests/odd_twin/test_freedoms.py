"""The list of freedoms is complete, and what only unit tests can see of the twin."""

from dataclasses import fields
from typing import Any

from reference.yea.estimate import est
from reference.yea.lens import lens_reply
from tests.odd_twin import FREEDOMS, Settings
from tests.odd_twin.oddity import ID_FORMS, pieces
from tests.odd_twin.settings import EXPECTED_CODES, ODD_CODES, OTHER_CODES
from tests.odd_twin.streams import Lines
from tests.odd_twin.trim import Trimmer


def test_every_switch_is_the_switch_of_a_freedom() -> None:
    assert {freedom.switch for freedom in FREEDOMS} - {""} == {entry.name for entry in fields(Settings)}


def test_every_table_of_codes_names_the_same_places() -> None:
    assert ODD_CODES.keys() == OTHER_CODES.keys() == EXPECTED_CODES.keys()


def test_ids_of_every_form_are_new_each_time() -> None:
    assert len({form("s") for form in ID_FORMS for _ in range(100)}) == 100 * len(ID_FORMS)


def test_pieces_are_many_and_together_the_whole() -> None:
    for data in (b"\n", b"ab\n", "é".encode() * 1000 + b"\n"):
        assert b"".join(pieces(data)) == data
        assert all(pieces(data))
        assert pieces(data)[-1] == b"\n"


def test_a_long_line_is_none_at_its_newline_and_the_next_one_is_whole() -> None:
    lines = Lines()
    assert list(lines.feed(b"x" * (1 << 20))) == []
    assert list(lines.feed(b"x\nHELLO\n")) == [None, b"HELLO"]


def test_the_longest_start_that_fits_is_kept() -> None:
    body: dict[str, Any] = {"kind": "ANSWER", "data": {"rows": [{"n": number, "name": "row"} for number in range(300)]}}
    fitted, rests = Trimmer(body, 200, lambda: "h").trim()
    [more] = fitted["more"]
    assert more["path"] == "data.rows"
    assert fitted["data"]["rows"] + rests["h"].data["items"] == body["data"]["rows"]
    kept = len(fitted["data"]["rows"])
    longer = {**fitted, "data": {"rows": body["data"]["rows"][: kept + 1]}}
    assert est(lens_reply(fitted)) <= 200 < est(lens_reply(longer))
