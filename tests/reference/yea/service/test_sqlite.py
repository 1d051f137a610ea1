"""The store on disk."""

from pathlib import Path
from typing import Any

import pytest

from reference.yea.conformance import conformance_service
from reference.yea.service.sqlite import Database, SqliteObjects, SqliteStore, StoreError
from reference.yea.service.store import (
    AutoRecord,
    DoubtRecord,
    HandleRecord,
    ProposalRecord,
    ReceiptRecord,
    TotalRecord,
)
from tests.reference.yea.service.driving import K1, A, Caller, code, grant, spend

RECORDS: dict[str, list[Any]] = {
    "proposals": [ProposalRecord({"id": "p", "data": {"b": 1.5, "a": "\ud800é"}}, {}, "k", None, 5, "done", "a", "r")],
    "receipts": [ReceiptRecord({"id": "r"}, {"x": [1]}, "a", 2**52, "open", None)],
    "handles": [HandleRecord("items", [1, None, {"a": "b"}], None, 1.5), HandleRecord("text", "x", "k", 2)],
    "autos": [AutoRecord(None, 1.0), AutoRecord({"kind": "RECEIPT"}, 2.0, "p")],
    "totals": [TotalRecord(10**40 + 1, None)],
    "doubts": [DoubtRecord(3.0)],
}


class Disk:
    """A caller of a service whose state is in one file; a new one is the service after a restart."""

    def __init__(self, path: Path) -> None:
        self.database = Database(path)
        service = conformance_service(store=SqliteStore(self.database), objects=SqliteObjects(self.database))
        self.caller = Caller(service)


def restarted(disk: Disk, path: Path) -> Disk:
    """The service after the process was killed: nothing but the file is left."""
    disk.database.close()
    after = Disk(path)
    after.caller.now = disk.caller.now
    return after


@pytest.mark.parametrize("name", RECORDS)
def test_every_record_comes_back_as_it_was(name: str, tmp_path: Path) -> None:
    for record in RECORDS[name]:
        database = Database(tmp_path / "store")
        getattr(SqliteStore(database), name).put("a\x00é", record)
        database.close()
        database = Database(tmp_path / "store")
        table = getattr(SqliteStore(database), name)
        assert (table.get("a\x00é"), len(table)) == (record, 1)
        database.close()


def test_a_transaction_that_fails_leaves_nothing(tmp_path: Path) -> None:
    database = Database(tmp_path / "store")
    store = SqliteStore(database)
    store.totals.put("a", TotalRecord(1, None))
    with pytest.raises(KeyError), store.transaction():
        store.totals.put("a", TotalRecord(2, None))
        with store.transaction():
            store.totals.put("b", TotalRecord(3, None))
        raise KeyError
    assert (store.totals.get("a"), store.totals.get("b"), len(store.totals)) == (TotalRecord(1, None), None, 1)
    database.close()


def test_one_process_at_a_time(tmp_path: Path) -> None:
    database = Database(tmp_path / "store")
    with pytest.raises(StoreError, match="database is locked"):
        Database(tmp_path / "store")
    database.close()
    Database(tmp_path / "store").close()


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("x" * 5000)
    with pytest.raises(StoreError, match="not a database"):
        Database(tmp_path / "store")
    assert (tmp_path / "store").read_text() == "x" * 5000


def test_objects_are_a_mapping(tmp_path: Path) -> None:
    database = Database(tmp_path / "store")
    objects = SqliteObjects(database)
    objects["a"] = [{"by": "p1"}]
    objects["a"] = [{"by": "p1"}, {"by": "p2"}]
    objects["b"] = []
    assert dict(objects) == {"a": [{"by": "p1"}, {"by": "p2"}], "b": []}
    del objects["b"]
    with pytest.raises(KeyError):
        del objects["b"]
    assert (objects.get("b"), len(objects)) == (None, 1)
    database.close()


def test_after_a_restart_everything_is_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "store"
    disk = Disk(path)
    token = grant(A, K1, spend("spend", 2290, scale=2))
    proposal = disk.caller.propose("shop.order", {"order": "o"}, token)
    committed = disk.caller.send(disk.caller.commit(proposal, token))
    undone = disk.caller.committed("calendar.book", {"event": "e"})
    reversal = disk.caller.send(disk.caller.undo(undone))
    auto = disk.caller.auto("calendar.pencil", {"event": "e"}, name="f1")
    first = disk.caller.send(auto)
    handle = disk.caller.send(disk.caller.ask("shop.menu"))["more"][0]["handle"]
    waiting = disk.caller.propose("calendar.move", {"event": "e", "to": "2027-01-01T10:00:00Z"})
    disk = restarted(disk, path)
    caller = disk.caller
    assert caller.send(caller.commit(proposal, token))["receipt"] == committed["receipt"]
    assert caller.send(caller.undo(undone))["receipt"] == reversal["receipt"]
    assert caller.send(auto) | {"id": 0} == first | {"id": 0, "replay": True}
    assert code(caller.send(caller.expand(handle))) == "ANSWER"
    assert code(caller.send(caller.commit(waiting))) == "RECEIPT"
    other = caller.propose("shop.order", {"order": "o"}, token)
    assert code(caller.send(caller.commit(other, token))) == "consent_required"
    assert (caller.order("o")["orders"], caller.event("e")["bookings"]) == (1, 1)
    disk.database.close()


def test_a_commit_that_was_cut_off_is_in_doubt_after_the_restart(tmp_path: Path) -> None:
    path = tmp_path / "store"
    disk = Disk(path)
    token = grant(A, K1, {"total": {"of": "deliveries", "max": 1}})
    proposal = disk.caller.propose("shop.deliver", {"order": "o"}, token)
    commit, auto = disk.caller.commit(proposal, token), disk.caller.auto("shop.deliver", {"order": "o"}, name="f1")
    left = [disk.caller.begin(commit), disk.caller.begin(auto)]
    for steps in left:
        next(steps)
    disk = restarted(disk, path)
    caller = disk.caller
    for frame in (commit, auto, commit, auto):
        assert code(caller.send(frame)) == "unavailable"
    assert code(caller.send(caller.auto("shop.deliver", {"order": "o"}, name="f2"))) == "PROPOSALS"
    other = caller.propose("shop.deliver", {"order": "o"}, token)
    assert code(caller.send(caller.commit(other, token))) == "consent_required"
    assert caller.order("o")["orders"] == 0
    disk.database.close()
    for steps in left:
        # The killed process would not have come this far: its file is closed, and that is logged.
        steps.close()
