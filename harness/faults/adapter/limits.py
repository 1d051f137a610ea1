"""Faults of `grant.check` in how limits are evaluated: decimals, units, totals, what is reported (YEA 6.3)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from harness.faults.adapter.covering import INHERITED, Table, rule_of, soft, table_row
from harness.faults.adapter.tools import register
from reference.yea import caveats, quantities
from reference.yea.caveats import CAVEATS, Context, Outcome


def _limits(within: Callable[[dict[str, Any], Mapping[str, Any], Mapping[str, Any]], Outcome]) -> Table:
    """The table with another comparison of limits."""
    return {
        **CAVEATS,
        "each": replace(CAVEATS["each"], outcome=lambda limit, c, i: within(limit, c.proposal or {}, {})),
        "total": replace(
            CAVEATS["total"], outcome=lambda limit, c, i: within(limit, c.proposal or {}, c.used.get(i, {}))
        ),
    }


Compare = Callable[[dict[str, Any], dict[str, Any] | None, dict[str, Any]], bool]
"""Whether a quantity, on top of a used one, is within a limit."""


def _comparing(compare: Compare, *, unit: Callable[[Any, Any], bool] | None = None) -> Table:
    """The table with another comparison of a quantity and a limit whose units match."""
    same = unit or quantities.same_unit

    def within(limit: dict[str, Any], proposal: Mapping[str, Any], used: Mapping[str, Any]) -> Outcome:
        uses = proposal.get("uses", {})
        if not quantities.uses_valid(uses):
            return "hard"
        own, before = uses.get(limit["of"]), used.get(limit["of"])
        if own is None:
            return "satisfied"
        return soft(same(own, limit) and compare(limit, before, own))

    return _limits(within)


def _exact(limit: dict[str, Any], before: dict[str, Any] | None, own: dict[str, Any]) -> bool:
    return _sum(before, own) <= quantities.value(limit, "max")


def _sum(before: dict[str, Any] | None, own: dict[str, Any]) -> int:
    return (quantities.value(before) if before else 0) + quantities.value(own)


def _float(quantity: dict[str, Any], amount: str = "amount") -> float:
    return float(quantity[amount] / 10 ** quantity.get("scale", 0))


def _floats(limit: dict[str, Any], before: dict[str, Any] | None, own: dict[str, Any]) -> bool:
    return (_float(before) if before else 0.0) + _float(own) <= _float(limit, "max")


def _wrapped(number: int) -> int:
    """As a signed integer of 64 bits has it."""
    return (number + 2**63) % 2**64 - 2**63


def _narrow(limit: dict[str, Any], before: dict[str, Any] | None, own: dict[str, Any]) -> bool:
    return _wrapped(_sum(before, own)) <= _wrapped(quantities.value(limit, "max"))


def _amounts(limit: dict[str, Any], before: dict[str, Any] | None, own: dict[str, Any]) -> bool:
    return int((before or {"amount": 0})["amount"] + own["amount"]) <= int(limit["max"])


def _rounded(limit: dict[str, Any], before: dict[str, Any] | None, own: dict[str, Any]) -> bool:
    """Rounds to the limit's own scale."""
    step = 10 ** (18 - limit.get("scale", 0))
    return bool(_sum(before, own) // step <= limit["max"])


def _any_uses(limit: dict[str, Any], proposal: Mapping[str, Any], used: Mapping[str, Any]) -> Outcome:
    """Looks at the limit's own measure only."""
    uses = proposal.get("uses") or {}
    own = uses.get(limit["of"]) if isinstance(uses, dict) else None
    if own is None:
        return "satisfied"
    if not quantities.is_quantity(own):
        return "hard"
    return caveats.within(limit, {"uses": {limit["of"]: own}}, used)


def _malformed_uses(outcome: Outcome) -> Table:
    def within(limit: dict[str, Any], proposal: Mapping[str, Any], used: Mapping[str, Any]) -> Outcome:
        malformed = not quantities.uses_valid(proposal.get("uses", {}))
        return outcome if malformed else caveats.within(limit, proposal, used)

    return _limits(within)


def _null_is_absent(limit: dict[str, Any], proposal: Mapping[str, Any], used: Mapping[str, Any]) -> Outcome:
    uses = proposal.get("uses")
    return caveats.within(limit, {"uses": {} if uses is None else uses}, used)


def _unreported(limit: dict[str, Any], proposal: Mapping[str, Any], used: Mapping[str, Any]) -> Outcome:
    uses = proposal.get("uses", {})
    missing = isinstance(uses, dict) and limit["of"] not in uses
    return "soft" if missing else caveats.within(limit, proposal, used)


def _inherits(limit: dict[str, Any], proposal: Mapping[str, Any], used: Mapping[str, Any]) -> Outcome:
    """Finds a function where a measure is named like what objects inherit, as plain JavaScript objects do."""
    uses = proposal.get("uses", {})
    found = isinstance(uses, dict) and limit["of"] in INHERITED and limit["of"] not in uses
    return "hard" if found else caveats.within(limit, proposal, used)


def _own(limit: dict[str, Any], proposal: Mapping[str, Any]) -> dict[str, Any] | None:
    """The well-formed quantity that the proposal reports, if there is one."""
    uses = proposal.get("uses")
    own = uses.get(limit["of"]) if isinstance(uses, dict) else None
    return own if isinstance(own, dict) and quantities.is_quantity(own) else None


def _hard_mismatch(limit: dict[str, Any], proposal: Mapping[str, Any], used: Mapping[str, Any]) -> Outcome:
    own = _own(limit, proposal)
    if own is not None and not quantities.same_unit(own, limit):
        return "hard"
    return caveats.within(limit, proposal, used)


def _zero_passes(limit: dict[str, Any], proposal: Mapping[str, Any], used: Mapping[str, Any]) -> Outcome:
    own = _own(limit, proposal)
    return "satisfied" if own is not None and own["amount"] == 0 else caveats.within(limit, proposal, used)


def _total(used: Callable[[Context, str], Mapping[str, Any]]) -> Table:
    return rule_of("total", lambda limit, c, i: caveats.within(limit, c.proposal or {}, used(c, i)))


def _every_block(c: Context, block_id: str) -> Mapping[str, Any]:
    """The largest usage under any block."""
    accounts = [account for account in c.used.values() if account]
    return max(accounts, key=lambda account: max(map(quantities.value, account.values())), default={})


def _every_measure(c: Context, block_id: str) -> Mapping[str, Any]:
    account = c.used.get(block_id, {})
    largest = max(account.values(), key=quantities.value, default=None)
    return {} if largest is None else dict.fromkeys([*account, "m", "n"], largest)


TABLES: tuple[tuple[str, str, str, Table], ...] = (
    (
        "limits-below",
        "Takes < for ≤ at a limit.",
        "each-at-the-limit total-up-to-the-limit",
        _comparing(lambda m, b, o: _sum(b, o) < quantities.value(m, "max")),
    ),
    (
        "limits-in-floats",
        "Compares and adds in floating point.",
        "total-0-1-and-0-2-of-0-3 total-a-tenth-past-the-largest total-one-step-past-the-largest",
        _comparing(_floats),
    ),
    (
        "limits-in-64-bits",
        "Overflows 64 bits when it scales.",
        "each-largest-against-a-small-limit each-tiny-against-the-largest",
        _comparing(_narrow),
    ),
    (
        "limits-without-scale",
        "Compares amounts whatever their scales.",
        "each-25-at-scale-2 each-2500-at-scale-2-and-26-at-0",
        _comparing(_amounts),
    ),
    (
        "limits-rounded",
        "Rounds to the limit's scale.",
        "each-25-001-at-scale-3 each-one-step-at-scale-18",
        _comparing(_rounded),
    ),
    (
        "units-ignored",
        "Does not compare units.",
        "each-another-unit each-unit-on-the-limit-alone each-unit-on-the-quantity-alone",
        _comparing(_exact, unit=lambda quantity, limit: True),
    ),
    (
        "unit-optional",
        "Takes a unit that is on one side only for a match.",
        "each-unit-on-the-limit-alone each-unit-on-the-quantity-alone",
        _comparing(_exact, unit=lambda q, m: "unit" not in q or "unit" not in m or q["unit"] == m["unit"]),
    ),
    (
        "units-without-case",
        "Compares units without regard to case.",
        "each-unit-in-small-letters",
        _comparing(_exact, unit=lambda q, m: str(q.get("unit")).lower() == str(m.get("unit")).lower()),
    ),
    (
        "units-hard",
        "Refuses another unit instead of asking for consent.",
        "each-another-unit each-in-another-unit",
        _limits(_hard_mismatch),
    ),
    (
        "zero-passes",
        "Passes a quantity of 0 whatever its unit.",
        "each-0-of-another-unit each-0-without-the-unit",
        _limits(_zero_passes),
    ),
    (
        "total-without-used",
        "Does not add what is already used.",
        "total-one-past total-of-the-child-used-up",
        _total(lambda c, i: {}),
    ),
    (
        "total-by-any-block",
        "Adds usage under every block.",
        "total-of-the-child-is-its-own total-of-the-root-is-its-own",
        _total(_every_block),
    ),
    (
        "total-by-any-measure",
        "Adds usage of every measure.",
        "total-of-another-measure-used-up total-of-two-measures-in-a-block",
        _total(_every_measure),
    ),
    (
        "each-with-used",
        "Adds what is already used to each.",
        "total-and-each-of-one-measure",
        rule_of("each", lambda limit, c, i: caveats.within(limit, c.proposal or {}, c.used.get(i, {}))),
    ),
    (
        "uses-partly-checked",
        "Looks at the limit's own measure only.",
        "uses-with-another-measure-malformed uses-malformed-under-a-limit-on-another-measure uses-null",
        _limits(_any_uses),
    ),
    (
        "uses-softly",
        "Asks for consent where uses is malformed.",
        "uses-a-list uses-with-scale-19",
        _malformed_uses("soft"),
    ),
    ("uses-pass", "Passes a malformed uses.", "uses-a-list uses-with-a-negative-amount", _malformed_uses("satisfied")),
    ("uses-null-absent", "Takes a null uses for an absent one.", "uses-null", _limits(_null_is_absent)),
    (
        "unreported-fails",
        "Asks for consent where a measure is not reported.",
        "no-uses-under-limits-of-0 other-measures-under-limits-of-0",
        _limits(_unreported),
    ),
    (
        "measure-inherited",
        "Is fooled by a measure named like what objects inherit.",
        "limit-on-constructor-which-objects-inherit",
        _limits(_inherits),
    ),
)

register("grant.check", *(table_row(*entry) for entry in TABLES))
