import json
from typing import Any

import pytest

from reference.yea.jsonwrite import write

VALUE: Any = {"b": [1, 2.5, [], {}, [[]], [{}]], "a": {"": None, "\u2028": True}, "é": [False, '\x00"\\\ud800']}


@pytest.mark.parametrize("sort_keys", [False, True])
@pytest.mark.parametrize("value", [VALUE, [], {}, [[]], "x", 5, None, [VALUE, VALUE]], ids=ascii)
def test_it_writes_what_the_standard_library_writes(value: Any, sort_keys: bool) -> None:
    expected = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=sort_keys)
    assert write(value, repr, sort_keys=sort_keys) == expected


def test_numbers_are_spelt_by_the_caller() -> None:
    assert write([1, {"a": -2.5}], lambda number: f"<{number}>", sort_keys=False) == '[<1>,{"a":<-2.5>}]'


@pytest.mark.parametrize("value", [(), [()], {"a": b""}, {1: 2}, {"a": 1, None: 2}], ids=repr)
@pytest.mark.parametrize("sort_keys", [False, True])
def test_what_is_no_json_value_is_refused(value: Any, sort_keys: bool) -> None:
    with pytest.raises(TypeError):
        write(value, repr, sort_keys=sort_keys)
