"""YEA 8, the token estimate: agreement with the reference, and adding up where nothing joins."""

import json

from fuzz.properties import answer, event, prop
from fuzz.strategies.texts import counted_texts, separated_texts
from fuzz.targets import Operations
from reference.yea.estimate import est


def count(target: Operations, text: str, operation: str = "est") -> int | None:
    """Return a target's count of a text; None when the answer holds none."""
    ok = answer(target, operation, {"text": text}).get("ok")
    made = ok.get("count") if isinstance(ok, dict) else None
    return made if type(made) is int else None


@prop("est/agrees", "YEA-8-01", "YEA-8-02", "YEA-8-03", "YEA-8-05", "YEA-8-08", examples=counted_texts())
def agrees(target: Operations, text: str) -> str | None:
    """A text has as many estimated tokens as the reference counts."""
    wanted, got = est(text), count(target, text)
    event("an indented line" if "\n  " in text else "one line or more")
    return None if got == wanted else f"wanted {wanted}, got {got}"


@prop("est/additive", "YEA-8-04", "YEA-8-05", "YEA-8-08", examples=separated_texts())
def additive(target: Operations, parts: tuple[str, str, str]) -> str | None:
    """Texts with something between them that joins with nothing count as much together as each on its own."""
    counts = [count(target, part) for part in parts]
    whole = count(target, "".join(parts))
    if whole is None or None in counts:
        return f"no count: {json.dumps([*counts, whole])}"
    event(f"between: {parts[1]!r}")
    wanted = sum(filter(None, counts))
    return None if whole == wanted else f"{counts} by parts make {wanted}, and {whole} together"
