"""Caveats that fail hard, and well-formed ones that hold (YEA 6.3): one caveat on an otherwise good grant.

The grant's own scope (svc, exp) holds in every recipe, so the added caveat alone decides.
"""

from collections.abc import Callable, Iterable
from typing import Any

from harness.recipes.recipe import Recipe
from harness.recipes.scene import Scene, token
from harness.recipes.spelling import otherwise
from harness.recipes.structure import FOREIGN_SERVICE

HOUR = 3600
UNREPORTED = "zz.naysayer"  # a measure that no proposal reports
OTHER = "other.naysayer"  # a capability that no proposal has
Build = Callable[[Scene], Any]


def _with(name: str, clause: str, caveat: Any, word: str = "forbidden") -> Recipe:
    build: Build = caveat if callable(caveat) else lambda scene: caveat
    return Recipe(name, clause, lambda scene: scene.grant(build(scene)), word)


def _values(caveat: str, clause: str, values: Iterable[tuple[str, Any]]) -> tuple[Recipe, ...]:
    """Return a recipe for each malformed value of one caveat; a value may be made from the scene."""

    def build(value: Any) -> Build:
        return lambda scene: {caveat: value(scene) if callable(value) else value}

    return tuple(_with(f"a {caveat} caveat that is {name}", clause, build(value)) for name, value in values)


UNKNOWN = (
    *(
        _with(f"an unknown caveat named {name!r}", "YEA-6.3-02", lambda scene, n=name, v=value: {n: v})
        for name, value in (
            ("zone", ["x"]),
            ("EXP", 1),
            ("Svc", ["x"]),
            ("exp ", 9_999_999_999),
            ("", 1),
            ("per", {"of": UNREPORTED, "max": 1}),
            ("constructor", 1),
            ("toString", []),
            ("__proto__", 1),
            ("hasOwnProperty", True),
            ("x-zone", "x"),
        )
    ),
    _with("an exp in capitals that lies ahead", "YEA-6.3-02", {"EXP": 9_999_999_999}),
    _with("an svc in capitals that is ours", "YEA-6.3-02", lambda s: {"SVC": [s.service]}),
    _with("an unknown caveat that is null", "YEA-6.3-02", lambda s: {"zone": None}),
    _with("an unknown caveat that is false", "YEA-6.3-02", lambda s: {"zone": False}),
    _with("a caveat without a key", "YEA-6.3-03", {}),
    _with("a caveat with two known keys", "YEA-6.3-03", lambda s: {"exp": s.now + HOUR, "nbf": 0}),
    _with("a caveat with a known and an unknown key", "YEA-6.3-03", lambda s: {"exp": s.now + HOUR, "x": 1}),
    _with("a caveat that is a string", "YEA-6.3-03", "exp"),
    _with("a caveat that is null", "YEA-6.3-03", lambda s: None),
    _with("a caveat that is true", "YEA-6.3-03", True),
    _with("a caveat that is a number", "YEA-6.3-03", 5),
    _with("a caveat that is an empty list", "YEA-6.3-03", lambda s: []),
    _with("a caveat that is a pair in a list", "YEA-6.3-03", lambda s: ["exp", s.now + HOUR]),
)

LISTS = (
    *_values(
        "svc",
        "YEA-6.3-04",
        [
            ("the service's id as a string", lambda s: s.service),
            ("a string that contains the service's id", lambda s: f"x{s.service}x"),
            ("null", None),
            ("true", True),
            ("an object with the id as a key", lambda s: {s.service: True}),
            ("a list with the id and a number", lambda s: [s.service, 1]),
            ("a list in a list", lambda s: [[s.service]]),
        ],
    ),
    *_values(
        "verbs",
        "YEA-6.3-04",
        [
            ("a string", "COMMIT"),
            ("null", None),
            ("an empty object", {}),
            ("an object with the verb as a key", {"COMMIT": True}),
            ("a list with the verb and null", ["COMMIT", None]),
        ],
    ),
    *_values(
        "can",
        "YEA-6.3-04",
        [
            ("the string *", "*"),
            ("the capability as a string", lambda s: s.capability),
            ("null", None),
            ("a list with * and null", ["*", None]),
            ("an object with the capability as a key", lambda s: {s.capability: True}),
        ],
    ),
)

TIMES = (
    *_values(
        "exp",
        "YEA-6.3-05",
        [
            ("a string of digits", "9999999999"),
            ("a date", "2099-01-01T00:00:00Z"),
            ("null", None),
            ("true", True),
            ("a list", [9_999_999_999]),
            ("an empty object", {}),
        ],
    ),
    *_values(
        "nbf",
        "YEA-6.3-05",
        [("a string of digits", "0"), ("null", None), ("true", True), ("false", False), ("a list", [0])],
    ),
)

LEVELS = (
    *_values(
        "risk",
        "YEA-6.3-06",
        [
            ("no level", "extreme"),
            ("a level in capitals", "High"),
            ("a level with a space", "high "),
            ("empty", ""),
            ("null", None),
            ("a number", 2),
            ("a list of a level", ["high"]),
            ("named toString", "toString"),
            ("named constructor", "constructor"),
        ],
    ),
    *_values(
        "only",
        "YEA-6.3-07",
        [
            ("a number", 5),
            ("null", None),
            ("true", True),
            ("a list of the hash", lambda s: [s.proposal.get("hash")]),
            ("an object with the hash", lambda s: {"hash": s.proposal.get("hash")}),
        ],
    ),
)

# Not well-formed as limits at all (6.3-08), and limits out of range (6.3-09); on a measure that nothing reports, so
# that a well-formed limit would let the commit pass.
_SHAPES: tuple[tuple[str, Any], ...] = (
    ("a number", 5),
    ("null", None),
    ("a string", "1"),
    ("a list", []),
    ("empty", {}),
    ("without max", {"of": UNREPORTED}),
    ("without of", {"max": 1}),
    ("on a measure in capitals", {"of": "Spend", "max": 1}),
    ("on a measure that begins with a digit", {"of": "1a", "max": 1}),
    ("on an empty measure", {"of": "", "max": 1}),
    ("on a measure of 65 characters", {"of": "a" * 65, "max": 1}),
    ("on null", {"of": None, "max": 1}),
    ("up to a string", {"of": UNREPORTED, "max": "1"}),
    ("up to null", {"of": UNREPORTED, "max": None}),
    ("up to true", {"of": UNREPORTED, "max": True}),
    ("with a scale that is a string", {"of": UNREPORTED, "max": 1, "scale": "2"}),
    ("with a scale that is true", {"of": UNREPORTED, "max": 1, "scale": True}),
    ("with a unit that is a number", {"of": UNREPORTED, "max": 1, "unit": 5}),
)
_RANGES: tuple[tuple[str, Any], ...] = (
    ("below 0", {"of": UNREPORTED, "max": -1}),
    ("with scale -1", {"of": UNREPORTED, "max": 1, "scale": -1}),
    ("with scale 19", {"of": UNREPORTED, "max": 1, "scale": 19}),
    ("with an empty unit", {"of": UNREPORTED, "max": 1, "unit": ""}),
    ("with a unit of 33 characters", {"of": UNREPORTED, "max": 1, "unit": "a" * 33}),
    ("with a space in its unit", {"of": UNREPORTED, "max": 1, "unit": "a b"}),
    ("with a line break after its unit", {"of": UNREPORTED, "max": 1, "unit": "USD\n"}),
)
LIMIT_SHAPES = tuple(recipe for name in ("each", "total") for recipe in _values(name, "YEA-6.3-08", _SHAPES))
LIMIT_RANGES = tuple(recipe for name in ("each", "total") for recipe in _values(name, "YEA-6.3-09", _RANGES))


def in_other_letters(text: str) -> str:
    """Return the text in capitals for small letters and the other way round; with an X behind when it has none."""
    return text.swapcase() if text.swapcase() != text else text + "X"


def domain_above(service: str) -> str:
    """Return an id without its first label; where it has only one, a domain that ends with it."""
    return service.partition(".")[2] or f"above.{service}"


def _up_to_a_stop(capability: str) -> str:
    """Return the first part of a capability's name; where it has only one, its first half."""
    return capability.partition(".")[0] if "." in capability else capability[: len(capability) // 2]


MISSES = (
    _with("an svc of another service", "YEA-6.3-11", {"svc": [FOREIGN_SERVICE]}),
    _with("an empty svc", "YEA-6.3-11", {"svc": []}),
    _with("an svc whose id goes on after ours", "YEA-6.3-11", lambda s: {"svc": [s.service + "x"]}),
    _with("an svc whose id is the start of ours", "YEA-6.3-11", lambda s: {"svc": [s.service[:-1]]}),
    _with("an svc in other letters", "YEA-6.3-11", lambda s: {"svc": [in_other_letters(s.service)]}),
    _with("an svc of *", "YEA-6.3-11", {"svc": ["*"]}),
    _with("an svc of the empty string", "YEA-6.3-11", {"svc": [""]}),
    _with("an svc of the first letter and *", "YEA-6.3-11", lambda s: {"svc": [s.service[:1] + "*"]}),
    _with("an svc of the domain above ours", "YEA-6.3-11", lambda s: {"svc": [domain_above(s.service)]}),
    _with("an svc with a space after our id", "YEA-6.3-11", lambda s: {"svc": [s.service + " "]}),
    _with("an svc with our id as an address", "YEA-6.3-11", lambda s: {"svc": [f"yea://{s.service}"]}),
    _with("verbs without COMMIT", "YEA-6.3-12", {"verbs": ["ASK", "INTENT", "UNDO", "EXPAND"]}),
    _with("empty verbs", "YEA-6.3-12", {"verbs": []}),
    _with("verbs in small letters", "YEA-6.3-12", {"verbs": ["commit"]}),
    _with("verbs of *", "YEA-6.3-12", {"verbs": ["*"]}),
    _with("verbs of INTENT, which a COMMIT comes from", "YEA-6.3-12", {"verbs": ["INTENT"]}),
    _with("a can of another capability", "YEA-6.3-13", {"can": [OTHER]}),
    _with("an empty can", "YEA-6.3-13", {"can": []}),
    _with("a can that is the start of the name", "YEA-6.3-13", lambda s: {"can": [s.capability[:-1]]}),
    _with("a can that goes on after the name", "YEA-6.3-13", lambda s: {"can": [s.capability + "s"]}),
    _with("a can in other letters", "YEA-6.3-13", lambda s: {"can": [in_other_letters(s.capability)]}),
    _with("a can of the empty string", "YEA-6.3-13", {"can": [""]}),
    _with("a can of the name up to its full stop", "YEA-6.3-13", lambda s: {"can": [_up_to_a_stop(s.capability)]}),
    _with("a can with ? for a letter", "YEA-6.3-13", lambda s: {"can": [f"{s.capability[:1]}?{s.capability[2:]}"]}),
    _with("a can of a range of letters and *", "YEA-6.3-14", {"can": ["[!-~]*"]}),
    _with("a can of a full stop and *", "YEA-6.3-14", {"can": [".*"]}),
    _with("a can with another prefix", "YEA-6.3-14", {"can": ["other.*"]}),
    _with("a can whose prefix goes on after the name", "YEA-6.3-14", lambda s: {"can": [s.capability + ".*"]}),
    _with("an exp an hour ago", "YEA-6.3-16", lambda s: {"exp": s.now - HOUR}),
    _with("an exp ten minutes ago", "YEA-6.3-16", lambda s: {"exp": s.now - 600}),
    _with("an exp ten seconds ago", "YEA-6.3-16", lambda s: {"exp": s.now - 10}),
    _with("an exp of 0", "YEA-6.3-16", {"exp": 0}),
    _with("an exp of -1", "YEA-6.3-16", {"exp": -1}),
    _with("an nbf in an hour", "YEA-6.3-17", lambda s: {"nbf": s.now + HOUR}),
    _with("an nbf in a minute", "YEA-6.3-17", lambda s: {"nbf": s.now + 60}),
    _with("an nbf of 2^32 + 1", "YEA-6.3-17", {"nbf": 2**32 + 1}),
    _with("the only of another proposal", "YEA-6.3-23", lambda s: {"only": other_hash(s)}),
    _with("an empty only", "YEA-6.3-23", {"only": ""}),
    _with("an only of the hash but its last letter", "YEA-6.3-23", lambda s: {"only": str(s.proposal["hash"])[:-1]}),
    _with("an only of the hash in other letters", "YEA-6.3-23", lambda s: {"only": str(s.proposal["hash"]).swapcase()}),
    _with("an only of the hash with a =", "YEA-6.3-23", lambda s: {"only": f"{s.proposal['hash']}="}),
)


def other_hash(scene: Scene) -> str:
    """Return a hash like the proposal's that is another one."""
    return otherwise(str(scene.proposal["hash"]))


HOLDS = (
    _with("an svc that lists the service second", "YEA-6.3-11", lambda s: {"svc": [FOREIGN_SERVICE, s.service]}, "ok"),
    _with("an svc that lists the service first", "YEA-6.3-11", lambda s: {"svc": [s.service, "x"]}, "ok"),
    _with("verbs with COMMIT last", "YEA-6.3-12", {"verbs": ["ASK", "COMMIT"]}, "ok"),
    _with("verbs with COMMIT alone", "YEA-6.3-12", {"verbs": ["COMMIT"]}, "ok"),
    _with("a can that lists the name second", "YEA-6.3-13", lambda s: {"can": [OTHER, s.capability]}, "ok"),
    _with("a can with all but the last letter and *", "YEA-6.3-14", lambda s: {"can": [s.capability[:-1] + "*"]}, "ok"),
    _with("a can with the first letter and *", "YEA-6.3-14", lambda s: {"can": [s.capability[:1] + "*"]}, "ok"),
    _with("a can with the whole name and *", "YEA-6.3-14", lambda s: {"can": [s.capability + "*"]}, "ok"),
    _with("a can of *", "YEA-6.3-15", {"can": ["*"]}, "ok"),
    _with("a can of another name and *", "YEA-6.3-15", {"can": [OTHER, "*"]}, "ok"),
    _with("verbs with one that is new", "YEA-6.3-12", {"verbs": ["NAYSAYER", "COMMIT"]}, "ok"),
    _with("an exp in ten minutes", "YEA-6.3-16", lambda s: {"exp": s.now + 600}, "ok"),
    _with("an exp far ahead", "YEA-6.3-16", {"exp": 2**53 - 1}, "ok"),
    _with("an exp of 2^31 + 1", "YEA-6.3-16", {"exp": 2**31 + 1}, "ok"),
    _with("an exp of 2^32 + 1", "YEA-6.3-16", {"exp": 2**32 + 1}, "ok"),
    _with("an exp of a second ago in milliseconds", "YEA-6.3-16", lambda s: {"exp": (s.now - 1) * 1000}, "ok"),
    _with("an nbf ten minutes ago", "YEA-6.3-17", lambda s: {"nbf": s.now - 600}, "ok"),
    _with("an nbf of 0", "YEA-6.3-17", {"nbf": 0}, "ok"),
    _with("an nbf of -1", "YEA-6.3-17", {"nbf": -1}, "ok"),
    _with("a risk of high", "YEA-6.3-21", {"risk": "high"}, "ok"),
    _with("the only of this proposal", "YEA-6.3-23", lambda s: {"only": s.proposal["hash"]}, "ok"),
    _with("an each of 0 on a measure it does not report", "YEA-6.3-31", {"each": {"of": UNREPORTED, "max": 0}}, "ok"),
    _with("a total of 0 on such a measure", "YEA-6.3-31", {"total": {"of": UNREPORTED, "max": 0, "unit": "x"}}, "ok"),
)


def _placed(name: str, levels: tuple[tuple[str, ...], ...]) -> Recipe:
    """A chain whose levels hold `good` caveats and one `bad` one."""
    made = {"bad": {"can": [OTHER]}, "good": {"can": ["*"]}}
    filled = tuple(tuple(made[word] for word in level) for level in levels)
    return Recipe(f"a failing caveat {name}", "YEA-6.3-01", lambda scene: token(*scene.chain(*filled)), "forbidden")


PLACES = (
    _placed("first in a root", (("bad", "good"),)),
    _placed("between two others in a root", (("good", "bad", "good"),)),
    _placed("in the root of three blocks", (("bad",), (), ())),
    _placed("in the middle of three blocks", ((), ("bad",), ())),
    _placed("in the last of three blocks", ((), (), ("bad",))),
    _placed("first of two in the last block", ((), ("bad", "good"))),
    _placed("last of forty in a root", (("good",) * 39 + ("bad",),)),
)


def _narrowing(name: str, first: Build, second: Build) -> Recipe:
    return Recipe(
        name,
        "YEA-6.2-16",
        lambda scene: token(*scene.chain((first(scene),), (second(scene),))),
        "forbidden",
    )


NARROWED = (
    _narrowing(
        "a root for another capability whose child says *", lambda s: {"can": [OTHER]}, lambda s: {"can": ["*"]}
    ),
    _narrowing(
        "a root without COMMIT whose child lists it",
        lambda s: {"verbs": ["ASK"]},
        lambda s: {"verbs": ["ASK", "COMMIT"]},
    ),
    _narrowing(
        "an expired root whose child ends later",
        lambda s: {"exp": s.now - HOUR},
        lambda s: {"exp": s.now + HOUR},
    ),
    _narrowing(
        "a root for another service whose child names this one",
        lambda s: {"svc": [FOREIGN_SERVICE]},
        lambda s: {"svc": [s.service]},
    ),
    _narrowing(
        "a wide root whose child covers another capability",
        lambda s: {"can": ["*"]},
        lambda s: {"can": [OTHER]},
    ),
)
