"""State is a fold over the ledger (BYOB 5)."""

from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference.byob.host import Host
from reference.byob.state import State
from reference.byob.validating import validate
from tests.reference.byob.histories import History, Shadowed
from tests.reference.byob.playing import Play, capability, code, order

HISTORIES = given(st.integers(0, 2**32), st.integers(20, 150))
SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _played(seed: int, steps: int) -> History:
    history = History(Play(table_class=Shadowed), Random(seed))
    history.create()
    for _ in range(steps):
        history.step()
    return history


def _invariants(ledger: list[dict[str, Any]], depth: int) -> None:
    """What holds in every ledger, worked out from its entries alone."""
    holder, says, closed = None, 0, False
    humans = {entry["joined"] for entry in ledger if entry.get("event") == "seat_joined" and entry["member"] == "human"}
    assert [entry["seq"] for entry in ledger] == [*range(1, len(ledger) + 1)]
    for entry in ledger:
        word, seat = entry.get("event", entry["kind"]), entry["seat"]
        if word in ("say", "pass", "proposal", "decision"):
            assert not closed
            assert seat == holder or (word == "say" and seat in humans)
        if word == "say":
            says = 0 if seat in humans else says + 1
            assert says <= depth
        if word == "floor_granted":
            assert (closed, holder) == (False, None)
            assert says < depth or entry["holder"] in humans
            holder = entry["holder"]
        elif word in ("say", "pass") and seat == holder:
            holder = None
        elif word == "table_closed":
            assert not closed
            holder, closed = None, True


@SLOW
@HISTORIES
def test_a_replay_gives_the_state_of_the_live_table_after_every_entry(seed: int, steps: int) -> None:
    history = _played(seed, steps)
    again = Host(history.play.store, table_class=Shadowed)
    assert sorted(again.tables) == sorted(history.tables)
    for name, live in history.play.host.tables.items():
        assert vars(again.tables[name].state) == vars(live.state)
        assert again.tables[name].kept == live.kept
        _invariants(live.state.entries, live.max_bot_depth())


@settings(SLOW, max_examples=30)
@HISTORIES
def test_a_parent_has_one_result_of_each_closed_sub_table(seed: int, steps: int) -> None:
    history = _played(seed, steps)
    tables = history.play.host.tables
    closed = [(child.parent(), name) for name, child in tables.items() if child.state.status == "closed"]
    results = [
        (name, entry["subtable"])
        for name, table in tables.items()
        for entry in table.state.entries
        if entry.get("event") == "subtable_result"
    ]
    assert sorted(results) == sorted((parent, name) for parent, name in closed if parent is not None)


@settings(SLOW, max_examples=20)
@HISTORIES
def test_all_that_a_table_writes_and_shows_fits_its_schema(seed: int, steps: int) -> None:
    history = _played(seed, steps)
    for table in history.tables:
        for entry in history.play.ledger(table):
            validate("ledger-entry", entry)
    for table, seat in history.play.tokens:
        validate("projection", history.play.read(seat, on=table))


@settings(SLOW, max_examples=30)
@HISTORIES
def test_a_seat_can_read_what_its_tail_shows_and_nothing_else(seed: int, steps: int) -> None:
    play = _played(seed, steps).play
    for (table, seat), token in play.tokens.items():
        shown = {entry["seq"] for entry in play.read(seat, on=table)["tail"]}
        for seq in range(len(play.ledger(table)) + 2):
            wanted = "accepted" if seq in shown else "E_NOT_FOUND"
            assert code(play.host.entry, table, token, str(seq), play.now) == wanted


def test_states_of_other_histories_differ() -> None:
    first, second = (Play().create().bots("a") for _ in range(2))
    assert first.host.tables["t"].state == second.host.tables["t"].state
    second.post("a", "raise_hand")
    assert first.host.tables["t"].state != second.host.tables["t"].state
    assert State() != 1


def test_what_a_table_knows_at_some_moment() -> None:
    play = Play().create(topology=order("a", "b"), floor={"max_bot_depth": 9}).bots("a", "b")
    play.join("worker", "jenny", caps=[capability()])
    task = play.propose("a")
    play.say("a", "12345"), play.post("a", "raise_hand")
    state = play.host.tables["t"].state
    assert (state.holder, state.grant_seq, state.position, state.turn) == ("b", 9, {"turn": 2}, None)
    assert (state.hands, state.depth, state.tokens_used, [*state.unfinished["jenny"]]) == ({"a": 10}, 1, 4, [task])
    play.approve(task)
    assert state.watched == {task: round(play.now * 1000)}
    play.post("worker", "status", task=task, state="failed")
    assert (state.watched, state.unfinished["jenny"], state.tasks[task].state) == ({}, {}, "failed")
