"""Disclosure rules: what matches is withheld, the error tells a position only, and matching always ends (BYOB 9)."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from reference.byob.seat import disclosure
from reference.byob.seat.disclosure import Rules, RulesError
from reference.byob.seat.errors import Disclosure

KEY = r"sk-[a-z0-9]{4,}"
SECRET = "sk-abcd1234"


@pytest.mark.parametrize(
    "value",
    [
        f"my key is {SECRET}",
        ["*", f"@{SECRET}"],
        {"order": [{"note": SECRET}]},
        {SECRET: 1},
        "sk-\u200babcd1234",
        "sk\u00ad-abcd1234",
        "ｓｋ-ａｂｃｄ１２３４",
        "𝐬𝐤-abcd1234",
    ],
    ids=["body", "list", "deep", "key", "zero-width", "soft-hyphen", "full-width", "mathematical"],
)
def test_a_matching_text_is_withheld_wherever_it_stands(value: Any) -> None:
    with pytest.raises(Disclosure) as raised:
        Rules(["falcon", KEY]).check(["harmless", value])
    assert (raised.value.position, raised.value.undecided, raised.value.code) == (2, False, "E_DISCLOSURE")


def test_a_number_is_a_text_too() -> None:
    with pytest.raises(Disclosure):
        Rules([r"4111111111111111"]).check([{"card": 4111111111111111}])


def test_what_matches_no_rule_passes() -> None:
    Rules([KEY, "falcon"]).check(["sk-", {"a": ["b", 1, None, True, 0.5]}, "\ud800"])
    Rules().check([SECRET])


def test_the_error_names_the_rule_by_position_and_never_shows_the_pattern_or_the_text() -> None:
    with pytest.raises(Disclosure) as raised:
        Rules([KEY]).check([SECRET])
    said = f"{raised.value} {raised.value!r} {raised.value.args}"
    assert str(raised.value) == "E_DISCLOSURE: the owner's disclosure rule 1 withholds this post; nothing was sent"
    assert KEY not in said and SECRET not in said
    assert repr(Rules([KEY])) == "Rules(1 private patterns)"


def test_a_pattern_that_backtracks_for_ever_withholds_the_post(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disclosure, "SECONDS", 0.05)
    with pytest.raises(Disclosure) as raised:
        Rules([r"(a|aa)+$"]).check(["a" * 200 + "!"])
    assert (raised.value.position, raised.value.undecided) == (1, True)


def test_when_the_time_is_up_what_was_not_tried_counts_as_matching() -> None:
    ticks = count(0, 1.5)
    with pytest.raises(Disclosure) as raised:
        Rules(["never", "neither"], clock=lambda: float(next(ticks))).check(["a"])
    assert (raised.value.position, raised.value.undecided) == (1, True)


def test_rules_are_read_from_toml_and_json(tmp_path: Path) -> None:
    (tmp_path / "deny.toml").write_text("deny = ['(?i)project falcon', 'sk-[a-z]+']\n")
    (tmp_path / "deny.json").write_text('{"deny": ["(?i)project falcon", "sk-[a-z]+"]}')
    for name in ("deny.toml", "deny.json"):
        rules = disclosure.load(tmp_path / name)
        assert len(rules) == 2
        with pytest.raises(Disclosure) as raised:
            rules.check(["Project FALCON"])
        assert raised.value.position == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("deny = ['(private']", "pattern 1 of deny is no regular expression"),
        ("deny = ['a', '']", "pattern 2 of deny is no text"),
        ("deny = ['a', 7]", "pattern 2 of deny is no text"),
        (f"deny = ['{'p' * 1001}']", "pattern 1 of deny is longer than 1000 characters"),
        ("deny = [" + "'x'," * 201 + "]", "deny has 201 patterns; the most that are taken is 200"),
        ("deny = 'private'", "deny is a list of regular expressions"),
        ("allow = ['private']", "a file of disclosure rules has one member, deny, a list of regular expressions"),
        ("deny = [private", "is no TOML"),
    ],
)
def test_a_bad_file_is_refused_without_showing_what_is_in_it(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "deny.toml"
    path.write_text(text)
    with pytest.raises(RulesError) as raised:
        disclosure.load(path)
    assert str(raised.value) == f"{path}: {said}"
    assert "private" not in str(raised.value).replace(str(path), "")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"none\.toml cannot be read: No such file or directory"):
        disclosure.load(tmp_path / "none.toml")


def test_a_json_file_must_be_json(tmp_path: Path) -> None:
    (tmp_path / "deny.json").write_text("[" * 100_000)
    with pytest.raises(RulesError, match="is no JSON"):
        disclosure.load(tmp_path / "deny.json")
