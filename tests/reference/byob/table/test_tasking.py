"""Propose, approve, execute, verify (BYOB 9)."""

from typing import Any

import pytest

from reference.byob.tasks import EVENTS, STATES, TRANSITIONS
from tests.reference.byob.playing import OWNERS, STRANGER, Play, capability, code, effect, order


@pytest.fixture
def play() -> Play:
    """`a` of tao speaks; `worker` of jenny reorders the board, and asks her first."""
    play = Play().create(topology=order("a", "b")).bots("a", "b").human("h")
    return play.join("worker", "jenny", caps=[capability()])


PATHS: dict[str, tuple[str, ...]] = {
    "awaiting_approval": (),
    "rejected": ("reject",),
    "approved": ("approve",),
    "running": ("approve", "status:running"),
    "failed": ("approve", "status:failed"),
    "reported": ("approve", "status:running", "receipt"),
    "verified": ("approve", "status:running", "receipt", "verify:pass"),
    "stalled": ("approve", "watchdog"),
}


def _do(play: Play, task: str, event: str) -> None:
    """Lets an event happen to a task."""
    kind, _, word = event.partition(":")
    if kind in ("approve", "reject"):
        play.approve(task, decide=kind)
    elif kind == "watchdog":
        play.now += 60
        play.host.tick(play.now)
    else:
        seat = "b" if kind == "verify" else "worker"
        name = {"status": "state", "receipt": "artifact", "verify": "result"}[kind]
        play.post(seat, kind, task=task, **{name: word or {"ok": True}})


def _task(state: str) -> tuple[Play, str]:
    play = Play().create(topology=order("a", "b"), watchdog={"heartbeat_ms": 60_000}).bots("a", "b")
    play.join("worker", "jenny", caps=[capability()])
    task = play.propose("a")
    for event in PATHS[state]:
        _do(play, task, event)
    assert play.state(task) == state
    return play, task


@pytest.mark.parametrize("event", [event for event in EVENTS if event != "watchdog"])
@pytest.mark.parametrize("state", STATES)
def test_every_event_in_every_state(state: str, event: str) -> None:
    play, task = _task(state)
    before = play.ledger()
    wanted = TRANSITIONS.get((state, event))
    assert code(_do, play, task, event) == ("E_TASK_STATE" if wanted is None else "accepted")
    assert play.state(task) == wanted or (wanted is None and play.ledger() == before)


@pytest.mark.parametrize("state", STATES)
def test_the_watchdog_stalls_what_should_go_on_and_nothing_else(state: str) -> None:
    play, task = _task(state)
    _do(play, task, "watchdog")
    assert play.state(task) == ("stalled" if state in ("approved", "running", "stalled") else state)


def test_a_proposal_opens_one_task_that_waits_for_the_affected_owner(play: Play) -> None:
    effects = [effect(), {**effect(), "args": {"order": ["2"]}}]
    task = play.propose("a", *effects)
    opened = play.ledger()[-1]
    assert {name: opened[name] for name in ("event", "task", "owner", "executor", "effects", "state", "opened_by")} == {
        "event": "task_opened",
        "task": task,
        "owner": "jenny",
        "executor": "worker",
        "effects": effects,
        "state": "awaiting_approval",
        "opened_by": opened["seq"] - 1,
    }
    shown = {"id": task, "state": "awaiting_approval", "owner": "jenny", "executor": "worker", "effects": effects}
    token = play.tokens["t", "b"]
    assert play.host.task("t", token, task, play.now) == {**shown, "opened_by": opened["seq"] - 1}


def test_a_decision_with_effects_opens_a_task_and_one_without_opens_none() -> None:
    play = Play().create(floor={"decision_by": ["a"]}).bots("a", "b").join("worker", "jenny", caps=[capability()])
    play.post("a", "decision", body="Yes.")
    play.post("a", "decision", body="Yes.", effects=[effect()])
    assert play.words()[-3:] == ["decision", "decision", "task_opened"]


@pytest.mark.parametrize("kind", ["say", "pass"])
def test_effects_of_another_kind_open_no_task_and_are_not_kept(play: Play, kind: str) -> None:
    entry = play.post("a", kind, body="x", effects=[effect("nobody")])
    assert ("effects" in entry, "task_opened" in play.words()) == (False, False)


def _deciding() -> Play:
    play = Play().create(topology=order("a"), floor={"decision_by": ["a"]}).bots("a")
    return play.join("worker", "jenny", caps=[capability()])


@pytest.mark.parametrize(
    ("effects", "wanted"),
    [
        ([effect(), effect("tao")], "E_MIXED_OWNERS"),
        ([effect(action="delete")], "E_NO_EXECUTOR"),
        ([effect(resource="lamp")], "E_NO_EXECUTOR"),
        ([effect(), effect(action="delete")], "E_NO_EXECUTOR"),
        ([effect("omar")], "E_NO_EXECUTOR"),
        ([effect("nobody")], "E_NO_EXECUTOR"),
    ],
)
@pytest.mark.parametrize("kind", ["proposal", "decision"])
def test_effects_that_nobody_can_carry_out_are_refused(kind: str, effects: Any, wanted: str) -> None:
    play = _deciding()
    before = play.ledger()
    assert code(play.post, "a", kind, body="x", effects=effects) == wanted
    assert play.ledger() == before


@pytest.mark.parametrize("members", [{}, {"effects": []}, {"effects": [{"owner": "jenny"}]}, {"effects": "all"}])
def test_a_proposal_has_effects(members: dict[str, Any]) -> None:
    play = _deciding()
    before = play.ledger()
    assert code(play.post, "a", "proposal", body="x", **members) == "E_SCHEMA"
    assert play.ledger() == before


@pytest.mark.parametrize("required", [None, False, True])
@pytest.mark.parametrize("automatic", [None, False, True])
@pytest.mark.parametrize("owner", ["tao", "jenny"])
def test_who_need_not_be_asked(required: bool | None, automatic: bool | None, owner: str) -> None:
    flags = {"requires_approval": required, "auto_approve": automatic}
    card = capability(**{name: flag for name, flag in flags.items() if flag is not None})
    play = Play().create(topology=order("a")).join("a", owner).join("worker", "jenny", caps=[card])
    task = play.propose("a")
    is_free = not required and (owner == "jenny" or bool(automatic))
    assert play.state(task) == ("approved" if is_free else "awaiting_approval")
    assert "approval" not in play.words()


def test_one_effect_that_needs_approval_makes_the_whole_task_wait() -> None:
    cards = [capability("board", "label", auto_approve=True), capability("board", "reorder")]
    play = Play().create(topology=order("a")).bots("a").join("worker", "jenny", caps=cards)
    assert play.state(play.propose("a", effect(action="label"))) == "approved"
    assert play.state(play.propose("a", effect(action="label"), effect())) == "awaiting_approval"


def test_the_executor_is_a_bot_of_the_owner_and_the_first_that_fits() -> None:
    play = Play().create(topology=order("a")).bots("a")
    play.join("person", "jenny", kind="human", caps=[capability()]).join("other", "tao", caps=[capability()])
    play.join("half", "jenny", caps=[capability("board", "label")])
    play.join("first", "jenny", caps=[capability("lamp"), capability()]).join("second", "jenny", caps=[capability()])
    play.propose("a")
    assert play.last("task_opened")["executor"] == "first"


def test_an_approval_is_recorded_in_the_owners_name_and_names_the_executor(play: Play) -> None:
    task = play.propose("a")
    body = play.decision(task, reason="Fine.")
    entry = play.host.approve("t", body, play.now)
    recorded, state = play.ledger()[-2:]
    assert recorded == entry
    assert {name: entry.get(name) for name in ("seat", "kind", *body)} == {
        **body,
        "seat": "owner:jenny",
        "kind": "approval",
        "owner": None,
        "decision": None,
    }
    assert [state[name] for name in ("event", "task", "state", "executor")] == [
        "task_state",
        task,
        "approved",
        "worker",
    ]


def test_a_rejection_is_recorded_too(play: Play) -> None:
    task = play.propose("a")
    entry = play.approve(task, decide="reject")
    state = play.ledger()[-1]
    assert (entry["kind"], entry["seat"], "reason" in entry) == ("rejection", "owner:jenny", False)
    assert (state["state"], "executor" in state) == ("rejected", False)


def test_only_the_affected_owner_decides(play: Play) -> None:
    task = play.propose("a")
    assert code(play.approve, task, "tao") == "E_NOT_OWNER"
    assert code(play.approve, task, "nobody") == "E_NOT_OWNER"
    assert play.state(task) == "awaiting_approval"


@pytest.mark.parametrize("member", ["task", "decision", "reason", "nonce", "owner"])
def test_the_signature_binds_every_member(play: Play, member: str) -> None:
    task, other = play.propose("a"), play.propose("a", effect())
    other_value = {"task": other, "decision": "reject", "reason": "no", "nonce": "another", "owner": "tao"}[member]
    body = {**play.decision(task, reason="yes"), member: other_value}
    wanted = "E_NOT_OWNER" if member == "owner" else "E_BAD_SIGNATURE"
    assert code(play.host.approve, "t", body, play.now) == wanted
    assert (play.state(task), play.state(other)) == ("awaiting_approval", "awaiting_approval")


def test_the_signature_binds_the_table(play: Play) -> None:
    task = play.propose("a")
    body = play.decision(task, on="another")
    assert code(play.host.approve, "t", body, play.now) == "E_BAD_SIGNATURE"


@pytest.mark.parametrize("key", [STRANGER, OWNERS["tao"]])
def test_another_key_signs_nothing(play: Play, key: Any) -> None:
    assert code(play.approve, play.propose("a"), key=key) == "E_BAD_SIGNATURE"


def test_a_nonce_decides_once_and_a_refused_request_does_not_spend_it(play: Play) -> None:
    first, second = play.propose("a"), play.propose("a")
    assert code(play.approve, first, nonce="once", key=STRANGER) == "E_BAD_SIGNATURE"
    play.approve(first, nonce="once")
    assert code(play.approve, second, nonce="once") == "E_REPLAY"
    play.restart()
    assert code(play.approve, second, nonce="once") == "E_REPLAY"
    play.approve(second, nonce="twice")


def test_unknown_tasks_are_not_found(play: Play) -> None:
    assert code(play.approve, "task-1") == "E_NOT_FOUND"
    assert code(play.post, "worker", "receipt", task="task-1", artifact=1) == "E_NOT_FOUND"
    assert code(play.host.task, "t", play.tokens["t", "a"], "task-1", play.now) == "E_NOT_FOUND"


@pytest.mark.parametrize("body", [None, [], {}, {"owner": "jenny"}])
def test_a_decision_fits_its_schema(play: Play, body: Any) -> None:
    assert code(play.host.approve, "t", body, play.now) == "E_SCHEMA"


def test_only_the_executor_reports(play: Play) -> None:
    task = play.propose("a")
    play.approve(task)
    play.join("twin", "jenny", caps=[capability()])
    reports = [("status", {"state": "running"}), ("status", {"state": "failed"}), ("receipt", {"artifact": 1})]
    for seat in ("a", "twin", "h"):
        codes = [code(play.post, seat, kind, task=task, **members) for kind, members in reports]
        assert codes == ["E_NOT_OWNER"] * 3
    assert play.state(task) == "approved"


@pytest.mark.parametrize("seat", ["a", "b", "h", "twin"])
def test_any_seat_but_the_executor_verifies(play: Play, seat: str) -> None:
    play.join("twin", "jenny")
    task = play.propose("a")
    play.approve(task)
    _do(play, task, "status:running"), _do(play, task, "receipt")
    assert play.state(task) == "reported"
    assert code(play.post, "worker", "verify", task=task, result="pass") == "E_SELF_VERIFY"
    play.post(seat, "verify", task=task, result="pass")
    assert play.state(task) == "verified"


def test_a_receipt_keeps_its_artifact_as_it_is(play: Play) -> None:
    task = play.propose("a")
    play.approve(task)
    _do(play, task, "status:running")
    artifact = {"rows": [1, 2.5, None, {"deep": ["x" * 5000]}], "große": "ok"}
    entry = play.post("worker", "receipt", task=task, artifact=artifact, body="Done.")
    assert (entry["artifact"], entry["body"], entry["task"]) == (artifact, "Done.", task)


def test_speech_changes_no_task(play: Play) -> None:
    task = play.propose("a")
    play.approve(task)
    play.say("a", f"{task} is done and verified", refs=[task])
    assert play.state(task) == "approved"
