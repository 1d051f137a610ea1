"""What a seat posts (BYOB 5), and which texts of it are held against disclosure rules (BYOB 9)."""

from typing import Any

import pytest

from reference.byob.seat import posts
from reference.byob.seat.errors import Unsendable

EFFECT = {"owner": "jenny", "resource": "taskboard", "action": "reorder", "args": {"order": ["a", 2]}}


@pytest.mark.parametrize(
    "post",
    [
        {"kind": "say", "body": "b", "to": ["@a"], "reply_to": 3, "refs": ["entry:1"], "budget": {"tokens_used": 0}},
        {"kind": "pass"},
        {"kind": "raise_hand", "body": "me"},
        {"kind": "proposal", "body": "b", "effects": [EFFECT]},
        {"kind": "decision", "body": "b"},
        {"kind": "status", "task": "task-7", "state": "running"},
        {"kind": "receipt", "task": "task-7", "artifact": None},
        {"kind": "verify", "task": "task-7", "result": "fail", "body": "note"},
    ],
    ids=lambda post: str(post["kind"]),
)
def test_every_kind_of_a_seat_can_be_posted(post: dict[str, Any]) -> None:
    posts.check(post)


@pytest.mark.parametrize(
    ("post", "said"),
    [
        ({"kind": "system"}, "a seat posts one of say, pass"),
        ({"kind": ["say"]}, "a seat posts one of say, pass"),
        ({"body": "b"}, "a seat posts one of say, pass"),
        ({"kind": "say"}, "a say needs body"),
        ({"kind": "proposal"}, "a proposal needs body and effects"),
        ({"kind": "say", "body": "b", "seq": 1}, "a say has no members but body, budget"),
        ({"kind": "status", "task": "task-0", "state": "running"}, "task of this status has no form"),
        ({"kind": "status", "task": "my secret", "state": "running"}, "task of this status has no form"),
        ({"kind": "status", "task": "task-1", "state": "secret"}, "state of this status has no form"),
        ({"kind": "verify", "task": "task-1", "result": ["pass"]}, "result of this verify has no form"),
        ({"kind": "say", "body": "b", "reply_to": "3"}, "reply_to of this say has no form"),
        ({"kind": "say", "body": "b", "budget": {"tokens_used": -1}}, "budget of this say has no form"),
        ({"kind": "say", "body": "b", "budget": {"tokens_used": 1, "x": "secret"}}, "budget of this say has no form"),
        ({"kind": "say", "body": {1}}, "the body is no JSON"),
        ({"kind": "say", "body": "x" * (1 << 20)}, "is not sent; the most is 1048576"),
    ],
)
def test_what_no_table_takes_is_not_sent(post: dict[str, Any], said: str) -> None:
    with pytest.raises(Unsendable, match=said):
        posts.check(post)


def test_depth_is_bounded_without_recursion() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(Unsendable, match="more than 64 levels"):
        posts.check({"kind": "receipt", "task": "task-1", "artifact": deep})
    assert [posts.is_deeper(value, 1) for value in (1, [], {}, {"a": 1}, [[]], {"a": {}})] == [
        *[False] * 4,
        True,
        True,
    ]


def test_every_text_but_the_protocols_own_words_is_held_against_the_rules() -> None:
    post = {"kind": "proposal", "body": "b", "to": ["*"], "refs": ["r"], "reply_to": 1, "budget": {"tokens_used": 5}}
    assert [*posts.own_texts({**post, "effects": [{**EFFECT, "extra": "x"}, "odd"]})] == [
        "b",
        ["*"],
        ["r"],
        "jenny",
        "taskboard",
        "reorder",
        {"order": ["a", 2]},
        {"extra": "x"},
        "odd",
    ]
    receipt = {"kind": "receipt", "task": "task-1", "artifact": {"state": "s"}}
    assert [*posts.own_texts(receipt)] == [{"state": "s"}]
    assert [*posts.own_texts({"kind": "status", "task": "task-1", "state": "running"})] == []


def test_every_text_of_a_card_is_held_against_the_rules() -> None:
    capability = {"resource": "r", "actions": ["a"], "requires_approval": True, "auto_approve": False}
    card = {"bot": "b", "description": "d", "proxy": False, "capabilities": [capability], "more": {"m": 1}}
    assert [*posts.own_texts_of_card(card)] == ["b", "d", {"more": {"m": 1}}, "r", ["a"]]
    assert [*posts.own_texts_of_card("odd")] == ["odd"]
