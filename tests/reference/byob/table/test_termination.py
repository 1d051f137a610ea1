"""When a table ends, and what it takes afterwards (BYOB 3, 8)."""

from typing import Any

import pytest

from reference.byob.table import Table
from tests.reference.byob.playing import DEBATE, Play, capability, code, config, effect, order

LONG = order("a", "b")


def _any(*conditions: Any) -> dict[str, Any]:
    return {"any": list(conditions)}


@pytest.mark.parametrize("termination", [{}, {"any": []}, None])
def test_a_table_has_at_least_one_end_condition(termination: dict[str, Any] | None) -> None:
    play = Play()
    body = config(termination=termination)
    if termination is None:
        del body["termination"]
    assert code(play.host.create, body, play.now) == "E_NO_TERMINATION"
    assert code(play.host.ledger, "t", None, play.now) == "E_NOT_FOUND"


def test_votes_are_no_end_condition() -> None:
    play = Play()
    assert code(play.host.create, config(termination=_any("quorum")), play.now) == "E_SCHEMA"


def test_a_decision_closes_the_table_where_that_is_a_condition() -> None:
    play = Play().create(topology=DEBATE, termination=_any("rounds_exhausted", "decision")).bots("pro", "con", "judge")
    play.say("pro"), play.say("con"), play.post("judge", "decision", body="Con.")
    assert (play.reason(), play.words()[-2:]) == ("decision", ["decision", "table_closed"])


def test_a_decision_does_not_close_a_table_by_itself() -> None:
    play = Play().create(topology=LONG, floor={"decision_by": ["a"]}).bots("a", "b")
    play.post("a", "decision", body="So be it.")
    assert play.reason() is None


@pytest.mark.parametrize("condition", ["rounds_exhausted", {"max_entries": 1000}])
def test_turns_that_run_out_close_every_table(condition: Any) -> None:
    play = Play().create(topology=order("a", "b", rounds=1), termination=_any(condition)).bots("a", "b")
    play.say("a"), play.passes("b")
    assert play.reason() == "rounds_exhausted"


def test_the_budget_may_be_reached_and_not_exceeded() -> None:
    play = Play().create(topology=LONG, termination=_any({"budget_tokens": 10})).bots("a", "b")
    play.say("a", budget={"tokens_used": 4}), play.say("b", budget={"tokens_used": 6})
    assert (play.reason(), play.memory()["tokens_used"]) == (None, 10)
    entry = play.say("a", "x")
    assert (play.reason(), play.memory()["tokens_used"], play.ledger()[-2]) == ("budget_tokens", 11, entry)


def test_say_proposal_and_decision_count_and_nothing_else_does() -> None:
    play = Play().create(topology=LONG, floor={"decision_by": ["a"]}).bots("b")
    play.join("a", caps=[capability(auto_approve=True)])
    used = {"budget": {"tokens_used": 100}}
    play.say("a", "four", **used), play.passes("b", body="long long", **used), play.post("b", "raise_hand", **used)
    play.propose("a", effect("tao"), budget={"tokens_used": 10})
    play.post("a", "decision", body="漢字 and so on", budget={})
    play.human("h").say("h", "12345")
    assert play.memory()["tokens_used"] == 100 + 10 + (2 + 3) + 2


def test_a_reported_zero_is_a_report() -> None:
    play = Play().create().bots("a")
    play.say("a", "x" * 400, budget={"tokens_used": 0})
    assert play.memory()["tokens_used"] == 0


def test_the_number_of_entries_closes_the_table() -> None:
    play = Play().create(topology=LONG, termination=_any({"max_entries": 7})).bots("a", "b")
    assert play.reason() is None
    play.say("a")
    assert (len(play.ledger()), play.reason()) == (6, None)
    play.say("b")
    assert (len(play.ledger()), play.reason()) == (8, "max_entries")


def test_the_entry_limit_holds_for_joins_and_grants_too() -> None:
    play = Play().create(termination=_any({"max_entries": 3})).bots("a")
    assert (play.reason(), play.words()[-2:]) == ("max_entries", ["floor_granted", "table_closed"])


def test_the_first_condition_that_is_met_is_the_reason() -> None:
    conditions = _any({"max_entries": 5}, {"budget_tokens": 1})
    play = Play().create(topology=LONG, termination=conditions).bots("a", "b")
    play.say("a", "long enough")
    assert play.reason() == "max_entries"


def test_the_admin_closes_an_open_table_with_its_reason_and_only_once() -> None:
    play = Play().create().bots("a", "b")
    memory = play.close(reason="lunch")
    assert (memory["status"], play.reason()) == ("closed", "lunch")
    assert (play.close(reason="again"), play.reason()) == (memory, "lunch")
    assert code(play.host.close, "t", play.tokens["t", "a"], {}, play.now) == "E_UNAUTHORIZED"
    assert code(play.host.close, "t", play.admins["t"], {"reason": 1}, play.now) == "E_SCHEMA"
    assert code(play.host.close, "t", play.admins["t"], ["reason"], play.now) == "E_SCHEMA"


def test_the_admin_need_not_give_a_reason() -> None:
    play = Play().create()
    play.host.close("t", play.admins["t"], {}, play.now)
    assert play.reason() == "closed by the admin"


@pytest.mark.parametrize("kind", ["say", "pass", "proposal", "decision", "raise_hand"])
def test_a_closed_table_takes_no_speech(kind: str) -> None:
    play = Play().create(floor={"decision_by": ["a"]}).human("h").join("a", caps=[capability()])
    play.close()
    before = play.ledger()
    members = {"effects": [effect("tao")]} if kind == "proposal" else {}
    assert [code(play.post, seat, kind, body="x", **members) for seat in ("a", "h")] == ["E_TABLE_CLOSED"] * 2
    assert (play.ledger(), play.holder()) == (before, None)


def test_a_closed_table_takes_no_seat() -> None:
    play = Play().create().bots("a")
    play.close()
    assert code(play.join, "b") == "E_TABLE_CLOSED"


def test_a_task_of_the_closing_decision_can_be_finished() -> None:
    play = Play().create(topology=DEBATE, termination=_any("decision")).bots("pro", "con", "judge")
    play.join("worker", "jenny", caps=[capability()])
    play.say("pro"), play.say("con")
    task = f"task-{play.post('judge', 'decision', body='Yes.', effects=[effect()])['seq']}"
    assert play.words()[-3:] == ["decision", "task_opened", "table_closed"]
    play.approve(task)
    play.post("worker", "status", task=task, state="running")
    play.post("worker", "receipt", task=task, artifact={"ok": True})
    play.post("pro", "verify", task=task, result="pass")
    assert (play.state(task), "floor_granted" in play.words()[-6:]) == ("verified", False)


def test_seats_still_read_after_the_close() -> None:
    play = Play().create().bots("a")
    entry = play.say("a")
    play.close()
    projection = play.read("a")
    assert (projection["status"], projection["floor"]) == (
        "closed",
        {"holder": None, "you_have_floor": False, "grant_seq": None},
    )
    assert play.host.entry("t", play.tokens["t", "a"], str(entry["seq"]), play.now) == entry


class Small(Table):
    """Keeps few entries."""

    MAX_ENTRIES = 8


def test_a_host_bounds_every_table() -> None:
    play = Play(table_class=Small).create(topology=order("x"), termination=_any({"max_entries": 1000}))
    play.join("worker", "jenny", caps=[capability(auto_approve=True)]).join("x")
    task = play.propose("x")
    while play.reason() is None:
        play.post("x", "raise_hand")
    assert play.reason() == "entry_limit"
    play.post("worker", "status", task=task, state="running")
    codes = {code(play.post, "worker", "status", task=task, state="running") for _ in range(20)}
    assert (codes, len(play.ledger())) == ({"accepted", "E_TABLE_CLOSED"}, 16)
    assert code(play.approve, task) == "E_TABLE_CLOSED"
