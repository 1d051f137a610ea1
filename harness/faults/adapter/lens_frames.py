"""Faults of `lens.reply` in which frames are well-formed, what an unknown kind shows, and `more` (YEA 9.2)."""

from collections.abc import Callable
from typing import Any

from harness.faults.adapter.overriding import frame_row, reply_row
from harness.faults.adapter.tools import register
from reference.yea.lens import lens_reply, replies, wellformed
from reference.yea.lens.depth import LEVELS, cut
from reference.yea.lens.values import lean_lines
from reference.yea.types import as_integer

Frame = dict[str, Any]
Shape = Callable[[Any], bool]

_has_good_more, _known_kind, _unknown = wellformed.has_good_more, wellformed.known_kind, replies._unknown
ENTRY = frozenset({"handle", "path", "remaining", "est"})
OPTIONAL = ("fix", "need", "consent", "replay", "auto", "more")


def _own_lens(frame: Frame) -> str:
    lens = frame.get("lens")
    return lens if isinstance(lens, str) else lens_reply(frame)


def _bad_more_dropped(frame: Frame) -> str:
    return lens_reply(frame if _has_good_more(frame) else {n: v for n, v in frame.items() if n != "more"})


def _more_for(kinds: tuple[str, ...]) -> Callable[[Frame], str]:
    return lambda frame: lens_reply(
        frame if frame.get("kind") in kinds or not _has_good_more(frame) else {**frame, "more": []}
    )


def _sorted_more(frame: Frame) -> str:
    """The lines in the order of the paths."""
    if frame.get("more") and _has_good_more(frame):
        frame = {**frame, "more": sorted(frame["more"], key=lambda entry: str(entry["path"]))}
    return lens_reply(frame)


def _good_parts(frame: Frame) -> str:
    """Leaves malformed items of its lists out and renders the rest."""
    kept = dict(frame)
    for name in ("proposals", "capabilities", "options", "fix", "more"):
        if isinstance(frame.get(name), list):
            kept[name] = [item for item in frame[name] if _known_kind({**frame, name: [item]})]
    return lens_reply(kept)


def _unchecked(frame: Frame) -> str | None:
    """Every frame of a known kind renders by its template, whatever is in it."""
    kind = frame.get("kind")
    return kind if isinstance(kind, str) and kind in wellformed.KINDS else None


def _any_case(frame: Frame) -> str | None:
    kind = frame.get("kind")
    return _known_kind({**frame, "kind": kind.strip().upper()}) if isinstance(kind, str) else None


def _first_of_a_list(frame: Frame) -> str | None:
    """As in ECMAScript, where a list of one word is the property of that name."""
    kind = frame.get("kind")
    return _known_kind({**frame, "kind": kind[0]} if isinstance(kind, list) and kind else frame)


def _null_is_malformed(frame: Frame) -> str | None:
    return None if any(name in frame and frame[name] is None for name in OPTIONAL) else _known_kind(frame)


def _progress_checked(frame: Frame) -> str | None:
    """Checks fields that have a rule of their own."""
    progress = frame.get("progress", 0)
    number = isinstance(progress, (int, float)) and not isinstance(progress, bool)
    return _known_kind(frame) if number and as_integer(frame.get("retry") or 0) is not None else None


def _closed_more(frame: Frame) -> bool:
    return _has_good_more(frame) and all(entry.keys() == ENTRY for entry in frame.get("more") or [])


def _hiding(*names: str) -> Callable[[Frame], list[str]]:
    return lambda frame: lean_lines({name: value for name, value in frame.items() if name not in names})


def _loose_integer(value: object) -> int | None:
    """True is 1, and a fraction is what is before its point."""
    return int(value) if isinstance(value, (int, float)) else None


def _spelt_integer(value: object) -> int | None:
    """By the type of the parsed number: 5.0 is none."""
    return as_integer(value) if isinstance(value, int) else None


def _levels(value: Any) -> int:
    """How many levels of objects and arrays a schema has below its top."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max((1 + _levels(item) for item in inner if isinstance(item, (dict, list))), default=0)


def _schema_limit(most: int, counts: Callable[[Any], int]) -> Shape:
    """A BRIEF whose schemas have at most so many levels; what is deep in them is not looked at otherwise."""

    def fits(frame: Any) -> bool:
        entries = frame.get("capabilities") if isinstance(frame, dict) else None
        schemas = [item.get("params") for item in entries or [] if isinstance(item, dict)]
        if any(counts(schema) > most for schema in schemas):
            return False
        shallow = [{**item, "params": None} if counts(item.get("params")) > 20 else item for item in entries or []]
        return bool(wellformed.KINDS["BRIEF"]({**frame, "capabilities": shallow}))

    return fits


def _objects_only(value: Any) -> int:
    """Levels of objects, arrays aside."""
    if isinstance(value, list):
        return max(map(_objects_only, value), default=0)
    inner = [_objects_only(item) + isinstance(item, dict) for item in value.values()] if isinstance(value, dict) else []
    return max(inner, default=0)


def _brief(most: int, counts: Callable[[Any], int] = _levels) -> dict[str, Any]:
    shape = _schema_limit(most, counts)
    return {"KINDS": {**wellformed.KINDS, "BRIEF": lambda frame: shape(frame)}}


def _any_schema(frame: Any) -> bool:
    """Any object passes for a param schema."""
    entries = frame.get("capabilities") if isinstance(frame, dict) else None
    if not isinstance(entries, list):
        return False
    bare = [{**item, "params": None} if isinstance(item, dict) and item.get("params") else item for item in entries]
    return bool(_BRIEF({**frame, "capabilities": bare}))


def _cut_in_data(frame: Any) -> Any:
    """Levels counted from the data of an ANSWER, not from the frame."""
    if isinstance(frame, dict) and frame.get("kind") == "ANSWER" and "data" in frame:
        return {**frame, "data": cut(frame["data"])}
    return cut(frame)


_BRIEF = wellformed.KINDS["BRIEF"]

FRAMES = (
    reply_row(
        "unchecked",
        "Renders every frame of a known kind by its template, and stumbles over what is malformed.",
        "answer-data-missing event-message-number clarify-options-label-missing proposals-summary-boolean",
        known_kind=_unchecked,
    ),
    frame_row(
        "good-parts",
        "Leaves malformed parts out.",
        "proposals-one-bad-of-two brief-one-bad-capability more-one-bad-entry error-one-bad-fix",
        _good_parts,
    ),
    reply_row(
        "null-is-malformed",
        "Takes null for a wrong type where a member may be absent.",
        "error-all-optional-null receipt-auto-null answer-more-null",
        known_kind=_null_is_malformed,
    ),
    reply_row(
        "own-rules-checked",
        "Takes a malformed progress or retry for a malformed frame.",
        "event-progress-string own-rules-of-an-event duration-word",
        known_kind=_progress_checked,
    ),
    reply_row(
        "any-case",
        "Knows kinds in any case.",
        "unknown-kind-lowercase unknown-kind-with-a-blank unknown-kind-with-a-line-break",
        known_kind=_any_case,
    ),
    reply_row("kind-of-a-list", "Takes a list of one kind for it.", "unknown-kind-array", known_kind=_first_of_a_list),
    reply_row(
        "loose-integers",
        "Takes true and fractions for integers.",
        "answer-more-remaining-boolean answer-more-remaining-fraction more-past-the-integers time-boolean",
        as_integer=_loose_integer,
    ),
    reply_row(
        "spelt-integers",
        "Takes 5.0 for no integer.",
        "more-numbers-by-value time-integer-spelt-as-fraction undo-integer-spelt-as-fraction",
        as_integer=_spelt_integer,
    ),
)

SCHEMAS = (
    reply_row(
        "schemas-of-31-levels",
        "Refuses a param schema of 32 levels.",
        "schema-of-32-objects schema-of-32-arrays",
        **_brief(31),
    ),
    reply_row(
        "schemas-of-33-levels",
        "Accepts a param schema of 33 levels.",
        "schema-of-33-objects schema-of-33-arrays",
        **_brief(33),
    ),
    reply_row(
        "schemas-of-any-arrays",
        "Does not count the arrays of a param schema.",
        "schema-of-33-arrays schema-of-33-objects-and-arrays",
        **_brief(32, _objects_only),
    ),
    reply_row(
        "any-schema",
        "Takes any object for a param schema.",
        "params-malformed-number params-malformed-array-of-two params-malformed-deep-number",
        KINDS={**wellformed.KINDS, "BRIEF": _any_schema},
    ),
)

UNKNOWN = (
    frame_row(
        "own-lens",
        "Shows the service's own lens.",
        "extra-answer lens-in-an-error unknown-lens unknown-order-of-members",
        _own_lens,
    ),
    reply_row(
        "lens-shown",
        "Shows lens among the members of an unknown kind.",
        "unknown-lens unknown-order-of-members more-malformed-and-lens",
        _unknown=_hiding("yea", "id", "re", "more"),
    ),
    reply_row(
        "kind-hidden",
        "Leaves the kind of an unknown kind out.",
        "unknown-status unknown-kind-number answer-data-missing",
        _unknown=_hiding("yea", "id", "re", "more", "lens", "kind"),
    ),
    reply_row(
        "envelope-shown",
        "Shows re among the members of an unknown kind.",
        "unknown-status unknown-kind-null",
        _unknown=_hiding("yea", "id", "more", "lens"),
    ),
    reply_row(
        "more-shown",
        "Shows more among the members also when it is well-formed.",
        "unknown-more unknown-more-null unknown-more-empty",
        _unknown=_hiding("yea", "id", "re", "lens"),
    ),
    reply_row(
        "envelope-last",
        "Moves the kind to the front of an unknown kind.",
        "unknown-order-of-members",
        _unknown=lambda frame: _unknown({"kind": frame["kind"], **frame} if "kind" in frame else frame),
    ),
)

MORE = (
    frame_row(
        "bad-more-dropped",
        "Leaves a malformed more out.",
        "answer-more-string answer-more-object unknown-more-malformed more-malformed-of-an-event",
        _bad_more_dropped,
    ),
    frame_row(
        "more-of-answers",
        "Adds more lines to answers and proposals only.",
        "more-brief more-error more-event unknown-more",
        _more_for(("ANSWER", "PROPOSALS")),
    ),
    frame_row("more-by-path", "Sorts more lines by their paths.", "more-two-entries", _sorted_more),
    reply_row(
        "closed-more",
        "Takes a further member of a more entry for a fault.",
        "extra-more",
        has_good_more=_closed_more,
    ),
)

DEPTH = (
    reply_row("depth-of-data", "Counts levels from the data.", "64-objects-in-data", cut=_cut_in_data),
    reply_row(
        "depth-65",
        "Cuts a level too late.",
        "64-objects-in-data 100-arrays-in-need 100-objects-in-params-of-a-fix",
        LEVELS=LEVELS + 1,
    ),
    reply_row("depth-63", "Cuts a level too early.", "63-objects-in-data 100-objects-in-a-result", LEVELS=LEVELS - 1),
)

register("lens.reply", *FRAMES, *SCHEMAS, *UNKNOWN, *MORE, *DEPTH)
