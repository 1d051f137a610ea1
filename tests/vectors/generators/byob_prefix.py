"""byob.prefix_hash: the SHA-256 of a projection's prefix in canonical JSON (BYOB 6)."""

from typing import Any

from tests.vectors.generators.byob_second import CARD, backwards, compact, digest, without
from tests.vectors.generators.documents import Json, case, document, group, ok

OP = "byob.prefix_hash"
HASH, SORT, ORDER, BLANK = "BYOB-6-09", "BYOB-4-16", "BYOB-4-17", "BYOB-4-18"
NOTES = {
    "as-received": ("hashes the text as it came", f"{HASH} {SORT}"),
    "top-only": ("sorts the outermost members alone", f"{HASH} {SORT}"),
    "spaces": ("hashes JSON with blanks", f"{HASH} {BLANK}"),
    "seats-sorted": ("sorts the seats, the decisions or other arrays", f"{HASH} {ORDER}"),
    "known-members": ("hashes the members that it knows and no others", HASH),
    "drops-empty": ("leaves out what is null, empty or false", HASH),
    "no-decisions": ("hashes topic, rules and seats alone", HASH),
    "wrapped": ("hashes more than the prefix: its name, or the whole projection", HASH),
    "other-digest": ("uses another hash, or hashes twice", HASH),
    "other-spelling": ("spells the hash otherwise than as hex", HASH),
    "ascii-only": ("escapes what is not ASCII before hashing", HASH),
}
SEATS = [
    {"seat": "bot-tao", "owner": "tao", "kind": "bot", "role": "pro", **CARD},
    {"seat": "bot-jenny", "owner": "jenny", "kind": "bot", "bot": "other", "proxy": True, "capabilities": []},
    {"seat": "judge", "owner": "jenny", "kind": "human", "bot": "by hand", "proxy": False, "capabilities": []},
]
RULES = {
    "topology": {"kind": "debate", "pro": "bot-tao", "con": "bot-jenny", "judge": "judge", "rounds": 2},
    "floor": {"max_chars": 1500, "max_bot_depth": 8, "decision_by": ["judge"]},
    "termination": {"any": ["decision", "rounds_exhausted", {"budget_tokens": 60000}]},
}
DECISIONS = [{"seq": 15, "seat": "judge", "body": "#461 goes first."}, {"seq": 9, "seat": "judge", "body": "Wait."}]
PREFIX: Json = {"topic": "Which issue goes first?", "rules": RULES, "seats": SEATS, "decisions": DECISIONS}
BARE: Json = {"topic": "t", "rules": {"topology": {}, "floor": {}, "termination": {}}, "seats": [], "decisions": []}


def _hashed(name: str, prefix: Json, text: str | None = None, **options: Any) -> Json:
    """A case whose text, if it is not the plain one, stands for the same value. Hex in either case is right."""
    hex_ = digest(prefix)
    answers = [ok(hash=hex_), ok(hash=hex_.upper())]
    return case(OP, name, {"json": compact(prefix) if text is None else text}, *answers, **options)


def _with(**members: Any) -> Json:
    return {**PREFIX, **members}


def _canonical() -> Json:
    spaced = compact(BARE).replace(",", " ,\n ").replace(":", "\t: ")
    escaped = compact(BARE).replace('"t"', r'"\u0074"')
    inner = {**PREFIX, "rules": backwards(RULES)}
    return group(
        "canonical before it is hashed",
        f"{HASH} {SORT} {BLANK}",
        [
            _hashed("prefix of section 6", PREFIX, flags="other-digest other-spelling wrapped spaces"),
            _hashed("bare prefix", BARE, flags="drops-empty other-digest"),
            _hashed(
                "members backwards", PREFIX, compact(backwards(PREFIX)), comment="the same hash", flags="as-received"
            ),
            _hashed("inner members backwards", PREFIX, compact(inner), comment="the same hash", flags="top-only"),
            _hashed("blanks between tokens", BARE, spaced, comment="the same hash", flags="as-received spaces"),
            _hashed("escapes in the text", BARE, escaped, comment="the same hash", flags="as-received"),
            _hashed("no members", {}, flags="known-members drops-empty"),
        ],
    )


def _covered() -> Json:
    proxy = [{**SEATS[0], "proxy": True}, *SEATS[1:]]
    roles = [{**SEATS[0], "role": None}, *SEATS[1:]]
    role = [without(SEATS[0], "role"), *SEATS[1:]]
    later = [DECISIONS[0], {**DECISIONS[1], "body": "Wait!"}]
    return group(
        "everything in the prefix counts",
        HASH,
        [
            _hashed("another topic", _with(topic="Which issue goes last?"), flags="known-members"),
            _hashed("topic with escapes", _with(topic='"a\\b"'), flags="as-received"),
            _hashed("no decisions", _with(decisions=[]), flags="no-decisions drops-empty"),
            _hashed("one decision", _with(decisions=DECISIONS[:1]), flags="no-decisions"),
            _hashed("another body of a decision", _with(decisions=later), flags="no-decisions"),
            _hashed("one seat less", _with(seats=SEATS[:2])),
            _hashed("a proxy", _with(seats=proxy), flags="known-members"),
            _hashed("seat without a role", _with(seats=role)),
            _hashed(
                "seat with a null role",
                _with(seats=roles),
                question="BYOB-Q030",
                flags="drops-empty",
                comment="not as without",
            ),
            _hashed("more rounds", _with(rules={**RULES, "topology": {**RULES["topology"], "rounds": 3}})),
            _hashed("a member that the text does not name", _with(note="x"), flags="known-members"),
            _hashed("a seat's further member", _with(seats=[{**SEATS[0], "description": "d"}]), flags="known-members"),
            _hashed(
                "capability marked",
                _with(
                    seats=[
                        {**SEATS[0], "capabilities": [{"resource": "r", "actions": ["a"], "requires_approval": True}]}
                    ]
                ),
            ),
        ],
    )


def _ordered() -> Json:
    return group(
        "the order of arrays counts",
        f"{HASH} {ORDER}",
        [
            _hashed("seats in another order", _with(seats=SEATS[::-1]), flags="seats-sorted"),
            _hashed("decisions in another order", _with(decisions=DECISIONS[::-1]), flags="seats-sorted no-decisions"),
            _hashed(
                "actions in another order",
                _with(seats=[{**SEATS[0], "capabilities": [{"resource": "r", "actions": ["b", "a"]}]}]),
                flags="seats-sorted",
            ),
            _hashed(
                "conditions in another order",
                _with(rules={**RULES, "termination": {"any": [{"max_entries": 9}, "decision"]}}),
                flags="seats-sorted",
            ),
        ],
    )


def _open() -> Json:
    how: dict[str, Any] = {"basis": "open", "question": "BYOB-Q028", "flags": "ascii-only"}
    spelling = {
        "basis": "open",
        "question": "BYOB-Q057",
        "flags": "other-spelling",
        "comment": "lower-case hex alone, as the recommended reading has it",
    }
    twice = {**BARE, "topic": "spelling"}
    return group(
        "what the text leaves open",
        HASH,
        [
            _hashed("topic not ascii", _with(topic="Was zuerst: „A“ oder 先に B?"), **how),
            _hashed("astral topic", _with(topic="👍 or 👎"), **how),
            _hashed("control characters", _with(topic="a\n\tb\u0001"), **{**how, "flags": "as-received"}),
            _hashed("separator in a decision", _with(decisions=[{**DECISIONS[0], "body": "a\u2028b"}]), **how),
            _hashed("keys not ascii", {**BARE, "é": 1, "z": 2}, **how),
            case(OP, "lower case", {"json": compact(twice)}, ok(hash=digest(twice)), **spelling),
        ],
    )


def make() -> Json:
    """The file."""
    return document(OP, "6", [_canonical(), _covered(), _ordered(), _open()], NOTES)
