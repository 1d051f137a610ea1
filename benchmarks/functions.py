"""The pure functions: canonical JSON, the estimate, Lens, and reading deep frames."""

import json
from collections.abc import Iterator
from typing import Any

from benchmarks.timing import Line, best, ratio
from harness.estimator import corpus, ranks
from reference.yea import jsontext
from reference.yea.canonical import canonical
from reference.yea.estimate import est
from reference.yea.lens import lens_reply
from vectors import load

DEPTH = 100_000
MIB = 1 << 20
LONGEST = 5_000


def documents() -> dict[str, Any]:
    """Return the documents that canonical JSON is measured on."""
    row = {"sku": "m001", "name": "Bean stew no. 1", "cents": 1099, "tags": ["vegan", "spicy"], "ok": True}
    cases = [case for file in load("yea") if file.op == "hash" for case in file.cases if "ok" in case.expected[0]]
    texts = [case.input["json"] for case in cases if 200 < len(case.input["json"]) < LONGEST]
    return {
        "proposals": [jsontext.loads(text) for text in texts][:20],
        "rows": [{**row, "n": number} for number in range(400)],
        "unicode": [{"é☃": "naïve 😀", "id": number} for number in range(400)],
    }


def fixed(value: Any) -> Any:
    """Return the value without the numbers that have no canonical form."""
    if isinstance(value, dict):
        return {name: fixed(inner) for name, inner in value.items() if name != "data"}
    return [fixed(inner) for inner in value] if isinstance(value, list) else value


def lines() -> Iterator[Line]:
    """Yield every measurement."""
    for name, document in documents().items():
        yield Line(f"canonical of {name} against json.dumps", _canonical(fixed(document)), 0.4, True, "x")
    texts = [text.words for text in corpus.own().texts if text.sort == "lens"]
    count = ranks.tokenizer("o200k_base").count
    speed = ratio(lambda: [est(text) for text in texts], lambda: [count(text) for text in texts])
    yield Line("the estimate against o200k on Lens texts", speed, 5, True, "x")
    rows = [
        {"id": number, "title": f"Meeting {number}", "with": "ana.ruiz", "start": "2026-09-22"}
        for number in range(14_000)
    ]
    answer: dict[str, Any] = {"kind": "ANSWER", "data": {"events": rows}}
    size = len(json.dumps(answer))
    yield Line(f"Lens of an answer of {size / MIB:.2f} MiB", best(lambda: lens_reply(answer)), 1, False, "s")
    ends = b'{"kind":"ANSWER","data":' + b'{"a":' * DEPTH + b'"', b'"' + b"}" * (DEPTH + 1)
    deep = ends[0] + b"x" * (MIB - sum(map(len, ends))) + ends[1]
    seconds = best(lambda: lens_reply(_frame(deep)))
    yield Line(f"reading and Lens of {len(deep) / MIB:.2f} MiB nested {DEPTH:,} deep", seconds, 1, False, "s")


def _canonical(made: Any) -> float:
    return ratio(
        lambda: [canonical(made) for _ in range(20)],
        lambda: [json.dumps(made, sort_keys=True, ensure_ascii=False) for _ in range(20)],
    )


def _frame(raw: bytes) -> dict[str, Any]:
    frame = jsontext.loads(raw)
    assert isinstance(frame, dict)  # noqa: S101 - narrows the type
    return frame
