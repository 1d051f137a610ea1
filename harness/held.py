"""What a run holds of all that a target has sent: bounded for all connections together, since memory is one.

Each frame is weighed before it is parsed, by what its text may grow to, and counts until nobody holds it any more. A
bound for each connection alone would let many of them together fill the memory of the machine.
"""

import gc
import weakref

from harness import limits

# Bytes that Python may need for a piece of a frame's text; its list of one element is the worst there is.
FRAME, BYTE, LIST, DICT, ELEMENT = 1_000, 3, 90, 180, 60


class Held:
    """An account of frames by weight.

    Args:
        cap: the most bytes, as estimated, that may be held.
    """

    def __init__(self, cap: int = limits.HELD_CAP) -> None:
        self.cap, self.weight = cap, 0

    def room(self, weight: int) -> bool:
        """Whether so many bytes more may be held; what only waits to be collected is collected first."""
        if self.weight + weight > self.cap:
            gc.collect()  # an exception that was caught holds what its frames held, in a cycle
        return self.weight + weight <= self.cap

    def keep(self, thing: object, weight: int) -> None:
        """Count a thing until nobody holds it any more."""
        self.weight += weight
        weakref.finalize(thing, self._release, weight).atexit = False

    def _release(self, weight: int) -> None:
        self.weight -= weight


def weigh(line: bytes) -> int:
    """Return the most bytes that a frame may need once it is parsed, from its text; an estimate that errs upwards."""
    return (
        FRAME
        + BYTE * len(line)
        + LIST * line.count(b"[")
        + DICT * line.count(b"{")
        + ELEMENT * (line.count(b",") + line.count(b":"))
    )


HELD = Held()
"""That of this process: there is one memory, so there is one account."""
