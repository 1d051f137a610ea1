"""Sub-tables report to their parents, exactly once (BYOB 7)."""

import pytest

from reference.byob.store import Batch, MemoryStore, StoreError
from tests.reference.byob.playing import Play, code, order

DECIDED = {"topology": order("x"), "floor": {"decision_by": ["x"]}, "termination": {"any": ["decision"]}}


def _nested() -> Play:
    """A table, its sub-table and one below that."""
    play = Play().create("top", topology=order("a")).bots("a")
    play.create("middle", parent="top", **DECIDED).bots("x")
    return play.create("low", parent="middle", **DECIDED).bots("x")


def _results(play: Play, table: str) -> list[str]:
    return [entry["subtable"] for entry in play.ledger(table) if entry.get("event") == "subtable_result"]


def test_the_result_carries_the_decisions_and_refers_to_them() -> None:
    play = Play().create("top", topology=order("a")).bots("a")
    play.create("sub", parent="top", topology=order("x"), floor={"decision_by": ["x"]}).bots("x")
    first, second = (play.post("x", "decision", body=body)["seq"] for body in ("One.", "Two."))
    play.say("x", "a secret of the sub-table")
    assert _results(play, "top") == []
    play.close("sub", "done")
    entry = play.ledger("top")[-1]
    assert entry == {
        "seq": 4,
        "table": "top",
        "seat": "core",
        "kind": "system",
        "event": "subtable_result",
        "subtable": "sub",
        "decisions": [{"seq": first, "seat": "x", "body": "One."}, {"seq": second, "seat": "x", "body": "Two."}],
        "refs": [f"table:sub#{first}", f"table:sub#{second}"],
        "ts": entry["ts"],
    }
    assert play.read("a", on="top")["tail"][-1]["event"] == "subtable_result"


def test_a_sub_table_without_decisions_reports_too() -> None:
    play = Play().create("top").create("sub", parent="top")
    play.close("sub"), play.close("sub")
    assert [(entry["decisions"], entry["refs"]) for entry in play.ledger("top")[1:]] == [([], [])]


def test_sub_tables_nest_and_each_reports_to_its_own_parent() -> None:
    play = _nested()
    play.post("x", "decision", body="Low.", on="low")
    assert (_results(play, "middle"), _results(play, "top")) == (["low"], [])
    play.post("x", "decision", body="Middle.", on="middle")
    assert (_results(play, "middle"), _results(play, "top")) == (["low"], ["middle"])
    assert play.ledger("top")[-1]["decisions"][0]["body"] == "Middle."


def test_a_result_can_close_the_parent_which_reports_in_turn() -> None:
    play = Play().create("t0", topology=order("a"))
    for depth in range(1, 200):
        play.create(f"t{depth}", parent=f"t{depth - 1}", termination={"any": [{"max_entries": 2}]})
    play.close("t199")
    assert [play.reason(f"t{depth}") for depth in (0, 1, 198, 199)] == [None, "max_entries", "max_entries", "enough"]
    assert _results(play, "t0") == ["t1"]


def test_a_sub_table_that_closes_as_it_opens_reports() -> None:
    play = Play().create("top").create("sub", parent="top", termination={"any": [{"max_entries": 1}]})
    assert _results(play, "top") == ["sub"]


def test_a_parent_that_closed_first_still_takes_the_result() -> None:
    play = _nested()
    play.close("middle")
    play.post("x", "decision", body="Late.", on="low")
    assert (_results(play, "middle"), play.words("middle")[-2:]) == (["low"], ["table_closed", "subtable_result"])
    assert _results(play, "top") == ["middle"]


def test_a_closed_table_takes_no_new_sub_table() -> None:
    play = Play().create("top")
    play.close()
    assert code(play.create, "sub", parent="top") == "E_TABLE_CLOSED"


def test_parent_and_sub_table_share_nothing() -> None:
    play = _nested()
    token = play.tokens["middle", "x"]
    assert code(play.host.memory, "low", token, play.now) == "E_UNAUTHORIZED"
    assert play.words("top") == ["table_opened", "seat_joined", "floor_granted"]


class Dying(MemoryStore):
    """A store that is gone after a number of batches."""

    left = 1000

    def append(self, table: str, batch: Batch) -> None:
        if self.left == 0:
            raise StoreError(None, "killed")
        self.left -= 1
        super().append(table, batch)


@pytest.mark.parametrize("batches", [0, 1, 2, 3])
def test_a_process_that_dies_between_the_ledgers_leaves_the_result_to_the_next(batches: int) -> None:
    store = Dying()
    play = Play(store).create("top").create("middle", parent="top", termination={"any": [{"max_entries": 2}]})
    play.create("low", parent="middle")
    store.left = batches
    try:
        play.close("low")
    except StoreError:
        assert batches < 3
    store.left = 1000
    for _ in range(2):
        play.restart()
        wanted = (None, [], []) if batches == 0 else ("enough", ["low"], ["middle"])
        assert (play.reason("low"), _results(play, "middle"), _results(play, "top")) == wanted


def test_a_result_that_could_not_be_written_is_written_as_soon_as_it_can_be() -> None:
    store = Dying()
    play = Play(store).create("top").create("low", parent="top")
    store.left = 1
    with pytest.raises(StoreError):
        play.close("low")
    store.left = 1000
    play.host.tick(play.now)
    assert (_results(play, "top"), play.reason("low")) == (["low"], "enough")
