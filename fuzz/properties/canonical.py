"""YEA 10, canonical JSON: agreement with the reference, and laws that need no reference."""

import json
import re

from hypothesis import strategies as st

from fuzz.properties import answer, event, prop, result
from fuzz.strategies.changes import respelt
from fuzz.strategies.json_texts import canonical_texts, json_texts
from fuzz.targets import Operations
from reference.yea import canonical as reference
from reference.yea import jsontext

TEXTS = st.one_of(canonical_texts(), canonical_texts(), json_texts())
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
OPEN_SPELLING = re.compile(r"[.eE]|-0(?![0-9])")


@prop("canonical/agrees", "YEA-10-01", "YEA-10-06", "YEA-10-08", "YEA-10-15", "YEA-10-17", examples=TEXTS)
def agrees(target: Operations, text: str) -> str | None:
    """The canonical text, or the refusal, is the reference's."""
    wanted = _canonical(text)
    event("refused" if wanted is None else "accepted")
    got = answer(target, "canonical", {"json": text})
    if wanted is None:
        return None if "error" in got else f"wanted an error, got {json.dumps(got)[:500]}"
    if "error" in got and is_spelling_open(text):
        event("refused for its spelling")
        return None
    return None if got.get("ok") == {"text": wanted} else _differs(wanted, got)


@prop("canonical/idempotent", "YEA-10-01", "YEA-10-03", "YEA-10-04", examples=canonical_texts())
def idempotent(target: Operations, text: str) -> str | None:
    """The canonical text of a value holds that value, and is its own canonical text."""
    first = answer(target, "canonical", {"json": text})
    made = result(first, "text")
    if made is None:
        return f"wanted a canonical text, got {json.dumps(first)[:500]}"
    try:
        same = _canonical(made) == _canonical(text)
    except jsontext.JsonError as problem:
        return f"{json.dumps(made)[:500]} is not JSON: {problem}"
    if not same:
        return f"{json.dumps(made)[:500]} is another value"
    second = answer(target, "canonical", {"json": made})
    return None if second.get("ok") == {"text": made} else _differs(made, second)


def is_spelling_open(text: str) -> bool:
    """Whether a number that may be an integer by value is spelled otherwise: 1.0, 1e3, -0 (YEA-Q28)."""
    return OPEN_SPELLING.search(STRING.sub("", text)) is not None


def _canonical(text: str) -> str | None:
    """Return the reference's canonical text, None where it refuses."""
    try:
        return reference.canonical(jsontext.loads(text))
    except reference.CanonicalError:
        return None


def _differs(wanted: str, got: dict[str, object]) -> str:
    return f"wanted {json.dumps(wanted)[:500]}, got {json.dumps(got)[:500]}"


@prop(
    "canonical/key-order",
    *("YEA-10-01", "YEA-10-03", "YEA-10-04"),
    examples=st.tuples(canonical_texts(), st.integers(0, 2**16 - 1)),
    show=lambda made: f"{made[0]!r} and {respelt(*made)!r}",
)
def key_order(target: Operations, made: tuple[str, int]) -> str | None:
    """The canonical text does not depend on the order of the keys in the input, nor on blanks between tokens."""
    text, other = made[0], respelt(*made)
    event("another text" if text != other else "the same text")
    first, second = (answer(target, "canonical", {"json": each}) for each in (text, other))
    if result(first, "text") is None:
        return f"wanted a canonical text, got {json.dumps(first)[:500]}"
    return (
        None if first.get("ok") == second.get("ok") else f"{json.dumps(first)[:500]}, then {json.dumps(second)[:500]}"
    )
