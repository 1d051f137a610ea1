"""hash: the hash of a proposal (YEA 5.1)."""

from typing import Any

from tests.vectors.generators.documents import Json, case, document, group, ok, refused
from tests.vectors.generators.second import canonical, compact, digest

EFFECTS = [
    {"op": "create", "target": "order/o_17"},
    {"op": "update", "target": "cart/c_4", "field": "items", "from": 2, "to": 0},
    {"op": "send", "target": "ana@example.com", "detail": "confirmation"},
]
PROPOSAL = {
    "id": "p_17",
    "capability": "shop.order",
    "summary": "Order 2 items for 22.90 USD",
    "effects": EFFECTS,
    "uses": {"spend": {"amount": 2290, "scale": 2, "unit": "USD"}, "emails": {"amount": 1}},
    "risk": "low",
    "undo": {"window": 7200},
    "expires": 1_790_000_640,
}
SHORT = {"id": "p_1", "capability": "a.b", "summary": "s", "effects": [], "risk": "low", "undo": None, "expires": 60}
NOT_WITHOUT = "not as without uses; or refused, because it is malformed"
NOTES = {
    "covers-hash": ("hashes an earlier `hash` member too", "5.1-32"),
    "covers-data": ("hashes `data` too, or refuses it for its fractions", "5.1-31"),
    "known-members": ("hashes the members that it knows and no others", "5.1-33"),
    "any-depth": ("leaves `hash` and `data` out wherever they stand", "5.1-33"),
    "drops-null": ("leaves members out that are null, or the undo of what cannot be undone", "5.1-33"),
    "drops-uses": ("leaves an empty uses or a scale of 0 out", "5.1-33"),
    "as-received": ("hashes the text as it came, or keeps its order of members", "5.1-30 10-01"),
    "utf-16-order": ("sorts keys by UTF-16 units", "10-01"),
    "padded": ("writes base64 with padding or with + and /", "5.1-30 6.1-08"),
    "hex": ("writes hex", "5.1-30"),
    "ascii-only": ("escapes what is not ASCII before hashing", "10-07"),
    "fractions": ("hashes fractions, or rounds them", "5.1-34"),
    "replaced": ("replaces a lone surrogate by U+FFFD before hashing", "10-10"),
}


def proposal_hash(proposal: Json) -> str:
    """The hash by the second hand."""
    return digest(canonical({name: value for name, value in proposal.items() if name not in ("hash", "data")}))


def _hashed(name: str, proposal: Json, text: str | None = None, **options: Any) -> Json:
    """A case whose text, if it is another than the plain one of `proposal`, stands for the same value."""
    answers = [ok(hash=proposal_hash(proposal)), *([refused()] if options.pop("lenient", False) else [])]
    return case("hash", name, {"json": compact(proposal) if text is None else text}, *answers, **options)


def _refused(name: str, text: str, **options: Any) -> Json:
    return case("hash", name, {"json": text}, refused(), **options)


def _either(name: str, text: str, proposal: Json, **options: Any) -> Json:
    """By value an integer: hashed, or refused by a reader that goes by spelling (YEA-Q28)."""
    answers = (ok(hash=proposal_hash(proposal)), refused())
    return case("hash", name, {"json": text}, *answers, question="YEA-Q28", **options)


def _with(old: str, new: str) -> str:
    text = compact(SHORT)
    if old not in text:
        raise ValueError(f"{old} is not there")
    return text.replace(old, new)


def _covered() -> Json:
    reordered = dict(reversed(PROPOSAL.items()))
    spaced = compact(SHORT).replace(",", " ,\n ").replace(":", " : ")
    return group(
        "the hash of the canonical proposal",
        "5.1-30",
        [
            _hashed("proposal", PROPOSAL, flags="hex padded as-received"),
            _hashed("short proposal", SHORT, comment="its hash has both - and _", flags="drops-null padded"),
            _hashed("members in another order", reordered, comment="the same hash", flags="as-received"),
            _hashed("blanks between tokens", SHORT, spaced, comment="the same hash", flags="as-received"),
            _hashed("escapes in the text", SHORT, _with('"s"', '"\\u0073"'), comment="the same", flags="as-received"),
            _hashed("summary not ascii", {**SHORT, "summary": "Café „Süd“ 日本 😀"}, flags="ascii-only"),
            _hashed("summary with escapes", {**SHORT, "summary": 'say "a\\b"\n\t\x7f\u2028'}, flags="ascii-only"),
            _hashed("replacement character", {**SHORT, "summary": "a\ufffdb"}, comment="an ordinary character"),
            _hashed("sides of every type", {**SHORT, "effects": [{**EFFECTS[1], "from": False, "to": -5}]}),
            _hashed("no members", {}, lenient=True, comment="or refused: it is no proposal"),
        ],
    )


def _left_out() -> list[Json]:
    data = {"note": "not hashed", "score": 1.5, "big": 2**60, "deep": [[[]]]}
    deep = {"repeat": [[compact(SHORT)[:-1] + ',"data":', 1], ["[", 100_000], ["]", 100_000], ["}", 1]]}
    reader = "a reader may limit depth (RFC 8259, 9) and refuse it; it must not fall over"
    return [
        group(
            "data does not count",
            "5.1-31",
            [
                _hashed("data with fractions", {**PROPOSAL, "data": data}, flags="covers-data"),
                _hashed("data null", {**SHORT, "data": None}, flags="covers-data"),
                case(
                    "hash",
                    "data 100000 deep",
                    {"json": deep},
                    ok(hash=proposal_hash(SHORT)),
                    refused(),
                    comment=reader,
                ),
            ],
        ),
        group(
            "an earlier hash does not count",
            "5.1-32",
            [
                _hashed("its own hash", {**PROPOSAL, "hash": proposal_hash(PROPOSAL)}, flags="covers-hash"),
                _hashed("another hash", {**PROPOSAL, "hash": "whatever"}, flags="covers-hash"),
                _hashed("hash that is a fraction", {**SHORT, "hash": 1.5}, flags="covers-hash"),
                _hashed("hash and data", {**SHORT, "hash": None, "data": {}}, flags="covers-hash covers-data"),
            ],
        ),
    ]


def _counts() -> Json:
    nested = {**SHORT, "effects": [{**EFFECTS[0], "data": "d", "hash": "h"}]}
    astral = {**SHORT, "😀": 1, "\uffee": 2}
    proto = compact(SHORT)[:-1] + ',"__proto__":{"a":1}}'
    return group(
        "every other member counts",
        "5.1-33",
        [
            _hashed("unknown member", {**PROPOSAL, "note": "x"}, flags="known-members"),
            _hashed("unknown members inside", {**SHORT, "undo": {"window": 60, "x": [1]}}, flags="known-members"),
            _hashed("data and hash inside an effect", nested, flags="any-depth known-members"),
            _hashed("uses null", {**SHORT, "uses": None}, comment=NOT_WITHOUT, flags="drops-null", lenient=True),
            _hashed("uses empty", {**SHORT, "uses": {}}, comment="not as without uses", flags="drops-uses"),
            _hashed(
                "uses with scale 0",
                {**SHORT, "uses": {"emails": {"amount": 1, "scale": 0}}},
                comment="not as without scale, though that means 0",
                flags="drops-uses",
            ),
            _hashed("no undo", {k: v for k, v in SHORT.items() if k != "undo"}, flags="drops-null", lenient=True),
            _hashed("members not ascii", astral, flags="utf-16-order known-members"),
            _hashed("member in capitals", {**SHORT, "Data": 1, "HASH": 2}, flags="known-members"),
            _hashed("member constructor", {**SHORT, "constructor": {"a": 1}}, flags="known-members"),
            _hashed("member proto", {**SHORT, "__proto__": {"a": 1}}, proto, basis="open", question="YEA-Q13"),
        ],
    )


def _numbers() -> Json:
    return group(
        "numbers are integers",
        "5.1-34",
        [
            _refused("fraction in an effect", _with("[]", '[{"op":"other","target":"t","to":1.5}]'), flags="fractions"),
            _refused("fraction in uses", _with('"risk"', '"uses":{"a":{"amount":0.1}},"risk"'), flags="fractions"),
            _refused("fraction in a member not known", _with('"risk"', '"x":[{"y":-0.5}],"risk"'), flags="fractions"),
            _refused("expires 2 to 53", _with("60", "9007199254740992"), flags="fractions"),
            _hashed("expires largest", {**SHORT, "expires": 2**53 - 1}),
            _either("expires 60-0", _with("60", "60.0"), SHORT),
            _either("expires 6e1", _with("60", "6e1"), SHORT),
            _either("side minus zero", _with("[]", '[{"op":"other","target":"t","to":-0}]'), _zero()),
        ],
    )


def _zero() -> Json:
    return {**SHORT, "effects": [{"op": "other", "target": "t", "to": 0}]}


def _surrogates() -> Json:
    return group(
        "lone surrogates",
        "10-10",
        [
            _refused("lone surrogate in the summary", _with('"s"', '"a\\ud800"'), flags="replaced"),
            _refused("lone surrogate in a key", _with('"risk"', '"\\udc00":1,"risk"'), flags="replaced"),
            _refused("lone surrogate in an effect", _with("[]", '[{"op":"send","target":"\\ud83d"}]')),
        ],
    )


def make() -> Json:
    """The file."""
    return document("hash", "5.1", [_covered(), *_left_out(), _counts(), _numbers(), _surrogates()], NOTES)
