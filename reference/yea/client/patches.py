"""JSON merge patch (RFC 7396): how an option of a CLARIFY and a fix of an ERROR change params (YEA 4.3, 7)."""

from reference.yea.client.frames import Frame


def merged(params: Frame, patch: Frame) -> Frame:
    """The params with a patch applied: null removes a member, objects merge, anything else replaces.

    Neither argument is changed. A patch may be of any depth.
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
