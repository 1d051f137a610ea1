"""Arguments are filled by synonym, and what nobody can know is untested, not failed (BYOB-Q109)."""

from typing import Any

import pytest

from harness.bridges.arguments import Naming, fill, innermost, name_of, suited
from harness.errors import Untested

TEXT = {"type": "string"}


def schema(*required: str, **properties: Any) -> Any:
    return {"type": "object", "properties": properties, "required": [*required]}


FILLED: dict[str, tuple[Any, dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "the spec's names": (schema(body=TEXT, to=TEXT), {"body": "a"}, {}, {"body": "a"}),
    "other names": (schema(Message=TEXT), {"body": "a"}, {}, {"Message": "a"}),
    "camel case": (schema(taskId=TEXT), {"task": "task-1"}, {}, {"taskId": "task-1"}),
    "what it does not take is left out": (schema(text=TEXT), {"body": "a"}, {"reason": "b"}, {"text": "a"}),
    "what it takes is given": (schema(text=TEXT, why=TEXT), {"body": "a"}, {"reason": "b"}, {"text": "a", "why": "b"}),
    "two members, two arguments": (
        schema(task=TEXT, comment=TEXT, note=TEXT),
        {"task": "t"},
        {"body": "a", "reason": "b"},
        {"task": "t", "note": "a", "comment": "b"},
    ),
    "no arguments at all": (schema(), {"body": "a"}, {"reason": "b"}, {"body": "a"}),
    "an object inside": (
        {**schema("request", request={"$ref": "#/$defs/R"}), "$defs": {"R": schema("seatName", seatName=TEXT)}},
        {"seat": "b"},
        {},
        {"request": {"seatName": "b"}},
    ),
    "null or a text": (schema(role={"anyOf": [TEXT, {"type": "null"}]}), {}, {"role": "r"}, {"role": "r"}),
}


@pytest.mark.parametrize("case", FILLED)
def test_arguments_are_filled_by_synonym(case: str) -> None:
    given, members, optional, filled = FILLED[case]
    assert fill("byob_say", given, members, optional) == filled


def test_an_argument_that_is_required_and_unknown_is_untested() -> None:
    with pytest.raises(Untested, match="byob_say requires mood, which is none of what it is known to need"):
        fill("byob_say", schema("body", "mood", body=TEXT, mood=TEXT), {"body": "a"}, {})


def test_a_member_without_an_argument_is_untested() -> None:
    with pytest.raises(Untested, match="byob_say has no argument that is known for body: it has blurb"):
        fill("byob_say", schema(blurb=TEXT), {"body": "a"}, {})


def test_a_profile_names_what_nobody_can_know() -> None:
    naming = Naming({"byob_say": {"body": "blurb"}}, {"byob_say": {"mood": "calm"}})
    told = schema("blurb", "mood", blurb=TEXT, mood=TEXT)
    assert fill("byob_say", told, {"body": "a"}, {}, naming) == {"mood": "calm", "blurb": "a"}
    assert name_of("byob_say", told, "body", naming) == "blurb"


def test_further_arguments_stand_back_and_go_where_the_others_are() -> None:
    inside = schema(request=schema(seat=TEXT))
    assert fill("byob_join", inside, {"seat": "b"}, {}, more={"seat": "c", "card": 1}) == {
        "request": {"seat": "b", "card": 1}
    }
    assert [*innermost(inside)] == ["seat"]


def test_a_schema_that_refers_to_itself_ends() -> None:
    loop = {**schema(body={"$ref": "#/properties/body"})}
    assert fill("byob_say", loop, {"body": "a"}, {}) == {"body": "a"}


@pytest.mark.parametrize("odd", [None, 1, [], {"properties": []}, {"properties": {"body": 1}, "required": 1}])
def test_a_schema_that_is_none_is_taken_for_no_arguments(odd: Any) -> None:
    assert fill("byob_say", odd, {"body": "a"}, {}) == {"body": "a"}


SUITED = {
    "JSON in a string": ({"a": [1]}, TEXT, '{"a":[1]}'),
    "addresses in a string": (["@a", "@b"], TEXT, "@a,@b"),
    "a list of one": ("@a", {"type": "array"}, ["@a"]),
    "one of a list": ([{"a": 1}], {"type": "object"}, {"a": 1}),
    "yes": ("pass", {"type": "boolean"}, True),
    "no": ("reject", {"type": "boolean"}, False),
    "another word": ("approve", {"enum": ["Approved", "Rejected"]}, "Approved"),
    "a list of types": ("@a", {"type": ["array", "null"]}, ["@a"]),
    "as it is": ({"a": 1}, {}, {"a": 1}),
}


@pytest.mark.parametrize("case", SUITED)
def test_values_are_given_as_the_argument_takes_them(case: str) -> None:
    value, part, suits = SUITED[case]
    assert suited(value, part) == suits
