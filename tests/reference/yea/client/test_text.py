"""Lens for a terminal."""

from typing import Any

import pytest

from reference.yea.client.text import TEMPLATES, terminal_text
from reference.yea.lens import lens_reply
from reference.yea.lens.wellformed import KINDS
from tests.reference.yea.client.playing import BRIEF, error, proposal, proposals

EFFECT = {"op": "create", "target": "a\nb", "field": "c\nd", "detail": "e\nf", "from": "x\ny", "to": 1}

EVIL = [
    (
        {
            "kind": "BRIEF",
            "service": {"id": "i\nx", "name": "n\nx", "summary": "s\nx"},
            "capabilities": [
                {
                    "kind": "ask\n",
                    "name": "n\n",
                    "summary": "s\n",
                    "risk": "r\n",
                    "params": {"p\n": "t\n", "q": [{"r\n": "u\n"}]},
                }
            ],
        },
        "# n\\nx (i\\nx)\ns\\nx\nask\\n n\\n(p\\n: t\\n, q: [{r\\n: u\\n}]) — s\\n [risk:r\\n]",
    ),
    ({"kind": "CLARIFY", "question": "q\nx", "options": [{"label": "l\nx"}]}, "? q\\nx\n  1. l\\nx"),
    ({"kind": "EVENT", "message": "m\n\x1b[2J", "progress": 0.5}, "… m\\n\\x1b[2J (50%)"),
    (
        error(
            "c\nx",
            message="m\nx",
            fix=[{"say": "s\nx", "params": {"a\n": "b\n"}}],
            consent={"hash": "h\n", "summary": "s\n"},
        ),
        '✗ c\\nx: m\\nx\n  fix: s\\nx → params {"a\\n":"b\\n"}\n  consent: principal must approve h\\n (s\\n)',
    ),
    (
        {
            "kind": "RECEIPT",
            "auto": True,
            "receipt": {"id": "r\n", "summary": "s\n", "undo": None, "effects": [EFFECT]},
        },
        '✓ s\\n (receipt r\\n) · irreversible\n  + create a\\nb.c\\nd: "x\\ny" → 1 — e\\nf',
    ),
    ({"kind": "RECEIPT", "receipt": {"id": "r", "summary": "s\n", "undoes": "u\n"}}, "↶ undid u\\n: s\\n (receipt r)"),
    (
        {"kind": "ANSWER", "data": 1, "more": [{"handle": "h\n", "path": "p\n", "remaining": 1, "est": 2}]},
        "1\n… 1 more at p\\n — EXPAND h\\n (~2 tokens)",
    ),
    ({"kind": "ANSWER", "data": {"a\n": "b\n"}}, '"a\\n": "b\\n"'),
    ({"kind": "NEW\n", "text": "x\ny", "more": "z\n"}, 'kind: "NEW\\n"\ntext: "x\\ny"\nmore: "z\\n"'),
]


@pytest.mark.parametrize(("frame", "wanted"), EVIL)
def test_no_text_of_a_service_begins_a_line_of_its_own(frame: dict[str, Any], wanted: str) -> None:
    before = repr(frame)
    assert terminal_text(frame) == wanted
    assert repr(frame) == before


def test_a_proposal_says_the_same_on_lines_of_its_own() -> None:
    text = terminal_text(proposals(proposal(id="p\n", summary="s\n  risk: low", effects=[EFFECT])))
    assert text.split("\n")[:3] == [
        "1 proposal:",
        "[p\\n] s\\n  risk: low",
        '  + create a\\nb.c\\nd: "x\\ny" → 1 — e\\nf',
    ]


def test_where_nothing_is_hidden_it_is_lens() -> None:
    for frame in (BRIEF, proposals(proposal()), error("limit", retry=1), {"kind": "X"}, {}):
        assert terminal_text(frame) == lens_reply(frame)


def test_a_services_own_lens_is_ignored() -> None:
    frame = proposals(proposal())
    assert terminal_text({**frame, "lens": "approved"}) == terminal_text(frame)


def test_every_kind_has_a_template() -> None:
    assert TEMPLATES.keys() == KINDS.keys()
