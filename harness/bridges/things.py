"""What monitors look at in a bridge: everything that leaves it.

| over | what the judge gets |
| --- | --- |
| `line` | an `Out` of standard output: one line, which has to be a message |
| `out` | an `Out` of any kind: a line of standard output or error, or a request to the host |
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

STDOUT, STDERR, HOST = "standard output", "standard error", "a request to the host"


@dataclass(frozen=True)
class Out:
    """Something that left a bridge.

    Args:
        where: `STDOUT`, `STDERR` or `HOST`.
        text: all of it.
        start: its first part as it may be shown.
        traces: the texts by which the owner's private key would show.
        problem: why a line of standard output is no message; empty for one that is.
    """

    where: str
    text: str = field(repr=False)
    start: bytes
    traces: tuple[str, ...] = field(repr=False)
    problem: str = ""


def _lines(item: Any) -> Iterator[Out]:
    if isinstance(item, Out) and item.where == STDOUT:
        yield item


def _outs(item: Any) -> Iterator[Out]:
    if isinstance(item, Out):
        yield item


BRIDGE_THINGS: dict[str, Callable[[Any], Iterator[Any]]] = {"line": _lines, "out": _outs}
