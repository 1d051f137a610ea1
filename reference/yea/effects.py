"""The effects of an undo: the committed ones, inverted (YEA 4.5)."""

from reference.yea.types import Json

INVERSE = {"create": "delete", "delete": "create", "update": "update", "send": "other", "other": "other"}
"""The op that undoes each op. Something sent stays sent, so its undo is an `other` effect."""

SIDES = {"from": "to", "to": "from"}


class EffectError(ValueError):
    """A value that is no list of effects."""


def inverted(effects: list[dict[str, Json]]) -> list[dict[str, Json]]:
    """The effects of the reversal, one for each effect and in the same order (YEA 4.5).

    An update swaps from and to; a side that the original leaves out stays left out, never null. Other
    members stay. An op that the spec does not know stays too. The input is not changed.
    Raises EffectError when `effects` is not a list of objects.
    """
    if not isinstance(effects, list) or not all(isinstance(effect, dict) for effect in effects):
        raise EffectError("effects are a list of objects")
    return [_inverted(effect) for effect in effects]


def _inverted(effect: dict[str, Json]) -> dict[str, Json]:
    op = effect.get("op")
    sides = SIDES if op == "update" else {}
    inverse = {sides.get(name, name): value for name, value in effect.items()}
    if isinstance(op, str):
        inverse["op"] = INVERSE.get(op, op)
    return inverse
