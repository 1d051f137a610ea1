"""The stores, in memory and on disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reference.yea.service.sqlite import Database, SqliteStore
from reference.yea.service.store import MemoryStore, Store, Table, TotalRecord, whole


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of each kind."""
    if request.param == "memory":
        yield MemoryStore()
        return
    database = Database(tmp_path / "store")
    yield SqliteStore(database)
    database.close()


@pytest.fixture
def table(store: Store) -> Table[TotalRecord]:
    """An empty table of each kind."""
    return store.totals


def test_a_table_keeps_gives_and_forgets(table: Table[TotalRecord]) -> None:
    table.put("a", TotalRecord(1, None))
    table.put("b", TotalRecord(2, 10))
    table.put("a", TotalRecord(3, 20))
    assert table.get("a") == TotalRecord(3, 20)
    assert table.get("c") is None
    assert [name for name, _ in table.items()] == table.oldest(5) == ["a", "b"]
    assert table.oldest(1) == ["a"]
    table.remove("a")
    table.remove("a")
    assert len(table) == 1


def test_a_sweep_forgets_what_is_past_and_nothing_else(table: Table[TotalRecord]) -> None:
    for name, until in (("never", None), ("past", 9.0), ("now", 10.0), ("later", 11.0)):
        table.put(name, TotalRecord(1, until))
    table.sweep(10)
    assert table.oldest(9) == ["never", "later"]


def test_items_may_be_walked_while_the_table_changes(table: Table[TotalRecord]) -> None:
    table.put("a", TotalRecord(1, None))
    for name, record in table.items():
        table.put(name + "x", record)
        table.remove(name)
    assert table.oldest(9) == ["ax"]


def test_a_transaction_keeps_what_was_put(store: Store) -> None:
    with store.transaction():
        store.totals.put("a", TotalRecord(1, None))
    assert len(store.totals) == 1


def test_whole_reads_what_the_service_wrote() -> None:
    assert whole(5) == 5
    with pytest.raises(ValueError, match="not an integer"):
        whole("5")
