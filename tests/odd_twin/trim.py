"""Fitting by another algorithm than the informative one: the largest part keeps the longest start that fits (YEA 8).

Parts are cut one after the other, the largest first: each to the longest start with which the reply fits, or to its
least, and then the next. List roots come last. Positions in a path are written `[0]`; a cut text gets no ellipsis.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from reference.yea.estimate import est
from reference.yea.jsontext import dumps
from reference.yea.lens import lens_reply

Body = dict[str, Any]
Path = tuple[str | int, ...]

SHORT_TEXT = 200
LIST_ROOTS = {"PROPOSALS": ("proposals", 1), "BRIEF": ("capabilities", 1)}


@dataclass(frozen=True)
class Rest:
    """What was cut off: `path` is where, `whole` says that its items may not be cut themselves."""

    path: Path
    value: list[Any] | str
    whole: bool = False

    @property
    def data(self) -> Body:
        """The data of the ANSWER that gives it back."""
        return {"text": self.value} if isinstance(self.value, str) else {"items": self.value}


@dataclass(frozen=True)
class Part:
    """What may be cut, and how much of it always stays."""

    path: Path
    value: list[Any] | str
    least: int
    root: bool = False


class Trimmer:
    """Cuts one reply's body.

    Args:
        body: the reply; it is not changed.
        budget: estimated tokens.
        new_handle: makes a handle.
        expanding: what an EXPAND gives back, when the body does that: it keeps an item at least.
        cut_to_zero: whether PROPOSALS may keep none.
    """

    def __init__(
        self,
        body: Body,
        budget: int,
        new_handle: Callable[[], str],
        *,
        expanding: Rest | None = None,
        cut_to_zero: bool = False,
    ) -> None:
        self.body, self.budget, self.new_handle = body, budget, new_handle
        self.expanding, self.cut_to_zero = expanding, cut_to_zero
        self.cuts: dict[Path, int] = {}
        self.handles: dict[Path, str] = {}
        self.parts: dict[Path, Part] = {}

    def trim(self) -> tuple[Body, dict[str, Rest]]:
        """Return the body that fits (or nothing more can be cut), and what is behind each of its handles."""
        if self._fits():
            return self.body, {}
        for part in (*sorted(self._deep(), key=lambda part: -len(dumps(part.value))), *self._roots()):
            if self._gone(part.path):
                continue
            self.parts[part.path] = part
            if self._cut(part):
                break
        made = self._cuts()
        return self._build(), {self.handles[path]: self._rest(path) for path in made}

    def _cut(self, part: Part) -> bool:
        """Keep as much as fits; when nothing does, keep the least and return False."""
        low, high = part.least, len(part.value) - 1
        if high < low:
            return False
        self.cuts[part.path] = low
        if not self._fits():
            return False
        while low < high:
            middle = (low + high + 1) // 2
            self.cuts[part.path] = middle
            low, high = (middle, high) if self._fits() else (low, middle - 1)
        self.cuts[part.path] = low
        return True

    def _fits(self) -> bool:
        return est(lens_reply(self._build())) <= self.budget

    def _cuts(self) -> list[Path]:
        return [path for path in sorted(self.cuts, key=str) if not self._gone(path)]

    def _gone(self, path: Path) -> bool:
        """Whether a path leads into an item that was dropped."""
        return any(
            isinstance(path[size], int) and path[:size] in self.cuts and int(path[size]) >= self.cuts[path[:size]]
            for size in range(1, len(path))
        )

    def _rest(self, path: Path) -> Rest:
        part = self.parts[path]
        whole = part.root or (self.expanding is not None and self.expanding.whole)
        return Rest(path, part.value[self.cuts[path] :], whole)

    def _build(self) -> Body:
        made = self._cuts()
        if not made:
            return self.body
        copies: dict[Path, Any] = {(): dict(self.body)}

        def copy_of(path: Path) -> Any:
            if path not in copies:
                holder = copy_of(path[:-1])
                holder[path[-1]] = copies[path] = holder[path[-1]].copy()
            return copies[path]

        for path in sorted(made, key=len):
            copies[path] = copy_of(path[:-1])[path[-1]] = self.parts[path].value[: self.cuts[path]]
        body: Body = copies[()]
        return {**body, "more": [*(body.get("more") or []), *(self._more(path) for path in made)]}

    def _more(self, path: Path) -> Body:
        if path not in self.handles:
            self.handles[path] = self.new_handle()
        return more_entry(self.handles[path], self._rest(path))

    def _roots(self) -> Iterator[Part]:
        name, least = LIST_ROOTS.get(self.body["kind"], ("", 0))
        if name:
            least = 0 if self.cut_to_zero and name == "proposals" else least
            yield Part((name,), self.body[name], least, root=True)

    def _deep(self) -> Iterator[Part]:
        kind = self.body["kind"]
        if kind == "ANSWER" and self.expanding is not None:
            name = "text" if isinstance(self.expanding.value, str) else "items"
            value = self.body["data"][name]
            yield Part(("data", name), value, SHORT_TEXT if name == "text" else 1)
            if name == "items" and not self.expanding.whole:
                yield from (part for part in _parts(value, ("data", name)) if len(part.path) > 2)
        elif kind == "ANSWER":
            yield from _parts(self.body["data"], ("data",))
        elif kind == "PROPOSALS":
            for number, proposal in enumerate(self.body["proposals"]):
                yield from _parts(proposal.get("data"), ("proposals", number, "data"))
        elif kind == "RECEIPT":
            yield from _parts(self.body["receipt"].get("result"), ("receipt", "result"))


def more_entry(handle: str, rest: Rest) -> Body:
    """Return a More entry (YEA 8)."""
    cost = est(lens_reply({"kind": "ANSWER", "data": rest.data}))
    return {"est": cost, "x": [], "remaining": len(rest.value), "path": spelt(rest.path), "handle": handle}


def spelt(path: Path) -> str:
    """Return a path as text, positions in brackets: `proposals[0].data.rows`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def _parts(value: Any, path: Path) -> Iterator[Part]:
    """Return every non-empty array and long text in a value; values of the service's own making, so never deep."""
    if isinstance(value, str) and len(value) > SHORT_TEXT:
        yield Part(path, value, SHORT_TEXT)
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from _parts(member, (*path, name))
    elif isinstance(value, list) and value:
        yield Part(path, value, 0)
        for number, item in enumerate(value):
            yield from _parts(item, (*path, number))
