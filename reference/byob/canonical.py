"""Canonical JSON, the text that owners sign and that prefix_hash hashes (BYOB 4).

Keys sorted at every depth, no whitespace, nothing else changed. Where the spec is silent, ECMAScript's
JSON.stringify speaks: keys sort by UTF-16 code units, numbers and escapes are spelt its way, null stays.
What is undefined is absent in a Python dict, so there is nothing to drop.
"""

from typing import Any

from reference.yea import jsontext
from reference.yea.types import Json


def canonical(value: Json) -> str:
    """The canonical JSON text of a value of any depth (BYOB 4). It always encodes as UTF-8.

    Raises TypeError for what is no JSON value.
    """
    return jsontext.dumps(_in_order(value))


def _in_order(value: Json) -> Json:
    """A copy in which the keys of every object are sorted. Walks with a stack of its own, no recursion."""
    top: list[Any] = [value]
    waiting: list[Any] = [top]
    while waiting:
        container = waiting.pop()
        for place, item in container.items() if isinstance(container, dict) else enumerate(container):
            if isinstance(item, dict):
                item = dict(sorted(item.items(), key=_utf16))
            elif isinstance(item, list):
                item = list(item)
            else:
                continue
            container[place] = item
            waiting.append(item)
    ordered: Json = top[0]
    return ordered


def _utf16(member: tuple[str, Any]) -> bytes:
    if not isinstance(member[0], str):
        raise TypeError(f"a key is a string, not {member[0]!r}")
    return member[0].encode("utf-16-be", "surrogatepass")
