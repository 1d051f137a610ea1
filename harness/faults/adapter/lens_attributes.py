"""Faults of `lens.reply` in `uses`, risk, and the attributes that proposals share (YEA 9.2)."""

import re
from collections.abc import Callable
from typing import Any

from harness.faults.adapter.overriding import reply_row
from harness.faults.adapter.tools import register
from reference.yea import quantities
from reference.yea.lens import replies

Attributes = dict[str, str]
ORDER = ("uses", "risk", "undo", "expires")

_attributes, _shared, _uses = replies._attributes, replies._shared, replies._uses


def _as_written(value: Any) -> str:
    """The measures in the order of the JSON text."""
    if _uses(value) == "?":
        return "?"
    return ", ".join(f"{name} {quantities.render(value[name])}" for name in value)


def _by_locale(value: Any) -> str:
    """As a locale sorts: punctuation counts only between names that are else the same."""
    if _uses(value) == "?":
        return "?"
    names = sorted(value, key=lambda name: (re.sub("[^a-z0-9]", "", name), name))
    return ", ".join(f"{name} {quantities.render(value[name])}" for name in names)


def _good_ones(value: Any) -> str:
    """Shows the measures of a malformed uses that are well-formed."""
    if not isinstance(value, dict):
        return "?"
    good = {name: item for name, item in value.items() if quantities.uses_valid({name: item})}
    return _uses(good) or "?"


def _question_marks(value: Any) -> str:
    """Puts the ? at the measure that is malformed."""
    if not isinstance(value, dict):
        return "?"
    parts = (f"{n} {quantities.render(v) if quantities.is_quantity(v) else '?'}" for n, v in sorted(value.items()))
    return ", ".join(parts)


def _quantities(render: Callable[[dict[str, Any]], str]) -> Callable[[Any], str]:
    """Writes quantities in another way."""

    def uses(value: Any) -> str:
        if _uses(value) == "?":
            return "?"
        return ", ".join(f"{name} {render(value[name])}" for name in sorted(value))

    return uses


def _with_unit(number: str, quantity: dict[str, Any]) -> str:
    return f"{number} {quantity['unit']}" if "unit" in quantity else number


def _float(quantity: dict[str, Any]) -> str:
    scale = int(quantity.get("scale", 0))
    return _with_unit(f"{quantity['amount'] / 10**scale:.{scale}f}", quantity)


def _trimmed(quantity: dict[str, Any]) -> str:
    number, _, unit = quantities.render(quantity).partition(" ")
    number = number.rstrip("0").rstrip(".") if "." in number else number
    return f"{number} {unit}" if unit else number


def _grouped(quantity: dict[str, Any]) -> str:
    number, _, unit = quantities.render(quantity).partition(" ")
    whole, point, fraction = number.partition(".")
    number = f"{int(whole):,}{point}{fraction}"
    return f"{number} {unit}" if unit else number


def _two_digits(quantity: dict[str, Any]) -> str:
    """Every quantity as if it were money."""
    return _with_unit(f"{quantity['amount'] / 10 ** quantity.get('scale', 0):.2f}", quantity)


def _levels_only(proposal: dict[str, Any]) -> Attributes:
    risk = proposal.get("risk")
    shown = {"risk": risk if risk in ("low", "medium", "high") else None}
    return _attributes({**proposal, **shown})


def _raw_risk(proposal: dict[str, Any]) -> Attributes:
    risk = proposal.get("risk")
    made = _attributes(proposal)
    return {**made, "risk": f"risk: {risk}"} if isinstance(risk, str) else made


def _empty_uses(proposal: dict[str, Any]) -> Attributes:
    """Shows uses whenever it is there."""
    made = _attributes(proposal)
    return {"uses": "uses: ", **made} if proposal.get("uses") == {} else made


def _null_uses(proposal: dict[str, Any]) -> Attributes:
    """Takes whatever is false in the language for an absent uses."""
    made = _attributes(proposal)
    return made if proposal.get("uses") else {name: text for name, text in made.items() if name != "uses"}


def _with_missing(attributes: list[Attributes]) -> Attributes:
    """Shares what nobody renders otherwise."""
    if len(attributes) < 2:
        return {}
    merged = {name: text for own in attributes for name, text in own.items()}
    alike = [n for n in ORDER if len({own[n] for own in attributes if n in own}) == 1]
    return {name: merged[name] for name in alike}


def _ends(attributes: list[Attributes]) -> Attributes:
    """Compares the first and the last proposal only."""
    return _shared([attributes[0], attributes[-1]]) if len(attributes) > 1 else {}


def _first_two(attributes: list[Attributes]) -> Attributes:
    return _shared(attributes[:2])


def _all_or_none(attributes: list[Attributes]) -> Attributes:
    shared = _shared(attributes)
    return shared if shared == attributes[0] else {}


USES = (
    reply_row(
        "uses-as-written",
        "Leaves measures in the order of the JSON text.",
        "uses-two-measures uses-code-point-order shared-uses-by-all",
        _uses=_as_written,
    ),
    reply_row("uses-by-locale", "Sorts measures by a locale.", "uses-code-point-order", _uses=_by_locale),
    reply_row(
        "good-measures",
        "Shows the good measures of a malformed uses.",
        "uses-malformed-upper-case-name uses-malformed-last-of-three",
        _uses=_good_ones,
    ),
    reply_row(
        "names-of-malformed-uses",
        "Shows the names of a malformed uses.",
        "uses-malformed-number uses-malformed-last-of-three",
        _uses=_question_marks,
    ),
    reply_row(
        "float-quantities",
        "Computes quantities in floating point.",
        "uses-quantity-of-many-digits",
        _uses=_quantities(_float),
    ),
    reply_row(
        "trimmed-quantities",
        "Drops zeros at the end of a quantity.",
        "uses-two-measures uses-quantity-of-zero uses-no-meaning-of-units",
        _uses=_quantities(_trimmed),
    ),
    reply_row(
        "grouped-digits",
        "Groups the digits of a quantity.",
        "uses-quantity-of-many-digits",
        _uses=_quantities(_grouped),
    ),
    reply_row(
        "two-digits",
        "Writes every quantity with two digits after the point.",
        "uses-quantity-of-scale-18 uses-quantity-of-scale-0 shared-uses-of-other-scale",
        _uses=_quantities(_two_digits),
    ),
)

RISKS_AND_SHARING = (
    reply_row(
        "risk-levels-only",
        "Hides a risk that is none of the three.",
        "risk-other-word risk-number risk-quoted",
        _attributes=_levels_only,
    ),
    reply_row(
        "raw-risk", "Prints the risk as it is.", "risk-quoted risk-keyword risk-line-break", _attributes=_raw_risk
    ),
    reply_row("empty-uses", "Shows an empty uses.", "uses-empty shared-uses-by-none", _attributes=_empty_uses),
    reply_row(
        "falsy-uses",
        "Takes a malformed uses that is empty or false for an absent one.",
        "uses-malformed-array uses-malformed-false uses-malformed-null",
        _attributes=_null_uses,
    ),
    reply_row(
        "shares-with-missing",
        "Shares an attribute that some proposals lack.",
        "shared-uses-by-one shared-uses-by-the-last shared-uses-by-two-of-three",
        _shared=_with_missing,
    ),
    reply_row(
        "shares-by-the-ends",
        "Compares the first and the last proposal only.",
        "shared-first-and-last-alike",
        _shared=_ends,
    ),
    reply_row(
        "shares-by-the-first-two",
        "Compares the first two proposals only.",
        "shared-first-two-alike",
        _shared=_first_two,
    ),
    reply_row(
        "shares-all-or-none",
        "Shares attributes only when all are alike.",
        "shared-all-but-risk shared-uses-by-one",
        _shared=_all_or_none,
    ),
    reply_row(
        "shares-one",
        "Puts the attributes of one proposal on the header.",
        "proposal-whole proposal-nothing-optional",
        _shared=lambda attributes: _shared(attributes * 2 if len(attributes) == 1 else attributes),
    ),
    reply_row("shares-none", "Shares nothing.", "shared-all shared-identical-proposals", _shared=lambda _: {}),
)


register("lens.reply", *USES, *RISKS_AND_SHARING)
