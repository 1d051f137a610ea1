"""Estimators as data: a name, and either bytes divided by k or the number of matches of a regular expression."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from harness.errors import UsageError
from reference.yea.estimate import est

EXPRESSION = r"[A-Za-z]+|[0-9]{1,3}|\n {2,}|[^ \t\n\r\f\vA-Za-z0-9]"
BYTES = re.compile(r"bytes/([1-9][0-9]*(?:\.[0-9]+)?)")
LONGEST_EXPRESSION = 500


@dataclass(frozen=True)
class Estimator:
    """A name, how it is written, and the function from a text to its estimated tokens."""

    name: str
    written: str
    count: Callable[[str], int]


def by_bytes(name: str, divisor: float) -> Estimator:
    """Return the estimator that takes the UTF-8 bytes over a divisor, rounded up."""
    return Estimator(name, f"ceil(bytes / {divisor:g})", lambda text: -int(-_size(text) // divisor))


def by_expression(name: str, expression: str) -> Estimator:
    """Return the estimator that counts matches; raises UsageError for an expression that does not compile."""
    try:
        compiled = re.compile(expression)
    except re.error as problem:
        raise UsageError(f"candidate {name}: {expression!r} is no regular expression: {problem}") from None
    return Estimator(name, expression, lambda text: sum(1 for _ in compiled.finditer(text)))


def parse(text: str) -> Estimator:
    """Return the estimator written as NAME=bytes/K or NAME=EXPRESSION; raises UsageError otherwise."""
    name, equals, written = text.partition("=")
    if not equals or not name.strip() or not written or len(written) > LONGEST_EXPRESSION:
        raise UsageError(f"--candidate {text[:80]!r}: write NAME=bytes/3.5 or NAME=EXPRESSION")
    divided = BYTES.fullmatch(written)
    if divided is None and written.startswith("bytes/"):
        raise UsageError(f"--candidate {text[:80]!r}: after bytes/ comes a number of 1 or more, such as bytes/3.5")
    return by_bytes(name, float(divided[1])) if divided else by_expression(name, written)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


ESTIMATE = Estimator("estimate", EXPRESSION, est)
STANDARD = (by_bytes("bytes/4", 4), by_bytes("bytes/3", 3), ESTIMATE)
