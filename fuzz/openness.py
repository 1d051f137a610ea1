"""Whether the text fixes the answer to a call: what is open is no vector, whoever answered it how."""

from collections.abc import Callable
from typing import Any

from fuzz.properties import canonical, caveats, lens
from reference.yea import jsontext
from reference.yea.grants import GrantError, decode


def _commit_only(arguments: dict[str, Any]) -> bool:
    context: Any = jsontext.loads(arguments["context"])
    try:
        blocks = decode(arguments["token"]).caveats
    except GrantError:
        return False
    return caveats.is_verb_open(context["verb"], blocks)


OPEN: dict[str, Callable[[dict[str, Any]], bool]] = {
    "canonical": lambda given: canonical.is_spelling_open(given["json"]),
    "lens.value": lambda given: lens.overflows(given["json"]),
    "lens.reply": lambda given: lens.is_open(jsontext.loads(given["json"])),
    "grant.check": _commit_only,
    "fit": lambda given: True,
}
"""By operation, whether some part of the answer is open for these arguments (YEA-Q28, Q65, Q80 to Q88). The answer to
`fit` is held to invariants."""


def is_open(operation: str, arguments: dict[str, Any]) -> bool:
    """Return whether the text leaves the answer to a call open."""
    asked = OPEN.get(operation)
    return asked is not None and asked(arguments)
