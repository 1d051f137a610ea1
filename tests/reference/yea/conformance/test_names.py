"""The names that callers choose."""

import pytest

from reference.yea.conformance.names import checked, optional
from reference.yea.errors import YeaError


@pytest.mark.parametrize("name", ["e", "a b", "é🚀", "x" * 200, "../../etc", '"'])
def test_a_name_is_1_to_200_printable_characters(name: str) -> None:
    assert checked("event", {"event": name}) == name


@pytest.mark.parametrize(
    ("name", "fixed"),
    [("", "example"), ("\n", "example"), ("a\nb", "ab"), ("\x1b[31mred", "[31mred"), ("x" * 201, "x" * 200)],
)
def test_any_other_gets_a_fix(name: str, fixed: str) -> None:
    with pytest.raises(YeaError) as caught:
        checked("event", {"event": name})
    assert caught.value.code == "invalid_params"
    assert caught.value.fix[0]["params"] == {"event": fixed}


def test_an_optional_one_may_be_absent() -> None:
    assert optional("title", {}) is None
    assert optional("title", {"title": "x"}) == "x"
