"""The BYOB operations of the adapter: each answers with the reference's pure function, or with an error."""

from typing import Any

import pytest

from harness.adapters.operations import answer

SEED = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
KEY = "MCowBQYDK2VwAyEAA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg="
SIGNATURE = "pOb5vaHoMMWP+HrtBGCH+mO4856xt7RA+t0unRp8HVOiEaEj6OIbs61cpGHSobP3+YnxFELABqVU9QPandHgCQ=="
EMPTY_HASH = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"

ANSWERS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("byob.canonical", {"json": '{ "b": [2, null], "a": "é" }'}, {"text": '{"a":"é","b":[2,null]}'}),
    ("byob.sign", {"seed": SEED, "json": '{"b":1,"a":2}'}, {"public_key": KEY, "signature": SIGNATURE}),
    ("byob.verify", {"public_key": KEY, "json": '{"a":2, "b":1}', "signature": SIGNATURE}, {"valid": True}),
    ("byob.verify", {"public_key": KEY, "json": '{"a":2,"b":2}', "signature": SIGNATURE}, {"valid": False}),
    ("byob.verify", {"public_key": "", "json": "{}", "signature": SIGNATURE}, {"valid": False}),
    ("byob.prefix_hash", {"json": "{ }"}, {"hash": EMPTY_HASH}),
    ("byob.tokens", {"text": "你a好b世c"}, {"count": 4}),
    ("byob.transition", {"state": "stalled", "event": "status:running"}, {"state": "running"}),
]


@pytest.mark.parametrize(("op", "arguments", "ok"), ANSWERS)
def test_each_operation_answers(op: str, arguments: dict[str, Any], ok: dict[str, Any]) -> None:
    assert answer(op, arguments) == {"ok": ok}


REFUSED: list[tuple[str, dict[str, Any], str | None]] = [
    ("byob.canonical", {"json": "{"}, None),
    ("byob.canonical", {}, None),
    ("byob.sign", {"seed": "AA==", "json": "{}"}, None),
    ("byob.sign", {"seed": "no base64", "json": "{}"}, None),
    ("byob.verify", {"public_key": KEY, "json": "{}"}, None),
    ("byob.prefix_hash", {"json": "[]"}, None),
    ("byob.tokens", {"text": 5}, None),
    ("byob.transition", {"state": "rejected", "event": "approve"}, "E_TASK_STATE"),
    ("byob.transition", {"state": "done", "event": "approve"}, None),
    ("byob.transition", {"state": "approved", "event": "approved"}, None),
]


@pytest.mark.parametrize(("op", "arguments", "code"), REFUSED)
def test_what_it_cannot_answer_is_an_error_with_the_code_of_the_wire(
    op: str, arguments: dict[str, Any], code: str | None
) -> None:
    (error,) = answer(op, arguments).values()
    assert (error.get("code"), bool(error["message"])) == (code, True)


def test_no_error_shows_the_seed() -> None:
    wrong = SEED[:-2] + "!="
    assert wrong[:8] not in str(answer("byob.sign", {"seed": wrong, "json": "{}"}))
