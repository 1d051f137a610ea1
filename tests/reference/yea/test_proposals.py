import hashlib

import pytest

from reference.yea import b64url
from reference.yea.canonical import CanonicalError
from reference.yea.proposals import RISKS, proposal_hash, undo_window
from reference.yea.types import Json

PROPOSAL: dict[str, Json] = {
    "id": "p_1",
    "capability": "calendar.reschedule",
    "summary": 'Move "1:1 with Ana" to Thu 15:00',
    "effects": [
        {
            "op": "update",
            "target": "event/e42",
            "field": "start",
            "from": "2026-09-22T14:00:00Z",
            "to": "2026-09-24T15:00:00Z",
        },
        {"op": "send", "target": "ana@example.com", "detail": "update notification"},
    ],
    "risk": "low",
    "undo": {"window": 3600},
    "expires": 1790000600,
}
HASH = "1tMtcVHOpIp-k0Sgl3VaS8sqxBuNn3nu30ZH5_E4D04"


def test_the_hash_is_that_of_the_public_vector() -> None:
    assert proposal_hash(PROPOSAL) == HASH


def test_the_hash_is_the_digest_of_the_canonical_text() -> None:
    text = '{"a":[],"id":"p","é":"\\u0001/\U0001f389"}'
    digest = hashlib.sha256(text.encode()).digest()
    assert proposal_hash({"id": "p", "é": "\x01/\U0001f389", "a": []}) == b64url.encode(digest)


@pytest.mark.parametrize(
    "members",
    [{"hash": HASH}, {"hash": "whatever"}, {"hash": 1.5}, {"data": {"a": 1.5}}, {"data": None}, {"data": "\ud800"}],
    ids=ascii,
)
def test_hash_and_data_do_not_count(members: dict[str, Json]) -> None:
    assert proposal_hash({**members, **PROPOSAL}) == HASH


def test_nested_members_of_these_names_do_count() -> None:
    effect: dict[str, Json] = {"op": "create", "target": "t", "data": 1, "hash": "h"}
    without: dict[str, Json] = {"op": "create", "target": "t"}
    assert proposal_hash({**PROPOSAL, "effects": [effect]}) != proposal_hash({**PROPOSAL, "effects": [without]})


@pytest.mark.parametrize("name", [*PROPOSAL, "x", "uses"])
def test_every_other_member_counts(name: str) -> None:
    without = {key: item for key, item in PROPOSAL.items() if key != name}
    hashes = {proposal_hash(PROPOSAL), proposal_hash(without), proposal_hash({**PROPOSAL, name: None})}
    assert len(hashes) == (3 if name in PROPOSAL else 2)


def test_the_order_of_members_does_not_count_but_that_of_effects_does() -> None:
    effects = PROPOSAL["effects"]
    assert isinstance(effects, list)
    assert proposal_hash(dict(reversed(PROPOSAL.items()))) == HASH
    assert proposal_hash({**PROPOSAL, "effects": effects[::-1]}) != HASH


@pytest.mark.parametrize("summary", ["\ud800", 1.5, 2**53, ["\udfff"], {"\ud800": 1}], ids=ascii)
def test_what_has_no_canonical_form_has_no_hash(summary: Json) -> None:
    with pytest.raises(CanonicalError):
        proposal_hash({**PROPOSAL, "summary": summary})


def test_the_risks_rise() -> None:
    assert RISKS == ("low", "medium", "high")


@pytest.mark.parametrize("window", [1, 3600, 2**52, 90.0])
def test_an_undo_window_is_a_positive_integer_of_at_most_2_to_52(window: int) -> None:
    assert undo_window({"window": window, "more": 1}) == window


@pytest.mark.parametrize(
    "undo",
    [
        None,
        False,
        True,
        3600,
        "3600",
        [],
        [3600],
        {},
        {"until": 5},
        {"window": None},
        {"window": 0},
        {"window": -5},
        {"window": 90.5},
        {"window": "soon"},
        {"window": "3600"},
        {"window": True},
        {"window": 2**52 + 1},
        {"window": 2**53},
        {"window": {}},
    ],
    ids=str,
)
def test_any_other_undo_counts_as_null(undo: Json) -> None:
    assert undo_window(undo) is None
