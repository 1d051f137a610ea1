"""`naysayer estimator`: the token estimate of YEA section 8 against real counts."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from harness.estimator import candidates, corpus, measure, ranks, render
from harness.estimator.plot import plot
from harness.estimator.search import search

FORMATS = {"markdown": render.as_markdown, "json": render.as_json, "csv": render.as_csv}
MOST_BYTES = 16 << 20


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "estimator",
        help="the token estimate of YEA section 8 against real counts",
        description="Measures bytes/4, bytes/3 and the estimate against a tokenizer's real counts, over our own corpus "
        "or yours, without a network.",
    )
    parser.add_argument(
        "--corpus", type=Path, metavar="DIR", help="your own texts: files, .jsonl, lens.json, captured frames"
    )
    parser.add_argument("--format", choices=tuple(FORMATS), default="markdown")
    parser.add_argument("--encoding", choices=tuple(ranks.PACKAGED), default="o200k_base", help="whose counts are real")
    parser.add_argument(
        "--candidate",
        action="append",
        default=[],
        metavar="NAME=RULE",
        help="a further estimator: bytes/3.5 or a regular expression",
    )
    parser.add_argument("--search", action="store_true", help="try small variants of the expression")
    parser.add_argument("--plot", type=Path, metavar="F", help="write an SVG of estimate against real")
    parser.add_argument(
        "--compare", type=Path, metavar="OLD", help="an older result (JSON); exit 1 if a figure differs"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the result; returns 1 when --compare finds a difference, else 0."""
    old = _old(arguments.compare) if arguments.compare else None
    texts = corpus.from_folder(arguments.corpus) if arguments.corpus else corpus.own()
    estimators = [*candidates.STANDARD, *map(candidates.parse, arguments.candidate)]
    names = [each.name for each in estimators]
    tokenizer = ranks.tokenizer(arguments.encoding)
    kept, left_out = measure.measure(texts, tokenizer.count, estimators)
    if not kept:
        raise HarnessError(f"the corpus {texts.name} has no text of {measure.LEAST_TOKENS} tokens or more")
    for name in names:
        if not any(each.estimates[name] for each in kept):
            raise HarnessError(f"estimator {name} counts nothing in {texts.name}; write an expression that matches")
    result: dict[str, Any] = {
        "tokenizer": {"name": tokenizer.name, "source": tokenizer.source},
        **measure.result(texts, kept, left_out, names),
    }
    if arguments.search:
        result["search"] = search(texts, tokenizer.count)
    if arguments.plot:
        _write(arguments.plot, plot(kept, names, f"estimates against {tokenizer.name}, {texts.name}"))
    sys.stdout.write(FORMATS[arguments.format](result))
    differences = render.regressions(old, result) if old is not None else []
    for sentence in differences:
        sys.stderr.write(f"naysayer: {sentence}\n")
    return 1 if differences else 0


def _old(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            made = json.loads(file.read(MOST_BYTES))
        if not isinstance(made["estimators"], dict) or not isinstance(made["corpus"]["sha256"], str):
            raise TypeError
    except OSError as problem:
        raise HarnessError(f"{path} cannot be read: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise HarnessError(f"{path} is no result of naysayer estimator --format json") from None
    return dict(made)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise HarnessError(f"{path} cannot be written: {problem.strerror}") from None
