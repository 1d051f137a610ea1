"""The figures: for each estimator the ratios of its estimates to the real counts, over all texts and by class."""

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from harness.estimator.candidates import Estimator
from harness.estimator.corpus import Corpus, Text

LEAST_TOKENS = 15
NEAR = (0.8, 1.25)
BUDGETS = (200, 800, 2000)
WORST = 10
PERCENTILES = (5, 25, 75, 95)


@dataclass(frozen=True)
class Measured:
    """A text, its real count, and each estimator's count by name."""

    text: Text
    real: int
    estimates: dict[str, int]

    def ratio(self, name: str) -> float:
        """Return an estimator's count over the real one."""
        return self.estimates[name] / self.real


def measure(
    corpus: Corpus, count: Callable[[str], int], estimators: Sequence[Estimator]
) -> tuple[list[Measured], list[tuple[str, str]]]:
    """Return what was measured, and what was left out as (name, why): short texts, and what the corpus left out."""
    kept, left_out = [], list(corpus.left_out)
    for text in corpus.texts:
        words = text.words.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate is no text to a tokenizer
        real = count(words)
        if real < LEAST_TOKENS:
            left_out.append((text.name, f"has {real} tokens, under {LEAST_TOKENS}"))
        else:
            kept.append(Measured(text, real, {each.name: each.count(words) for each in estimators}))
    return kept, left_out


def figures(ratios: Sequence[float]) -> dict[str, Any]:
    """Return count, mean, median, percentiles, least and most, the share that is near, and how many undercount."""
    ordered = sorted(ratios)
    near = sum(NEAR[0] <= ratio <= NEAR[1] for ratio in ordered)
    return {
        "texts": len(ordered),
        "mean": _short(statistics.fmean(ordered)),
        "median": _short(statistics.median(ordered)),
        **{f"p{share}": _short(percentile(ordered, share)) for share in PERCENTILES},
        "min": _short(ordered[0]),
        "max": _short(ordered[-1]),
        "near": near,
        "near_share": _short(near / len(ordered)),
        "under": sum(ratio < 1 for ratio in ordered),
    }


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the nearest-rank percentile of sorted values; `share` is from 0 to 100."""
    rank = max(1, math.ceil(share / 100 * len(ordered)))
    return ordered[rank - 1]


def result(
    corpus: Corpus, kept: Sequence[Measured], left_out: Sequence[tuple[str, str]], names: Sequence[str]
) -> dict[str, Any]:
    """Return the whole result as plain data, which the renderers read and `--compare` compares."""
    return {
        "corpus": {"name": corpus.name, "sha256": corpus.digest, "texts": len(corpus.texts), "measured": len(kept)},
        "estimators": {name: figures([each.ratio(name) for each in kept]) for name in names},
        "classes": _classes(kept, names),
        "worst": {name: _worst(kept, name) for name in names},
        "budgets": {name: _budgets(kept, name) for name in names},
        "left_out": [{"name": name, "why": why} for name, why in left_out],
    }


def _classes(kept: Sequence[Measured], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    sorts = sorted({each.text.sort for each in kept})
    return {
        sort: {name: figures([each.ratio(name) for each in kept if each.text.sort == sort]) for name in names}
        for sort in sorts
    }


def _worst(kept: Sequence[Measured], name: str) -> list[dict[str, Any]]:
    """The texts whose estimate is furthest off, either way, by the factor."""
    ordered = sorted(kept, key=lambda each: (-abs(math.log(max(each.ratio(name), 1e-9))), each.text.name))
    return [
        {
            "name": each.text.name,
            "class": each.text.sort,
            "real": each.real,
            "estimate": each.estimates[name],
            "ratio": _short(each.ratio(name)),
        }
        for each in ordered[:WORST]
    ]


def _budgets(kept: Sequence[Measured], name: str) -> list[dict[str, Any]]:
    """What a reply that just fills a budget by the estimate really costs: the middle text, and the dearest one."""
    ratios = sorted(each.ratio(name) for each in kept)
    return [
        {
            "budget": budget,
            "typical": round(budget / max(statistics.median(ratios), 1e-9)),
            "dearest": round(budget / max(ratios[0], 1e-9)),
        }
        for budget in BUDGETS
    ]


def _short(value: float) -> float:
    return round(value, 4)
