"""A post is held against the schema as it is for its kind, and the whole schema says the same of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.byob import wording
from reference.byob.errors import ByobError
from reference.byob.types import POST_KINDS
from reference.byob.validating import _validator, validate

EFFECT = {"owner": "tao", "resource": "board", "action": "move", "args": {}}
VALUES: dict[str, list[Any]] = {
    "body": ["text", "", 5, None],
    "to": [["*"], ["@a", "role:x"], [], ["a"], "*"],
    "reply_to": [1, 0, "1", 1.5],
    "refs": [[], ["entry:1"], [""], [5]],
    "budget": [{}, {"tokens_used": 0}, {"tokens_used": -1}, 5],
    "effects": [[EFFECT], [], [{}], [{**EFFECT, "args": 5}], 5],
    "task": ["task-1", "", 5],
    "state": ["running", "failed", "done", 5],
    "artifact": [None, {"a": [1]}],
    "result": ["pass", "fail", "maybe", None],
}
"""Members with values that fit and values that do not."""

members = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in VALUES.items()})


def said(body: Any) -> str | None:
    """What is wrong with a post, None for nothing."""
    try:
        validate("post-request", body)
    except ByobError as problem:
        return problem.message
    return None


def said_by_the_whole(body: Any) -> str | None:
    """The same by the schema as it stands in its file."""
    error = next(_validator("post-request").iter_errors(body), None)
    return None if error is None else f"post-request: {wording.sentence(error)}"


@given(st.sampled_from((*POST_KINDS, "system", "", None, 5, ["say"], {"a": 1})), members)
def test_both_say_the_same(kind: Any, rest: dict[str, Any]) -> None:
    body = {**rest, "kind": kind}
    assert said(body) == said_by_the_whole(body)


@pytest.mark.parametrize("body", [None, [], "say", {}, {"body": "x"}])
def test_what_has_no_kind_is_held_against_the_whole(body: Any) -> None:
    assert said(body) == said_by_the_whole(body)
    assert said(body) is not None


@pytest.mark.parametrize("kind", POST_KINDS)
def test_each_kind_can_be_right(kind: str) -> None:
    whole = {"kind": kind, "body": "x", "task": "t", "state": "running", "artifact": 1, "result": "pass"}
    assert said({**whole, "effects": [EFFECT]}) is None
