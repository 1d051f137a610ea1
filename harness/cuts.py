"""Cuts: what a reply leaves out to save budget, as its `more` entries say and as the whole value shows (YEA 8).

Nothing here sends anything, and nothing recurses: what is looked at comes from a target and may be deep.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from harness.encoding import shown
from reference.yea import jsontext
from reference.yea.types import as_integer

ELLIPSIS = "…"
SHORT_TEXT = 200  # YEA 8: only a longer string is cut
ODD_PATH = "a path to a key with . [ or ] can be written in more than one way (YEA-Q77)"
LEVELS = 60  # what lies deeper is hardly shown by Lens and is not looked at
LONGEST_PATH = 200
MOST_TRIES = 1000
MOST_LOSSES = 200

_Steps = tuple[Any, str | int] | None


class Spot(NamedTuple):
    """A place inside a value: what holds it, and under which key or index."""

    holder: Any
    key: str | int

    @property
    def value(self) -> Any:
        """What is there."""
        return self.holder[self.key]


@dataclass(frozen=True)
class More:
    """A well-formed `more` entry."""

    handle: str
    path: str
    remaining: int
    est: int


@dataclass(frozen=True)
class Loss:
    """One difference between a whole value and what was kept of it.

    `what` is items (a list lost its tail), text (a string did) or changed (anything else); `missing` counts items or
    characters.
    """

    path: tuple[str | int, ...]
    what: str
    missing: int = 0

    @property
    def dotted(self) -> str:
        """The path in words."""
        return ".".join(map(str, self.path))


def copied(value: Any) -> Any:
    """Return a deep copy of a JSON value of any depth."""
    return jsontext.loads(jsontext.dumps(value))


def more_problem(entry: Any) -> str | None:
    """Return what is wrong with a `more` entry's members, or None (YEA 8)."""
    if not isinstance(entry, dict):
        return f"an entry that is no object: {shown(entry, 80)}"
    for name in ("handle", "path"):
        if not isinstance(entry.get(name), str):
            return f"{name} {shown(entry.get(name), 80)}, not a string"
    for name in ("remaining", "est"):
        if as_integer(entry.get(name)) is None:
            return f"{name} {shown(entry.get(name), 80)}, not an integer"
    return None


def more_of(frame: dict[str, Any]) -> list[More]:
    """Return the well-formed `more` entries of a frame."""
    listed = frame.get("more")
    entries = listed if isinstance(listed, list) else []
    return [
        More(entry["handle"], entry["path"], int(entry["remaining"]), int(entry["est"]))
        for entry in entries
        if more_problem(entry) is None
    ]


def locate(frame: Any, path: str) -> Spot | None:
    """Return the place that a dotted path names, or None.

    Positions in lists are written `a.0` or `a[0]`, and a key may hold dots and brackets itself (YEA-Q77).
    """
    ends = [at for at, letter in enumerate(path) if letter in ".["] + [len(path)]
    if len(ends) > LONGEST_PATH:
        return None
    waiting: list[tuple[Any, int]] = [(frame, 0)]
    for _ in range(MOST_TRIES):
        if not waiting:
            break
        holder, start = waiting.pop()
        for end, key in _keys(holder, path, start, ends):
            if end == len(path):
                return Spot(holder, key)
            waiting.append((holder[key], end + 1 if path[end] == "." else end))
    return None


def _keys(holder: Any, path: str, start: int, ends: list[int]) -> Iterator[tuple[int, str | int]]:
    """Yield each way to go on from a holder: where the key ends in the path, and the key."""
    bracketed = path.startswith("[", start)
    later = [end for end in reversed(ends) if end > start or (end == start and not bracketed)]
    found = [(end, path[start:end]) for end in later]
    if bracketed:
        found = [(end, text[1:-1]) for end, text in found if text.endswith("]")] + found
    if isinstance(holder, list):
        for end, text in found:
            if text.isascii() and text.isdigit() and len(text) < 10 and int(text) < len(holder):
                yield end, int(text)
    elif isinstance(holder, dict):
        yield from ((end, text) for end, text in found if text in holder)


def odd_keys(value: Any) -> bool:
    """Return whether a key anywhere inside a value has a letter that a path uses itself (YEA-Q77)."""
    return any(letter in key for holder in objects_in(value) for key in holder for letter in ".[]")


def kept_text(text: str) -> str:
    """Return a cut string without the … that may mark the cut (YEA-Q77)."""
    return text.removesuffix(ELLIPSIS)


def losses(whole: Any, kept: Any) -> list[Loss]:
    """Return how what was kept differs from the whole value, in no particular order; [] when it does not.

    At most MOST_LOSSES of them, so that a target cannot make this slow.
    """
    found: list[Loss] = []
    waiting: list[tuple[_Steps, Any, Any]] = [(None, whole, kept)]
    while waiting and len(found) < MOST_LOSSES:
        steps, full, part = waiting.pop()
        if isinstance(full, dict) and isinstance(part, dict) and full.keys() == part.keys():
            waiting.extend(((steps, key), full[key], part[key]) for key in full)
        elif isinstance(full, list) and isinstance(part, list) and len(part) <= len(full):
            if len(part) < len(full):
                found.append(Loss(_path(steps), "items", len(full) - len(part)))
            waiting.extend(((steps, index), full[index], item) for index, item in enumerate(part))
        elif isinstance(full, str) and isinstance(part, str) and is_cut_text(full, part):
            found.append(Loss(_path(steps), "text", len(full) - len(kept_text(part))))
        elif isinstance(full, (dict, list)) or isinstance(full, bool) != isinstance(part, bool) or full != part:
            found.append(Loss(_path(steps), "changed"))
    return found


def same(first: Any, second: Any) -> bool:
    """Return whether two JSON values are equal; unlike `==` for any depth, and true is not 1; 5.0 is 5."""
    return not losses(first, second)


def _path(steps: "_Steps") -> tuple[str | int, ...]:
    path: list[str | int] = []
    while steps is not None:
        steps, key = steps
        path.append(key)
    return tuple(reversed(path))


def is_cut_text(whole: str, kept: str) -> bool:
    """Return whether a string is the beginning of another, longer one, with or without an … at its end."""
    start = kept_text(kept)
    return kept != whole and len(start) < len(whole) and whole.startswith(start)


def still_cuttable(frame: dict[str, Any], *, expanding: bool = False, whole_items: bool = False) -> bool:
    """Return whether a reply holds something that YEA 8 lets a service cut (the reading of YEA-Q78).

    Args:
        frame: the reply.
        expanding: it answers an EXPAND, whose `data.items` keeps one item so that the reader gets on.
        whole_items: those items are proposals or capabilities, which stay whole.
    """
    kind = frame.get("kind")
    roots: list[Any] = []
    if kind == "ANSWER":
        data = frame.get("data")
        if expanding and isinstance(data, dict) and isinstance(data.get("items"), list):
            if len(data["items"]) > 1:
                return True
            roots = [] if whole_items else data["items"]
        else:
            roots = [data]
    elif kind == "RECEIPT" and isinstance(frame.get("receipt"), dict):
        roots = [frame["receipt"].get("result")]
    elif kind in ("PROPOSALS", "BRIEF"):
        listed = frame.get("proposals" if kind == "PROPOSALS" else "capabilities")
        items = listed if isinstance(listed, list) else []
        if len(items) > 1:
            return True
        roots = [item.get("data") for item in items if isinstance(item, dict)] if kind == "PROPOSALS" else []
    return any(map(_holds_more, roots))


def _holds_more(root: Any) -> bool:
    """Return whether a value holds a non-empty array or a string of more than 200 characters."""
    waiting = [(root, 0)]
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, str) and len(kept_text(value)) > SHORT_TEXT:
            return True
        if isinstance(value, list) and value:
            return True
        if isinstance(value, dict) and depth < LEVELS:
            waiting.extend((member, depth + 1) for member in value.values())
    return False


def objects_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object inside a value, the value itself included."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            yield item
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
