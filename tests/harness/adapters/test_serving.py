"""The reference as an adapter: whatever line it gets, it answers with one line and goes on."""

import io
import json
from typing import Any

import pytest

from harness.adapters import serving
from harness.adapters.operations import OPERATIONS, answer


def served(*lines: bytes) -> list[dict[str, Any]]:
    """Return the answers to some lines, which must be lines of ASCII."""
    sink = io.BytesIO()
    serving.serve(io.BytesIO(b"\n".join(lines)), sink)
    assert sink.getvalue().isascii()
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def test_each_request_has_its_answer() -> None:
    made = served(b'{"id": 1, "op": "est", "text": "a b"}', b'{"op": "canonical", "json": "[ 1 ]", "id": 7}')
    assert made == [{"id": 1, "ok": {"count": 2}}, {"id": 7, "ok": {"text": "[1]"}}]


def test_it_greets_as_an_adapter() -> None:
    (made,) = served(b'{"id": 0, "op": "hello"}')
    assert (made["ok"]["adapter"], made["ok"]["protocols"], made["ok"]["language"]) == (1, ["yea", "byob"], "Python")


def test_an_operation_that_it_does_not_have_is_unsupported() -> None:
    assert served(b'{"id": 1, "op": "byob.grant"}', b'{"id": 2, "op": 5}') == [
        {"id": 1, "unsupported": True},
        {"id": 2, "unsupported": True},
    ]


def test_what_it_refuses_is_an_error() -> None:
    made = served(b'{"id": 1, "op": "canonical", "json": "0.5"}', b'{"id": 2, "op": "est"}')
    assert [(each["id"], list(each["error"])) for each in made] == [(1, ["message"]), (2, ["message"])]


NO_REQUESTS = [b"x", b"[]", b"{}", b'{"id": 1}', b'{"op": "est"}', b"\xff", b"5", b"[" * 100_000]


@pytest.mark.parametrize("line", NO_REQUESTS, ids=range(len(NO_REQUESTS)))
def test_what_is_no_request_has_an_answer_too(line: bytes) -> None:
    made = served(line, b'{"id": 1, "op": "est", "text": ""}')
    assert (made[0]["id"], list(made[0]["error"]), made[1]) == (None, ["message"], {"id": 1, "ok": {"count": 0}})


def test_blank_lines_are_passed_over() -> None:
    assert served(b"", b"  ", b'{"id": 1, "op": "est", "text": ""}', b"") == [{"id": 1, "ok": {"count": 0}}]


def test_lone_surrogates_survive() -> None:
    (made,) = served(b'{"id": 1, "op": "lens.value", "json": "{\\"a\\": \\"\\\\ud800\\"}"}')
    assert made["ok"] == {"text": 'a: "\\ud800"'}


JUNK = {
    "null": None,
    "true": True,
    "huge": 10**400,
    "float": 1e300,
    "empty": "",
    "lone surrogate": "\ud800",
    "list": [],
    "object": {},
    "deep": "[" * 100_000,
}


@pytest.mark.parametrize("op", sorted(OPERATIONS.keys() - {"hello"}))
@pytest.mark.parametrize("value", JUNK.values(), ids=JUNK.keys())
def test_an_argument_that_is_none_is_refused_and_nothing_breaks(op: str, value: Any) -> None:
    names = ("json", "text", "seed", "token", "key", "caveats", "context", "ts", "budget", "expires", "iat", "trusted")
    made = answer(op, dict.fromkeys(names, value))
    assert made.keys() <= {"ok", "error"}
    assert len(made) == 1


def test_a_fault_answers_its_operation_only() -> None:
    operations = serving.with_fault("est", lambda arguments: {"ok": {"count": len(arguments["text"])}})
    assert answer("est", {"text": "abc"}, operations) == {"ok": {"count": 3}}
    assert answer("canonical", {"json": "1"}, operations) == {"ok": {"text": "1"}}


def test_a_fault_may_refuse() -> None:
    operations = serving.with_fault("est", lambda _: {"error": {"message": "no"}})
    assert list(answer("est", {"text": "abc"}, operations)) == ["error"]


def test_the_code_of_a_wrong_refusal_reaches_the_wire() -> None:
    table = serving.with_fault("est", lambda arguments: {"error": {"code": "E_TASK_STATE", "message": "not now"}})
    assert answer("est", {}, table) == {"error": {"code": "E_TASK_STATE", "message": "not now"}}
