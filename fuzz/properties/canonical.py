"""YEA 10, canonical JSON: agreement with the reference, and laws that need no reference."""

import json

from hypothesis import assume

from fuzz.properties import answer, event, prop
from fuzz.strategies.json_texts import json_texts
from fuzz.targets import Operations
from reference.yea import canonical as reference
from reference.yea import jsontext
from reference.yea.types import Json

TEXTS = json_texts()


def spelled_as_float(value: Json) -> bool:
    """Whether a number in the value is an integer by value but spelled otherwise (1.0, 1e3, -0; YEA-Q28)."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, float) and each.is_integer():
            return True
        waiting.extend(each.values() if isinstance(each, dict) else each if isinstance(each, list) else ())
    return False


@prop("canonical/agrees", "YEA-10-01", "YEA-10-06", "YEA-10-08", "YEA-10-15", "YEA-10-17", examples=TEXTS)
def agrees(target: Operations, text: str) -> str | None:
    """The canonical text, or the refusal, is the reference's."""
    value = jsontext.loads(text)
    try:
        wanted: str | None = reference.canonical(value)
    except reference.CanonicalError:
        wanted = None
    event("refused" if wanted is None else "accepted")
    got = answer(target, "canonical", {"json": text})
    if spelled_as_float(value) or "-0" in text:
        event("spelling is open")
        return None if "error" in got or wanted is None or got.get("ok") == {"text": wanted} else _differs(wanted, got)
    if wanted is None:
        return None if "error" in got else f"wanted an error, got {json.dumps(got)[:500]}"
    return None if got.get("ok") == {"text": wanted} else _differs(wanted, got)


@prop("canonical/idempotent", "YEA-10-03", examples=json_texts(surrogates=False, integers_only=True))
def idempotent(target: Operations, text: str) -> str | None:
    """The canonical form of a canonical text is that text."""
    first = answer(target, "canonical", {"json": text})
    assume("ok" in first)
    made = first["ok"]["text"]
    second = answer(target, "canonical", {"json": made})
    return None if second.get("ok") == {"text": made} else _differs(made, second)


def _differs(wanted: str, got: dict[str, object]) -> str:
    return f"wanted {json.dumps(wanted)[:500]}, got {json.dumps(got)[:500]}"
