"""Parameter templates: placeholders are replaced, and nothing else is."""

from typing import Any

import pytest

from harness.templates import TemplateError, fill, names

NOW = 1_790_000_000.75  # 2026-09-21T14:13:20Z

FILLED: dict[str, tuple[Any, Any]] = {
    "a word": ("{unique}", "w1"),
    "inside a text": ("event/{unique}/x{unique}", "event/w1/xw1"),
    "alone it keeps its type": ("{stock}", 7),
    "alone it may be an object": ("{row}", {"a": [1]}),
    "a name may hold a hyphen": ("{free-room}{free-room}", "r2r2"),
    "inside a text it is spelt out": ("n={stock}", "n=7"),
    "now": ("{now}", "2026-09-21T14:13:20Z"),
    "now and seconds": ("{now+5s}", "2026-09-21T14:13:25Z"),
    "now and minutes": ("{now-2m}", "2026-09-21T14:11:20Z"),
    "now and hours": ("{now+1h}", "2026-09-21T15:13:20Z"),
    "now and days": ("{now+7d}", "2026-09-28T14:13:20Z"),
    "a date": ("{now+7d:date}", "2026-09-28"),
    "a datetime": ("{now:datetime}", "2026-09-21T14:13:20Z"),
    "unix seconds, a number when alone": ("{now+1m:unix}", 1_790_000_060),
    "unix seconds inside a text": ("at {now:unix}", "at 1790000000"),
    "nested values": ({"a": ["{stock}", {"b": "{unique}"}], "{stock}": 1}, {"a": [7, {"b": "w1"}], "{stock}": 1}),
    "other braces stay": ("{} {Unique} { unique } {{now+7w} {now+1234567d}",) * 2,
    "what is no text stays": ([1, 2.5, True, None],) * 2,
}


@pytest.mark.parametrize("name", FILLED)
def test_placeholders_are_replaced(name: str) -> None:
    template, wanted = FILLED[name]
    assert fill(template, {"unique": "w1", "stock": 7, "row": {"a": [1]}, "free-room": "r2"}, NOW) == wanted


def test_a_template_is_not_changed_by_filling_it() -> None:
    template = {"a": ["{unique}"]}
    fill(template, {"unique": "w"}, NOW)
    assert template == {"a": ["{unique}"]}


def test_what_was_filled_in_is_not_filled_again() -> None:
    assert fill("{a}{b}", {"a": "{b}", "b": "{a}"}, NOW) == "{b}{a}"


def test_an_unknown_name_is_refused_and_the_known_ones_are_said() -> None:
    with pytest.raises(TemplateError) as caught:
        fill({"x": ["at {shelf}"]}, {"unique": "w", "stock": 1}, NOW)
    assert str(caught.value) == "{shelf} names no value; known are now, stock, unique"


@pytest.mark.parametrize("text", ["{now-999999d}", "{now-999999d:date}", "x {now-999999d}"])
def test_a_time_outside_of_the_calendar_is_refused(text: str) -> None:
    with pytest.raises(TemplateError) as caught:
        fill(text, {}, NOW)
    assert str(caught.value) == f"{text.removeprefix('x ')} is no time of this calendar"


def test_names_finds_every_placeholder() -> None:
    assert names({"a": "{unique} {now+1d:date}", "b": [{"c": "{stock}"}, 5], "{d}": {}}) == {"unique", "now", "stock"}
    assert names({}) == names([]) == names(5) == names("{}") == set()
