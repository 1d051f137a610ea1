"""Tokens are kept out of what is shown, and found where they have no business."""

from typing import Any

from harness.byob.tokens import Tokens, token_in
from harness.targets.hosts import ABSENT, Answer

TOKEN, ODD = "abcdef0123456789", "a token with blanks"


def answer(value: Any, method: str = "POST", status: int = 200) -> Answer:
    return Answer(method, "/tables", ABSENT, status, value=value)


def known(*values: Any) -> Tokens:
    tokens = Tokens()
    for value in values:
        tokens.learn(answer(value))
    return tokens


def test_tokens_are_masked_wherever_they_stand() -> None:
    tokens = known({"admin_token": TOKEN}, {"seat": {"seat_token": ODD}})
    assert tokens.mask(f"Bearer {TOKEN}, and {ODD}.") == "Bearer [masked], and [masked]."
    assert tokens.mask(f"x{TOKEN}") == f"x{TOKEN}"


def test_a_token_is_noticed_in_any_answer_but_its_own() -> None:
    tokens = Tokens()
    own = answer({"seat_token": TOKEN})
    tokens.learn(own)
    assert own.issued == (TOKEN,)
    assert not tokens.shown(f'{{"seat_token": "{TOKEN}"}}', own.issued)
    again = answer({"seat_token": TOKEN})
    tokens.learn(again)
    assert tokens.shown(f'{{"seat_token": "{TOKEN}"}}', again.issued)
    assert tokens.shown(f"who is {TOKEN}?")
    assert not tokens.shown("nobody")


def test_only_accepted_creations_and_joins_issue_tokens() -> None:
    tokens = Tokens()
    tokens.learn(answer({"seat_token": TOKEN}, status=409))
    tokens.learn(answer({"seat_token": TOKEN}, method="GET"))
    tokens.learn(answer({"seat_token": 5, "token": "short"}))
    assert not tokens.shown(f"{TOKEN} short")


def test_a_token_is_a_string_member() -> None:
    assert token_in({"admin_token": TOKEN}, "admin_token") == TOKEN
    assert [token_in(value, "admin_token") for value in ({}, {"admin_token": 1}, [TOKEN], ABSENT)] == [""] * 4
