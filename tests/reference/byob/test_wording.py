"""What a message shows of a request: names of members, short and printable; values never."""

import pytest

from reference.byob.errors import ByobError
from reference.byob.validating import validate
from tests.reference.byob.test_validating import SOUND


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("tao", "owners.tao.public_key is required"),
        ("a" * 40, f"owners.{'a' * 40}.public_key is required"),
        ("a" * 128, f"owners.{'a' * 40}….public_key is required"),
    ],
)
def test_a_name_from_the_request_is_shown_in_short(name: str, shown: str) -> None:
    with pytest.raises(ByobError) as raised:
        validate("table-config", {**SOUND["table-config"], "owners": {name: {}}})
    assert raised.value.message == f"table-config: {shown}"


def test_a_name_that_cannot_be_printed_is_escaped() -> None:
    with pytest.raises(ByobError) as raised:
        validate("table-config", {**SOUND["table-config"], "visibility": {"a\x1b[2J": 5}})
    assert raised.value.message.isprintable()
