"""Faults of `consent.caveats` and `undo.effects` (YEA 6.6, 4.5)."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from harness.faults.adapter import Arguments
from harness.faults.adapter.tools import Row, read, register
from reference.yea.consent import consent_caveats
from reference.yea.effects import INVERSE

Caveats = list[Any]


def _rule(arguments: Arguments) -> Caveats:
    return consent_caveats(*(arguments[name] for name in ("service", "capability", "hash", "expires")))


def _without(name: str) -> Callable[[Arguments], Caveats]:
    return lambda arguments: [caveat for caveat in _rule(arguments) if name not in caveat]


def _with(name: str, change: Callable[[Any], Any]) -> Callable[[Arguments], Caveats]:
    """The caveat of this name with another value."""
    return lambda a: [{name: change(caveat[name])} if name in caveat else caveat for caveat in _rule(a)]


CONSENTS: tuple[tuple[str, str, str, Callable[[Arguments], Any]], ...] = (
    ("no-service", "Leaves svc out.", "order expires-0", _without("svc")),
    ("no-verbs", "Leaves verbs out.", "order one-word-capability", _without("verbs")),
    ("no-capability", "Leaves can out.", "order one-word-capability", _without("can")),
    ("no-end", "Leaves exp out.", "order expires-largest", _without("exp")),
    ("service-as-a-string", "Writes the service as a string.", "order", _with("svc", lambda value: value[0])),
    (
        "namespace",
        "Widens the capability to its namespace.",
        "order one-word-capability",
        _with("can", lambda value: [value[0].split(".")[0] + ".*"]),
    ),
    ("undo-too", "Allows UNDO as well.", "order", _with("verbs", lambda value: [*value, "UNDO"])),
    (
        "whole-minutes",
        "Rounds exp up to a whole minute.",
        "expires-odd-second order",
        _with("exp", lambda value: -(-value // 60) * 60),
    ),
    (
        "milliseconds",
        "Writes exp in milliseconds.",
        "order expires-odd-second",
        _with("exp", lambda value: value * 1000),
    ),
    (
        "small-letters",
        "Writes the service in small letters.",
        "service-in-capitals",
        _with("svc", lambda value: [value[0].lower()]),
    ),
    ("trimmed", "Trims the capability.", "names-with-quotes", _with("can", lambda value: [value[0].strip()])),
    (
        "standard-alphabet",
        "Writes the hash with + and /.",
        "hash-of-other-characters order",
        _with("only", lambda value: value.replace("-", "+").replace("_", "/")),
    ),
    (
        "one-object",
        "Writes one object for the five caveats.",
        "order names-not-ascii",
        lambda a: [{name: value for caveat in _rule(a) for name, value in caveat.items()}],
    ),
    ("one-more", "Adds a risk.", "order", lambda a: [*_rule(a), {"risk": "high"}]),
)


def _consent(words: str, says: str, kills: str, make: Callable[[Arguments], Any]) -> Row:
    return words, says, kills, lambda arguments: {"json": json.dumps(make(arguments), ensure_ascii=False)}


register("consent.caveats", *(_consent(*entry) for entry in CONSENTS))

Effect = dict[str, Any]


def _swapped(effect: Effect) -> Effect:
    others = {name: value for name, value in effect.items() if name not in ("from", "to")}
    sides = {new: effect[old] for old, new in (("to", "from"), ("from", "to")) if old in effect}
    return {**others, **sides}


@dataclass(frozen=True)
class Inverter:
    """Inverts effects; every field is a place where implementations go wrong."""

    ops: dict[str, str] = field(default_factory=lambda: dict(INVERSE))
    update: Callable[[Effect], Effect] = _swapped
    keep: Callable[[Effect], bool] = lambda effect: True
    every: bool = True
    finish: Callable[[Effect], Effect] = lambda effect: effect

    def invert(self, arguments: Arguments) -> dict[str, str]:
        """undo.effects"""
        effects = [effect for effect in read(arguments) if self.keep(effect)]
        inverted = [
            self.finish(self.one(effect)) if self.every or not at else effect for at, effect in enumerate(effects)
        ]
        return {"json": json.dumps(inverted)}

    def one(self, effect: Effect) -> Effect:
        """One effect inverted."""
        sides = self.update(effect) if effect["op"] == "update" else effect
        return {**sides, "op": self.ops[effect["op"]]}


def _truthy(effect: Effect) -> Effect:
    """As JavaScript or Python write it when they ask whether a side is there by its truth."""
    return {name: value for name, value in _swapped(effect).items() if value or name not in ("from", "to")}


def _both_or_nothing(effect: Effect) -> Effect:
    return _swapped(effect) if {"from", "to"} <= effect.keys() else effect


def _texts(effect: Effect) -> Effect:
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in effect.items()}


RULE = Inverter()
INVERTERS: tuple[tuple[str, str, str, Inverter], ...] = (
    (
        "null-sides",
        "Writes null for a side that was left out.",
        "update-only-to update-only-from update-no-side",
        replace(RULE, update=lambda effect: {**effect, "from": effect.get("to"), "to": effect.get("from")}),
    ),
    (
        "falsy-sides-lost",
        "Takes an empty, zero or false side for one that was left out.",
        "update-booleans update-zero-and-empty update-only-to-false",
        replace(RULE, update=_truthy),
    ),
    (
        "not-swapped",
        "Keeps from and to as they are.",
        "update update-numbers update-only-to",
        replace(RULE, update=dict),
    ),
    (
        "both-sides-or-none",
        "Swaps only when both sides are there.",
        "update-only-to update-only-from",
        replace(RULE, update=_both_or_nothing),
    ),
    (
        "sends-dropped",
        "Leaves out what was sent.",
        "send send-with-a-field one-of-each",
        replace(RULE, keep=lambda effect: effect["op"] != "send"),
    ),
    (
        "sends-deleted",
        "Reverses a send as a delete.",
        "send one-of-each",
        replace(RULE, ops={**INVERSE, "send": "delete"}),
    ),
    (
        "sends-sent",
        "Reverses a send as a send.",
        "send send-with-detail",
        replace(RULE, ops={**INVERSE, "send": "send"}),
    ),
    (
        "others-dropped",
        "Leaves other effects out.",
        "other other-with-detail one-of-each",
        replace(RULE, keep=lambda effect: effect["op"] != "other"),
    ),
    (
        "updates-only",
        "Inverts updates only.",
        "create delete create-and-delete",
        replace(RULE, ops={**INVERSE, "create": "create", "delete": "delete"}),
    ),
    (
        "first-only",
        "Inverts the first effect only.",
        "create-and-delete two-updates-of-one-field",
        replace(RULE, every=False),
    ),
    (
        "field-lost",
        "Loses the field.",
        "update create-with-a-field send-with-a-field",
        replace(RULE, finish=lambda effect: {name: value for name, value in effect.items() if name != "field"}),
    ),
    ("sides-as-text", "Turns sides into strings.", "update-numbers update-booleans", replace(RULE, finish=_texts)),
    (
        "creates-updated",
        "Reverses a create as an update.",
        "create one-of-each",
        replace(RULE, ops={**INVERSE, "create": "update"}),
    ),
)

register("undo.effects", *((words, says, kills, inverter.invert) for words, says, kills, inverter in INVERTERS))
