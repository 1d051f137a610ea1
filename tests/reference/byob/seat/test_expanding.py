"""References are followed hop by hop, each entry once, hops and entries bounded (BYOB 5, 6)."""

from typing import Any

from reference.byob.seat.expanding import Frontier, is_cut, references


def entry(seq: int, *refs: Any) -> dict[str, Any]:
    return {"seq": seq, "kind": "say", "refs": [*refs]}


def followed(ledger: dict[int, dict[str, Any]], *start: int, **bounds: int) -> list[int]:
    frontier, order = Frontier(start, **bounds), []
    while (asked := frontier.take()) is not None:
        order.append(asked[0])
        frontier.found(ledger[asked[0]], asked[1])
    return order


def test_only_entries_of_this_table_are_references() -> None:
    odd = ["entry:0", "entry:-1", "entry:1.5", "entry:" + "9" * 17, "table:t#3", "memo", 7, None]
    assert references(entry(1, "entry:4", *odd, "entry:2")) == [4, 2]
    assert references({"refs": "entry:1"}) == references({}) == []


def test_an_entry_whose_body_was_cut_refers_to_itself() -> None:
    assert (is_cut(entry(3, "entry:3")), is_cut(entry(3, "entry:2"))) == (True, False)


def test_hops_are_counted_and_rings_end() -> None:
    ring = {number: entry(number, f"entry:{number % 5 + 1}") for number in range(1, 6)}
    assert followed(ring, 1, hops=9) == [1, 2, 3, 4, 5]
    assert followed(ring, 1, hops=2) == [1, 2]
    assert followed(ring, 1, hops=1) == [1]


def test_entries_are_bounded_however_many_are_named() -> None:
    wide = {1: entry(1, *(f"entry:{number}" for number in range(2, 1000)))}
    wide |= {number: entry(number) for number in range(2, 1000)}
    assert followed(wide, 1, hops=9, most=4) == [1, 2, 3, 4]
