"""What is kept beside the ledger: digests of tokens, and spent nonces (BYOB 2, 4)."""

import hashlib

from reference.byob.kept import Kept, digest, kept_admin, kept_nonce, kept_seat


def _kept() -> Kept:
    kept = Kept()
    kept.apply(kept_admin("boss")), kept.apply(kept_seat("a", "one", "tao", "n")), kept.apply({})
    kept.apply(kept_seat("b", "two", "jenny", "m")), kept.apply(kept_nonce("tao", "o"))
    return kept


def test_only_digests_are_kept() -> None:
    assert kept_seat("a", "one", "tao", "n") == {
        "seat": "a",
        "token": hashlib.sha256(b"one").hexdigest(),
        "owner": "tao",
        "nonce": "n",
    }
    assert kept_admin("boss") == {"admin": digest("boss")}


def test_a_token_names_its_seat() -> None:
    kept = _kept()
    strangers = ("", "three", "boss", "One", "one ", "\ud800", digest("one"))
    assert [kept.seat(token) for token in ("one", "two", *strangers)] == ["a", "b", *[None] * len(strangers)]
    assert [kept.is_admin(token) for token in ("boss", "one", "", "\ud800", digest("boss"))] == [True, *[False] * 4]


def test_nobody_is_admin_before_there_is_one() -> None:
    assert not Kept().is_admin("")


def test_a_nonce_is_spent_by_its_owner() -> None:
    kept = _kept()
    pairs = [("tao", "n"), ("tao", "o"), ("jenny", "m"), ("jenny", "n"), ("tao", "m")]
    assert [kept.is_spent(*pair) for pair in pairs] == [True, True, True, False, False]


def test_kept_things_compare_by_what_they_hold() -> None:
    other = _kept()
    assert other == _kept()
    other.apply(kept_nonce("tao", "p"))
    assert other != _kept()
    assert _kept() != "kept"
