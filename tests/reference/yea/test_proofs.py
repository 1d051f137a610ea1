import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.yea import b64url, proofs
from reference.yea.canonical import CanonicalError
from reference.yea.keys import KeyPair
from reference.yea.types import Json

KEY = KeyPair(bytes([2]) * 32)
FACTS = {"aud": "cal.example.com", "verb": "COMMIT", "target": "abc"}
TS = 1790000000
SIG = "sFOOC1BWcGs0vubIEO-pGnF6GUQisyMj2WJOuAinJnVWMoVBcLOrU2YT8fU7qCMoowzdH4eRyTR5IAZdXaA8Ag"


@pytest.mark.parametrize(
    ("verb", "auto", "target"),
    [
        ("COMMIT", False, "the hash"),
        ("UNDO", False, "the receipt"),
        ("ASK", False, "the capability"),
        ("INTENT", False, "the capability"),
        ("INTENT", True, "auto:the capability:the frame id"),
        ("EXPAND", False, "the handle"),
        ("ASK", True, "the capability"),
        ("COMMIT", True, "the hash"),
    ],
)
def test_each_row_of_the_target_table(verb: str, auto: bool, target: str) -> None:
    names = {
        "capability": "the capability",
        "hash": "the hash",
        "receipt": "the receipt",
        "handle": "the handle",
        "frame_id": "the frame id",
    }
    assert proofs.target(verb, auto=auto, **names) == target


def test_an_auto_target_keeps_the_colons_of_its_parts() -> None:
    assert proofs.target("INTENT", capability="a:b", auto=True, frame_id=":c:") == "auto:a:b::c:"
    assert proofs.target("INTENT", capability="", auto=True, frame_id="") == "auto::"


@pytest.mark.parametrize("verb", ["HELLO", "commit", "", "INTENT with auto"])
def test_a_verb_outside_the_table_has_no_target(verb: str) -> None:
    with pytest.raises(ValueError, match="no proof belongs"):
        proofs.target(verb, capability="c", hash="h", receipt="r", handle="x", frame_id="f")


@pytest.mark.parametrize(
    ("verb", "auto", "missing"),
    [
        ("COMMIT", False, "hash"),
        ("UNDO", False, "receipt"),
        ("ASK", False, "capability"),
        ("INTENT", True, "frame_id"),
        ("EXPAND", False, "handle"),
    ],
)
def test_a_missing_name_is_named(verb: str, auto: bool, missing: str) -> None:
    names = {"capability": "c", "hash": "h", "receipt": "r", "handle": "x", "frame_id": "f", missing: None}
    with pytest.raises(ValueError, match=missing):
        proofs.target(verb, auto=auto, **names)


def test_a_proof_signs_the_canonical_text_of_four_members() -> None:
    assert proofs.payload("s\n", "ASK", "é", 5) == '{"aud":"s\\n","target":"é","ts":5,"verb":"ASK"}'.encode()


def test_the_signature_is_that_of_the_public_vector() -> None:
    proof = proofs.sign(KEY, **FACTS, ts=TS)
    assert proof == {"key": KEY.public, "ts": TS, "sig": SIG}
    assert list(proof) == ["key", "ts", "sig"]
    assert proofs.verify(proof, **FACTS)


@pytest.mark.parametrize(
    "changed",
    [
        {"aud": "cal.example.co"},
        {"aud": ""},
        {"verb": "commit"},
        {"verb": "UNDO"},
        {"target": "abd"},
        {"target": ""},
        {"target": "abc\n"},
        {"aud": "\ud800"},
    ],
    ids=ascii,
)
def test_a_proof_holds_for_one_service_verb_and_target(changed: dict[str, str]) -> None:
    assert not proofs.verify(proofs.sign(KEY, **FACTS, ts=TS), **{**FACTS, **changed})


@pytest.mark.parametrize(
    "changed",
    [
        {"ts": TS + 1},
        {"ts": TS + 0.5},
        {"ts": str(TS)},
        {"ts": True},
        {"ts": None},
        {"ts": 2**53},
        {"key": KeyPair(bytes(32)).public},
        {"key": KEY.public + "="},
        {"key": None},
        {"sig": SIG[:-1] + "h"},
        {"sig": SIG + "="},
        {"sig": SIG + "\n"},
        {"sig": b64url.encode(bytes(64))},
        {"sig": ""},
        {"sig": 5},
        {"sig": [SIG]},
    ],
    ids=ascii,
)
def test_a_changed_proof_is_refused(changed: dict[str, Json]) -> None:
    assert not proofs.verify({**proofs.sign(KEY, **FACTS, ts=TS), **changed}, **FACTS)


@pytest.mark.parametrize("missing", ["key", "ts", "sig"])
def test_a_proof_that_lacks_a_member_is_no_proof(missing: str) -> None:
    proof = proofs.sign(KEY, **FACTS, ts=TS)
    del proof[missing]
    assert not proofs.is_proof(proof)
    assert not proofs.verify(proof, **FACTS)


@pytest.mark.parametrize("value", [None, [], "x", 5, True, {}], ids=str)
def test_what_is_no_object_is_no_proof(value: Json) -> None:
    assert not proofs.is_proof(value)
    assert not proofs.verify(value, **FACTS)


def test_unknown_members_of_a_proof_are_ignored_and_a_whole_ts_counts_by_value() -> None:
    proof = {**proofs.sign(KEY, **FACTS, ts=TS), "x": "\ud800", "ts": float(TS)}
    assert proofs.is_proof(proof)
    assert proofs.verify(proof, **FACTS)


@pytest.mark.parametrize("changed", [{"target": "\udfff"}, {"ts": 2**53}, {"ts": 1.5}], ids=ascii)
def test_what_has_no_canonical_form_cannot_be_signed(changed: dict[str, object]) -> None:
    with pytest.raises(CanonicalError):
        proofs.sign(KEY, **{**FACTS, "ts": TS, **changed})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("off", "fresh"),
    [(0, True), (300, True), (-300, True), (301, False), (-301, False), (300.001, False), (-299.999, True)],
)
def test_300_seconds_pass_and_301_do_not(off: float, fresh: bool) -> None:
    assert proofs.fresh(TS, TS + off) is fresh


@given(st.text(max_size=5), st.text(max_size=5), st.integers(-(2**53) + 1, 2**53 - 1))
def test_every_proof_that_can_be_signed_verifies(aud: str, target: str, ts: int) -> None:
    proof = proofs.sign(KEY, aud=aud, verb="ASK", target=target, ts=ts)
    assert proofs.verify(proof, aud=aud, verb="ASK", target=target)
    assert not proofs.verify(proof, aud=aud + "x", verb="ASK", target=target)
