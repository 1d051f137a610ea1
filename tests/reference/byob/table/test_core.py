"""The only way into the ledger (BYOB 1, 5)."""

from reference.byob.kept import kept_admin, kept_nonce
from reference.byob.store import Batch
from reference.byob.table.core import Core
from tests.reference.byob.playing import config

EARLY, LATE = "2026-09-21T14:13:20.000Z", "2026-09-21T14:13:21.500Z"
NOW = 1_790_000_000_000


def _opened() -> Core:
    core = Core("t")
    core.system("table_opened", {"config": config()}, NOW)
    return core


def test_every_entry_gets_the_next_seq_the_table_and_a_time() -> None:
    core = _opened()
    note = core.system("note", {"body": "Hello."}, NOW + 1500)
    assert note == {
        "seq": 2,
        "table": "t",
        "seat": "core",
        "kind": "system",
        "event": "note",
        "body": "Hello.",
        "ts": LATE,
    }
    assert core.state.entries[1:] == [note]


def test_times_never_go_back() -> None:
    core = _opened()
    times = [core.system("note", {}, NOW + later)["ts"] for later in (1500, -1_000_000, 0)]
    assert (core.state.entries[0]["ts"], times) == (EARLY, [LATE] * 3)


def test_what_one_request_wrote_is_taken_once_and_together() -> None:
    core = _opened()
    core.remember(kept_admin("x"))
    opened = core.state.entries[0]
    assert [core.take(), core.take()] == [Batch((opened,), kept_admin("x")), None]
    first, second = core.system("note", {}, NOW), core.system("note", {}, NOW)
    assert core.take() == Batch((first, second), {})


def test_a_replay_of_what_was_taken_is_the_same_table() -> None:
    core, again = _opened(), Core("t")
    core.remember(kept_admin("x"))
    batches = [core.take()]
    core.write("owner:tao", "rejection", {"task": "task-1"}, NOW)
    core.remember(kept_nonce("tao", "n"))
    batches.append(core.take())
    again.replay(batch for batch in batches if batch is not None)
    assert (again.state, again.kept, again.take()) == (core.state, core.kept, None)
