"""What is fuzzed: functions of bytes that return nothing, and raise what nobody documented, or when a law breaks.

Two sorts. Raw ones feed the bytes to what reads them on the wire: only the errors that are documented may escape. The
others are the laws of `fuzz.properties`: the bytes choose the example, as Hypothesis would.
"""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings

from fuzz import properties
from harness.adapters.blocking import OwnOperations
from reference.byob import tokens
from reference.byob.canonical import canonical as byob_canonical
from reference.yea import jsontext
from reference.yea.canonical import CanonicalError, canonical
from reference.yea.estimate import est
from reference.yea.fitting import fit
from reference.yea.framing import FrameSplitter, Line
from reference.yea.grants import PREFIX, GrantError, decode
from reference.yea.lens import lens_reply, lens_value

Target = Callable[[bytes], None]
MIB = 1 << 20


class Broken(AssertionError):
    """A law does not hold."""


def _must(holds: bool, what: str) -> None:
    if not holds:
        raise Broken(what)


def _parsed(data: bytes) -> Any:
    """Return the JSON of some bytes, or None where they hold none."""
    try:
        return jsontext.loads(data)
    except jsontext.JsonError:
        return None


def json_texts(data: bytes) -> None:
    """What was read is written and read again as the same."""
    value = _parsed(data)
    written = jsontext.dumps(value)
    _must(jsontext.dumps(jsontext.loads(written)) == written, "written and read it is another value")


def canonical_texts(data: bytes) -> None:
    """The canonical text of a value is its own canonical text."""
    value = _parsed(data)
    try:
        text = canonical(value)
    except CanonicalError:
        return
    _must(canonical(jsontext.loads(text)) == text, "the canonical text has another one")
    byob = byob_canonical(value)
    _must(byob_canonical(jsontext.loads(byob)) == byob, "the text that owners sign has another one")


def lenses(data: bytes) -> None:
    """Every value and every frame has a Lens, and every Lens an estimate."""
    value = _parsed(data)
    est(lens_value(value))
    if isinstance(value, dict):
        est(lens_reply(value))


def fits(data: bytes) -> None:
    """Every frame can be fitted into every budget; the first byte says which."""
    value = _parsed(data[1:])
    if isinstance(value, dict):
        json.loads(jsontext.dumps(fit(value, data[0] * 4, lambda cut: cut.path)))


def texts(data: bytes) -> None:
    """Every text has an estimate and a count."""
    text = data.decode("utf-8", "replace")
    _must(0 <= est(text) <= len(text), "more tokens than characters")
    _must(0 <= tokens.count(text) <= len(text), "more tokens than characters")


def grant_tokens(data: bytes) -> None:
    """A token is a grant, or refused."""
    try:
        decode(PREFIX + data.decode("latin-1"))
    except GrantError:
        return


def frames(data: bytes) -> None:
    """A stream has the same lines in one piece and byte by byte."""
    whole, bytewise = FrameSplitter(MIB), FrameSplitter(MIB)
    lines = whole.feed(data)
    pieces = [item for at in range(len(data)) for item in bytewise.feed(data[at : at + 1])]
    _must(lines == pieces, "byte by byte there are other lines")
    _must(all(b"\n" not in item.data for item in lines if isinstance(item, Line)), "a newline within a line")


RAW: dict[str, Target] = {
    "json": json_texts, "canonical": canonical_texts, "lens": lenses, "fit": fits, "texts": texts,
    "tokens": grant_tokens, "frames": frames,
}  # fmt: skip
ORACLES = (
    "/agrees",
    "lens/value",
    "lens/reply",
    "byob/canonical",
    "byob/tokens",
    "byob/transition",
    "byob/prefix-hash",
)
"""Properties that only compare with the reference, which here would be with itself."""


def laws() -> dict[str, Target]:
    """Return the laws of pure functions, by name: each takes bytes that choose an example."""
    entries = properties.load().values()
    chosen = [entry for entry in entries if entry.over == properties.OPERATIONS and not entry.name.endswith(ORACLES)]
    return {entry.name: _law(entry) for entry in chosen}


def _law(entry: properties.Property) -> Target:
    target = OwnOperations()

    def test(example: Any) -> None:
        wrong = entry.judge(target, example)
        _must(wrong is None, f"{entry.show(example)}: {wrong}")

    calm = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
    prepared: Any = calm(given(entry.examples)(test))

    def run(data: bytes) -> None:
        prepared.hypothesis.fuzz_one_input(data)

    return run


def load() -> dict[str, Target]:
    """Return every target by name."""
    return {**RAW, **laws()}
