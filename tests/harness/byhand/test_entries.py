"""Entries as lines for a person: one line each, whatever is in them (BYOB 5)."""

from typing import Any

import pytest

from harness.byhand import entries

EFFECT = {"owner": "jenny", "resource": "board", "action": "reorder", "args": {"order": [1]}}


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"kind": "say", "body": "hello", "to": ["*"]}, "hello"),
        ({"kind": "say", "body": "cut", "to": ["@a", "role:b"], "truncated": True}, "to @a role:b: cut [cut]"),
        ({"kind": "pass"}, ""),
        (
            {"kind": "proposal", "body": "p", "effects": [EFFECT, "odd"]},
            'p [jenny board:reorder {"order":[1]}] ["odd"]',
        ),
        ({"kind": "status", "task": "task-1", "state": "running"}, "task-1 running"),
        ({"kind": "receipt", "task": "task-1", "artifact": {"a": "\x1b"}}, 'task-1 {"a":"\\u001b"}'),
        ({"kind": "verify", "task": "task-1", "result": "pass", "body": "ok"}, "task-1 pass ok"),
        ({"kind": "approval", "task": "task-1", "reason": "fine", "signature": "…"}, "task-1 fine"),
        ({"kind": "system", "event": "table_opened", "config": {"topic": "T"}}, "T"),
        ({"kind": "system", "event": "table_opened", "topic": "T"}, "topic=T"),
        ({"kind": "system", "event": "floor_granted", "data": {"seat": "a"}}, 'data={"seat":"a"}'),
        ({"kind": "system", "event": "floor_granted", "holder": "a", "policy": {"turn": 1}}, "a"),
        ({"kind": "system", "event": "seat_joined", "card": {}}, "card={}"),
        (
            {
                "kind": "system",
                "event": "seat_joined",
                "joined": "a",
                "owner": "jenny",
                "member": "bot",
                "role": "critic",
                "card": {"capabilities": [{"resource": "board", "actions": ["reorder", "label"]}, "odd"]},
            },
            "a (jenny, bot, critic) may board:reorder, board:label",
        ),
    ],
)
def test_what_an_entry_says(entry: dict[str, Any], said: str) -> None:
    assert entries.says({"seq": 1, "seat": "s", **entry}) == said


def test_an_entry_is_one_line_and_nothing_in_it_is_obeyed() -> None:
    evil = {"seq": 12, "seat": "a\nb", "kind": "say", "body": "x\r\n\x1b[2J\u202e" + "y" * 9999, "ts": "t"}
    got = entries.line(evil)
    assert got.startswith("  12  a\\nb            say              x\\r\\n\\x1b[2J\\u202eyyy")
    assert got.isprintable() and len(got) < 500


def test_an_entry_of_any_shape_is_shown() -> None:
    assert entries.lines([{"seq": None, "kind": ["x"], "to": 7, "effects": 7, "body": {}}, {}]) == [
        "None                  ['x']            to=7 effects=7 body={}",
        "",
    ]
