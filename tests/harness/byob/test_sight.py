"""What a seat gets to know of an act: shown, hidden, or hidden in the tail and told elsewhere (BYOB 7)."""

import pytest

from harness.byob.sight import Act, Sight
from harness.targets.hosts import Answer

ACT = Act("s1", "say", ("*",), 7, "marker-9-")


def answer(status: int, code: str = "", text: str = "") -> Answer:
    """Return an answer of the entry endpoint."""
    value = {"error": {"code": code, "message": text}} if code else {"seq": 7}
    return Answer("GET", "/tables/t/entries/7", None, status, body=text.encode(), value=value)


@pytest.mark.parametrize(
    ("tail", "entry", "sees", "hides"),
    [
        ({7}, answer(200), True, False),
        (set(), answer(404, "E_NOT_FOUND"), False, True),
        (set(), answer(200), False, False),
        ({7}, answer(404, "E_NOT_FOUND"), False, False),
        (set(), answer(403, "E_NOT_OWNER"), False, False),
        (set(), answer(404), False, False),
    ],
)
def test_an_act_is_seen_or_hidden_by_tail_and_entry_alike(
    tail: set[int], entry: Answer, sees: bool, hides: bool
) -> None:
    sight = Sight("s3", tail, {7: entry})
    assert (sight.sees(ACT), sight.hides(ACT)) == (sees, hides)


def test_the_text_of_a_hidden_act_is_looked_for_in_everything_the_seat_got() -> None:
    refusal = answer(404, "E_NOT_FOUND", "not marker-9- for you")
    sight = Sight("s3", set(), {7: refusal}, {"its memory": b"marker-9-", "its events": b"marker-90-"})
    assert sight.leaks(ACT) == ["the answer for entry 7", "its memory"]
    assert sight.leaks(Act("s1", "pass", ("*",), 7)) == []
