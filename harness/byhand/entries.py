"""Ledger entries and projections as lines for a person. Every text of theirs is put on one line and made plain."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from harness.byhand.printing import ascii_json
from reports.text import plain

TEXT: Final = 400
"""Characters of what an entry says that are shown."""

_COLUMNS: Final = ("seq", "table", "seat", "kind", "event", "ts")
"""Members that have a column of their own, or none."""

SEAT_WIDTH, WHAT_WIDTH = 14, 15


def lines(entries: Iterable[Mapping[str, Any]]) -> list[str]:
    """Each entry as one line: seq, seat, kind or event, and what it says."""
    return [line(entry) for entry in entries]


def line(entry: Mapping[str, Any]) -> str:
    """An entry as one line."""
    seq, seat, what = (plain(str(entry.get(name, "")), 64) for name in ("seq", "seat", "kind"))
    if what == "system":
        what = plain(str(entry.get("event", what)), 64)
    return f"{seq:>4}  {seat:<{SEAT_WIDTH}}  {what:<{WHAT_WIDTH}}  {says(entry)}".rstrip()


def says(entry: Mapping[str, Any]) -> str:
    """What an entry says: its body, and what else is of interest for its kind."""
    teller = _TELLERS.get(str(entry.get("event", entry.get("kind"))), _others)
    return plain(" ".join(part for part in teller(entry) if part), TEXT)


def effect(value: Any) -> str:
    """An effect: `jenny taskboard:reorder {…}`."""
    if not isinstance(value, dict):
        return ascii_json(value)
    name = f"{value.get('owner')} {value.get('resource')}:{value.get('action')}"
    return f"{name} {ascii_json(value['args'])}" if value.get("args") else name


def _said(entry: Mapping[str, Any]) -> list[str]:
    to = [each for each in _list(entry.get("to")) if each != "*"]
    cut = "[cut]" if entry.get("truncated") is True else ""
    return [f"to {' '.join(map(str, to))}:" if to else "", str(entry.get("body", "")), cut, *_effects(entry)]


def _worked(entry: Mapping[str, Any]) -> list[str]:
    told = [str(entry[name]) for name in ("task", "state", "result") if name in entry]
    artifact = [ascii_json(entry["artifact"])] if "artifact" in entry else []
    return [*told, *artifact, str(entry.get("body", entry.get("reason", "")))]


def _opened(entry: Mapping[str, Any]) -> list[str]:
    config = entry.get("config")
    return [str(config.get("topic", ""))] if isinstance(config, dict) else _others(entry)


def _joined(entry: Mapping[str, Any]) -> list[str]:
    if "joined" not in entry:
        return _others(entry)
    card = entry.get("card")
    capabilities = _list(card.get("capabilities")) if isinstance(card, dict) else []
    may = [
        f"{each.get('resource')}:{action}"
        for each in capabilities
        if isinstance(each, dict)
        for action in _list(each.get("actions"))
    ]
    who = ", ".join(str(entry[name]) for name in ("owner", "member", "role") if name in entry)
    return [f"{entry['joined']} ({who})", f"may {', '.join(may)}" if may else ""]


def _told(*names: str) -> Callable[[Mapping[str, Any]], list[str]]:
    """Tells these members, where the host has the first of them."""

    def teller(entry: Mapping[str, Any]) -> list[str]:
        return [str(entry[name]) for name in names if name in entry] if names[0] in entry else _others(entry)

    return teller


def _others(entry: Mapping[str, Any]) -> list[str]:
    """The members as they are: system entries of other hosts have other ones."""
    return [
        f"{name}={value if isinstance(value, str) else ascii_json(value)}"
        for name, value in entry.items()
        if name not in _COLUMNS
    ]


def _effects(entry: Mapping[str, Any]) -> list[str]:
    return [f"[{effect(each)}]" for each in _list(entry.get("effects"))]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


_TELLERS: Final = {
    **dict.fromkeys(("say", "pass", "raise_hand", "proposal", "decision"), _said),
    **dict.fromkeys(("approval", "rejection", "status", "receipt", "verify"), _worked),
    "table_opened": _opened,
    "seat_joined": _joined,
    "floor_granted": _told("holder"),
    "task_opened": _told("task", "state"),
    "task_state": _told("task", "state", "reason"),
    "table_closed": _told("reason"),
}
