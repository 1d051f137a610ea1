"""What section 8 keeps whole whichever way a reply is fitted."""

from collections.abc import Mapping
from typing import Any


def problems(arguments: Mapping[str, Any], ok: Mapping[str, Any]) -> list[tuple[str, str]]:
    return []
