"""The result as Markdown, JSON and CSV, and what changed against an older one."""

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from tabulate import tabulate

from reports.text import plain

# What the public YEA project reports on its own corpus of 63 texts: mean, least, most, and how many of 63 are near.
PUBLISHED = {"bytes/4": (1.31, 0.33, 5.02, 2), "bytes/3": (1.75, 0.43, 6.69, None), "estimate": (1.01, 0.77, 2.17, 55)}
PUBLISHED_TEXTS = 63
COLUMNS = ("texts", "mean", "median", "p5", "p25", "p75", "p95", "min", "max", "near", "near_share", "under")
TOLERANCE = 5e-4


def as_json(result: Mapping[str, Any]) -> str:
    """Return the result as JSON, with a newline at its end."""
    return json.dumps(result, indent=1, ensure_ascii=True) + "\n"


def as_csv(result: Mapping[str, Any]) -> str:
    """Return a line for each estimator and class."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["estimator", "class", *COLUMNS])
    for name, figures in result["estimators"].items():
        writer.writerow([name, "all", *(figures[column] for column in COLUMNS)])
    for sort, by_name in result["classes"].items():
        for name, figures in by_name.items():
            writer.writerow([name, sort, *(figures[column] for column in COLUMNS)])
    return out.getvalue()


def as_markdown(result: Mapping[str, Any]) -> str:
    """Return the result as a page of tables."""
    corpus, tokenizer = result["corpus"], result["tokenizer"]
    parts = [
        f"# Token estimates against {tokenizer['name']}",
        f"Corpus {_cell(corpus['name'])} (sha256 {corpus['sha256'][:16]}…): {corpus['measured']} of {corpus['texts']} "
        f"texts have 15 tokens or more and are measured. Ranks from: {tokenizer['source']}. "
        "A ratio is the estimate over the real count.",
        _table(
            ["estimator", "mean", "min", "max", "median", "5 %", "95 %", "0.8–1.25×", "undercounts"], _overall(result)
        ),
    ]
    if result["corpus"]["name"].startswith("naysayer-corpus"):
        parts += ["## Beside the published figures", _published(result)]
    parts += ["## By class of text", _by_class(result)]
    parts += ["## What a budget really costs", _budgets(result)]
    for name, worst in result["worst"].items():
        rows = [[_cell(w["name"]), w["class"], w["real"], w["estimate"], f"{w['ratio']:.2f}"] for w in worst]
        parts += [f"## Furthest off: {_cell(name)}", _table(["text", "class", "real", "estimate", "ratio"], rows)]
    if result.get("search"):
        parts += ["## Variants of the expression", SEARCH_NOTE, _search(result["search"])]
    if result["left_out"]:
        rows = [[_cell(entry["name"]), _cell(entry["why"])] for entry in result["left_out"]]
        parts += ["## Left out", _table(["text", "why"], rows)]
    return "\n\n".join(parts) + "\n"


SEARCH_NOTE = (
    "For the authors of the spec: what small changes would gain or lose. Not a proposal; the estimate is fixed by "
    "section 8."
)


def _overall(result: Mapping[str, Any]) -> list[list[Any]]:
    rows = []
    for name, f in result["estimators"].items():
        ratios = [f"{f[column]:.2f}" for column in ("mean", "min", "max", "median", "p5", "p95")]
        rows.append([_cell(name), *ratios, f"{f['near']} of {f['texts']}", f"{f['under']} of {f['texts']}"])
    return rows


def _published(result: Mapping[str, Any]) -> str:
    rows = []
    for name, (mean, least, most, near) in PUBLISHED.items():
        f = result["estimators"][name]
        rows.append([name, f"{f['mean']:.2f} ({f['min']:.2f}–{f['max']:.2f})", f"{f['near']} of {f['texts']}"])
        rows[-1] += [f"{mean:.2f} ({least:.2f}–{most:.2f})", f"{near} of {PUBLISHED_TEXTS}" if near else ""]
    head = ["estimator", "here", "near", "published", "near, published"]
    note = (
        "The public project measured its own 63 texts. Ours are others, so the figures differ; the method is the same."
    )
    return f"{note}\n\n{_table(head, rows)}"


def _by_class(result: Mapping[str, Any]) -> str:
    rows = [
        [sort, _cell(name), f["texts"], f"{f['mean']:.2f}", f"{f['min']:.2f}", f"{f['max']:.2f}", f["near"], f["under"]]
        for sort, by_name in result["classes"].items()
        for name, f in by_name.items()
    ]
    return _table(["class", "estimator", "texts", "mean", "min", "max", "near", "under"], rows)


def _budgets(result: Mapping[str, Any]) -> str:
    rows = [
        [_cell(name), entry["budget"], entry["typical"], entry["dearest"]]
        for name, entries in result["budgets"].items()
        for entry in entries
    ]
    return _table(["estimator", "budget", "real tokens, middle text", "real tokens, dearest text"], rows)


def _search(found: list[Mapping[str, Any]]) -> str:
    rows = [
        [_cell(f["name"]), _code(f["written"]), f"{f['mean']:.3f}", f"{f['error']:.4f}", f"{f['gain']:+.4f}"]
        for f in found
    ]
    return _table(["variant", "expression", "mean", "mean error", "gain"], rows)


def _code(text: str) -> str:
    """Return a code span for a table cell, where a bar would end the cell."""
    return "`" + text.replace("|", "\\|") + "`"


def _table(head: list[str], rows: list[list[Any]]) -> str:
    return tabulate(rows, head, tablefmt="github", disable_numparse=True)


def _cell(text: str) -> str:
    return plain(text, 120).replace("|", "\\|")


def regressions(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return one sentence for each figure that differs between two results; an empty list when none does."""
    found = []
    if old["corpus"]["sha256"] != new["corpus"]["sha256"]:
        found.append("the corpora differ, so the figures need not agree")
    for name, before in old["estimators"].items():
        after = new["estimators"].get(name)
        if after is None:
            found.append(f"{name}: not measured now")
            continue
        for column in COLUMNS:
            if abs(before[column] - after[column]) > TOLERANCE:
                found.append(f"{name}: {column} was {before[column]:g}, is {after[column]:g}")
    return found
