"""Numbers on the command line: argparse types that say what is wrong with a bad one."""

import argparse
from collections.abc import Callable

SHORTEST, LONGEST = 0.1, 3600.0
LONGEST_NUMBER = 18
"""Digits of a whole number, at most."""


def seconds(text: str) -> float:
    """A patience, from a tenth of a second to an hour."""
    return _between(text, SHORTEST, LONGEST)


def duration(text: str) -> float:
    """A duration in seconds, from a tenth to a million."""
    return _between(text, SHORTEST, 1e6)


def whole(low: int, high: int) -> Callable[[str], int]:
    """Return the type of whole numbers in a range, ends included."""

    def parse(text: str) -> int:
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
        if len(digits) > LONGEST_NUMBER or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"must be from {low} to {high}")
        return int(text)

    return parse


def _between(text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"must be from {low:g} to {high:g}")
    return value
