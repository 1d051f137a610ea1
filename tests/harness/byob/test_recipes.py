"""Recipes are data: merged one level deep, never changed, and whole for each topology."""

import pytest

from harness.byob.recipes import DEBATE, DUO, DUO_H, FIRST, TOPOLOGIES, WORK, Place, capability, card, effect


def test_changes_are_merged_one_level_deep_and_none_takes_a_member_out() -> None:
    config = DUO.config_with(
        {
            "floor": {"max_chars": None, "decision_by": ["a"]},
            "topic": "x",
            "projection": None,
            "termination": {"any": []},
        }
    )
    assert config == {
        "topic": "x",
        "topology": {"kind": "broadcast", "order": ["a", "b"], "rounds": 50},
        "floor": {"max_bot_depth": 100, "decision_by": ["a"]},
        "termination": {"any": []},
    }
    assert DUO.config["floor"] == {"max_chars": 200, "max_bot_depth": 100}


def test_a_seat_replaces_that_of_its_id_or_comes_last() -> None:
    assert [place.seat for place in DUO_H.places] == ["a", "b", "h"]
    other = DUO_H.with_seats(Place("b", "X"), Place("v", "V"))
    assert [(place.seat, place.owner) for place in other.places] == [("a", "A"), ("b", "X"), ("h", "H"), ("v", "V")]
    assert [place.seat for place in other.without_seats("a", "v").places] == ["b", "h"]


@pytest.mark.parametrize("kind", TOPOLOGIES)
def test_each_topology_has_a_recipe_whose_first_speaker_sits(kind: str) -> None:
    recipe = TOPOLOGIES[kind]
    assert recipe.config["topology"]["kind"] == kind
    assert FIRST[kind] in [place.seat for place in recipe.places]


def test_b_of_the_work_table_can_do_what_the_usual_effect_asks() -> None:
    worker = next(place for place in WORK.places if place.seat == "b")
    assert worker.card["capabilities"] == [{"resource": "board", "actions": ["move", "label"]}]
    assert effect() == {"owner": "B", "resource": "board", "action": "move", "args": {}}
    assert effect("A", "list", "add", n=1) == {"owner": "A", "resource": "list", "action": "add", "args": {"n": 1}}


def test_a_card_has_its_capabilities_and_flags() -> None:
    made = card(capability("list", "add", auto_approve=True), proxy=True)
    assert made == {
        "bot": "naysayer",
        "proxy": True,
        "capabilities": [{"resource": "list", "actions": ["add"], "auto_approve": True}],
    }


def test_a_decision_ends_a_debate() -> None:
    assert DEBATE.config["termination"] == {"any": ["decision"]}
