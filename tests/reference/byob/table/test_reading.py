"""What seats read (BYOB 2, 6, 7)."""

from typing import Any

import pytest

from reference.byob.projection import prefix_hash
from reference.byob.table import Table
from tests.reference.byob.playing import DEBATE, Play, capability, code, effect, order


@pytest.fixture
def play() -> Play:
    """A debate with an onlooker; each side has spoken."""
    play = Play().create(topology=DEBATE, visibility={"onlooker": ["pro.say", "*.pass"]}).bots("pro", "con", "judge")
    play.join("onlooker", "omar", role="press")
    play.say("pro", "Yes."), play.passes("con"), play.post("con", "raise_hand")
    return play


def _seen(play: Play, seat: str) -> list[tuple[str, str]]:
    return [(entry["seat"], entry["kind"]) for entry in play.read(seat)["tail"] if entry["kind"] != "system"]


def test_a_seat_sees_what_its_policy_or_its_override_shows(play: Play) -> None:
    everything = [("pro", "say"), ("con", "pass"), ("con", "raise_hand")]
    assert (_seen(play, "pro"), _seen(play, "con")) == (everything, everything)
    assert _seen(play, "judge") == [("pro", "say")]
    assert _seen(play, "onlooker") == [("pro", "say"), ("con", "pass")]


def test_entries_that_a_seat_may_not_see_are_not_found(play: Play) -> None:
    hidden, shown = play.last("raise_hand"), play.last("say")
    read = {seat: play.tokens["t", seat] for seat in ("judge", "con")}
    assert play.host.entry("t", read["judge"], str(shown["seq"]), play.now) == shown
    assert play.host.entry("t", read["con"], str(hidden["seq"]), play.now) == hidden
    for seq in (str(hidden["seq"]), "0", "-1", "99", "1.0", "x", "", "9" * 5000, "²", "\u0663"):
        assert code(play.host.entry, "t", read["judge"], seq, play.now) == "E_NOT_FOUND"


def test_a_projection_names_who_reads_what(play: Play) -> None:
    projection = play.read("con")
    assert {name: projection[name] for name in ("protocol", "table", "seat", "status", "cursor", "floor")} == {
        "protocol": "byob/0.1",
        "table": "t",
        "seat": "con",
        "status": "open",
        "cursor": len(play.ledger()),
        "floor": {"holder": "judge", "you_have_floor": False, "grant_seq": play.last("floor_granted")["seq"]},
    }
    assert play.read("judge")["floor"]["you_have_floor"] is True


def test_the_tail_is_the_ledger_without_times(play: Play) -> None:
    plain = [{name: value for name, value in entry.items() if name != "ts"} for entry in play.ledger()]
    assert play.read("con")["tail"] == plain
    assert play.read("con", since=3)["tail"] == plain[3:]
    assert play.read("con", since=10**17)["tail"] == []


def test_a_read_without_since_goes_on_from_the_last_read_of_this_seat(play: Play) -> None:
    first = play.read("con", since=None)
    assert len(first["tail"]) == len(play.ledger())
    assert play.read("con", since=None)["tail"] == []
    entry = play.say("judge", "Hm.")
    assert [each["seq"] for each in play.read("con", since=None)["tail"]] == [entry["seq"], entry["seq"] + 1]
    assert len(play.read("pro", since=None)["tail"]) == len(play.ledger())


@pytest.mark.parametrize("since", ["-1", "x", "", "1.5", "9" * 19, " 1", "٣"])
def test_since_is_a_seq(play: Play, since: str) -> None:
    assert code(play.host.projection, "t", play.tokens["t", "con"], since, play.now) == "E_SCHEMA"


def test_the_prefix_changes_when_a_seat_joins_or_a_decision_is_made_and_only_then(play: Play) -> None:
    seen = [play.read("con")]
    play.post("con", "raise_hand"), play.post("pro", "raise_hand")
    seen.append(play.read("con"))
    assert (seen[0]["prefix"], seen[0]["prefix_hash"]) == (seen[1]["prefix"], seen[1]["prefix_hash"])
    play.join("late", "omar")
    seen.append(play.read("con"))
    play.post("judge", "decision", body="Yes.")
    seen.append(play.read("con"))
    assert len({each["prefix_hash"] for each in seen}) == 3
    assert all(each["prefix_hash"] == prefix_hash(each["prefix"]) for each in seen)
    assert seen[3]["prefix"]["decisions"] == [{"seq": play.last("decision")["seq"], "seat": "judge", "body": "Yes."}]


def test_long_bodies_are_cut_in_the_tail_only() -> None:
    play = Play().create(projection={"inline_limit": 5}).bots("a", "b")
    entry = play.say("a", "0123456789", refs=["x"])
    play.say("b", "01234")
    cut, whole = (each for each in play.read("b")["tail"] if each["kind"] == "say")
    assert (cut["body"], cut["refs"], whole["body"], "refs" in whole) == (
        "01234",
        ["x", f"entry:{entry['seq']}"],
        "01234",
        False,
    )
    assert play.host.entry("t", play.tokens["t", "b"], str(entry["seq"]), play.now)["body"] == "0123456789"


def test_my_tasks_are_those_that_wait_for_my_owner_or_its_bots() -> None:
    play = Play().create(topology=order("a")).bots("a").join("worker", "jenny", caps=[capability()]).join("c", "jenny")
    task = play.propose("a")
    mine = {seat: [each["id"] for each in play.read(seat)["my_tasks"]] for seat in ("a", "worker", "c")}
    assert mine == {"a": [], "worker": [task], "c": [task]}
    play.approve(task, decide="reject")
    assert play.read("worker")["my_tasks"] == []


def test_memory_is_the_same_for_every_seat() -> None:
    play = Play().create(topology=order("a"), floor={"decision_by": ["a"]}).bots("a")
    play.join("worker", "jenny", caps=[capability()], role="hands")
    task = play.propose("a", budget={"tokens_used": 5})
    play.post("a", "decision", body="Yes.", budget={"tokens_used": 7})
    memory = {
        "decisions": [{"seq": play.last("decision")["seq"], "seat": "a", "body": "Yes."}],
        "tasks": [play.host.task("t", play.tokens["t", "a"], task, play.now)],
        "status": "open",
        "tokens_used": 12,
        "seats": play.read("a")["prefix"]["seats"],
    }
    assert [play.host.memory("t", play.tokens["t", seat], play.now) for seat in ("a", "worker")] == [memory] * 2


def test_the_ledger_has_everything_with_its_time(play: Play) -> None:
    entries = play.ledger()
    assert [entry["seq"] for entry in entries] == [*range(1, len(entries) + 1)]
    assert {len(entry["ts"]) for entry in entries} == {24}


def test_a_read_takes_as_long_as_its_tail_and_not_as_the_ledger() -> None:
    looked: list[int] = []

    class Looking(Table):
        def sees(self, seat: str, entry: dict[str, Any]) -> bool:
            looked.append(entry["seq"])
            return super().sees(seat, entry)

    play = Play(table_class=Looking).create().bots("a", "b")
    for turn in range(40):
        play.passes("ab"[turn % 2])
    looked.clear()
    last = len(play.ledger())
    play.read("a", since=last - 2)
    assert looked == [last - 1, last]


def test_governance_is_seen_by_everybody_under_any_override() -> None:
    play = Play().create(topology=order("a"), visibility={"blind": []}, floor={"decision_by": ["a"]}).bots("a", "blind")
    play.join("worker", "jenny", caps=[capability()])
    task = play.propose("a", effect())
    play.say("a"), play.approve(task), play.post("a", "decision", body="x")
    for kind, members in (("status", {"state": "running"}), ("receipt", {"artifact": 1})):
        play.post("worker", kind, task=task, **members)
    play.post("blind", "verify", task=task, result="fail"), play.post("blind", "raise_hand")
    kinds = [entry["kind"] for entry in play.read("blind")["tail"] if entry["kind"] != "system"]
    assert kinds == ["proposal", "approval", "decision", "status", "receipt", "verify", "raise_hand"]
