"""Operations that answer every stored vector right and are wrong all the same: what no list names, a property finds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from harness.faults.adapter.canonical import Writer
from harness.faults.adapter.tools import answering, context, read
from harness.faults.fuzz import unlisted
from reference.yea import caveats, jsontext
from reference.yea.grants import Grant, GrantError, decode
from reference.yea.lens import lens_reply, lens_value

Arguments = dict[str, Any]
CUT = 60


@dataclass(frozen=True)
class _Remembering(Writer):
    """Keeps the text of each scalar by the scalar, for which 1 and true are the same key."""

    texts: dict[Any, str] = field(default_factory=dict)

    def write(self, value: Any) -> str:
        """The text of a value, from the memory if it is there."""
        if isinstance(value, dict | list):
            return super().write(value)
        if value not in self.texts:
            self.texts[value] = super().write(value)
        return self.texts[value]


@unlisted("canonical/agrees", "scalars-from-a-cache", "canonical")
@unlisted("canonical/idempotent", "scalars-from-a-cache", "canonical")
def scalars_from_a_cache(arguments: Arguments) -> Any:
    """Keeps the text of scalars in a map, for whose keys 1 and true, or 0 and false, are the same."""
    return answering(lambda given: {"text": _Remembering().write(read(given))})(arguments)


def _eight_cells(value: Any) -> Any:
    """Leave out the last row of three, of three members each."""
    if isinstance(value, dict):
        return {name: _eight_cells(each) for name, each in value.items()}
    if not isinstance(value, list):
        return value
    rows = [_eight_cells(each) for each in value]
    full = len(rows) == 3 and all(isinstance(each, dict) and len(each) == 3 for each in rows)
    return rows[:2] if full else rows


@unlisted("lens/value", "nine-cells", "lens.value")
def nine_cells(arguments: Arguments) -> Any:
    """Loses the last row of a table of nine cells: it keeps room for eight."""
    return answering(lambda given: {"text": lens_value(_eight_cells(jsontext.loads(given["json"])))})(arguments)


def _three_more(frame: Any) -> Any:
    more = frame.get("more") if isinstance(frame, dict) else None
    return {**frame, "more": more[:3]} if isinstance(more, list) else frame


@unlisted("lens/reply", "three-more", "lens.reply")
def three_more(arguments: Arguments) -> Any:
    """Shows at most three of the things that there is more of."""
    return answering(lambda given: {"text": lens_reply(_three_more(jsontext.loads(given["json"])))})(arguments)


_seen: dict[str, int] = {}


@unlisted("lens/deterministic", "cut-in-the-cache", "lens.value")
def cut_in_the_cache(arguments: Arguments) -> Any:
    """Keeps what it rendered, cut to 60 characters, and takes it from there the second time."""
    made = answering(lambda given: {"text": lens_value(jsontext.loads(given["json"]))})(arguments)
    text = arguments["json"]
    _seen[text] = 1 - _seen.get(text, 1)
    return made if _seen[text] == 0 or "ok" not in made else {"ok": {"text": made["ok"]["text"][:CUT]}}


def _decided(change: Callable[[Grant], Grant]) -> Callable[[Arguments], Any]:
    def decide(given: Arguments) -> dict[str, Any]:
        asked = context(given)
        whole = caveats.check(given["token"], given["trusted"], given["proof_key"], asked)
        if whole == "unauthorized":
            return {"decision": whole}
        try:
            return {"decision": caveats.evaluate(change(decode(given["token"])), asked).decision}
        except GrantError:
            return {"decision": whole}

    return answering(decide)


def _name(caveat: Any) -> str:
    return next(iter(caveat)) if isinstance(caveat, dict) and len(caveat) == 1 else ""


def _without_pairs(first: str, second: str, *, drop: int) -> Callable[[Grant], Grant]:
    """Return what drops one of two caveats where they stand side by side in this order."""

    def kept(block: Sequence[Any]) -> tuple[Any, ...]:
        names = [_name(caveat) for caveat in block]
        lost = {at + drop for at in range(len(names) - 1) if names[at : at + 2] == [first, second]}
        return tuple(caveat for at, caveat in enumerate(block) if at not in lost)

    return lambda grant: replace(grant, caveats=tuple(map(kept, grant.caveats)))


@unlisted("caveats/agrees", "exp-behind-can", "grant.check")
@unlisted("caveats/each-block-counts", "exp-behind-can", "grant.check")
def exp_behind_can(arguments: Arguments) -> Any:
    """Steps over the exp that stands right behind a can."""
    return _decided(_without_pairs("can", "exp", drop=1))(arguments)


@unlisted("caveats/attenuation-narrows", "svc-before-total", "grant.check")
def svc_before_total(arguments: Arguments) -> Any:
    """Forgets the svc that stands right before a total."""
    return _decided(_without_pairs("svc", "total", drop=0))(arguments)
