"""YEA 7: what every ERROR carries."""

from collections.abc import Callable
from typing import Any

from harness.encoding import shown
from harness.monitors import Memory, Monitor, add

Error = dict[str, Any]
Test = Callable[[Error], str | None]

CODES = (
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
LONGEST_RETRY = 1_000_000_000  # seconds; more than that is a time, not a while


def _shown(error: Error, name: str) -> str:
    return f"{name} {shown(error.get(name))} on ERROR {shown(error.get('code'), 40)}"


def _code(error: Error) -> str | None:
    code = error.get("code")
    return None if code in CODES else f"code {shown(code)}"


def _message(error: Error) -> str | None:
    return None if isinstance(error.get("message"), str) else _shown(error, "message")


def _sentence(error: Error) -> str | None:
    message = error.get("message")
    if not isinstance(message, str):
        return None
    return None if message.strip() and "\n" not in message.strip() else _shown(error, "message")


def _fix(error: Error) -> str | None:
    fix = error.get("fix")
    if fix is None:
        return None
    right = isinstance(fix, list) and all(
        isinstance(entry, dict)
        and isinstance(entry.get("say"), str)
        and isinstance(entry.get("params"), (dict, type(None)))
        for entry in fix
    )
    return None if right else _shown(error, "fix")


def _consent_comes(error: Error) -> str | None:
    if error.get("code") != "consent_required" or isinstance(error.get("consent"), dict):
        return None
    return _shown(error, "consent")


def _consent_elsewhere(error: Error) -> str | None:
    return None if error.get("code") == "consent_required" or error.get("consent") is None else _shown(error, "consent")


def _seconds(error: Error) -> float | None:
    """Return the retry as a number of seconds, or None when it is none."""
    retry = error.get("retry")
    return retry if isinstance(retry, (int, float)) and not isinstance(retry, bool) else None


def _retry(error: Error) -> str | None:
    seconds = _seconds(error)
    return None if error.get("retry") is None or (seconds is not None and seconds >= 0) else _shown(error, "retry")


def _retry_is_a_while(error: Error) -> str | None:
    seconds = _seconds(error)
    return None if seconds is None or seconds < LONGEST_RETRY else _shown(error, "retry")


# (id, clause, test, title, more options of the monitor).
RULES: tuple[tuple[str, str, Test, str, dict[str, Any]], ...] = (
    ("yea/7/code-is-one-of-twelve", "YEA-7-01", _code, "Every ERROR has one of the twelve codes.", {}),
    ("yea/7/message-is-a-string", "YEA-7-02", _message, "Every ERROR has a `message` that is a string.", {}),
    (
        "yea/7/message-is-one-line",
        "YEA-7-02",
        _sentence,
        "The `message` of an ERROR is not empty and has no line break.",
        {"open_question": "YEA-Q75"},
    ),
    (
        "yea/7/fix-is-a-list-of-fixes",
        "YEA-7-03",
        _fix,
        "A `fix` is a list of objects with a string `say` and, if any, an object `params`.",
        {},
    ),
    (
        "yea/7/consent-required-has-a-consent",
        "YEA-7-06",
        _consent_comes,
        "A consent_required has an object `consent`.",
        {},
    ),
    (
        "yea/7/consent-is-for-consent-required",
        "YEA-7-06",
        _consent_elsewhere,
        "No other code has a `consent`.",
        {"soft": True},
    ),
    ("yea/7/retry-is-a-number", "YEA-7-07", _retry, "A `retry` that is not null is a number of seconds.", {}),
    (
        "yea/7/retry-is-a-while",
        "YEA-7-07",
        _retry_is_a_while,
        "A `retry` is a number of seconds to wait, not a time.",
        {"soft": True},
    ),
)


def _judge(test: Test) -> Callable[[Error, Memory], str | None]:
    return lambda error, _: test(error)


for _id, _clause, _test, _title, _options in RULES:
    add(Monitor(_id, _title, _clause, "ERROR", _judge(_test), **_options))
