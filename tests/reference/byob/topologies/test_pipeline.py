"""pipeline: one stage after the other, each seeing the one before it (BYOB 7)."""

import pytest

from reference.byob.topologies.pipeline import Pipeline
from tests.reference.byob.making import config, entry
from tests.reference.byob.topologies.playing import PASS, holders

PIPELINE = Pipeline()


def pipeline(*stages: str, **members: object) -> dict[str, object]:
    return config({"kind": "pipeline", "stages": [*(stages or ("s1", "s2", "s3"))], **members})


def test_stages_speak_in_the_listed_order() -> None:
    assert holders(pipeline(rounds=1), ["*", PASS, "@s1"]) == ["s1", "s2", "s3", None]


def test_rounds_repeat_the_whole_sequence() -> None:
    assert holders(pipeline(rounds=2), ["*"] * 6) == ["s1", "s2", "s3", "s1", "s2", "s3", None]


def test_without_rounds_there_is_one() -> None:
    assert holders(pipeline(), ["*"] * 3) == ["s1", "s2", "s3", None]


def test_hands_change_no_turn() -> None:
    assert holders(pipeline(), [("*", ("s3", "guest")), "*", "*"]) == ["s1", "s2", "s3", None]


def seen(reader: str, *stages: str) -> set[str]:
    """The authors of whom a seat sees the entries, whatever their kind and whomever they address."""
    made = pipeline(*stages)
    authors = ("s1", "s2", "s3", "guest", "other")
    found = [
        {author for author in authors if PIPELINE.sees(made, reader, entry(author, kind, f"@{reader}"), {})}
        for kind in ("say", "pass", "raise_hand")
    ]
    assert found[0] == found[1] == found[2]
    return found[0]


def test_a_stage_sees_the_stage_before_it() -> None:
    assert [seen(stage) for stage in ("s1", "s2", "s3")] == [set(), {"s1"}, {"s2"}]


def test_a_seat_that_is_no_stage_sees_everything() -> None:
    assert seen("guest") == {"s1", "s2", "s3", "guest", "other"}


def test_a_seat_of_two_stages_sees_what_comes_before_either() -> None:
    assert seen("s1", "s1", "s2", "s1") == {"s2"}
    assert seen("s2", "s2", "s1", "s3", "s2") == {"s3"}


@pytest.mark.parametrize(("stages", "last"), [(("s1", "s2", "s3"), "s3"), (("s1",), "s1"), (("s1", "s2", "s1"), "s1")])
def test_the_last_stage_decides(stages: tuple[str, ...], last: str) -> None:
    assert PIPELINE.deciders(pipeline(*stages)) == (last,)
    PIPELINE.check(pipeline(*stages))
