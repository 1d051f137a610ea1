"""What seats write (BYOB 5)."""

from typing import Any

import pytest

from tests.reference.byob.playing import DEBATE, Play, capability, code, order


@pytest.fixture
def play() -> Play:
    """Two bots that speak in turn, and a human."""
    return Play().create(topology=order("a", "b", "awaited")).bots("a", "b").human("h")


def test_the_core_gives_seq_table_seat_and_ts(play: Play) -> None:
    entry = play.say(
        "a", "Hello.", to=["@b", "role:critic"], reply_to=1, refs=["entry:1", "x"], budget={"tokens_used": 2}
    )
    assert entry == {
        "seq": 6,
        "table": "t",
        "seat": "a",
        "kind": "say",
        "reply_to": 1,
        "to": ["@b", "role:critic"],
        "body": "Hello.",
        "refs": ["entry:1", "x"],
        "budget": {"tokens_used": 2},
        "ts": "2026-09-21T14:13:20.000Z",
    }
    assert play.ledger()[5] == entry


def test_a_seat_cannot_choose_them_and_unknown_members_are_not_kept(play: Play) -> None:
    forged = {"seq": 99, "table": "u", "seat": "b", "ts": "1999-01-01T00:00:00.000Z", "truncated": True, "mood": "good"}
    plain = play.say("a", "x")
    entry = play.host.post("t", play.tokens["t", "b"], {**forged, "kind": "say", "body": "x"}, play.now)
    assert entry == {**plain, "seq": plain["seq"] + 2, "seat": "b"}


def test_speech_addresses_everybody_by_default(play: Play) -> None:
    assert (play.say("a")["to"], play.passes("b")["to"], play.post("a", "raise_hand")["to"]) == (["*"], ["*"], ["*"])


@pytest.mark.parametrize("kind", ["system", "approval", "rejection", "shout", None, 7])
def test_seats_write_no_other_kinds(play: Play, kind: Any) -> None:
    before = play.ledger()
    assert code(play.post, "a", kind, body="x", event="note", task="task-1") == "E_SCHEMA"
    assert play.ledger() == before


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        ("say", {}),
        ("say", {"body": 1}),
        ("say", {"body": "x", "to": "b"}),
        ("say", {"body": "x", "effects": {}}),
        ("say", {"body": "x", "to": ["b"]}),
        ("say", {"body": "x", "reply_to": "1"}),
        ("say", {"body": "x", "budget": {"tokens_used": -1}}),
        ("say", {"body": "x", "budget": {"tokens_used": "1"}}),
        ("status", {"task": "task-1", "state": "verified"}),
        ("status", {"state": "running"}),
        ("receipt", {"task": "task-1"}),
        ("verify", {"task": "task-1", "result": "maybe"}),
    ],
)
def test_a_post_fits_its_schema(play: Play, kind: str, members: dict[str, Any]) -> None:
    before = play.ledger()
    assert code(play.post, "a", kind, **members) == "E_SCHEMA"
    assert play.ledger() == before


@pytest.mark.parametrize("body", [None, [], "say", 1, {}])
def test_a_post_is_an_object(play: Play, body: Any) -> None:
    assert code(play.host.post, "t", play.tokens["t", "a"], body, play.now) == "E_SCHEMA"


@pytest.mark.parametrize("to", [["@b"], ["@awaited"], ["@h", "*"], ["role:nobody"], ["*"]])
def test_addresses_of_seats_that_are_here_or_awaited(play: Play, to: list[str]) -> None:
    assert play.say("a", to=to)["to"] == to


@pytest.mark.parametrize("kind", ["say", "pass", "raise_hand"])
def test_an_address_of_nobody_is_refused(play: Play, kind: str) -> None:
    before = play.ledger()
    assert code(play.post, "a", kind, body="x", to=["*", "@ghost"]) == "E_ADDRESS"
    assert play.ledger() == before


def test_only_deciders_decide() -> None:
    play = Play().create(topology=DEBATE).bots("pro", "con", "judge")
    assert code(play.post, "pro", "decision", body="I win.") == "E_NOT_DECIDER"
    play.say("pro"), play.say("con")
    assert play.post("judge", "decision", body="Pro wins.")["kind"] == "decision"


def test_decision_by_replaces_the_default() -> None:
    play = Play().create(topology=DEBATE, floor={"decision_by": ["pro"]}).bots("pro", "con", "judge")
    play.post("pro", "decision", body="I win.")
    play.say("pro"), play.say("con")
    assert code(play.post, "judge", "decision", body="No.") == "E_NOT_DECIDER"


def test_in_a_broadcast_nobody_decides_by_default(play: Play) -> None:
    assert code(play.post, "a", "decision", body="x") == "E_NOT_DECIDER"


@pytest.mark.parametrize(
    ("seat", "members", "wanted"),
    [
        ("b", {"kind": "decision", "body": "x"}, "E_NOT_FLOOR"),
        ("b", {"kind": "say", "body": "x", "to": ["@ghost"]}, "E_NOT_FLOOR"),
        ("b", {"kind": "say"}, "E_SCHEMA"),
        ("a", {"kind": "decision", "body": "x", "to": ["@ghost"]}, "E_NOT_DECIDER"),
        ("a", {"kind": "receipt", "task": "task-1", "artifact": 1, "to": ["@ghost"]}, "E_ADDRESS"),
    ],
)
def test_of_two_faults_the_first_check_speaks(play: Play, seat: str, members: dict[str, Any], wanted: str) -> None:
    assert code(play.post, seat, **members) == wanted


def test_refused_posts_use_up_no_seq(play: Play) -> None:
    for _ in range(3):
        assert code(play.say, "b") == "E_NOT_FLOOR"
    play.say("a")
    assert [entry["seq"] for entry in play.ledger()] == [*range(1, len(play.ledger()) + 1)]


def test_only_effects_say_whose_resources_are_touched(play: Play) -> None:
    play.join("worker", "jenny", caps=[capability(auto_approve=True)])
    play.say("a", "Reorder jenny's board!", refs=["board:reorder"])
    assert "task_opened" not in play.words()
