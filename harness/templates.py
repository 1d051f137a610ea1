"""Parameter templates of a profile: `{unique}`, `{now+7d}` and values taken from an earlier answer.

A template is plain text with placeholders in braces; nothing is evaluated. A string that is one placeholder alone
takes the value's own type, so `"{stock}"` can become a number.
"""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_-]*?)([+-]\d{1,6}[smhd])?(?::(date|datetime|unix))?\}")
UNIT_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
MOST_SHIFT = 86400 * 365 * 1000  # a thousand years either way
MAX_DEPTH = 50


class TemplateError(ValueError):
    """A placeholder names a value that is not there, or no time."""


def fill(template: Any, values: Mapping[str, Any], now: float) -> Any:
    """Return the template with every placeholder replaced.

    Args:
        template: any JSON value of a profile; strings inside it may hold placeholders.
        values: what the names stand for (`unique` and the role's `given` names).
        now: unix seconds that `{now}` stands for.
    Raises:
        TemplateError: a placeholder names a value that is not in `values`, or a time outside of the calendar.
    """
    if isinstance(template, str):
        return _fill_text(template, values, now)
    if isinstance(template, dict):
        return {key: fill(member, values, now) for key, member in template.items()}
    if isinstance(template, list):
        return [fill(element, values, now) for element in template]
    return template


def names(template: Any) -> set[str]:
    """Return the placeholder names that a template uses."""
    if isinstance(template, str):
        return {match[1] for match in PLACEHOLDER.finditer(template)}
    if isinstance(template, dict):
        return set().union(*(names(member) for member in template.values())) if template else set()
    if isinstance(template, list):
        return set().union(*(names(element) for element in template)) if template else set()
    return set()


def problem(template: Any) -> str | None:
    """Return why a template can never become JSON, or None: a TOML date, a number without value, too many levels."""
    waiting = [(template, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > MAX_DEPTH:
            return f"is nested deeper than {MAX_DEPTH} levels"
        if isinstance(value, dict):
            waiting.extend((member, depth + 1) for member in value.values())
        elif isinstance(value, list):
            waiting.extend((element, depth + 1) for element in value)
        elif isinstance(value, str):
            for match in PLACEHOLDER.finditer(value):
                if match[1] == "now" and not _in_calendar(match[2]):
                    return f"{match[0]} is no time of this calendar"
        elif not isinstance(value, (bool, int, float)) or (isinstance(value, float) and not math.isfinite(value)):
            return f"{value} is no JSON value; write it as a string"
    return None


def _in_calendar(shift: str | None) -> bool:
    """Whether a time shifted from any now of this century and the next can be written as a date."""
    return abs(_seconds(shift)) < MOST_SHIFT


def _fill_text(text: str, values: Mapping[str, Any], now: float) -> Any:
    alone = PLACEHOLDER.fullmatch(text)
    if alone:
        return _value(alone, values, now)
    return PLACEHOLDER.sub(lambda match: str(_value(match, values, now)), text)


def _value(match: re.Match[str], values: Mapping[str, Any], now: float) -> Any:
    name, shift, form = match.groups()
    if name == "now":
        return _time(match[0], now + _seconds(shift), form or "datetime")
    if name not in values:
        raise TemplateError(f"{match[0]} names no value; known are now, {', '.join(sorted(values))}")
    return values[name]


def _seconds(shift: str | None) -> int:
    return int(shift[:-1]) * UNIT_SECONDS[shift[-1]] if shift else 0


def _time(placeholder: str, seconds: float, form: str) -> Any:
    if form == "unix":
        return int(seconds)
    try:
        moment = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        raise TemplateError(f"{placeholder} is no time of this calendar") from None
    return moment.strftime("%Y-%m-%d") if form == "date" else moment.strftime("%Y-%m-%dT%H:%M:%SZ")
