import pytest

from reference.yea.errors import CODES, YeaError
from reference.yea.types import Json


def test_there_are_the_twelve_codes_of_section_7() -> None:
    assert CODES == (
        "bad_frame",
        "unknown_capability",
        "invalid_params",
        "unauthorized",
        "forbidden",
        "consent_required",
        "not_found",
        "expired",
        "conflict",
        "limit",
        "unavailable",
        "internal",
    )


def test_a_bare_error_says_only_what_it_has() -> None:
    error = YeaError("not_found", "no proposal null")
    assert error.body() == {"kind": "ERROR", "code": "not_found", "message": "no proposal null"}
    assert str(error) == "not_found: no proposal null"


def test_an_error_says_everything_it_has() -> None:
    fix: list[dict[str, Json]] = [{"say": "use next year", "params": {"to": "2026-09-24T15:00:00Z"}}]
    error = YeaError("invalid_params", "too early", fix=fix, need=[{"exp": 1}], consent={"proposal": "p"}, retry=0)
    assert error.body() == {
        "kind": "ERROR",
        "code": "invalid_params",
        "message": "too early",
        "fix": fix,
        "need": [{"exp": 1}],
        "consent": {"proposal": "p"},
        "retry": 0,
    }


def test_need_is_left_out_when_nothing_blocked_in_particular() -> None:
    assert "need" not in YeaError("forbidden", "another principal's", need=[]).body()


@pytest.mark.parametrize("code", CODES)
def test_every_code_can_be_raised(code: str) -> None:
    with pytest.raises(YeaError) as caught:
        raise YeaError(code, "why")
    assert (caught.value.code, caught.value.message) == (code, "why")


@pytest.mark.parametrize("code", ["", "Forbidden", "gone"])
def test_no_other_code_is_possible(code: str) -> None:
    with pytest.raises(ValueError, match="none of the error codes"):
        YeaError(code, "why")
