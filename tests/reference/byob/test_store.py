"""A store keeps batches whole and in order; this one in memory."""

from reference.byob.store import Batch, MemoryStore

FIRST, SECOND = Batch(({"seq": 1},), {"admin": "x"}), Batch(({"seq": 2}, {"seq": 3}))


def test_batches_come_back_as_they_were_appended() -> None:
    store = MemoryStore()
    store.append("t", FIRST), store.append("u", FIRST), store.append("t", SECOND)
    assert [(table, [*batches]) for table, batches in store.tables()] == [("t", [FIRST, SECOND]), ("u", [FIRST])]
    assert ([*store.batches("t")], [*store.batches("nowhere")]) == ([FIRST, SECOND], [])
    store.close()
