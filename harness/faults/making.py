"""Making broken services: small bases for faults that change a reply on its way out, or add replies to it."""

from collections.abc import Callable, Iterable
from typing import Any

from reference.yea.service import Frame, Reply, Service, Steps

Change = Callable[[Frame], Any]


def reshaped(change: Change, *kinds: str, codes: tuple[str, ...] = ()) -> type[Service]:
    """Return a service that changes each frame just before it is sent.

    Args:
        change: gets a copy of the frame and changes it in place, or returns another one.
        kinds: of which kinds; of all when none is named.
        codes: of which ERROR codes, when any are named.
    """

    class Reshaped(Service):
        """Changes what it sends."""

        def encode(self, frame: Frame) -> bytes:
            """Change the frame, then write it."""
            wanted = (not kinds or frame.get("kind") in kinds) and (not codes or frame.get("code") in codes)
            if wanted:
                copy = dict(frame)
                frame = change(copy) or copy
            return super().encode(frame)

    return Reshaped


def followed(steps: Steps, more: Callable[[Reply], Iterable[Reply]]) -> Steps:
    """Pass a request's steps on, and after its final reply the replies that `more` makes of it."""
    try:
        step = next(steps)
        while True:
            now = yield step
            if isinstance(step, Reply) and step.frame.get("kind") != "EVENT":
                for another in more(step):  # noqa: UP028 - a plain list takes no time from the driver
                    yield another
            step = steps.send(now)
    except StopIteration:
        return
    finally:
        steps.close()


def kept_back(
    steps: Steps, now: float, keeps: Callable[[Reply], bool], afterwards: Callable[[Reply], bool] = lambda _: False
) -> Steps:
    """Pass a request's steps on, the replies that `keeps` picks behind one that `afterwards` picks, or not at all."""
    kept: list[Reply] = []
    try:
        step = next(steps)
        while True:
            if isinstance(step, Reply) and keeps(step):
                kept.append(step)
            else:
                now = yield step
                if isinstance(step, Reply) and afterwards(step):
                    yield from kept
            step = steps.send(now)
    except StopIteration:
        return
    finally:
        steps.close()


def is_event(reply: Reply) -> bool:
    """Whether a reply is an EVENT."""
    return reply.frame.get("kind") == "EVENT"


def setting(**members: Any) -> Change:
    """Return a change that sets members."""
    return lambda frame: frame.update(members)


def dropping(*names: str) -> Change:
    """Return a change that leaves members out."""

    def change(frame: Frame) -> Frame:
        return {name: value for name, value in frame.items() if name not in names}

    return change
