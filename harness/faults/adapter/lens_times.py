"""Faults of `lens.reply` in times, durations, undo windows and percents (YEA 9.2)."""

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from harness.faults.adapter.overriding import reply_row
from harness.faults.adapter.tools import register
from reference.yea.lens import replies
from reference.yea.lens.times import duration_text, time_text
from reference.yea.lens.values import scalar_text
from reference.yea.types import as_integer

_percent = replies._percent


def _always_seconds(value: Any) -> str:
    return re.sub(r"(T\d\d:\d\d)Z$", r"\1:00Z", time_text(value))


def _milliseconds(value: Any) -> str:
    return re.sub(r":\d\dZ$", lambda match: f"{match[0][:-1]}.000Z", _always_seconds(value))


def _any_time(value: Any) -> str:
    """No range of its own: whatever the library can write."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return scalar_text(value)
    return datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%dT%H:%MZ" if value % 60 == 0 else "%Y-%m-%dT%H:%M:%SZ")


def _truthy_time(value: Any) -> str:
    return time_text(value) if value else "-"


def _raw(text: Callable[[Any], str]) -> Callable[[Any], str]:
    """Malformed strings as they are."""
    return lambda value: value if isinstance(value, str) else text(value)


def _as_text(text: Callable[[Any], str]) -> Callable[[Any], str]:
    """Objects and arrays as ECMAScript joins them to a text."""

    def joined(value: Any) -> str:
        if isinstance(value, dict):
            return "[object Object]"
        return ",".join(map(joined, value)) if isinstance(value, list) else text(value)

    return joined


def _mixed(value: Any) -> str:
    seconds = as_integer(value)
    if seconds is None or seconds <= 0:
        return duration_text(value)
    parts = [(seconds // 86400, "d"), (seconds // 3600 % 24, "h"), (seconds // 60 % 60, "m"), (seconds % 60, "s")]
    return " ".join(f"{count}{unit}" for count, unit in parts if count)


def _rounded(value: Any) -> str:
    seconds = as_integer(value)
    units = {"d": 86400, "h": 3600, "m": 60}
    large = next((unit for unit, size in units.items() if seconds and seconds >= size), None)
    return f"{seconds // units[large]}{large}" if seconds and large else duration_text(value)


def _weeks(value: Any) -> str:
    seconds = as_integer(value)
    return f"{seconds // 604800}w" if seconds and seconds % 604800 == 0 else duration_text(value)


def _any_duration(value: Any) -> str:
    """Numbers of any kind are durations."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return duration_text(value)
    return duration_text(int(value)) if abs(value) < 2**53 else f"{value}s"


def _undo(is_window: Callable[[Any], bool]) -> Callable[[Any], str]:
    def undo(value: Any) -> str:
        window = value.get("window") if isinstance(value, dict) else None
        return duration_text(window) if is_window(window) else "never"

    return undo


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _truthy_undo(value: Any) -> str:
    if isinstance(value, dict):
        return duration_text(value.get("window"))
    return duration_text(value) if value else "never"


def _half_to_even(progress: Any) -> str:
    return f" ({round(progress * 100)}%)" if _percent(progress) else ""


TIMES = (
    reply_row("always-seconds", "Shows seconds that are 0.", "time-whole-minute time-zero", time_text=_always_seconds),
    reply_row("milliseconds", "Shows milliseconds.", "time-with-seconds time-whole-minute", time_text=_milliseconds),
    reply_row(
        "times-without-a-range",
        "Writes any number as a time.",
        "time-past-the-last time-before-the-first time-fraction time-huge",
        time_text=_any_time,
    ),
    reply_row(
        "truthy-times",
        "Takes a time of 0 for a missing one.",
        "time-zero expires-zero time-negative-zero",
        time_text=_truthy_time,
    ),
    reply_row(
        "raw-times",
        "Prints a malformed time as it is.",
        "time-digits time-quoted-word",
        time_text=_raw(time_text),
    ),
)

COMPOSITES = (
    reply_row(
        "objects-as-text",
        "Joins an object or array to the text where a time or duration is due.",
        "time-object time-array expires-array duration-object duration-array",
        time_text=_as_text(time_text),
        duration_text=_as_text(duration_text),
    ),
)

DURATIONS = (
    reply_row(
        "mixed-durations",
        "Splits a duration into several units.",
        "duration-25-hours duration-90-seconds duration-day-and-second",
        duration_text=_mixed,
    ),
    reply_row(
        "rounded-durations",
        "Rounds a duration to its largest unit.",
        "duration-25-hours duration-90-minutes duration-90-seconds",
        duration_text=_rounded,
    ),
    reply_row("weeks", "Has a unit for weeks.", "duration-7-days", duration_text=_weeks),
    reply_row(
        "any-duration",
        "Cuts the fraction off a duration, and takes numbers of any size.",
        "duration-fraction duration-past-the-largest duration-fraction-of-a-minute",
        duration_text=_any_duration,
    ),
    reply_row(
        "raw-durations",
        "Prints a malformed duration as it is.",
        "duration-digits duration-empty-string",
        duration_text=_raw(duration_text),
    ),
)

WINDOWS = (
    reply_row(
        "any-window",
        "Shows any window that is a number.",
        "undo-zero undo-negative undo-fraction undo-past-two-to-52",
        _undo=_undo(_is_number),
    ),
    reply_row(
        "window-as-written",
        "Shows any window that is there, as older vectors have it.",
        "undo-word undo-fraction undo-digits undo-boolean-window",
        _undo=_undo(lambda window: window is not None),
    ),
    reply_row(
        "window-up-to-53-bits",
        "Takes any positive integer for a window.",
        "undo-past-two-to-52 undo-largest-integer",
        MAX_WINDOW=2**53,
    ),
    reply_row("window-below-2-to-52", "Refuses a window of 2^52.", "undo-two-to-52", MAX_WINDOW=2**52 - 1),
    reply_row("truthy-undo", "Takes true for an undo.", "undo-true undo-number undo-string", _undo=_truthy_undo),
)

PERCENTS = (
    reply_row(
        "half-to-even",
        "Rounds the half of a percent to the even one.",
        "event-progress-even-half event-progress-even-half-above event-progress-rounded-up",
        _percent=_half_to_even,
    ),
    reply_row(
        "truncated-percents",
        "Cuts percents off.",
        "event-progress-rounded-up event-progress-just-above",
        _percent=lambda progress: f" ({math.floor(progress * 100)}%)" if _percent(progress) else "",
    ),
    reply_row(
        "clamped-progress",
        "Shows a progress past 0 or 1 as 0% or 100%.",
        "event-progress-negative event-progress-percent event-progress-past-one",
        _percent=lambda progress: _percent(min(1, max(0, progress)) if _is_number(progress) else progress),
    ),
    reply_row(
        "truthy-progress",
        "Takes a progress of 0 for a missing one.",
        "event-progress-zero event-progress-negative-zero",
        _percent=lambda progress: _percent(progress or None),
    ),
    reply_row(
        "progress-of-any-type",
        "Takes true and digits for a progress.",
        "event-progress-boolean event-progress-string",
        _percent=lambda progress: (
            _percent(float(progress)) if isinstance(progress, (str, bool)) else _percent(progress)
        ),
    ),
)

register("lens.reply", *TIMES, *COMPOSITES, *DURATIONS, *WINDOWS, *PERCENTS)
