"""Faults of budgets: replies that do not fit, and `more` entries that mislead (YEA 8)."""

from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from reference.yea.service import Frame, Request, Service
from reference.yea.service.store import HandleRecord
from reference.yea.types import Json

ANNOUNCED = "yea/8/what-is-left-out-is-announced"
COST = "yea/8/est-is-what-the-rest-costs"
SHAPE = "yea/8/expand-gives-items-or-text"
WHOLE_ENTRIES = "yea/8/more-entries-are-whole"
PATHS = "yea/8/more-paths-lead-to-what-was-cut"

Entry = dict[str, Any]


def entries_of(frame: Frame) -> list[Entry]:
    """Return the `more` entries of a frame of ours."""
    more = frame.get("more")
    return [entry for entry in more if isinstance(entry, dict)] if isinstance(more, list) else []


@fault(
    "yea/budgets-are-ignored",
    "yea/8/answers-fit-their-budget",
    "yea/8/briefs-fit-their-budget",
    "yea/8/proposals-fit-their-budget",
    outcome="warned",
)
class BudgetsIgnored(Service):
    """Sends everything, whatever the budget."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        return frame


@fault("yea/fitting-replies-are-cut", "yea/8/fitting-replies-are-whole", outcome="warned")
class FittingRepliesCut(Service):
    """Cuts every reply to 500 tokens, whatever the budget."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        return super().elide(frame, min(budget, 500), request)


@fault("yea/cuts-are-silent", ANNOUNCED)
class CutsAreSilent(Service):
    """Leaves parts out of an ANSWER without a word."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        fitted = super().elide(frame, budget, request)
        return {name: value for name, value in fitted.items() if name != "more" or frame["kind"] != "ANSWER"}


@fault("yea/text-cuts-are-silent", ANNOUNCED)
class TextCutsAreSilent(Service):
    """Announces only the lists that it cuts."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        fitted = super().elide(frame, budget, request)
        left: list[Json] = [entry for entry in entries_of(fitted) if entry["path"] != "data.text"]
        return {**fitted, "more": left} if len(left) < len(entries_of(fitted)) else fitted


@fault("yea/answers-lose-members", ANNOUNCED)
class AnswersLoseMembers(Service):
    """Saves budget by leaving a member out of each row."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        fitted, data = super().elide(frame, budget, request), frame.get("data")
        rows = data.get("items") if isinstance(data, dict) else None
        if request.verb != "ASK" or request.budget > 2000 or not isinstance(rows, list):
            return fitted
        short = [{k: v for k, v in row.items() if k != "calories"} for row in rows if isinstance(row, dict)]
        return super().elide({**frame, "data": {"items": [*short]}}, budget, request)


# Entries that mislead or are malformed: (id, what is wrong, the check or monitor that sees it, the change).
ENTRIES: tuple[tuple[str, str, str, Callable[[Entry], Entry]], ...] = (
    ("handle-is-a-number", "Gives a handle as a number.", WHOLE_ENTRIES, lambda e: {**e, "handle": 7}),
    ("path-is-a-list", "Gives a path as a list.", WHOLE_ENTRIES, lambda e: {**e, "path": e["path"].split(".")}),
    ("remaining-is-text", "Gives remaining as a string.", WHOLE_ENTRIES, lambda e: {**e, "remaining": "37"}),
    ("est-is-a-fraction", "Gives est as a fraction.", WHOLE_ENTRIES, lambda e: {**e, "est": e["est"] + 0.5}),
    ("est-is-missing", "Leaves est out of more.", WHOLE_ENTRIES, lambda e: {k: v for k, v in e.items() if k != "est"}),
    ("path-starts-in-the-data", "Gives paths from data on.", PATHS, lambda e: {**e, "path": e["path"][5:] or "x"}),
    ("path-is-a-pointer", "Gives a path as a JSON pointer.", PATHS, lambda e: {**e, "path": f"/{e['path']}"}),
    ("path-leads-astray", "Gives the path of what holds the cut value.", ANNOUNCED, lambda e: {**e, "path": "data"}),
    ("remaining-is-one-off", "Counts one too many in remaining.", ANNOUNCED, lambda e: _more(e, e["remaining"] + 1)),
    ("est-is-zero", "Gives 0 as est.", COST, lambda e: {**e, "est": 0}),
)


def _more(entry: Entry, remaining: int) -> Entry:
    return {**entry, "remaining": remaining}


def _changing(change: Callable[[Entry], Entry], *, kinds: tuple[str, ...] = ("ANSWER",)) -> type[Service]:
    class Changing(Service):
        def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
            fitted = super().elide(frame, budget, request)
            more: list[Json] = [change(entry) for entry in entries_of(fitted)]
            return {**fitted, "more": more} if more and frame["kind"] in kinds else fitted

    return Changing


for _name, _says, _check, _change in ENTRIES:
    add(Fault(f"yea/more-{_name}", _says, (_check,), _changing(_change), traffic=ANNOUNCED))


@fault("yea/more-remaining-counts-the-whole-text", ANNOUNCED)
class RemainingOfText(Service):
    """Counts all characters of a cut string as remaining."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        fitted, data = super().elide(frame, budget, request), frame.get("data")
        text = data.get("text") if isinstance(data, dict) else None
        for entry in entries_of(fitted):
            if isinstance(text, str) and entry["path"] == "data.text":
                entry["remaining"] = len(text)
        return fitted


@fault("yea/more-est-is-far-off", COST, outcome="warned")
class EstFarOff(Service):
    """Gives ten times the cost of the rest as est."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        fitted = super().elide(frame, budget, request)
        for entry in entries_of(fitted):
            entry["est"] *= 10
        return fitted


# What EXPAND gives in place of {"items": …} or {"text": …}: (id, what is wrong, the answer's data).
SLICES: tuple[tuple[str, str, Callable[[HandleRecord], Json]], ...] = (
    ("bare", "Gives the rest without an object around it.", lambda record: record.rest),
    ("always-items", "Gives a string's rest as items.", lambda record: {"items": [*record.rest]}),
    ("always-text", "Gives a list's rest as text.", lambda record: {"text": str(record.rest)}),
)


def _slicing(data: Callable[[HandleRecord], Json]) -> type[Service]:
    class Slicing(Service):
        def slice(self, record: HandleRecord) -> Json:
            return data(record)

    return Slicing


for _name, _says, _data in SLICES:
    add(Fault(f"yea/slices-are-{_name}", _says, (SHAPE,), _slicing(_data)))
