"""Putting a cut reply together again (YEA 4.6, 8).

Sans I/O: says which handle to EXPAND next, and takes the ANSWER to it. Nothing recurses, and what is taken is bounded,
for a hostile service may go on for ever.
"""

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from reference.yea.client.errors import BadReply
from reference.yea.client.frames import Frame, short

ELLIPSIS = "…"
MOST_EXPANDS = 1000
MOST_BYTES = 64 * 1024 * 1024
LONGEST_PATH, MOST_TRIES = 200, 1000


class Spot(NamedTuple):
    """A place inside a value: what holds it, and under which key or index."""

    holder: Any
    key: str | int

    @property
    def value(self) -> Any:
        """What is there."""
        return self.holder[self.key]


class Assembly:
    """A reply whose parts come one after the other.

    frame: a copy of the reply without `more`, whole once `next_handle` is None.
    """

    def __init__(self, frame: Frame) -> None:
        """frame: well-formed, not changed. Raises BadReply when an entry of its `more` leads nowhere."""
        self.frame: Frame = copied({name: value for name, value in frame.items() if name != "more"})
        self._waiting: deque[tuple[Spot, str]] = deque()
        self._expands = self._bytes = 0
        for entry in frame.get("more") or []:
            self._waiting.append((self._root_spot(entry["path"]), entry["handle"]))

    @property
    def next_handle(self) -> str | None:
        """The handle to EXPAND next, or None when nothing is missing."""
        return self._waiting[0][1] if self._waiting else None

    def add(self, answer: Frame, size: int) -> None:
        """Takes the ANSWER to the EXPAND of `next_handle`. size: bytes of its line.

        Raises BadReply when it does not continue what was cut, or when it is too much.
        """
        spot, _ = self._waiting.popleft()
        self._expands += 1
        self._bytes += size
        if self._expands > MOST_EXPANDS or self._bytes > MOST_BYTES:
            raise BadReply(f"there is still more after {self._expands} EXPANDs and {self._bytes:,} bytes")
        data, more = copied(answer.get("data")), answer.get("more") or []
        found = self._items(spot, data, more) if isinstance(spot.value, list) else self._text(spot, data, more)
        self._waiting.extendleft(reversed(found))

    def _items(self, spot: Spot, data: Any, more: list[Frame]) -> list[tuple[Spot, str]]:
        """Appends {"items": […]} to a list; returns where the further handles lead (YEA 4.6)."""
        items = data.get("items") if isinstance(data, dict) else None
        if not isinstance(items, list):
            raise BadReply(f"EXPAND of a list was answered by {short(data)}")
        if spot.holder is self.frame and spot.key == "capabilities":
            _merge_entries(spot.value, items)
        else:
            spot.value.extend(items)
        return [(self._slice_spot(spot, data, items, entry["path"]), entry["handle"]) for entry in more]

    def _text(self, spot: Spot, data: Any, more: list[Frame]) -> list[tuple[Spot, str]]:
        """Appends {"text": "…"} to a string, whose … at the end stood for it."""
        text = data.get("text") if isinstance(data, dict) else None
        if not isinstance(text, str):
            raise BadReply(f"EXPAND of a string was answered by {short(data)}")
        spot.holder[spot.key] = spot.value.removesuffix(ELLIPSIS) + text
        return [(spot, entry["handle"]) for entry in more]

    def _slice_spot(self, spot: Spot, data: Any, items: list[Any], path: str) -> Spot:
        """Where a path inside the slice's reply leads in the whole."""
        within = locate({"data": data}, path)
        if within is None or not isinstance(within.value, (list, str)):
            raise BadReply(f"`more` names the path {short(path)}, where nothing was cut")
        if within.value is items:
            return spot
        if within.holder is items:
            # The item itself is a list or a string, and has a new place in the whole.
            return Spot(spot.value, len(spot.value) - len(items) + int(within.key))
        return within

    def _root_spot(self, path: str) -> Spot:
        found = locate(self.frame, path)
        if found is not None and isinstance(found.value, (list, str)):
            return found
        if self.frame.get("kind") == "BRIEF":
            # YEA 4.1: params were left out; where such a handle's path leads is not said.
            return Spot(self.frame, "capabilities")
        raise BadReply(f"`more` names the path {short(path)}, where nothing was cut")


def _merge_entries(kept: list[Any], items: list[Any]) -> None:
    """Appends capability entries; one that was there without its params makes way for the whole one (YEA 4.1)."""
    short = {
        name: index for index, entry in enumerate(kept) if "params" not in _object(entry) and (name := _name(entry))
    }
    for item in items:
        place = short.get(_name(item))
        if place is None:
            kept.append(item)
        else:
            kept[place] = item


def _object(value: Any) -> Frame:
    return value if isinstance(value, dict) else {}


def _name(entry: Any) -> str:
    """The name of a capability entry, or an empty text."""
    name = _object(entry).get("name")
    return name if isinstance(name, str) else ""


def locate(frame: Any, path: str) -> Spot | None:
    """The place that a dotted path names, or None.

    An index is written a.0 or a[0], and a key may hold dots itself: the spec does not say.
    """
    parts = path.replace("]", "").replace("[", ".").split(".")
    waiting: list[tuple[Any, int]] = [(frame, 0)] if len(parts) <= LONGEST_PATH else []
    for _ in range(MOST_TRIES):
        if not waiting:
            break
        holder, start = waiting.pop()
        for end, key in _ways(holder, parts, start):
            if end == len(parts):
                return Spot(holder, key)
            waiting.append((holder[key], end))
    return None


def _ways(holder: Any, parts: list[str], start: int) -> Iterator[tuple[int, str | int]]:
    """Each way to go on from a holder: where the path goes on after it, and the key."""
    if isinstance(holder, list):
        text = parts[start]
        if text.isascii() and text.isdigit() and len(text) < 10 and int(text) < len(holder):
            yield start + 1, int(text)
    elif isinstance(holder, dict):
        for end in range(len(parts), start, -1):
            key = ".".join(parts[start:end])
            if key in holder:
                yield end, key


def copied(value: Any) -> Any:
    """A copy of a JSON value of any depth."""
    top: list[Any] = [value]
    waiting: list[Any] = [top]
    while waiting:
        holder = waiting.pop()
        for key, item in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            if isinstance(item, (dict, list)):
                holder[key] = item.copy()
                waiting.append(holder[key])
    return top[0]
