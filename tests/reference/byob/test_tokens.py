"""One token per CJK character, and a quarter, rounded up once, of all others together (BYOB 8)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.byob.tokens import count, tokens_of

HAN, KANA, HANGUL = "世", "あ", "한"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("a b\n.", 2),
        ("你好世界", 4),
        ("你a好b世c", 4),
        ("你好, world", 4),
        ("é" * 4, 1),
        ("\N{GRINNING FACE}" * 5, 2),
        (HAN + KANA + HANGUL, 3),
        ("カタカナ", 4),
        ("。", 1),
        ("ａｂｃｄ", 1),
        ("ｱｲｳｴ", 1),
        ("\ud800" * 4, 1),
    ],
)
def test_the_count_of_a_text(text: str, tokens: int) -> None:
    assert count(text) == tokens


EDGES = [
    (0x3040, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0xF900, 0xFAFF),
    (0x20000, 0x3134F),
]


@pytest.mark.parametrize("edges", EDGES)
def test_each_range_ends_where_it_says(edges: tuple[int, int]) -> None:
    first, last = edges
    # Four of a kind: a CJK character makes four, any other one.
    assert [count(chr(code) * 4) for code in (first - 1, first, last, last + 1)] == [1, 4, 4, 1]


texts = st.text(st.sampled_from("ab \n" + HAN + KANA + HANGUL), max_size=40)


@given(texts, st.randoms())
def test_only_how_many_characters_of_each_sort_there_are_counts(text: str, random: object) -> None:
    shuffled = list(text)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert count("".join(shuffled)) == count(text)


@given(texts, texts)
def test_a_longer_text_never_counts_less_and_parts_never_count_less_than_the_whole(one: str, two: str) -> None:
    assert max(count(one), count(two)) <= count(one + two) <= count(one) + count(two)


@pytest.mark.parametrize(
    ("entry", "tokens"),
    [
        ({"kind": "say", "body": "abcde"}, 2),
        ({"kind": "proposal", "body": "abcde"}, 2),
        ({"kind": "decision", "body": "abcde"}, 2),
        ({"kind": "say", "body": "abcde", "budget": {"tokens_used": 412}}, 412),
        ({"kind": "say", "body": "abcde", "budget": {"tokens_used": 0}}, 0),
        ({"kind": "say", "body": "abcde", "budget": {}}, 2),
        ({"kind": "pass", "body": "abcde", "budget": {"tokens_used": 5}}, 0),
        ({"kind": "raise_hand", "body": "abcde"}, 0),
        ({"kind": "status", "budget": {"tokens_used": 5}}, 0),
        ({"kind": "receipt", "budget": {"tokens_used": 5}}, 0),
        ({"kind": "verify", "budget": {"tokens_used": 5}}, 0),
        ({"kind": "system", "event": "note", "body": "abcde"}, 0),
    ],
)
def test_what_an_entry_adds(entry: dict[str, object], tokens: int) -> None:
    assert tokens_of(entry) == tokens
