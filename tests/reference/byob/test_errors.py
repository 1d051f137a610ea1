"""Each code has the status of BYOB 11, and no other code can be raised."""

import pytest

from reference.byob.errors import STATUS, ByobError

BY_STATUS = {
    400: {"E_SCHEMA", "E_PROTOCOL"},
    401: {"E_BAD_SIGNATURE", "E_UNAUTHORIZED"},
    403: {"E_NOT_OWNER", "E_NOT_DECIDER", "E_SELF_VERIFY"},
    404: {"E_NOT_FOUND"},
    409: {"E_NOT_FLOOR", "E_TASK_STATE", "E_TABLE_CLOSED", "E_SEAT_TAKEN", "E_REPLAY"},
    422: {"E_ADDRESS", "E_NO_EXECUTOR", "E_MIXED_OWNERS", "E_NO_TERMINATION", "E_CONFIG"},
    451: {"E_DISCLOSURE"},
    500: {"E_INTERNAL"},
}


def test_every_code_has_its_status() -> None:
    assert {code: status for status, codes in BY_STATUS.items() for code in codes} == STATUS


def test_an_error_is_an_object_with_code_and_message() -> None:
    error = ByobError("E_NOT_FLOOR", "b does not have the floor")
    assert error.body() == {"error": {"code": "E_NOT_FLOOR", "message": "b does not have the floor"}}
    assert (error.status, str(error)) == (409, "E_NOT_FLOOR: b does not have the floor")


def test_a_code_that_the_spec_does_not_list_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="E_LATE"):
        ByobError("E_LATE", "too late")
