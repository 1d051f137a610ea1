"""The reference's Lens with parts of it replaced, for the time of one call."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from harness.faults.adapter.tools import Row, Run
from reference.yea import jsontext
from reference.yea.lens import (
    compact,
    depth,
    lens_reply,
    lens_value,
    order,
    replies,
    strings,
    times,
    values,
    wellformed,
)

MODULES = (compact, depth, order, replies, strings, times, values, wellformed)


@contextmanager
def overriding(parts: dict[str, Any]) -> Iterator[None]:
    """Put other parts in the place of Lens's own, by name, in every module that uses them.

    For code that does not wait: what else the process does meanwhile would see them too.
    """
    places = [(module, name) for module in MODULES for name in parts if hasattr(module, name)]
    before = [getattr(module, name) for module, name in places]
    try:
        for module, name in places:
            setattr(module, name, parts[name])
        yield
    finally:
        for (module, name), part in zip(places, before, strict=True):
            setattr(module, name, part)


def value_row(words: str, says: str, kills: str, **parts: Any) -> Row:
    """A fault of lens.value: the reference with these parts."""
    return words, says, kills, _run(lens_value, parts)


def reply_row(words: str, says: str, kills: str, **parts: Any) -> Row:
    """A fault of lens.reply: the reference with these parts."""
    return words, says, kills, _run(lens_reply, parts)


def frame_row(words: str, says: str, kills: str, render: Callable[[dict[str, Any]], str]) -> Row:
    """A fault of lens.reply around the whole reference: it makes the text of a frame, which it may change."""
    return words, says, kills, lambda arguments: {"text": render(_frame(arguments))}


def _frame(arguments: dict[str, Any]) -> dict[str, Any]:
    value = jsontext.loads(arguments["json"])
    return value if isinstance(value, dict) else {}


def _run(render: Any, parts: dict[str, Any]) -> Run:
    def run(arguments: dict[str, Any]) -> dict[str, Any]:
        value = jsontext.loads(arguments["json"])
        with overriding(parts):
            return {"text": render(value)}

    return run
