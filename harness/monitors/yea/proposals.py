"""YEA 5.1: what every proposal carries, its effects and what it uses."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from harness.encoding import shown
from harness.monitors import Memory, Monitor, add
from reference.yea.canonical import CanonicalError
from reference.yea.proposals import proposal_hash
from reference.yea.types import as_integer

Members = dict[str, Any]
Test = Callable[[Any], str | None]

STRINGS = ("id", "capability", "summary", "hash")
OPS = ("create", "update", "delete", "send", "other")
RISKS = ("low", "medium", "high")
LONGEST_WINDOW = 2**52
EARLIEST, LATEST = 10**9, 10**11  # unix seconds; a time in milliseconds is far above
MOST_AMOUNT, MOST_SCALE = 2**53 - 1, 18
MEASURE = re.compile(r"[a-z][a-z0-9_.\-]{0,63}")
UNIT = re.compile(r"[A-Za-z0-9_./%\-]{1,32}")
UNHASHED = ("hash", "data")


def named(holder: Any, name: str) -> str:
    """Return a member as an offence shows it."""
    if not isinstance(holder, dict):
        return shown(holder)
    return f"{name} {shown(holder[name])}" if name in holder else f"no {name}"


def strings(holder: Members, names: tuple[str, ...]) -> str | None:
    """Return the first of these members that is no string, as an offence."""
    wrong = [name for name in names if not isinstance(holder.get(name), str)]
    return named(holder, wrong[0]) if wrong else None


def _strings(proposal: Members) -> str | None:
    return strings(proposal, STRINGS)


def effects_list(holder: Members) -> str | None:
    """Return what is wrong with the effects of a proposal or receipt as a list."""
    return None if isinstance(holder.get("effects"), list) else named(holder, "effects")


def _effect_object(effect: Any) -> str | None:
    return strings(effect, ("op", "target")) if isinstance(effect, dict) else f"an effect {shown(effect)}"


def _op(effect: Any) -> str | None:
    op = effect.get("op") if isinstance(effect, dict) else None
    return None if op in OPS or not isinstance(op, str) else named(effect, "op")


def _texts(effect: Any) -> str | None:
    for name in ("field", "detail"):
        if isinstance(effect, dict) and not isinstance(effect.get(name), (str, type(None))):
            return named(effect, name)
    return None


def _scalars(effect: Any) -> str | None:
    for name in ("from", "to"):
        if isinstance(effect, dict) and isinstance(effect.get(name), (dict, list)):
            return named(effect, name)
    return None


def _nulls(effect: Any) -> str | None:
    for name in ("field", "detail", "from", "to"):
        if isinstance(effect, dict) and name in effect and effect[name] is None:
            return named(effect, name)
    return None


def _uses_object(uses: Any) -> str | None:
    if uses is None or (isinstance(uses, dict) and all(isinstance(quantity, dict) for quantity in uses.values())):
        return None
    return f"uses {shown(uses)}"


def _uses_well_formed(uses: Any) -> str | None:
    for name, quantity in uses.items() if isinstance(uses, dict) else ():
        if not MEASURE.fullmatch(name):
            return f"a measure named {shown(name)}"
        problem = _quantity(quantity)
        if problem is not None:
            return f"{problem} of the measure {name}"
    return None


def _quantity(quantity: Any) -> str | None:
    """Return what is wrong with a quantity. Members that nobody knows are let pass (YEA-Q14), null ones too (Q60)."""
    if not isinstance(quantity, dict):
        return f"a quantity {shown(quantity)}"
    amount, scale, unit = as_integer(quantity.get("amount")), quantity.get("scale"), quantity.get("unit")
    if amount is None or not 0 <= amount <= MOST_AMOUNT:
        return named(quantity, "amount")
    step = as_integer(scale)
    if scale is not None and (step is None or not 0 <= step <= MOST_SCALE):
        return named(quantity, "scale")
    right = unit is None or (isinstance(unit, str) and UNIT.fullmatch(unit) is not None)
    return None if right else named(quantity, "unit")


def _uses_nulls(uses: Any) -> str | None:
    if uses is None:
        return "uses null"
    for quantity in uses.values() if isinstance(uses, dict) else ():
        for name in ("scale", "unit"):
            if isinstance(quantity, dict) and name in quantity and quantity[name] is None:
                return named(quantity, name)
    return None


def _risk(proposal: Members) -> str | None:
    return None if proposal.get("risk") in RISKS else named(proposal, "risk")


def _undo(proposal: Members) -> str | None:
    if "undo" in proposal and proposal["undo"] is None:
        return None
    undo = proposal.get("undo")
    window = as_integer(undo.get("window")) if isinstance(undo, dict) else None
    return None if window is not None and 0 < window <= LONGEST_WINDOW else named(proposal, "undo")


def _expires(proposal: Members) -> str | None:
    expires = as_integer(proposal.get("expires"))
    return None if expires is not None and EARLIEST < expires < LATEST else named(proposal, "expires")


def _hash(proposal: Members) -> str | None:
    try:
        right = proposal_hash(proposal)
    except CanonicalError as problem:
        return f"a proposal without a canonical form: {problem}"
    return None if proposal.get("hash") == right else f"{named(proposal, 'hash')} of a proposal that hashes to {right}"


def _integers(proposal: Members) -> str | None:
    hashed = {name: value for name, value in proposal.items() if name not in UNHASHED}
    for number in numbers(hashed):
        if as_integer(number) is None:
            return f"the number {shown(number)} in what is hashed"
    return None


def numbers(value: Any) -> Iterator[int | float]:
    """Return every number inside a JSON value, however deep."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, (int, float)) and not isinstance(item, bool):
            yield item


# (id, clause, over, test, title, more options of the monitor).
RULES: tuple[tuple[str, str, str, Test, str, dict[str, Any]], ...] = (
    (
        "yea/5.1/proposals-have-their-strings",
        "YEA-5.1-01",
        "proposal",
        _strings,
        "Every proposal has an id, a capability, a summary and a hash, which are strings.",
        {},
    ),
    (
        "yea/5.1/proposals-list-effects",
        "YEA-5.1-02",
        "proposal",
        effects_list,
        "The `effects` of every proposal are a list.",
        {},
    ),
    (
        "yea/5.1/effects-are-op-and-target",
        "YEA-5.1-02",
        "effect",
        _effect_object,
        "Every effect is an object with a string `op` and a string `target`.",
        {},
    ),
    (
        "yea/5.1/op-is-one-of-five",
        "YEA-5.1-03",
        "effect",
        _op,
        "The `op` of every effect is create, update, delete, send or other.",
        {},
    ),
    (
        "yea/5.1/field-and-detail-are-strings",
        "YEA-5.1-04",
        "effect",
        _texts,
        "The `field` and `detail` of an effect, where given, are strings.",
        {},
    ),
    (
        "yea/5.1/from-and-to-are-scalars",
        "YEA-5.1-05",
        "effect",
        _scalars,
        "The `from` and `to` of an effect are never objects or lists.",
        {},
    ),
    (
        "yea/5.1/what-an-effect-lacks-is-left-out",
        "YEA-5.1-04",
        "effect",
        _nulls,
        "A member that an effect does not have is left out, not null.",
        {"open_question": "YEA-Q60"},
    ),
    (
        "yea/5.1/uses-maps-measures-to-quantities",
        "YEA-5.1-08",
        "uses",
        _uses_object,
        "Every `uses` is an object of objects.",
        {"optional": True},
    ),
    (
        "yea/5.1/uses-is-well-formed",
        "YEA-5.1-09",
        "uses",
        _uses_well_formed,
        "The measures, amounts, scales and units of every `uses` are within their rules.",
        {"optional": True},
    ),
    (
        "yea/5.1/what-a-quantity-lacks-is-left-out",
        "YEA-5.1-09",
        "uses",
        _uses_nulls,
        "A `uses`, a scale and a unit that are not there are left out, not null.",
        {"open_question": "YEA-Q60", "optional": True},
    ),
    (
        "yea/5.1/risk-is-a-level",
        "YEA-5.1-23",
        "proposal",
        _risk,
        "The `risk` of every proposal is low, medium or high.",
        {},
    ),
    (
        "yea/5.1/undo-is-null-or-a-window",
        "YEA-5.1-25",
        "proposal",
        _undo,
        "The `undo` of every proposal is null or a positive whole window.",
        {},
    ),
    (
        "yea/5.1/expires-is-unix-seconds",
        "YEA-5.1-28",
        "proposal",
        _expires,
        "The `expires` of every proposal is an integer of unix seconds.",
        {},
    ),
    (
        "yea/5.1/hash-recomputes",
        "YEA-5.1-30",
        "proposal",
        _hash,
        "The `hash` of every proposal is that of its canonical form without hash and data.",
        {},
    ),
    (
        "yea/5.1/hashed-numbers-are-integers",
        "YEA-5.1-34",
        "proposal",
        _integers,
        "Every number in a proposal, outside its data, is an integer.",
        {},
    ),
)


def _judge(test: Test) -> Callable[[Any, Memory], str | None]:
    return lambda thing, _: test(thing)


for _id, _clause, _over, _test, _title, _options in RULES:
    add(Monitor(_id, _title, _clause, _over, _judge(_test), **_options))
