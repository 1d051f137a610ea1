"""Ids."""

from reference.yea.service import counted_ids, random_id


def test_random_ids_differ_and_carry_their_prefix() -> None:
    ids = {random_id("h_") for _ in range(1000)}
    assert len(ids) == 1000
    assert {(len(name), name[:2]) for name in ids} == {(14, "h_")}


def test_counted_ids_count() -> None:
    ids = counted_ids()
    assert [ids("a"), ids("b"), ids("a")] == ["a1", "b2", "a3"]
