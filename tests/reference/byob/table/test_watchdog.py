"""The watchdog (BYOB 9)."""

from reference.byob.store import MemoryStore
from tests.reference.byob.playing import START, Play, capability, order

BEAT = {"heartbeat_ms": 1500}


def _play(**members: object) -> tuple[Play, str]:
    play = Play(MemoryStore()).create(topology=order("a"), **{"watchdog": BEAT, **members}).bots("a")
    play.join("worker", "jenny", caps=[capability(auto_approve=True)])
    return play, play.propose("a")


def _ticked(play: Play, seconds: float) -> tuple[float | None, list[str]]:
    play.now += seconds
    following = play.host.tick(play.now)
    return following, [entry["task"] for entry in play.ledger() if entry.get("state") == "stalled"]


def test_a_task_without_progress_is_stalled_once_and_everybody_sees_it() -> None:
    play, task = _play()
    assert _ticked(play, 1.499) == (START + 1.5, [])
    assert _ticked(play, 0.001) == (None, [task])
    assert _ticked(play, 100) == (None, [task])
    marked = play.read("a")["tail"][-1]
    assert [marked[name] for name in ("event", "task", "state")] == ["task_state", task, "stalled"]


def test_it_looks_at_the_next_request_too() -> None:
    play, task = _play()
    play.now += 2
    assert play.state(task) == "stalled"


def test_progress_restarts_the_clock() -> None:
    play, task = _play()
    play.now += 1
    play.post("worker", "status", task=task, state="running")
    assert _ticked(play, 1) == (START + 2.5, [])
    play.post("worker", "status", task=task, state="running")
    assert _ticked(play, 1) == (START + 3.5, [])
    assert _ticked(play, 0.5) == (None, [task])


def test_a_resumed_task_is_watched_again() -> None:
    play, task = _play()
    _ticked(play, 2)
    play.post("worker", "status", task=task, state="running")
    assert _ticked(play, 1.5) == (None, [task, task])


def test_what_waits_for_somebody_else_is_not_watched() -> None:
    play = Play().create(topology=order("a"), watchdog=BEAT).bots("a").join("worker", "jenny", caps=[capability()])
    task = play.propose("a")
    assert _ticked(play, 10) == (None, [])
    play.approve(task)
    play.post("worker", "status", task=task, state="running")
    play.post("worker", "receipt", task=task, artifact=1)
    assert _ticked(play, 10) == (None, [])


def test_without_a_heartbeat_nothing_is_watched() -> None:
    play, _ = _play(watchdog={})
    assert _ticked(play, 1e6) == (None, [])


def test_several_tasks_fall_due_one_after_the_other() -> None:
    play, first = _play()
    play.now += 1
    second = play.propose("a")
    assert _ticked(play, 0.5) == (START + 2.5, [first])
    assert _ticked(play, 1) == (None, [first, second])


def test_the_clock_goes_on_over_a_restart() -> None:
    play, task = _play()
    play.now += 1
    play.restart()
    assert play.host.tick(play.now) == START + 1.5
    assert _ticked(play, 0.5) == (None, [task])


def test_it_goes_on_after_the_close() -> None:
    play, task = _play()
    play.close()
    assert _ticked(play, 2) == (None, [task])


def test_a_mark_can_be_the_entry_that_closes_the_table() -> None:
    play, _ = _play(termination={"any": [{"max_entries": 8}]})
    play.post("worker", "raise_hand")
    assert play.reason() is None
    _ticked(play, 2)
    assert (play.reason(), play.words()[-2:]) == ("max_entries", ["task_state", "table_closed"])


def test_a_clock_that_goes_back_stalls_nothing_early_and_entries_stay_in_order() -> None:
    play, task = _play()
    play.now -= 1000
    play.post("worker", "status", task=task, state="running")
    assert _ticked(play, 1000) == (START + 1.5, [])
    times = [entry["ts"] for entry in play.ledger()]
    assert times == sorted(times)
