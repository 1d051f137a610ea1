"""Small variants of the expression of section 8, and what each would gain: information for the spec's authors."""

import math
import statistics
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from harness.estimator.candidates import EXPRESSION, by_expression
from harness.estimator.corpus import Corpus
from harness.estimator.measure import measure

LETTERS = ("[A-Za-z]+", "[A-Za-z]{1,8}", "[A-Za-z]{1,12}", "[A-Z]?[a-z]+|[A-Z]+")
DIGITS = ("[0-9]{1,3}", "[0-9]{1,2}", "[0-9]+")
INDENTS = (r"\n {2,}", r"\n {4,}", r" {2,}", "")
SIGNS = (r"[^ \t\n\r\f\vA-Za-z0-9]", r"[^ \t\n\r\f\vA-Za-z0-9]{1,2}", r"[\[\]{}()]{1,2}|[^ \t\n\r\f\vA-Za-z0-9]")
SHOWN = 12


def variants() -> list[str]:
    """Return every expression of the grid, that of section 8 first."""
    made = ["|".join(filter(None, parts)) for parts in product(LETTERS, DIGITS, INDENTS, SIGNS)]
    return [EXPRESSION, *(each for each in made if each != EXPRESSION)]


def search(corpus: Corpus, count: Callable[[str], int]) -> list[dict[str, Any]]:
    """Return the best variants and section 8's own, by the mean absolute logarithm of their ratios (0 is perfect)."""
    estimators = [by_expression(f"v{number}", each) for number, each in enumerate(variants())]
    kept, _ = measure(corpus, count, estimators)
    found = [_entry(each.name, each.written, [text.ratio(each.name) for text in kept]) for each in estimators]
    base = found[0]["error"]
    for entry in found:
        entry["gain"] = round(base - entry["error"], 4)
    best = sorted(found[1:], key=lambda entry: entry["error"])[: SHOWN - 1]
    return [{**found[0], "name": "section 8"}, *best]


def _entry(name: str, written: str, ratios: Sequence[float]) -> dict[str, Any]:
    errors = [abs(math.log(max(ratio, 1e-9))) for ratio in ratios]
    return {
        "name": name,
        "written": written,
        "mean": round(statistics.fmean(ratios), 4),
        "error": round(statistics.fmean(errors), 4),
    }
