"""Faults of `fit`: what the reference cuts is spoilt afterwards, or more is cut than may be (YEA 8)."""

from collections.abc import Callable, Iterator
from typing import Any

from harness.cuts import ELLIPSIS, SHORT_TEXT, copied, locate
from harness.faults.adapter.tools import Row, register
from reference.yea import jsontext
from reference.yea.estimate import est
from reference.yea.fitting import fit
from reference.yea.lens import lens_reply

Frame = dict[str, Any]
Spoil = Callable[[Frame, Frame], None]
"""Spoils a fitted frame, the second one, in place; the first is the whole frame."""

LIST_ROOTS = ("proposals", "capabilities")


def _spoilt(words: str, says: str, kills: str, spoil: Spoil) -> Row:
    """A fault that spoils what the reference has fitted."""

    def run(arguments: dict[str, Any]) -> dict[str, Any]:
        whole = jsontext.loads(arguments["json"])
        if not isinstance(whole, dict):
            raise ValueError("a frame is an object")
        fitted = copied(fit(whole, arguments["budget"], lambda cut: f"h_{cut.path}"))
        spoil(whole, fitted)
        return {"json": jsontext.dumps(fitted)}

    return words, says, kills, run


def _overcut(words: str, says: str, kills: str, cut: Callable[[Frame], None]) -> Row:
    """A fault that first cuts, in place and unannounced, what may not be cut, when the frame is over its budget."""

    def run(arguments: dict[str, Any]) -> dict[str, Any]:
        frame = jsontext.loads(arguments["json"])
        if not isinstance(frame, dict):
            raise ValueError("a frame is an object")
        if est(lens_reply(frame)) > arguments["budget"]:
            cut(frame)
        return {"json": jsontext.dumps(fit(frame, arguments["budget"], lambda cut: f"h_{cut.path}"))}

    return words, says, kills, run


def _cuts(whole: Frame, fitted: Frame) -> Iterator[tuple[Frame, Any, Any]]:
    """The new more entries, each with the whole value and the place of what was kept of it."""
    for entry in (fitted.get("more") or [])[len(whole.get("more") or []) :]:
        before, place = locate(whole, entry["path"]), locate(fitted, entry["path"])
        if before is not None and place is not None:
            yield entry, before.value, place


def _each(change: Callable[[Frame, Any, Any], None]) -> Spoil:
    """Spoils each cut: its entry, the whole value, and the place of what was kept."""

    def spoil(whole: Frame, fitted: Frame) -> None:
        for entry, before, place in list(_cuts(whole, fitted)):
            change(entry, before, place)

    return spoil


def _no_more(whole: Frame, fitted: Frame) -> None:
    fitted["more"] = whole.get("more")


def _no_list_more(whole: Frame, fitted: Frame) -> None:
    if "more" in fitted:
        fitted["more"] = [entry for entry in fitted["more"] if entry["path"] not in LIST_ROOTS]


def _no_old_more(whole: Frame, fitted: Frame) -> None:
    if "more" in fitted:
        fitted["more"] = [entry for entry in fitted["more"] if entry not in (whole.get("more") or [])]


def _left_behind(whole: Frame, fitted: Frame) -> None:
    """The entries of data in proposals that are gone."""
    kept = len(fitted.get("proposals") or [])
    for number in range(kept, len(whole.get("proposals") or [])):
        entry = {"handle": "h", "path": f"proposals.{number}.data.steps", "remaining": 1, "est": 1}
        fitted.setdefault("more", []).append(entry)


def _from_the_front(entry: Frame, before: Any, place: Any) -> None:
    if isinstance(before, list) and place.value:
        place.holder[place.key] = before[-len(place.value) :]


def _middle(entry: Frame, before: Any, place: Any) -> None:
    """Keeps the beginning and the end of a text."""
    if isinstance(before, str):
        half = (len(place.value) - 1) // 2
        place.holder[place.key] = before[:half] + ELLIPSIS + before[-half:]


def _one_cut(entry: Frame, before: Any, place: Any) -> None:
    """What the last halving took."""
    size, last = len(before), 0
    while size > len(place.value) and size > 0:
        size, last = size // 2, size - size // 2
    entry["remaining"] = last


def _count_mark(entry: Frame, before: Any, place: Any) -> None:
    if isinstance(before, str):
        entry["remaining"] = len(before) - len(place.value)


def _relative(entry: Frame, before: Any, place: Any) -> None:
    entry["path"] = entry["path"].partition(".")[2]


def _wrapped(entry: Frame, before: Any, place: Any) -> None:
    """The kept items and the number of the others, in place of the array."""
    if isinstance(before, list):
        place.holder[place.key] = {"items": place.value, "more": entry["remaining"]}


def _nothing(entry: Frame, before: Any, place: Any) -> None:
    place.holder[place.key] = None


def _setting(**members: Any) -> Callable[[Frame, Any, Any], None]:
    return lambda entry, before, place: entry.update(members)


def _without(name: str) -> Callable[[Frame, Any, Any], None]:
    return lambda entry, before, place: entry.pop(name, None) and None


def _shorten(holder: Frame, *names: str) -> None:
    """Cut long texts and halve arrays among the members with these names."""
    for name in names:
        value = holder.get(name)
        if isinstance(value, str) and len(value) > SHORT_TEXT:
            holder[name] = value[:SHORT_TEXT] + ELLIPSIS
        elif isinstance(value, list):
            holder[name] = value[: len(value) // 2]


def _in_proposals(*names: str) -> Callable[[Frame], None]:
    def cut(frame: Frame) -> None:
        for proposal in frame.get("proposals") or []:
            _shorten(proposal, *names)

    return cut


def _in_capabilities(frame: Frame) -> None:
    for entry in frame.get("capabilities") or []:
        _shorten(entry, "summary")


def _no_params(frame: Frame) -> None:
    for entry in frame.get("capabilities") or []:
        entry.pop("params", None)


def _in_effects(frame: Frame) -> None:
    if frame.get("kind") == "RECEIPT":
        _shorten(frame["receipt"], "effects")


def _in_service(frame: Frame) -> None:
    if frame.get("kind") == "BRIEF":
        _shorten(frame["service"], "summary")


def _everywhere(frame: Frame) -> None:
    if frame.get("kind") not in ("ANSWER", "PROPOSALS", "BRIEF"):
        _shorten(frame, "message", "question", "options", "fix", "need")
    if isinstance(frame.get("data"), dict) and frame.get("kind") != "ANSWER":
        _shorten(frame["data"], *frame["data"])


def _extras(frame: Frame) -> None:
    """Members of a frame that are not known go first."""
    for name in set(frame) - {"yea", "id", "re", "kind", "data", "more"}:
        if frame.get("kind") == "ANSWER":
            del frame[name]


ANNOUNCING = (
    _spoilt("no-more", "Does not announce what it cuts.", "array-one-over array-to-nothing string-of-1000", _no_more),
    _spoilt(
        "lists-not-announced",
        "Does not announce dropped proposals and capabilities.",
        "capabilities-dropped-from-the-end proposals-dropped-from-the-end",
        _no_list_more,
    ),
    _spoilt(
        "forgets-more",
        "Drops the more entries that the reply had.",
        "earlier-entry-stays earlier-entry-when-nothing-is-cut",
        _no_old_more,
    ),
    _spoilt(
        "entries-left-behind",
        "Leaves entries for data of proposals that it has dropped.",
        "proposals-data-and-proposals",
        _left_behind,
    ),
    _spoilt(
        "relative-paths",
        "Writes paths that begin inside the root.",
        "array-one-over array-as-data receipt-result-array",
        _each(_relative),
    ),
    _spoilt(
        "no-est",
        "Leaves est out of its entries.",
        "array-of-rows string-of-1000",
        _each(_without("est")),
    ),
    _spoilt("est-of-0", "Says that fetching the rest costs nothing.", "array-of-rows", _each(_setting(est=0))),
    _spoilt(
        "digits",
        "Writes the numbers of its entries as strings.",
        "array-of-rows",
        _each(lambda entry, before, place: entry.update(remaining=str(entry["remaining"]))),
    ),
)

COUNTING = (
    _spoilt(
        "counts-the-whole",
        "Says how long the whole was.",
        "array-one-over array-as-data string-of-1000 receipt-result-array",
        _each(lambda entry, before, place: entry.update(remaining=len(before))),
    ),
    _spoilt(
        "counts-the-kept",
        "Says how much was kept.",
        "array-of-rows array-to-nothing string-of-201",
        _each(lambda entry, before, place: entry.update(remaining=len(place.value))),
    ),
    _spoilt(
        "counts-one-cut",
        "Says what the last of several halvings took.",
        "array-of-rows capabilities-in-no-order",
        _each(_one_cut),
    ),
    _spoilt(
        "counts-the-mark",
        "Counts the … as a character that was kept.",
        "string-of-201 string-of-1000 receipt-result-string",
        _each(_count_mark),
    ),
)

KEEPING = (
    _spoilt(
        "from-the-front",
        "Keeps the last items.",
        "array-as-data capabilities-in-no-order proposals-with-many-effects",
        _each(_from_the_front),
    ),
    _spoilt(
        "from-the-middle",
        "Cuts texts in the middle.",
        "string-of-quoted-characters proposal-data-string",
        _each(_middle),
    ),
    _spoilt("nulls", "Puts null in the place of what it cuts.", "array-one-over string-of-1000", _each(_nothing)),
    _spoilt(
        "wrapped",
        "Puts an object in the place of an array that it cuts.",
        "array-one-over receipt-result-array",
        _each(_wrapped),
    ),
)

ROOTS = (
    _overcut(
        "texts-of-proposals",
        "Cuts the summaries of proposals.",
        "proposal-with-a-long-summary proposals-with-long-summaries",
        _in_proposals("summary"),
    ),
    _overcut(
        "effects-of-proposals",
        "Cuts the effects of proposals.",
        "proposal-with-many-effects proposals-with-many-effects",
        _in_proposals("effects"),
    ),
    _overcut(
        "texts-of-capabilities",
        "Cuts the summaries of capabilities.",
        "capabilities-with-long-texts brief-with-a-long-summary",
        _in_capabilities,
    ),
    _overcut(
        "params-of-capabilities",
        "Leaves params out of capabilities and does not say so.",
        "brief-with-a-long-summary",
        _no_params,
    ),
    _overcut("text-of-the-service", "Cuts the summary of the service.", "brief-with-a-long-summary", _in_service),
    _overcut(
        "effects-of-receipts",
        "Cuts the effects of a receipt.",
        "receipt-of-an-auto-commit receipt-without-a-result",
        _in_effects,
    ),
    _overcut(
        "any-kind",
        "Cuts texts and lists of kinds that are never cut.",
        "error-with-long-lists clarify-with-many-options event-with-data unknown-kind",
        _everywhere,
    ),
    _overcut("unknown-members", "Drops members that it does not know.", "extra-members-stay", _extras),
)

register("fit", *ANNOUNCING, *COUNTING, *KEEPING, *ROOTS)
