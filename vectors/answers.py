"""Whether an adapter's answer to a case is right.

An ok is compared whole. How its text fields compare is said by the file's `compare`: `text`, byte for byte;
`json`, as JSON values (the order of an object's members and the spelling of a number do not count); `json-any-order`,
the same, and neither does the order of the elements of the outermost array, nor do those members of the elements that
the file `ignores`. `invariants` cannot be decided here: it takes knowledge of the operation.
"""

import json
from collections.abc import Mapping
from typing import Any

from vectors.model import Case

MEANS_FALSE = frozenset({"proof.verify", "byob.verify", "uses.valid"})
"""Operations whose error counts as {"valid": false} (ADAPTER.md)."""


def is_right(case: Case, answer: Mapping[str, Any]) -> bool:
    """Whether an answer ({"ok": …} or {"error": …}) is one that the case accepts.

    Raises ValueError for a file that compares by invariants.
    """
    if case.compare == "invariants":
        raise ValueError(f"{case.op} is compared by invariants")
    if "error" in answer and case.op in MEANS_FALSE:
        answer = {"ok": {"valid": False}}
    return any(_accepts(wanted, answer, case) for wanted in case.expected)


def _accepts(wanted: Mapping[str, Any], answer: Mapping[str, Any], case: Case) -> bool:
    if "error" in wanted:
        error = answer.get("error")
        if error is None:
            return False
        return "code" not in wanted or (isinstance(error, Mapping) and error.get("code") == wanted["code"])
    ok = answer.get("ok")
    if case.compare == "text" or not isinstance(ok, Mapping):
        return _same(wanted["ok"], ok)
    if wanted["ok"].keys() != ok.keys():
        return False
    return all(_same_json(text, ok[name], case) for name, text in wanted["ok"].items())


def _same_json(wanted: str, got: Any, case: Case) -> bool:
    if not isinstance(got, str):
        return False
    try:
        wanted_value, got_value = json.loads(wanted), json.loads(got)
        if case.compare == "json-any-order" and isinstance(wanted_value, list) and isinstance(got_value, list):
            return _elements(wanted_value, case) == _elements(got_value, case)
        return _key(wanted_value) == _key(got_value)
    except (ValueError, RecursionError):
        return False


def _elements(items: list[Any], case: Case) -> list[str]:
    """The elements without what the file ignores, in an order of ours."""
    return sorted(_key(_without(item, case.ignores)) for item in items)


def _without(item: Any, names: tuple[str, ...]) -> Any:
    return {name: value for name, value in item.items() if name not in names} if isinstance(item, dict) else item


def _same(wanted: Any, got: Any) -> bool:
    """Equality of JSON values; unlike Python's, true is not 1."""
    return type(wanted) is type(got) and _key(wanted) == _key(got)


def _key(value: Any) -> str:
    """One text for each JSON value: 1.0 is 1, true is not 1, the order of members does not count."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
