"""What the text fixes of `fit`: the rules of YEA 8 that hold for any way of cutting a reply to a budget.

The algorithm of the section is informative (YEA-Q80), so no one answer is right. Looked at is only what is normative:
nothing changes but the deep roots and the length of the list roots, what is lost is lost from an end and announced, and
the numbers add up. Nothing here recurses, for the answer comes from an adapter and may be deep.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from harness import cuts
from harness.cuts import MOST_LOSSES, Loss, More, kept_text, locate, more_of, more_problem, same
from harness.encoding import shown
from reference.yea import jsontext
from reference.yea.estimate import est
from reference.yea.lens import lens_reply
from reference.yea.lens.wellformed import has_good_more

Frame = dict[str, Any]
Path = tuple[str | int, ...]
Problem = tuple[str, str]
"""The id of a clause, and how the answer breaks it."""

LIST_ROOTS = {"PROPOSALS": "proposals", "BRIEF": "capabilities"}
ITEM_CLAUSES = {"proposals": "YEA-8-16", "capabilities": "YEA-8-17"}
"""The clause that each list root's items are kept whole by."""


def problems(arguments: Mapping[str, Any], ok: Mapping[str, Any]) -> list[Problem]:
    """Return how the answer to a `fit` breaks the rules of YEA 8; [] when it keeps them all.

    Args:
        arguments: of the operation: `json`, the text of a reply frame, and `budget`, estimated tokens.
        ok: the adapter's result; anything may be in it. `json` is the text of the fitted frame.

    A problem of YEA-8-09, a SHOULD, is worth a warning only: too large while something could still be cut, or cut
    though it was small enough (YEA-Q78). The units of `remaining` in a text, the form of paths, the mark at a cut
    (YEA-Q77) and the params that a capability may lack (YEA-Q29) are open: every reading is accepted. Raises JsonError
    when the arguments themselves hold no JSON.
    """
    whole = jsontext.loads(arguments["json"])
    fitted = _frame(ok.get("json"))
    if not isinstance(whole, dict) or fitted is None:
        return [("YEA-8-10", f"the fitted frame is no JSON object: {shown(ok.get('json'))}")]
    found = list(_more_problems(whole, fitted))
    if not found:
        found = [*Comparison(whole, fitted).problems(), *_size_problems(whole, fitted, arguments["budget"])]
    return list(dict.fromkeys(found))


def _frame(text: Any) -> Frame | None:
    try:
        value = jsontext.loads(text) if isinstance(text, str) else None
    except jsontext.JsonError:
        return None
    return value if isinstance(value, dict) else None


def _more_problems(whole: Frame, fitted: Frame) -> Iterator[Problem]:
    """Yield what is wrong with the `more` of the answer by itself; a malformed one of the input may stay."""
    more = fitted.get("more")
    if more is None or (not has_good_more(whole) and same(more, whole.get("more"))):
        return
    if not isinstance(more, list):
        yield "YEA-8-11", f"more is {shown(more)}, not a list"
        return
    for problem in filter(None, map(more_problem, more)):
        yield "YEA-8-11", f"more has {problem}"


def _size_problems(whole: Frame, fitted: Frame, budget: int) -> Iterator[Problem]:
    before, after = est(lens_reply(whole)), est(lens_reply(fitted))
    if before <= budget and not same(whole, fitted):
        yield "YEA-8-09", f"a reply of {before} estimated tokens was changed for a budget of {budget}"
    if after > budget and cuts.still_cuttable(fitted):
        yield "YEA-8-09", f"{after} estimated tokens for a budget of {budget}, and more could be cut"


Mark = tuple[int, str | int]
"""A place in a frame: the identity of what holds it, and the key or index."""

Marks = dict[Mark, list[More]]
"""The more entries of a frame by the place that they lead to."""


class Comparison:
    """A reply, and what was kept of it.

    `before` and `after` are the more entries that lead somewhere, by place.
    """

    def __init__(self, whole: Frame, fitted: Frame) -> None:
        self.whole, self.fitted = whole, fitted
        self.before, self.after = _marks(whole), _marks(fitted)

    def problems(self) -> Iterator[Problem]:
        """Yield every breach."""
        if self._is_reordered():
            yield "YEA-8-18", f"{self._list_root()} is not the beginning of what it was"
            return
        lost = cuts.losses(_body(self.whole), _body(self.fitted))
        lacking = [loss for loss in lost if self._lacks_params(loss)]
        announced: set[Mark] = set()
        for loss in lost:
            if loss in lacking:
                continue
            if not self._may_lose(loss):
                yield self._clause(loss.path), f"{loss.dotted or 'the frame'} was altered"
                continue
            announced.add(_mark(self.fitted, loss.path))
            yield from self._announcement(loss)
        if len(lost) < MOST_LOSSES and not lacking:
            yield from self._unfounded(announced)
        yield from self._forgotten(announced)

    def _list_root(self) -> str | None:
        """Return the name of the reply's list root, when it has one and that is a list before and after."""
        name = LIST_ROOTS.get(str(self.whole.get("kind")))
        return name if name and all(isinstance(f.get(name), list) for f in (self.whole, self.fitted)) else None

    def _is_reordered(self) -> bool:
        """Whether a list root lost items elsewhere than at its end, or got others; altered ones do not count."""
        name = self._list_root()
        if name is None:
            return False
        before, after = (list(map(_shape, f[name])) for f in (self.whole, self.fitted))
        if len(after) > len(before):
            return True
        moved = next((item for item, original in zip(after, before, strict=False) if item != original), None)
        return moved is not None and moved in before

    def _may_lose(self, loss: Loss) -> bool:
        """Whether it is the tail of a list root, or of an array or text in a deep root."""
        if loss.what == "items":
            return loss.path == (self._list_root(),) or self._is_deep(loss.path)
        return self._is_deep(loss.path) and bool(_missing_characters(*self._values(loss)))

    def _is_deep(self, path: Path) -> bool:
        """Whether a path leads to a deep root, or into one."""
        kind = self.whole.get("kind")
        if kind == "ANSWER":
            return path[:1] == ("data",)
        if kind == "PROPOSALS":
            return path[:1] == ("proposals",) and path[2:3] == ("data",)
        return kind == "RECEIPT" and path[:2] == ("receipt", "result")

    def _clause(self, path: Path) -> str:
        """Return the clause that an alteration at a path breaks."""
        if self._is_deep(path):
            return "YEA-8-10"
        name = self._list_root()
        if name is None or path[:1] != (name,):
            return "YEA-8-19"
        return "YEA-8-18" if len(path) == 1 else ITEM_CLAUSES[name]

    def _lacks_params(self, loss: Loss) -> bool:
        """Whether a capability lost its params and nothing else, with some `more` (YEA-Q29)."""
        if self._list_root() != "capabilities" or loss.what != "changed" or len(loss.path) != 2:
            return False
        before, after = self._values(loss)
        return isinstance(after, dict) and bool(more_of(self.fitted)) and same(_without(before, "params"), after)

    def _values(self, loss: Loss) -> tuple[Any, Any]:
        """Return what stands at the place of a loss before and after."""
        return _at(self.whole, loss.path), _at(self.fitted, loss.path)

    def _announcement(self, loss: Loss) -> Iterator[Problem]:
        """Yield what is wrong with the entry for a loss: that there is none, or its numbers."""
        before, after = self._values(loss)
        unit = "items" if loss.what == "items" else "characters"
        entries = self.after.get(_mark(self.fitted, loss.path))
        if not entries:
            clause = "YEA-8-20" if len(loss.path) == 1 and loss.path == (self._list_root(),) else "YEA-8-10"
            yield clause, f"{loss.dotted} lost {unit}, and no more entry says so"
            return
        earlier = self.before.get(_mark(self.whole, loss.path), [])
        entry = next((entry for entry in entries if entry not in earlier), entries[0])
        counts = self._counts(loss, earlier)
        if entry.remaining not in counts:
            clause = "YEA-8-13" if loss.what == "items" else "YEA-8-14"
            wanted = " or ".join(map(str, sorted(counts)))
            yield clause, f"remaining is {entry.remaining} at {loss.dotted}, where {wanted} {unit} are missing"
        blank = isinstance(before, str) and est(before[len(kept_text(after)) :]) == 0
        if entry.est < 0 or (entry.est == 0 and not blank):
            yield "YEA-8-15", f"est is {entry.est} at {loss.dotted}"

    def _counts(self, loss: Loss, earlier: list[More]) -> set[int]:
        """Return what `remaining` may say: what is missing, with what an earlier entry for the same place says.

        That must be taken in when the earlier entry is gone, and may be when it is still there.
        """
        present = self.after.get(_mark(self.fitted, loss.path), [])
        gone = sum(entry.remaining for entry in earlier if entry not in present)
        further = {gone, *(gone + entry.remaining for entry in earlier if entry in present)}
        counts = {loss.missing} if loss.what == "items" else _missing_characters(*self._values(loss))
        if earlier and loss.what != "items":
            counts |= {count - 1 for count in counts}  # the text may end in the mark of the earlier cut
        return {count + more for count in counts for more in further}

    def _unfounded(self, announced: set[Mark]) -> Iterator[Problem]:
        """Yield each new entry whose path leads to nothing that was cut."""
        founded = {entry for mark in announced for entry in self.after.get(mark, [])}
        known = founded.union(more_of(self.whole))
        for entry in more_of(self.fitted):
            if entry not in known:
                yield "YEA-8-12", f"more has the path {shown(entry.path)}, where nothing was cut"

    def _forgotten(self, announced: set[Mark]) -> Iterator[Problem]:
        """Yield each entry of the input that is gone, though its place is still there and was not cut further."""
        present = set(more_of(self.fitted))
        for entry in more_of(self.whole):
            place = None if entry in present else locate(self.fitted, entry.path)
            if place is not None and (id(place.holder), place.key) not in announced:
                yield "YEA-8-10", f"the more entry for {shown(entry.path)} that the reply had is gone"


def _body(frame: Frame) -> Frame:
    """A frame without its `lens`, which a cut makes stale, and without a well-formed `more`."""
    body = _without(frame, "lens")
    return dict(_without(body, "more") if has_good_more(frame) else body)


def _without(value: Any, name: str) -> Any:
    return {key: item for key, item in value.items() if key != name} if isinstance(value, dict) else value


def _shape(item: Any) -> str:
    """What tells an item of a list root from the others, its `data` aside."""
    return jsontext.dumps(_without(item, "data"))


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def _mark(frame: Frame, path: Path) -> Mark:
    return id(_at(frame, path[:-1])), path[-1]


def _marks(frame: Frame) -> Marks:
    marks: Marks = {}
    for entry in more_of(frame):
        place = locate(frame, entry.path)
        if place is not None:
            marks.setdefault((id(place.holder), place.key), []).append(entry)
    return marks


def _missing_characters(before: Any, after: Any) -> set[int]:
    """Return how many characters a cut text may be said to miss; empty when it is no beginning of the other.

    Counted in code points, UTF-16 units and bytes; a cut may fall between two units of one character; and an … at its
    end may be a mark or the text's own (YEA-Q77).
    """
    if not isinstance(before, str) or not isinstance(after, str):
        return set()
    units = _utf16(before)
    starts = [_utf16(kept) for kept in (after, kept_text(after))]
    rests = [units[len(start) :] for start in starts if units.startswith(start)]
    texts = [rest.decode("utf-16-le", "surrogatepass") for rest in rests if rest]
    return {count for text in texts for count in (len(text), len(_utf16(text)) // 2, len(_utf8(text)))}


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
