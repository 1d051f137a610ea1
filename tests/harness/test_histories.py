"""How often a change happened is told from counts, and otherwise only whether it did."""

import asyncio
from typing import Any

import pytest

from harness.errors import TargetFault
from harness.histories import Change, at_once
from harness.targets.base import Exchange


@pytest.mark.parametrize(
    ("change", "before", "after", "times"),
    [
        ((0, 1), 4, 4, 0),
        ((0, 1), 4, 5, 1),
        ((0, 1), 4, 6, 2),
        ((0, 2), 0, 4, 2),
        ((0, 2), 0, 3, None),
        ((5, 4), 9, 7, 2),
        ((None, "x"), None, None, 0),
        ((None, "x"), None, "x", 1),
        ((None, "x"), "a", "b", None),
        ((False, True), False, True, 1),
        (([1], [1, 2]), [1], [1, 2], 1),
    ],
)
def test_a_change_is_counted_where_it_can_be(
    change: tuple[Any, Any], before: Any, after: Any, times: int | None
) -> None:
    assert Change(*change).happened(before, after) == times


class Sender:
    """A context that answers or fails, and remembers who was still awaited."""

    def __init__(self) -> None:
        self.ended: list[str] = []

    async def send(self, frame: dict[str, Any], connection: object) -> Exchange:
        """Answer after as many turns as the frame says."""
        for _ in range(frame["turns"]):
            await asyncio.sleep(0)
        self.ended.append(frame["id"])
        if frame.get("fails"):
            raise TargetFault("no reply")
        return Exchange(frame)


def test_exchanges_come_in_the_order_of_the_frames() -> None:
    sender: Any = Sender()
    frames = [{"id": "a", "turns": 3}, {"id": "b", "turns": 1}]
    exchanges = asyncio.run(at_once(sender, [(frame, None) for frame in frames]))
    assert ([exchange.request for exchange in exchanges], sender.ended) == (frames, ["b", "a"])


def test_every_request_is_awaited_before_a_failure_is_raised() -> None:
    sender: Any = Sender()
    frames = [{"id": "a", "turns": 0, "fails": True}, {"id": "b", "turns": 5}]
    with pytest.raises(TargetFault):
        asyncio.run(at_once(sender, [(frame, None) for frame in frames]))
    assert sender.ended == ["a", "b"]
