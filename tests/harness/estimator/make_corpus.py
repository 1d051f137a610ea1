"""Makes the frozen corpus of the estimator benchmark: `python -m tests.harness.estimator.make_corpus > corpus.jsonl`.

Run once for each version of the corpus. The corpus is a copy that stands by itself: a new vector does not
change it, and so no published figure either. A new version gets a new name (`OWN` in harness/estimator/corpus.py).
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from reference.yea.lens import lens_reply, lens_value
from vectors import load

DISHES = (
    "Bean stew",
    "Noodle soup",
    "Rice bowl",
    "Green curry",
    "Lentil pie",
    "Corn chowder",
    "Tofu wrap",
    "Beet salad",
)
TAGS = ("high-protein", "spicy", "vegan", "vegetarian")
ROWS = 60
LENS_CASES = 90
DEEP_CASES = 5
LONGEST = 6000


def menu() -> dict[str, Any]:
    """Return a menu of 60 dishes."""
    rows = [
        {
            "sku": f"m{number:03}",
            "name": f"{DISHES[number % len(DISHES)]} no. {number}",
            "usd": round(10.99 + (137 * number % 900) / 100, 2),
            "cal": 350 + 37 * number % 500,
            "protein": 8 + 7 * number % 40,
        }
        for number in range(1, ROWS + 1)
    ]
    return {"items": rows}


def proposal(number: int, day: str, hour: int) -> dict[str, Any]:
    """Return a proposal to move a meeting."""
    return {
        "id": f"p_{number}Hc2",
        "capability": "calendar.reschedule",
        "summary": f'Move "1:1 with Ana" to {day} {hour}:00',
        "effects": [
            {
                "op": "update",
                "target": "event/e42",
                "field": "start",
                "from": "2026-09-22T14:00:00Z",
                "to": f"2026-09-{23 + number}T{hour}:00:00Z",
            },
            {"op": "send", "target": "ana@example.com", "detail": "update notification"},
        ],
        "risk": "low",
        "undo": {"window": 3600},
        "expires": 1790000640,
        "hash": "1tMtcVHOpIp-k0Sgl3VaS8sqxBuNn3nu30ZH5_E4D04",
    }


def order(number: int, how: str, cents: int) -> dict[str, Any]:
    """Return a proposal to order meals."""
    return {
        "id": f"p_{number}Qx9",
        "capability": "shop.order",
        "summary": f"Order 2 dishes, {how} delivery",
        "effects": [
            {"op": "create", "target": f"order/o{number}", "detail": "2 x m001, 1 x m017"},
            {"op": "other", "target": "card/4242", "detail": "charge"},
        ],
        "uses": {"spend": {"amount": cents, "scale": 2, "unit": "USD"}},
        "risk": "low",
        "undo": {"window": 7200},
        "expires": 1790000640,
        "hash": "zy57pzpgSY4w-J3XykzXkkrUsaQ5VCjF-IdjEba8HsE",
        "data": {
            "eta": "18:30",
            "lines": [{"sku": "m001", "qty": 2, "usd": 24.72}, {"sku": "m017", "qty": 1, "usd": 13.4}],
        },
    }


def receipt(offered: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """Return the RECEIPT frame for a proposal."""
    body = {
        "id": "r_91",
        "proposal": offered["id"],
        "capability": offered["capability"],
        "summary": offered["summary"],
        "at": 1790000100,
        "effects": offered["effects"],
        "undo": {"until": 1790000100 + offered["undo"]["window"]},
        "result": result,
    }
    return {"yea": 1, "id": "s5", "re": "5", "kind": "RECEIPT", "receipt": body}


EVENTS = [
    {
        "id": "e42",
        "title": "1:1 with Ana",
        "start": "2026-09-22T14:00:00Z",
        "end": "2026-09-22T14:30:00Z",
        "with": "ana.ruiz",
    },
    {
        "id": "e43",
        "title": "Design review",
        "start": "2026-09-22T16:00:00Z",
        "end": "2026-09-22T17:00:00Z",
        "with": "lee",
    },
    {
        "id": "e44",
        "title": "Pipeline sync",
        "start": "2026-09-23T11:00:00Z",
        "end": "2026-09-23T11:30:00Z",
        "with": "ana.li",
    },
]


def tasks() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the frames of two scripted tasks: a meeting is moved, meals are ordered."""
    moves = [proposal(1, "Thu", 15), proposal(2, "Fri", 11), proposal(3, "Fri", 16)]
    orders = [order(1, "standard", 3812), order(2, "express", 4711)]
    envelope = {"yea": 1, "id": "s1", "re": "1"}
    yield "reschedule/agenda", {**envelope, "kind": "ANSWER", "data": {"events": EVENTS}}
    question = {
        "question": "Which meeting with Ana?",
        "options": [{"label": e["title"], "params": {"event": e["id"]}} for e in EVENTS],
    }
    yield "reschedule/clarify", {**envelope, "kind": "CLARIFY", **question}
    yield "reschedule/proposals", {**envelope, "kind": "PROPOSALS", "proposals": moves}
    yield "reschedule/receipt", receipt(moves[0], {"event": "e42", "start": "2026-09-24T15:00:00Z"})
    yield "order/menu", {**envelope, "kind": "ANSWER", "data": menu()}
    yield "order/proposals", {**envelope, "kind": "PROPOSALS", "proposals": orders}
    yield "order/receipt", receipt(orders[0], {"order": "o1", "eta": "18:30"})
    refused = {"code": "invalid_params", "message": "`deliver` must be in the future (got 2025-09-24)"}
    yield (
        "order/error",
        {
            **envelope,
            "kind": "ERROR",
            **refused,
            "fix": [{"say": "use next year", "params": {"deliver": "2026-09-24"}}],
        },
    )


REST = {
    "reschedule/events": {
        "events": [{**event, "attendees": [{"email": "ana@example.com", "status": "accepted"}]} for event in EVENTS]
    },
    "reschedule/patched": {
        "event": {**EVENTS[0], "start": "2026-09-24T15:00:00Z", "updated_at": "2026-09-21T14:15:00Z"}
    },
    "order/cart": {"cart": {"id": "c_19", "lines": order(1, "standard", 1)["data"]["lines"], "total_cents": 3812}},
    "order/created": {
        "order": {"id": "o1", "status": "confirmed", "total_cents": 3812, "currency": "USD", "eta": "18:30"}
    },
}
PROSE = {
    "letter": "Dear Ana, I would like to move our weekly conversation to Thursday afternoon, because the design review now "
    "takes the whole of Tuesday. If three o'clock does not suit you, Friday morning is just as good. Kind regards, Sam",
    "spec-like": "A service verifies each block's signature against the right key, checks that the holder equals the key of "
    "the proof, and then evaluates all caveats. Unknown caveats fail closed, so an older service never over-authorizes.",
    "german": "Der Dienst prüft zuerst die Form der Anfrage und erst danach die Vollmachten. Was nicht bestätigt wurde, "
    "verändert nichts; was bestätigt wurde, lässt sich innerhalb der Frist rückgängig machen.",
}
CODE = {
    "python": "def total(rows):\n    spent = 0\n    for row in rows:\n        if row['status'] != 'cancelled':\n"
    "            spent += row['amount'] * 10 ** (2 - row.get('scale', 0))\n    return spent\n",
    "javascript": "export function total(rows) {\n  return rows\n    .filter((row) => row.status !== 'cancelled')\n"
    "    .reduce((sum, row) => sum + row.amount, 0);\n}\n",
    "sql": "SELECT customer_id, SUM(amount) AS spent FROM orders WHERE status <> 'cancelled' GROUP BY customer_id HAVING SUM(amount) > 100;",
}
CJK = {
    "chinese": "服务先检查请求的格式，然后才检查授权。没有提交之前，任何东西都不会改变；提交之后，在期限内可以撤销。",
    "japanese": "サービスはまず要求の形式を確認し、その後で許可を確認します。コミットするまで何も変わりません。",
    "korean": "서비스는 먼저 요청의 형식을 확인하고 그다음에 권한을 확인합니다. 커밋하기 전에는 아무것도 바뀌지 않습니다.",
}
NUMBERS = {
    "integers": " ".join(str(7919 * n % 100003) for n in range(60)),
    "table": "\n".join(f"{n},{n * 37 % 1000}.{n * 53 % 100:02},{n * 7919 % 86400}" for n in range(40)),
    "times": "\n".join(f"2026-{n % 12 + 1:02}-{n % 28 + 1:02}T{n % 24:02}:{n * 7 % 60:02}:00Z" for n in range(25)),
}


def nested(depth: int) -> Any:
    """Return objects and lists nested this deep."""
    value: Any = {"id": 1, "ok": True}
    for level in range(depth):
        value = {f"level{level}": value} if level % 3 else [value, level]
    return value


def deep(words: str) -> bool:
    """Whether a text is mostly indentation or brackets."""
    return words.count("\n" + " " * 16) > 4 or sum(c in "[]{}" for c in words) > len(words) / 2


def vectors_lens() -> Iterator[tuple[str, str]]:
    """Yield Lens outputs of our vectors: those with the longest texts, up to a bound, spread over both operations."""
    for op in ("lens.value", "lens.reply"):
        file = next(each for each in load("yea") if each.op == op)
        texts = {case.id: case.expected[0].get("ok", {}).get("text", "") for case in file.cases if case.basis != "open"}
        usable = {name: text for name, text in texts.items() if 40 <= len(text) <= LONGEST}
        longest = sorted(usable, key=lambda name: (-len(usable[name]), name))
        flat = [name for name in longest if not deep(usable[name])][: LENS_CASES // 2]
        nesting = [name for name in longest if deep(usable[name])][:DEEP_CASES]
        yield from ((name, usable[name]) for name in sorted([*flat, *nesting]))


def texts() -> Iterator[tuple[str, str, str]]:
    """Yield name, class and words of every text."""
    for name, words in vectors_lens():
        yield f"vectors/{name}", "nested" if deep(words) else "lens", words
    yield "menu/minified", "json", json.dumps(menu(), separators=(",", ":"))
    yield "menu/pretty", "json", json.dumps(menu(), indent=2)
    yield "menu/lens", "lens", lens_value(menu())
    for name, frame in tasks():
        yield f"{name}/frame", "json", json.dumps(frame, separators=(",", ":"), ensure_ascii=False)
        yield f"{name}/lens", "lens", lens_reply(frame)
    for name, body in REST.items():
        yield f"rest/{name}/minified", "json", json.dumps(body, separators=(",", ":"))
        yield f"rest/{name}/pretty", "json", json.dumps(body, indent=2)
    for sort, group in (("prose", PROSE), ("code", CODE), ("cjk", CJK), ("numbers", NUMBERS)):
        for name, words in group.items():
            yield f"{sort}/{name}", sort, words
    for depth in (6, 12, 24):
        yield f"nested/{depth}-lens", "nested", lens_value(nested(depth))
        yield f"nested/{depth}-json", "nested", json.dumps(nested(depth), indent=2)


if __name__ == "__main__":
    for name, sort, words in texts():
        sys.stdout.write(json.dumps({"name": name, "class": sort, "text": words}, ensure_ascii=True) + "\n")
