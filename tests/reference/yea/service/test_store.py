"""The store in memory."""

import pytest

from reference.yea.service.store import MemoryStore, MemoryTable, TotalRecord, whole


def test_a_table_keeps_gives_and_forgets() -> None:
    table: MemoryTable[TotalRecord] = MemoryTable()
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


def test_a_sweep_forgets_what_is_past_and_nothing_else() -> None:
    table: MemoryTable[TotalRecord] = MemoryTable()
    for name, until in (("never", None), ("past", 9.0), ("now", 10.0), ("later", 11.0)):
        table.put(name, TotalRecord(1, until))
    table.sweep(10)
    assert table.oldest(9) == ["never", "later"]


def test_items_may_be_walked_while_the_table_changes() -> None:
    table: MemoryTable[TotalRecord] = MemoryTable()
    table.put("a", TotalRecord(1, None))
    for name, record in table.items():
        table.put(name + "x", record)
        table.remove(name)
    assert table.oldest(9) == ["ax"]


def test_a_transaction_is_entered() -> None:
    store = MemoryStore()
    with store.transaction():
        store.totals.put("a", TotalRecord(1, None))
    assert len(store.totals) == 1


def test_whole_reads_what_the_service_wrote() -> None:
    assert whole(5) == 5
    with pytest.raises(ValueError, match="not an integer"):
        whole("5")
