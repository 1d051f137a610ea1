"""Parameters against the compact schema of YEA 4.1.1: what is missing or of the wrong type, and a fix that works."""

import re
from typing import Any

from tests.odd_twin.plans import Capability, Params
from tests.odd_twin.refusal import Refusal

DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
DATETIME = re.compile(DATE.pattern + r"T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)")
NAMES = ("event", "slot", "order", "title")
LONGEST_NAME = 200


def _whole(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# For each base type a test, and a value that passes it.
TYPES: dict[str, Any] = {
    "string": (lambda value: isinstance(value, str), "naysayer"),
    "int": (_whole, 1),
    "number": (_number, 0.5),
    "date": (lambda value: isinstance(value, str) and DATE.fullmatch(value) is not None, "2027-03-04"),
    "datetime": (
        lambda value: isinstance(value, str) and DATETIME.fullmatch(value) is not None,
        "2027-03-04T05:06:07Z",
    ),
    "any": (lambda value: True, 0),
}


def check(capability: Capability, params: Params) -> Params:
    """Return the params that the capability knows, null ones left out; raises Refusal with a fix otherwise."""
    schema = capability.params
    known = {name.removesuffix("?"): words for name, words in schema.items()}
    given = {name: value for name, value in params.items() if name in known and value is not None}
    wrong = [name for name in known if not _right(name, schema, given)]
    if not wrong:
        return given
    patch = {name: None if f"{name}?" in schema else _sample(known[name]) for name in wrong}
    words = "; ".join(f"`{name}` is {'wrong' if name in given else 'missing'}" for name in wrong)
    raise Refusal("invalid_params", words, fix=[{"say": "try “this”", "params": patch, "x": 1}])


def _right(name: str, schema: Params, given: Params) -> bool:
    if name not in given:
        return f"{name}?" in schema
    value = given[name]
    if name in NAMES and isinstance(value, str) and not (0 < len(value) <= LONGEST_NAME and value.isprintable()):
        return False
    return _fits(value, schema.get(name, schema.get(f"{name}?")))


def _fits(value: Any, words: Any) -> bool:
    """Whether a value is of a type; it goes no deeper than the schema does."""
    if isinstance(words, list):
        return isinstance(value, list) and all(_fits(item, words[0]) for item in value)
    if isinstance(words, dict):
        given = (
            {name: member for name, member in value.items() if member is not None} if isinstance(value, dict) else {}
        )
        return isinstance(value, dict) and all(_right(name.removesuffix("?"), words, given) for name in words)
    base = words.split(" — ")[0]
    if base.endswith("[]"):
        return _fits(value, [base.removesuffix("[]")])
    return value in base.split("|") if "|" in base and isinstance(value, str) else bool(_test(base)(value))


def _test(base: str) -> Any:
    return TYPES[base][0] if base in TYPES else lambda value: False


def _sample(words: Any) -> Any:
    """Return a value of the type of a required param, which is never nested here."""
    base = words.split(" — ")[0]
    return base.split("|")[-1] if "|" in base else TYPES[base][1]
