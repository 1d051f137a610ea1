"""debate: two sides in turn, then the judge (BYOB 7)."""

import pytest

from reference.byob.errors import ByobError
from reference.byob.topologies.debate import Debate
from tests.reference.byob.making import config, entry
from tests.reference.byob.topologies.playing import PASS, holders

DEBATE = Debate()


def debate(**members: object) -> dict[str, object]:
    return config({"kind": "debate", "pro": "p", "con": "c", "judge": "j", "rounds": 2, **members})


def test_the_sides_speak_in_turn_and_the_judge_last() -> None:
    assert holders(debate(), ["*"] * 5) == ["p", "c", "p", "c", "j", None]


def test_passes_and_hands_change_no_turn() -> None:
    assert holders(debate(rounds=1), [PASS, ("@p", ("p", "j")), PASS]) == ["p", "c", "j", None]


def test_without_rounds_there_is_one() -> None:
    topology = {"kind": "debate", "pro": "p", "con": "c", "judge": "j"}
    assert holders(config(topology), ["*"] * 3) == ["p", "c", "j", None]


def test_the_judge_is_the_last_after_any_number_of_rounds() -> None:
    played = holders(debate(rounds=50), ["*"] * 101)
    assert played == ["p", "c"] * 50 + ["j", None]


def test_the_judge_sees_what_the_two_sides_say_and_nothing_else() -> None:
    authors, kinds = ("p", "c", "guest"), ("say", "pass", "raise_hand")
    seen = {
        (author, kind) for author in authors for kind in kinds if DEBATE.sees(debate(), "j", entry(author, kind), {})
    }
    assert seen == {("p", "say"), ("c", "say")}


def test_an_address_shows_the_judge_nothing_more() -> None:
    assert not DEBATE.sees(debate(), "j", entry("guest", "say", "@j"), {})


@pytest.mark.parametrize("reader", ["p", "c", "guest"])
@pytest.mark.parametrize("author", ["p", "c", "j", "other"])
@pytest.mark.parametrize("kind", ["say", "pass", "raise_hand"])
def test_the_others_see_everything(reader: str, author: str, kind: str) -> None:
    assert DEBATE.sees(debate(), reader, entry(author, kind), {})


@pytest.mark.parametrize("parts", [{"con": "p"}, {"judge": "p"}, {"judge": "c"}, {"con": "j", "pro": "j"}])
def test_the_three_parts_are_three_seats(parts: dict[str, str]) -> None:
    with pytest.raises(ByobError, match=r"E_CONFIG: topology\.pro, topology\.con and topology\.judge must be three"):
        DEBATE.check(debate(**parts))
