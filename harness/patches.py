"""JSON merge patch (RFC 7396), as options and fixes use it (YEA 4.3, 7)."""

from typing import Any


def merged(params: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """Return params with a patch applied: null deletes a member, objects merge, anything else replaces.

    Neither argument is changed, and a patch may be of any depth.
    """
    result = dict(params)
    waiting = [(result, patch)]
    while waiting:
        target, change = waiting.pop()
        for name, value in change.items():
            if value is None:
                target.pop(name, None)
            elif isinstance(value, dict):
                before = target.get(name)
                target[name] = dict(before) if isinstance(before, dict) else {}
                waiting.append((target[name], value))
            else:
                target[name] = value
    return result
