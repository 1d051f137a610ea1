"""What may be left out of a reply, and in which order (YEA 8).

`find_parts` lists the arrays and long strings of a well-formed reply that may lose their tail. `Plan` cuts them one
step at a time as the informative algorithm says: halve the largest one of the deep roots, and a list root only when
no deep one is left. It only counts and never touches the frame, so that `fitting` can render as few steps as it likes.
Sizes are characters of compact JSON. What lies deeper than Lens shows is not offered: cutting it gains nothing.
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from reference.yea.estimate import est
from reference.yea.lens.compact import compact_json
from reference.yea.lens.depth import ELLIPSIS, LEVELS, cut
from reference.yea.types import Json

Frame = dict[str, Any]
Path = tuple[str | int, ...]

CutKind = Literal["items", "text", "proposals", "capabilities"]
"""What was cut: an array or a string of a deep root, or a list root by its name."""

LIST_ROOTS: tuple[CutKind, ...] = ("proposals", "capabilities")
"""The lists that lose whole items from their end, and never all of them."""

SHORT_TEXT = 200
"""A string of up to so many characters is kept whole, and none is cut to less."""

MORE_TOKENS = 12
"""Tokens of a More line besides its handle, at the very least."""


@dataclass(eq=False, slots=True)
class Part:
    """An array or string that may lose its tail, and what is left of it after the steps of a plan so far.

    number: its place in the order of the frame. floor: how many items or characters always stay.
    parent, index: the nearest array around it that may be cut too, and which item of that array holds it.
    size: characters of compact JSON; whole: those before any cut.
    weight: tokens that it costs in Lens at the very least.
    sizes, weights: both for each item of an array.
    """

    number: int
    kind: CutKind
    path: Path
    value: list[Json] | str
    parent: "Part | None"
    index: int
    floor: int = 0
    kept: int = 0
    whole: int = 0
    size: int = 0
    weight: int = 0
    sizes: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)

    def halve(self) -> int:
        """Keep the first half, rounded down, but not less than the floor. Returns the weight saved.

        That may be negative, for the first cut brings a More line.
        """
        kept = max(self.floor, self.kept // 2)
        if isinstance(self.value, str):
            size, weight = _text_cost(self.value[:kept] + ELLIPSIS)
            size, weight = self.size - size, self.weight - weight - MORE_TOKENS
        else:
            commas = self.kept - max(kept, 1)
            size = sum(self.sizes[kept : self.kept]) + commas
            weight = sum(self.weights[kept : self.kept])
            if self.kept == len(self.value):
                weight -= MORE_TOKENS
        self.kept = kept
        self._shrink(size, weight)
        return weight

    def _shrink(self, size: int, weight: int) -> None:
        """Take so much off this part and off every array around it."""
        part = self
        part.size -= size
        part.weight -= weight
        while part.parent is not None:
            part.parent.sizes[part.index] -= size
            part.parent.weights[part.index] -= weight
            part = part.parent
            part.size -= size
            part.weight -= weight


def _is_gone(part: Part, kept: Callable[[Part], int]) -> bool:
    """Whether an array around a part has lost the item that holds it; kept: how many items an array keeps."""
    while part.parent is not None:
        if part.index >= kept(part.parent):
            return True
        part = part.parent
    return False


class Plan:
    """The steps of the fitting algorithm for the parts of one reply.

    steps: the cuts so far, each the number of a part and what it keeps.
    least: tokens that the reply costs at the very least after these steps.
    """

    def __init__(self, parts: list[Part]) -> None:
        self.parts = parts
        self.steps: list[tuple[int, int]] = []
        self.least = sum(part.weight for part in parts if part.parent is None)
        self._lists = [part for part in parts if part.kind in LIST_ROOTS]
        self._deep = [(-part.size, part.number) for part in parts if part.kind not in LIST_ROOTS]
        heapq.heapify(self._deep)

    def advance(self, steps: int) -> bool:
        """Make cuts until there are so many. False when nothing is left to cut before that."""
        while len(self.steps) < steps:
            part = self._largest_deep() or self._largest_list()
            if part is None:
                return False
            self.least -= part.halve()
            self.steps.append((part.number, part.kept))
        return True

    def kept(self, steps: int) -> dict[Part, int]:
        """The parts that are shorter after the first so many steps, with what they keep, in the frame's order.

        A part inside an item that is gone by then is not among them.
        """
        cuts = dict(self.steps[:steps])
        return {
            self.parts[number]: cuts[number]
            for number in sorted(cuts)
            if not _is_gone(self.parts[number], lambda part: cuts.get(part.number, len(part.value)))
        }

    def _largest_deep(self) -> Part | None:
        while self._deep:
            size, number = self._deep[0]
            part = self.parts[number]
            if part.kept <= part.floor or _is_gone(part, lambda other: other.kept):
                heapq.heappop(self._deep)
            elif part.size == -size:
                return part
            else:
                # It, or something in it, was cut since; another one may be larger now.
                heapq.heapreplace(self._deep, (-part.size, number))
        return None

    def _largest_list(self) -> Part | None:
        cuttable = [part for part in self._lists if part.kept > part.floor]
        return max(cuttable, key=lambda part: part.size, default=None)


def find_parts(frame: Frame, kind: str | None, expanding: CutKind | None = None) -> list[Part]:
    """The parts of a frame that may lose their tail, in the frame's order (YEA 8, what may be elided).

    kind: the frame's kind; None when it is not well-formed, and then nothing may be cut.
    expanding: the kind of the cut that an ANSWER continues. Its `items` then keep at least one, so that a reader who
    follows the handles gets on, and what was a list root stays one: its items stay whole.
    """
    finder = _Finder()
    if kind == "ANSWER":
        _find_in_answer(finder, frame["data"], expanding)
    elif kind == "PROPOSALS":
        finder.list_root("proposals", ("proposals",), frame["proposals"])
    elif kind == "BRIEF":
        finder.list_root("capabilities", ("capabilities",), frame["capabilities"])
    elif kind == "RECEIPT" and "result" in frame["receipt"]:
        finder.measure(frame["receipt"]["result"], ("receipt",), "result", None, 0)
    return finder.parts


def _find_in_answer(finder: "_Finder", data: Json, expanding: CutKind | None) -> None:
    items = data.get("items") if isinstance(data, dict) else None
    if isinstance(items, list) and expanding is not None and expanding in LIST_ROOTS:
        finder.list_root(expanding, ("data", "items"), items)
        return
    finder.measure(data, (), "data", None, 0)
    if expanding == "items":
        for part in finder.parts:
            if part.path == ("data", "items"):
                part.floor = 1


class _Finder:
    """Walks the roots once and measures everything on the way; it recurses once a level that Lens shows."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self._name_sizes: dict[str, int] = {}

    def list_root(self, kind: CutKind, path: Path, items: list[Json]) -> None:
        """A list of whole items; a proposal's `data` is a deep root inside it."""
        part = self._part(kind, path, items, None, 0)
        part.floor = 1
        for index, item in enumerate(items):
            weight = 1
            if kind == "proposals" and isinstance(item, dict) and "data" in item:
                weight += self.measure(item["data"], (*path, index), "data", part, index)[1]
            part.sizes.append(len(compact_json(cut(item))))
            part.weights.append(weight)
        _add_up(part)

    def measure(self, value: Json, holder: Path, key: str | int, parent: Part | None, index: int) -> tuple[int, int]:
        """The size and weight of a value of a deep root; the parts in it are noted on the way.

        holder, key: the path of the object or array that the value is in, and where in it.
        """
        if isinstance(value, str) and len(value) > SHORT_TEXT:
            text = self._part("text", (*holder, key), value, parent, index)
            text.floor = SHORT_TEXT
            text.size, text.weight = _text_cost(value)
            text.whole = text.size
            return text.size, text.weight
        if not value or not isinstance(value, (dict, list)):
            return len(compact_json(value)), 1
        if len(holder) + 1 >= LEVELS:
            return len(compact_json(ELLIPSIS)), 1
        if isinstance(value, list):
            return self._measure_array(value, (*holder, key), parent, index)
        return self._measure_object(value, (*holder, key), parent, index)

    def _measure_object(self, value: dict[str, Json], path: Path, parent: Part | None, index: int) -> tuple[int, int]:
        size, weight = 1, 0
        for key, item in value.items():
            item_size, item_weight = self.measure(item, path, key, parent, index)
            size += self._name_size(key) + item_size + 2
            weight += item_weight
        return size, weight

    def _measure_array(self, value: list[Json], path: Path, parent: Part | None, index: int) -> tuple[int, int]:
        part = self._part("items", path, value, parent, index)
        for number, item in enumerate(value):
            size, weight = self.measure(item, path, number, part, number)
            part.sizes.append(size)
            part.weights.append(weight)
        _add_up(part)
        return part.size, part.weight

    def _name_size(self, name: str) -> int:
        """The size of an object key; rows repeat their keys, so it is kept."""
        size = self._name_sizes.get(name)
        if size is None:
            size = self._name_sizes[name] = len(compact_json(name))
        return size

    def _part(self, kind: CutKind, path: Path, value: list[Json] | str, parent: Part | None, index: int) -> Part:
        part = Part(len(self.parts), kind, path, value, parent, index, kept=len(value))
        self.parts.append(part)
        return part


def _add_up(part: Part) -> None:
    part.whole = part.size = sum(part.sizes) + len(part.sizes) + 1
    part.weight = sum(part.weights)


def _text_cost(text: str) -> tuple[int, int]:
    return len(compact_json(text)), est(text)
