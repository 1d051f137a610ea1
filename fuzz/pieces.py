"""A reply put together again from what was kept of it and what EXPAND gives back (YEA 8).

Only for replies without a `more` of their own and without keys that hold letters of paths. What EXPAND would give is
the end of the whole value, as long as the entry says; in which unit it counts characters is open (YEA-Q77).
"""

import re
from typing import Any

from reference.yea import jsontext

ELLIPSIS = "…"
INDEX = re.compile(r"\[([0-9]{1,6})\]")
Frame = dict[str, Any]


class Apart(ValueError):
    """What was cut cannot be put together again; `str()` says why."""


def put_together(whole: Frame, fitted: Frame) -> Frame:
    """Return a fitted reply with everything put back that its `more` entries announce.

    Args:
        whole: the reply as it was.
        fitted: what was kept; it is changed in place.

    Raises Apart.
    """
    entries = fitted.pop("more", None) or []
    if not isinstance(entries, list):
        raise Apart(f"more is no list: {str(entries)[:100]}")
    for entry in entries:
        path = entry.get("path") if isinstance(entry, dict) else None
        remaining = entry.get("remaining") if isinstance(entry, dict) else None
        if not isinstance(path, str) or type(remaining) is not int:
            raise Apart(f"an entry of more without path or remaining: {str(entry)[:100]}")
        _put_back(whole, fitted, path, remaining)
    return fitted


def _put_back(whole: Any, fitted: Any, path: str, remaining: int) -> None:
    *steps, last = INDEX.sub(r".\1", path).split(".")
    for step in steps:
        whole, fitted = _step(whole, step, path), _step(fitted, step, path)
    before, kept = _step(whole, last, path), _step(fitted, last, path)
    if isinstance(before, list) and isinstance(kept, list):
        made: Any = [*kept, *before[len(before) - remaining :]] if 0 < remaining <= len(before) else None
    elif isinstance(before, str) and isinstance(kept, str):
        made = _text(before, kept, remaining)
    else:
        raise Apart(f"{path} is neither a list nor a text before and after")
    if made is None:
        raise Apart(f"{remaining} cannot be what is missing at {path}")
    fitted[int(last) if isinstance(fitted, list) else last] = made


def _step(holder: Any, key: str, path: str) -> Any:
    if isinstance(holder, dict) and key in holder:
        return holder[key]
    if isinstance(holder, list) and key.isascii() and key.isdigit() and int(key) < len(holder):
        return holder[int(key)]
    raise Apart(f"the path {path} leads nowhere")


def _text(before: str, kept: str, remaining: int) -> str | None:
    """Return the whole text when `remaining` is how much is missing, in characters, UTF-16 units or bytes."""
    for start in (kept, kept.removesuffix(ELLIPSIS)):
        rest = before[len(start) :]
        if before.startswith(start) and remaining in _sizes(rest):
            return start + rest
    return None


def _sizes(text: str) -> set[int]:
    return {len(text), len(text.encode("utf-16-le", "surrogatepass")) // 2, len(text.encode("utf-8", "surrogatepass"))}


def same(first: Any, second: Any) -> bool:
    """Whether two JSON values are the same; unlike Python's, true is not 1."""
    return jsontext.dumps(_sorted(first)) == jsontext.dumps(_sorted(second))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def can_be_cut(frame: Frame) -> bool:
    """Whether a reply still holds what YEA 8 lets a service cut: items of a list root, items or text in deep roots."""
    kind = frame.get("kind")
    proposals = frame.get("proposals") if kind == "PROPOSALS" else None
    if isinstance(proposals, list):
        return len(proposals) > 1 or any(_holds(each.get("data")) for each in proposals if isinstance(each, dict))
    receipt = frame.get("receipt")
    return _holds(
        frame.get("data") if kind == "ANSWER" else receipt.get("result") if isinstance(receipt, dict) else None
    )


def _holds(value: Any) -> bool:
    if isinstance(value, str):
        return len(value.removesuffix(ELLIPSIS)) > 200
    if isinstance(value, list):
        return bool(value)
    return isinstance(value, dict) and any(map(_holds, value.values()))
