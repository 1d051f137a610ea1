"""The depth cut, which comes before everything else in Lens (YEA 9.1)."""

from reference.yea.types import Json

LEVELS = 64
"""How many nested levels of objects and arrays Lens shows."""

ELLIPSIS = "…"
"""What stands for a value that was cut."""


def cut(value: Json) -> Json:
    """The value with every object and array that lies 64 levels below it replaced by "…", the empty ones too.

    The value itself is level 0. It is never changed; one that is not too deep is returned as it is.
    """
    return _cut(value, LEVELS) if _too_deep(value) else value


def _too_deep(value: Json) -> bool:
    """Whether an object or array lies 64 levels down; found level by level, so no depth of input matters."""
    layer = [value]
    for _ in range(LEVELS):
        below: list[Json] = []
        for item in layer:
            if isinstance(item, dict):
                below += [child for child in item.values() if isinstance(child, (dict, list))]
            elif isinstance(item, list):
                below += [child for child in item if isinstance(child, (dict, list))]
        if not below:
            return False
        layer = below
    return True


def _cut(value: Json, levels: int) -> Json:
    if not isinstance(value, (dict, list)):
        return value
    if levels == 0:
        return ELLIPSIS
    if isinstance(value, dict):
        return {key: _cut(child, levels - 1) for key, child in value.items()}
    return [_cut(child, levels - 1) for child in value]
