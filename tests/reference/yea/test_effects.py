import pytest

from reference.yea.effects import INVERSE, EffectError, inverted
from reference.yea.types import Json


@pytest.mark.parametrize(
    ("effect", "inverse"),
    [
        ({"op": "create", "target": "event/1"}, {"op": "delete", "target": "event/1"}),
        ({"op": "delete", "target": "event/1"}, {"op": "create", "target": "event/1"}),
        ({"op": "send", "target": "a@b.c", "detail": "note"}, {"op": "other", "target": "a@b.c", "detail": "note"}),
        ({"op": "other", "target": "x"}, {"op": "other", "target": "x"}),
        (
            {"op": "update", "target": "t", "field": "f", "from": 1, "to": 2},
            {"op": "update", "target": "t", "field": "f", "from": 2, "to": 1},
        ),
        (
            {"op": "update", "target": "t", "to": "x"},
            {"op": "update", "target": "t", "from": "x"},
        ),
        (
            {"op": "update", "target": "t", "from": "x"},
            {"op": "update", "target": "t", "to": "x"},
        ),
        ({"op": "update", "target": "t"}, {"op": "update", "target": "t"}),
        (
            {"op": "update", "target": "t", "from": None, "to": False},
            {"op": "update", "target": "t", "from": False, "to": None},
        ),
        (
            {"op": "create", "target": "t", "to": 5, "detail": "d", "x": [1]},
            {"op": "delete", "target": "t", "to": 5, "detail": "d", "x": [1]},
        ),
        ({"op": "charge", "target": "t", "from": 1}, {"op": "charge", "target": "t", "from": 1}),
        ({"target": "t"}, {"target": "t"}),
        ({"op": [], "target": "t"}, {"op": [], "target": "t"}),
    ],
    ids=str,
)
def test_each_effect_is_inverted(effect: dict[str, Json], inverse: dict[str, Json]) -> None:
    [result] = inverted([effect])
    assert result == inverse
    assert result.keys() == inverse.keys()


def test_the_order_stays_and_the_input_is_not_changed() -> None:
    effects: list[dict[str, Json]] = [{"op": "create", "target": "a"}, {"op": "update", "target": "b", "to": 1}]
    assert inverted(effects) == [{"op": "delete", "target": "a"}, {"op": "update", "target": "b", "from": 1}]
    assert effects == [{"op": "create", "target": "a"}, {"op": "update", "target": "b", "to": 1}]
    assert inverted([]) == []


def test_undoing_an_undo_restores_all_but_what_was_sent() -> None:
    for op, inverse in INVERSE.items():
        effect: dict[str, Json] = {"op": op, "target": "t", "from": 1, "to": 2}
        assert inverted(inverted([effect]))[0]["op"] == (op if op != "send" else "other")
        assert INVERSE[inverse] in (op, "other")


@pytest.mark.parametrize("value", [None, {}, "x", [None], [[]], [{"op": "create"}, 5]], ids=repr)
def test_what_is_no_list_of_effects_is_refused(value: object) -> None:
    with pytest.raises(EffectError):
        inverted(value)  # type: ignore[arg-type]
