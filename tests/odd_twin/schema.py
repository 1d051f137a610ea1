"""Parameters against the compact schema of YEA 4.1.1: what is missing or of the wrong type, and a fix that works."""

import re
from typing import Any

from tests.odd_twin.plans import Capability, Params
from tests.odd_twin.refusal import Refusal

DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
DATETIME = re.compile(DATE.pattern + r"T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)")


def _whole(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


TYPES = {
    "string": (lambda value: isinstance(value, str), "naysayer"),
    "int": (_whole, 1),
    "number": (_number, 0.5),
    "date": (lambda value: isinstance(value, str) and DATE.fullmatch(value) is not None, "2027-03-04"),
    "datetime": (
        lambda value: isinstance(value, str) and DATETIME.fullmatch(value) is not None,
        "2027-03-04T05:06:07Z",
    ),
}


def check(capability: Capability, params: Params) -> Params:
    """Return the params that the capability knows, null ones left out; raises Refusal with a fix otherwise."""
    known = {name.removesuffix("?"): words for name, words in capability.params.items()}
    given = {name: value for name, value in params.items() if name in known and value is not None}
    problems: list[str] = []
    patch: Params = {}
    for name, words in known.items():
        if name not in given and f"{name}?" in capability.params:
            continue
        fits, sample = _type(words)
        if name in given and fits(given[name]):
            continue
        problems.append(f"`{name}` is {words}" + ("" if name in given else " and missing"))
        optional = f"{name}?" in capability.params
        patch[name] = None if optional else capability.samples.get(name, sample)
    if problems:
        raise Refusal("invalid_params", "; ".join(problems), fix=[{"say": "try “this”", "params": patch, "x": 1}])
    return given


def _type(words: Any) -> Any:
    """Return a test for a value and a sample; what is nested or a list is checked for being that and no further."""
    if isinstance(words, dict):
        return (lambda value: isinstance(value, dict)), {}
    base = "[]" if isinstance(words, list) else words.split(" — ")[0]
    if base.endswith("[]"):
        return (lambda value: isinstance(value, list)), []
    if base == "any":
        return (lambda value: True), 0
    if "|" in base:
        literals = base.split("|")
        return (lambda value: value in literals if isinstance(value, str) else False), literals[-1]
    return TYPES[base]
