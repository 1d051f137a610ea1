"""ECMAScript property order, the key order of everything in Lens (YEA 9.1)."""

import re
from collections.abc import ItemsView

from reference.yea.types import Json

_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_LAST_INDEX = 2**32 - 2


def members(value: dict[str, Json]) -> ItemsView[str, Json]:
    """The members of an object in ECMAScript property order.

    Array indices ("0" to "4294967294", no sign, no leading zero) come first, ascending; the others keep their order.
    """
    # A key below ":" starts with a digit or a lower sign; without one the order stands as it is.
    if not value or min(value) >= ":":
        return value.items()
    indices = sorted(filter(_is_index, value), key=int)
    return ({key: value[key] for key in indices} | value).items()


def _is_index(key: str) -> bool:
    return _INDEX.fullmatch(key) is not None and int(key) <= _LAST_INDEX
