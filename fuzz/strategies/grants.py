"""Grants and requests: chains of blocks with caveats around their borders, and the context they are checked in.

An example is a plain description; `token` signs it with fixed seeds, so that it can be shown, shrunk and replayed.
"""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from reference.yea import grants
from reference.yea.keys import KeyPair

NOW = 1_790_000_000
SERVICE, CAPABILITY, HASH = "shop.example", "shop.order", "h" * 43
KEYS = [KeyPair(bytes([number]) * 32) for number in range(1, 6)]  # principal, agent, sub-agents, a stranger
MEASURES = ("spend", "emails", "constructor", "a.b")
OFTEN = ("spend", "spend", "spend", *MEASURES)
UNITS = (None, None, None, "USD", "EUR", "usd")
LEVELS = ("low", "medium", "high")
MOST = 2**53 - 1


@dataclass(frozen=True)
class Request:
    """What a grant is asked for: the context of `grant.check`, without `used`, which is by block number here."""

    verb: str
    capability: str
    now: int
    proposal: dict[str, Any] | None
    used: dict[int, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Chain:
    """The caveats of each block, root first."""

    blocks: tuple[tuple[Any, ...], ...]

    @property
    def holder(self) -> KeyPair:
        """Who holds the grant."""
        return KEYS[len(self.blocks)]

    def token(self) -> str:
        """Return the signed token."""
        made = grants.issue(KEYS[0], sub=KEYS[1].public, caveats=list(self.blocks[0]), iat=NOW - 60, nonce="n")
        for number, caveats in enumerate(self.blocks[1:], start=1):
            made = grants.delegate(made, KEYS[number], sub=KEYS[number + 1].public, caveats=list(caveats), iat=NOW - 30)
        return made


def quantities(*, key: str = "amount") -> st.SearchStrategy[dict[str, Any]]:
    """Well-formed quantities (or, with `key="max"`, the number part of limits), often equal across scales."""
    pairs = st.one_of(
        st.tuples(st.sampled_from([0, 1, 2, 3, 10, 99, 100, 101]), st.sampled_from([0, 1, 2, 3])),
        st.sampled_from([(100, 0), (1000, 1), (10000, 2), (10001, 2), (1, 18), (MOST, 18), (MOST, 0), (MOST - 1, 18)]),
    )
    return st.tuples(pairs, st.booleans(), st.sampled_from(UNITS)).map(lambda made: _quantity(key, *made))


def _quantity(key: str, pair: tuple[int, int], explicit: bool, unit: str | None) -> dict[str, Any]:
    amount, scale = pair
    made: dict[str, Any] = {key: amount}
    if scale or explicit:
        made["scale"] = scale
    return made if unit is None else {**made, "unit": unit}


def limits() -> st.SearchStrategy[dict[str, Any]]:
    """Well-formed limits."""
    return st.tuples(st.sampled_from(OFTEN), quantities(key="max")).map(lambda made: {"of": made[0], **made[1]})


def caveats() -> st.SearchStrategy[dict[str, Any]]:
    """Well-formed caveats, satisfied or not."""
    patterns = st.sampled_from([CAPABILITY, "shop.*", "sho*", "*", "shop", "other.x", "shop.orders", "Shop.order"])
    return st.one_of(
        st.lists(st.sampled_from([SERVICE, "other", SERVICE + "x", ""]), max_size=3).map(lambda v: {"svc": v}),
        st.lists(st.sampled_from(["COMMIT", "ASK", "INTENT", "UNDO", "commit"]), max_size=4).map(
            lambda v: {"verbs": v}
        ),
        st.lists(patterns, max_size=3).map(lambda v: {"can": v}),
        st.integers(-2, 2).map(lambda d: {"exp": NOW + d}),
        st.integers(-2, 2).map(lambda d: {"nbf": NOW + d}),
        limits().map(lambda v: {"each": v}),
        limits().map(lambda v: {"total": v}),
        st.sampled_from(LEVELS).map(lambda v: {"risk": v}),
        st.sampled_from([HASH, "other", ""]).map(lambda v: {"only": v}),
    )


def soft_caveats() -> st.SearchStrategy[dict[str, Any]]:
    """Well-formed caveats that fail softly."""
    return st.one_of(
        limits().map(lambda v: {"each": v}),
        limits().map(lambda v: {"total": v}),
        st.sampled_from(LEVELS).map(lambda v: {"risk": v}),
    )


BAD_VALUES: tuple[Any, ...] = (
    None,
    True,
    5,
    "x",
    "*",
    "COMMIT",
    SERVICE,
    [],
    {},
    [1],
    [None],
    {"of": "spend"},
    "low ",
    "toString",
)
BAD_LIMITS: tuple[dict[str, Any], ...] = (
    {"of": "Spend", "max": 1}, {"of": "spend", "max": -1}, {"of": "spend", "max": 1, "scale": 19},
    {"of": "spend", "max": 1, "unit": ""}, {"of": "spend", "max": 1, "unit": "a b"}, {"of": "spend", "max": 1, "x": 1},
    {"max": 1}, {"of": "spend"}, {"of": "spend", "max": "1"}, {"of": "spend", "max": 1, "scale": -1},
)  # fmt: skip


def malformed_caveats() -> st.SearchStrategy[Any]:
    """Caveats that fail hard: unknown names, wrong types, more or fewer keys than one."""
    names = st.sampled_from(["svc", "verbs", "can", "exp", "nbf", "risk", "only", "each", "total"])
    return st.one_of(
        st.sampled_from(
            [None, "exp", 5, [], {}, {"exp": NOW + 9, "nbf": 0}, {"zone": ["x"]}, {"EXP": 1}, {"__proto__": 1}]
        ),
        st.tuples(names, st.sampled_from(BAD_VALUES)).map(lambda made: {made[0]: made[1]}),
        st.tuples(st.sampled_from(["each", "total"]), st.sampled_from(BAD_LIMITS)).map(lambda made: {made[0]: made[1]}),
    )


def chains(*, malformed: bool = True) -> st.SearchStrategy[Chain]:
    """Chains of one to three blocks with up to three caveats each; with `malformed`, at times one that fails hard."""
    anything = st.one_of(caveats(), caveats(), caveats(), malformed_caveats()) if malformed else caveats()
    # Most caveats fail hard when they fail, so a third of the chains hold only those that fail softly.
    sorts = (anything, anything, soft_caveats())
    blocks = [st.lists(single, max_size=3).map(tuple) for single in sorts]
    lists = st.one_of(*(st.lists(block, min_size=1, max_size=3) for block in blocks))
    return lists.map(lambda made: Chain(tuple(made)))


def uses(*, malformed: bool = True) -> st.SearchStrategy[Any]:
    """The `uses` of a proposal."""
    good = st.dictionaries(st.sampled_from(OFTEN), quantities(), min_size=1, max_size=3)
    bad = st.sampled_from(
        [
            None,
            [],
            "x",
            5,
            {"Spend": {"amount": 1}},
            {"spend": {"amount": -1}},
            {"spend": 5},
            {"a": {"amount": 1, "x": 1}},
        ]
    )
    return st.one_of(good, good, good, bad) if malformed else good


@st.composite
def requests(draw: st.DrawFn, chain: Chain, *, malformed: bool = True) -> Request:
    """Requests of any verb; a COMMIT has a proposal, and the chain's totals may be used up in part."""
    verb = draw(st.sampled_from(["COMMIT", "COMMIT", "COMMIT", "ASK", "INTENT", "UNDO"]))
    capability = draw(st.sampled_from([CAPABILITY, CAPABILITY, "shop.", "shop"]))
    if verb != "COMMIT":
        return Request(verb, capability, NOW, None)
    proposal: dict[str, Any] = {
        "hash": draw(st.sampled_from([HASH, HASH, "other"])),
        "risk": draw(st.sampled_from([*LEVELS, *LEVELS, "extreme", "toString"])),
    }
    if draw(st.integers(0, 4)):
        proposal["uses"] = draw(uses(malformed=malformed))
    return Request(verb, capability, NOW, proposal, draw(_used(chain)))


@st.composite
def _used(draw: st.DrawFn, chain: Chain) -> dict[int, dict[str, Any]]:
    """What was used under each block's totals, in the limit's own unit (YEA-Q70)."""
    used: dict[int, dict[str, Any]] = {}
    for number, caveats_of_block in enumerate(chain.blocks):
        limited = [c["total"] for c in caveats_of_block if isinstance(c, dict) and _is_limit(c.get("total"))]
        for limit in limited:
            units = {other.get("unit") for other in limited if other["of"] == limit["of"]}
            if len(units) == 1 and draw(st.booleans()):
                quantity = {k: v for k, v in draw(quantities()).items() if k != "unit"}
                used.setdefault(number, {})[limit["of"]] = {
                    **quantity,
                    **({"unit": limit["unit"]} if "unit" in limit else {}),
                }
    return used


def _is_limit(value: Any) -> bool:
    return isinstance(value, dict) and value.get("of") in MEASURES and isinstance(value.get("max"), int)


def cases(*, malformed: bool = True) -> st.SearchStrategy[tuple[Chain, Request]]:
    """A chain, and a request that its holder makes under it."""
    return chains(malformed=malformed).flatmap(
        lambda chain: st.tuples(st.just(chain), requests(chain, malformed=malformed))
    )
