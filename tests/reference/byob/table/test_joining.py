"""The handshake (BYOB 4)."""

from typing import Any

import pytest

from reference.byob.table import Table
from tests.reference.byob.playing import OWNERS, STRANGER, Play, capability, code


@pytest.fixture
def play() -> Play:
    """A table without seats."""
    return Play().create()


def test_a_join_is_recorded_with_its_card_and_gives_a_token_once(play: Play) -> None:
    body = play.request("a", role="critic", transport="mcp", caps=[capability(requires_approval=True)])
    answer = play.host.join("t", body, play.now)
    entry = play.ledger()[1]
    assert {name: entry[name] for name in ("seat", "kind", "event", "joined", "owner", "member", "role", "card")} == {
        "seat": "core",
        "kind": "system",
        "event": "seat_joined",
        "joined": "a",
        "owner": "tao",
        "member": "bot",
        "role": "critic",
        "card": body["card"],
    }
    assert (answer["seat"], answer["seat_token"] in str(play.ledger())) == ("a", False)
    assert play.host.seat_of("t", answer["seat_token"]) == "a"


def test_a_role_may_be_left_out(play: Play) -> None:
    play.join("a")
    assert "role" not in play.last("seat_joined")


@pytest.mark.parametrize(
    ("members", "wanted"),
    [
        ({"protocol": "byob/9.9"}, "E_PROTOCOL"),
        ({"protocol": 1}, "E_SCHEMA"),
        ({"kind": "cat"}, "E_SCHEMA"),
        ({"seat": "../x"}, "E_SCHEMA"),
        ({"seat": ".."}, "E_SCHEMA"),
        ({"card": {"bot": "x"}}, "E_SCHEMA"),
        ({"owner": "nobody"}, "E_NOT_OWNER"),
        ({"key": STRANGER}, "E_BAD_SIGNATURE"),
        ({"key": OWNERS["jenny"]}, "E_BAD_SIGNATURE"),
        ({"on": "another"}, "E_BAD_SIGNATURE"),
    ],
)
def test_a_bad_join_leaves_nothing(play: Play, members: dict[str, Any], wanted: str) -> None:
    before = play.ledger()
    body = play.request(**{"seat": "a", **members})
    assert code(play.host.join, "t", body, play.now) == wanted
    assert play.ledger() == before
    play.join("a")


@pytest.mark.parametrize("body", [None, [], "x", {}])
def test_a_join_fits_its_schema(play: Play, body: Any) -> None:
    assert code(play.host.join, "t", body, play.now) == "E_SCHEMA"


def test_another_protocol_is_named_whatever_its_join_looks_like(play: Play) -> None:
    assert code(play.host.join, "t", {"protocol": "byob/0.2", "chair": "a"}, play.now) == "E_PROTOCOL"


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("seat", "b"),
        ("owner", "jenny"),
        ("kind", "human"),
        ("role", "judge"),
        ("nonce", "another"),
        ("card", {"bot": "a script", "proxy": False, "capabilities": [capability(auto_approve=True)]}),
        ("card", {"bot": "a script", "proxy": True, "capabilities": []}),
    ],
)
def test_the_signature_binds_every_member(play: Play, member: str, value: Any) -> None:
    body = {**play.request("a", role="critic"), member: value}
    assert code(play.host.join, "t", body, play.now) == "E_BAD_SIGNATURE"


def test_a_signed_role_cannot_be_dropped(play: Play) -> None:
    body = play.request("a", role="critic")
    del body["role"]
    assert code(play.host.join, "t", body, play.now) == "E_BAD_SIGNATURE"


def test_the_transport_is_not_signed(play: Play) -> None:
    body = {**play.request("a"), "transport": "mcp"}
    assert code(play.host.join, "t", body, play.now) == "accepted"


@pytest.mark.parametrize("card", [{"bot": "x", "capabilities": []}, {"bot": "x", "capabilities": [], "motto": "é"}])
def test_the_card_is_verified_as_sent(play: Play, card: dict[str, Any]) -> None:
    play.join("a", card=card)
    assert play.last("seat_joined")["card"] == card
    assert play.read("a")["prefix"]["seats"][0]["proxy"] is False


def test_a_nonce_joins_once_and_a_refused_join_does_not_spend_it(play: Play) -> None:
    assert code(play.join, "a", nonce="once", key=STRANGER) == "E_BAD_SIGNATURE"
    play.join("a", nonce="once")
    assert code(play.join, "b", nonce="once") == "E_REPLAY"
    play.restart()
    assert code(play.join, "b", nonce="once") == "E_REPLAY"
    play.join("b", "jenny", nonce="once")


def test_a_seat_is_taken_once(play: Play) -> None:
    body = play.request("a")
    play.host.join("t", body, play.now)
    assert code(play.host.join, "t", body, play.now) == "E_REPLAY"
    assert code(play.join, "a") == "E_SEAT_TAKEN"
    assert code(play.join, "a", "jenny") == "E_SEAT_TAKEN"


def test_owners_take_as_many_seats_as_they_like_and_the_topology_need_not_name_them(play: Play) -> None:
    play.bots("x", "y", "z")
    assert [seat["seat"] for seat in play.read("x")["prefix"]["seats"]] == ["x", "y", "z"]


def test_a_host_bounds_the_seats() -> None:
    class Narrow(Table):
        MAX_SEATS = 2

    play = Play(table_class=Narrow).create().bots("a", "b")
    assert code(play.join, "c") == "E_SEAT_TAKEN"
