"""Adapter faults that each property must find; the vectors catch these as well (`harness.faults.adapter`)."""

from harness.faults.fuzz import borrow

borrow(
    "canonical/agrees",
    *("canonical/keys-by-utf-16-units", "canonical/lone-surrogates-replaced", "canonical/keys-like-numbers-first"),
    *("canonical/fractions", "canonical/ascii-only", "canonical/upper-hex"),
)
borrow(
    "canonical/idempotent",
    *("canonical/nulls-dropped", "canonical/normalised", "canonical/largest-integer-refused"),
)
borrow(
    "lens/value",
    *("lens.value/python-floats", "lens.value/keys-as-written", "lens.value/number-by-parsing", "lens.value/depth-63"),
    *("lens.value/dollar-before-newline", "lens.value/rows-of-anything", "lens.value/pairs-escaped"),
)
borrow(
    "lens/reply",
    *("lens.reply/shares-all-or-none", "lens.reply/mixed-durations", "lens.reply/written-json", "lens.reply/raw-sides"),
    *("lens.reply/truthy-undo", "lens.reply/loose-integers", "lens.reply/unchecked"),
)
borrow("lens/deterministic", "lens.value/map-order", "lens.value/rows-as-they-finish")
borrow(
    "caveats/agrees",
    *("grant.check/exp-inclusive", "grant.check/limits-below", "grant.check/soft-first", "grant.check/any-holder"),
    *("grant.check/malformed-pass", "grant.check/limits-rounded", "grant.check/can-prefix", "grant.check/root-only"),
    *("grant.check/last-block-only", "grant.check/token-blanks"),
)
borrow(
    "caveats/attenuation-narrows",
    *("grant.check/last-block-only", "grant.check/any-caveat", "grant.check/soft-first"),
)
