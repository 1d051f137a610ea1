"""Grants and requests: chains of blocks with caveats around their borders, and the context they are checked in.

An example is a plain description; `token` signs it with fixed seeds, so that it can be shown, shrunk and replayed. Most
caveats are satisfied, or nothing would ever reach the others.
"""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from fuzz.strategies import tokens
from fuzz.strategies.tokens import KEYS, NOW
from reference.yea.keys import KeyPair

SERVICE, CAPABILITY, HASH = "shop.example", "shop.order", "h" * 43
MEASURES = ("spend", "emails", "constructor", "a.b")
OFTEN = ("spend", "spend", "spend", "spend", *MEASURES)
LEVELS = ("low", "medium", "high")
MOST = 2**53 - 1
Caveat = Any
Cases = st.SearchStrategy["tuple[Chain, Request]"]


@dataclass(frozen=True)
class Chain:
    """A grant.

    Args:
        blocks: the caveats of each block, root first.
        spoiled: what is wrong with the token, a row of `tokens.SPOILS`; "" for nothing.
    """

    blocks: tuple[tuple[Caveat, ...], ...]
    spoiled: str = ""

    @property
    def holder(self) -> KeyPair:
        """Who holds the grant."""
        return KEYS[len(self.blocks)]

    def token(self) -> str:
        """Return the signed token."""
        return tokens.token(self.blocks, self.spoiled)


@dataclass(frozen=True)
class Request:
    """What a grant is asked for: the context of `grant.check`, without `used`, which is by block number here.

    Args:
        verb, capability, now, proposal: as in the context.
        used: what is used up so far under each block.
        by: whose key the proof is of: so many links before the holder; -1 is a stranger.
        trusted: what is trusted: a row of TRUSTED.
    """

    verb: str
    capability: str
    now: int
    proposal: dict[str, Any] | None
    used: dict[int, dict[str, Any]] = field(default_factory=dict)
    by: int = 0
    trusted: str = "the principal"

    def proof_key(self, chain: Chain) -> str:
        """Return the key of the proof."""
        return KEYS[-1].public if self.by < 0 else KEYS[max(len(chain.blocks) - self.by, 0)].public


TRUSTED: dict[str, list[str]] = {
    "the principal": [KEYS[0].public],
    "two": [KEYS[-1].public, KEYS[0].public],
    "nobody": [],
    "the agent": [KEYS[1].public],
    "a stranger": [KEYS[-1].public],
    "part of the principal": [KEYS[0].public[:30]],
}
VERBS = ("ASK", "INTENT", "COMMIT", "UNDO")
CAPABILITIES = (CAPABILITY, CAPABILITY, CAPABILITY, "shop.", "shop", "shopXorder", "shop.orders", "my.shop.order")
SATISFIED: tuple[Caveat, ...] = (
    {"svc": [SERVICE]}, {"svc": ["x", SERVICE]}, {"verbs": [*VERBS]}, {"can": [CAPABILITY]}, {"can": ["shop.*", "x"]},
    {"can": ["*"]}, {"exp": NOW + 1}, {"nbf": NOW}, {"risk": "high"}, {"only": HASH}, {"each": {"of": "y", "max": 0}},
    {"total": {"of": "y", "max": 0, "unit": "EUR"}},
)  # fmt: skip
NEAR: tuple[Caveat, ...] = (
    {"svc": []}, {"svc": [f"{SERVICE}.evil"]}, {"svc": [SERVICE[:-1]]}, {"svc": [SERVICE.upper()]}, {"verbs": []},
    {"verbs": ["commit", "ask", "intent", "undo"]}, {"verbs": ["ASK"]}, {"verbs": ["COMMIT"]}, {"can": []},
    {"can": ["shop"]}, {"can": ["shop.orde"]}, {"can": ["shop.*"]}, {"can": ["sho*"]}, {"can": ["order"]},
    {"can": ["hop.*"]}, {"can": ["shop.orderly"]}, {"can": ["shop.?rder", "shop.[o]rder"]}, {"can": ["shop\\.order"]},
    {"can": ["Shop.order"]}, {"can": ["s.*"]}, {"exp": NOW}, {"exp": NOW - 1}, {"exp": 0}, {"exp": -1},
    {"nbf": NOW + 1}, {"nbf": NOW - 1}, {"risk": "low"}, {"risk": "low"}, {"risk": "medium"}, {"risk": "medium"},
    {"only": "other"}, {"only": ""}, {"only": HASH[:-1]},
)  # fmt: skip
MALFORMED: tuple[Caveat, ...] = (
    None, "exp", 5, [], {}, [{"exp": 0}], {"exp": NOW + 9, "nbf": 0}, {"can": ["*"], "nbf": 0}, {"zone": ["x"]},
    {"EXP": NOW + 9}, {"": 1}, {"__proto__": [SERVICE]}, {"constructor": 1}, {"toString": NOW}, {"svc": SERVICE},
    {"svc": None}, {"svc": [SERVICE, 5]}, {"svc": {SERVICE: 1}}, {"svc": f"x,{SERVICE}"}, {"verbs": ["COMMIT", None]},
    {"verbs": "COMMIT,ASK,INTENT,UNDO"}, {"can": "*"}, {"can": CAPABILITY}, {"can": ["*", 5]}, {"exp": "9999999999"},
    {"exp": None}, {"exp": True}, {"exp": [NOW + 9]}, {"nbf": "0"}, {"nbf": None}, {"nbf": False}, {"risk": "extreme"},
    {"risk": "toString"}, {"risk": "low "}, {"risk": "HIGH"}, {"risk": None}, {"risk": ["high"]}, {"risk": 2},
    {"only": None}, {"only": [HASH]}, {"only": 5}, {"each": 5}, {"total": None},
)  # fmt: skip
BAD_LIMITS: tuple[dict[str, Any], ...] = (
    {"of": "Spend", "max": 1}, {"of": "spend", "max": -1}, {"of": "spend", "max": 1, "scale": 19}, {"of": "spend"},
    {"of": "spend", "max": 1, "unit": ""}, {"of": "spend", "max": 1, "unit": "a b"}, {"of": "spend", "max": 1, "x": 1},
    {"max": 1}, {"of": "spend", "max": "1"}, {"of": "spend", "max": 1, "scale": -1}, {"of": 5, "max": 1},
    {"of": "spend", "max": 1, "scale": None}, {"of": "spend", "max": 1, "unit": None}, {"of": ["spend"], "max": 1},
)  # fmt: skip
BAD_USES: tuple[Any, ...] = (
    None, [], "x", 5, False, {"Spend": {"amount": 1}}, {"spend": {"amount": -1}}, {"spend": 5}, {"spend": {}},
    {"a": {"amount": 1, "x": 1}}, {"emails": {"amount": "1"}}, {"spend": None}, {"spend": {"amount": 1, "scale": 19}},
)  # fmt: skip
RISKS = (*LEVELS, *LEVELS, "extreme", "toString", "", "LOW", None, 0, ["low"])
PAIRS = (
    (0, 0), (1, 0), (3, 0), (99, 0), (100, 0), (101, 0), (1000, 1), (10000, 2), (10001, 2), (9999, 2), (100, 2), (1, 2),
    (2, 2), (3, 2), (1, 1), (2, 1), (3, 1), (1, 18), (MOST, 18), (MOST - 1, 18), (MOST, 0), (MOST - 1, 0), (MOST, 1),
)  # fmt: skip
"""Amounts with scales, often equal or nearly so."""
UNITS = (None, None, None, None, None, None, "USD", "USD", "usd")

_pairs, _units, _measures = st.sampled_from(PAIRS), st.sampled_from(UNITS), st.sampled_from(OFTEN)


def quantities(*, key: str = "amount") -> st.SearchStrategy[dict[str, Any]]:
    """Well-formed quantities (or, with `key="max"`, the number part of limits), often equal across scales."""
    return st.builds(_quantity, st.just(key), _pairs, st.booleans(), _units)


def _quantity(key: str, pair: tuple[int, int], explicit: bool, unit: str | None) -> dict[str, Any]:
    amount, scale = pair
    made: dict[str, Any] = {key: amount}
    if scale or explicit:
        made["scale"] = scale
    return made if unit is None else {**made, "unit": unit}


def limits() -> st.SearchStrategy[Caveat]:
    """Well-formed `each` and `total` caveats."""
    kinds = st.sampled_from(["each", "total", "total"])
    return st.builds(lambda kind, of, rest: {kind: {"of": of, **rest}}, kinds, _measures, quantities(key="max"))


def caveats(*, malformed: bool = False) -> st.SearchStrategy[Caveat]:
    """Caveats, satisfied, nearly so or, if wanted, malformed in a way that a signature can cover."""
    well_formed = [st.sampled_from(SATISFIED), st.sampled_from(NEAR), st.sampled_from(NEAR), limits(), limits()]
    kinds = st.sampled_from(["each", "total"])
    bad_limits = st.builds(lambda kind, limit: {kind: limit}, kinds, st.sampled_from(BAD_LIMITS))
    return st.one_of(*well_formed, *([st.sampled_from(MALFORMED), bad_limits] if malformed else []))


_well_formed, _any = caveats(), caveats(malformed=True)
_good_uses = st.dictionaries(_measures, quantities(), min_size=1, max_size=2)
_bad_uses = st.sampled_from([*BAD_USES, None, None])
_spoils = st.sampled_from([*tokens.SPOILS])
_by, _trusted = st.sampled_from([0, 0, 1, 2, 3, -1]), st.sampled_from([*TRUSTED, "the principal"])
_count, _places = st.sampled_from([1, 1, 2, 3]), st.integers(0, 2)
_odd = st.sampled_from(["", "", "", "caveats", "caveats", "token", "token", "who", "uses"])
_finer, _off, _times = st.sampled_from([0, 0, 1, 2]), st.sampled_from([0, 0, -1, 1]), st.integers(0, 3)


@st.composite
def cases(draw: st.DrawFn, *, malformed: bool = True) -> tuple[Chain, Request]:
    """A chain, and a request under it, mostly its holder's.

    Args:
        malformed: whether at times one thing is out of order: a caveat, the token, who asks, or the `uses`.
    """
    odd = draw(_odd) if malformed else ""
    blocks: list[list[Caveat]] = [[] for _ in range(draw(_count))]
    for caveat in draw(st.lists(_any if odd == "caveats" else _well_formed, max_size=3)):
        blocks[draw(_places) % len(blocks)].append(caveat)
    chain = Chain(tuple(map(tuple, blocks)), draw(_spoils) if odd == "token" else "")
    verb = draw(st.sampled_from(["COMMIT", "COMMIT", "COMMIT", "COMMIT", *VERBS]))
    capability = draw(st.sampled_from(CAPABILITIES))
    proposal: dict[str, Any] = {}
    used: dict[int, dict[str, Any]] = {}
    if verb == "COMMIT":
        proposal = {"hash": draw(st.sampled_from([HASH, HASH, HASH, "other"])), "risk": draw(st.sampled_from(RISKS))}
        if draw(_times):
            proposal["uses"] = draw(_bad_uses) if odd == "uses" else _uses(draw, chain)
        used = _used(draw, chain, proposal.get("uses"))
    by, trusted = (draw(_by), draw(_trusted)) if odd == "who" else (0, "the principal")
    return chain, Request(verb, capability, NOW, proposal or None, used, by, trusted)


def _uses(draw: st.DrawFn, chain: Chain) -> dict[str, Any]:
    """What a proposal uses: mostly about as much as the limits of the chain allow, often in a finer scale."""
    made: dict[str, Any] = {} if draw(_times) else draw(_good_uses)
    for caveat in (caveat for block in chain.blocks for caveat in block):
        limit = _limit(caveat)
        if limit is not None and draw(_times):
            unit = limit.get("unit") if draw(_times) else draw(_units)
            made[limit["of"]] = _near(draw, limit["max"], limit.get("scale", 0), unit)
    return made


def _near(draw: st.DrawFn, amount: int, scale: int, unit: str | None) -> dict[str, Any]:
    """A quantity that is equal to another one, or one step of its scale off."""
    finer = min(18, scale + draw(_finer))
    made = amount * 10 ** (finer - scale) + draw(_off)
    return _quantity("amount", (made, finer) if 0 <= made <= MOST else (amount, scale), bool(amount % 2), unit)


def _used(draw: st.DrawFn, chain: Chain, uses: Any) -> dict[int, dict[str, Any]]:
    """What was used under each block's totals, often as much as there was room for, in the limit's unit (YEA-Q70)."""
    used: dict[int, dict[str, Any]] = {}
    for number, caveats_of_block in enumerate(chain.blocks):
        limits_of_block = [
            made for caveat in caveats_of_block if "total" in _names(caveat) and (made := _limit(caveat))
        ]
        for limit in limits_of_block:
            units = {other.get("unit") for other in limits_of_block if other["of"] == limit["of"]}
            if len(units) == 1 and draw(_times):
                scale = limit.get("scale", 0)
                room = max(0, limit["max"] - _at(uses, limit["of"], scale))
                used.setdefault(number, {})[limit["of"]] = _near(draw, room, scale, limit.get("unit"))
    return used


def _at(uses: Any, measure: str, scale: int) -> int:
    """How much a proposal uses of a measure, rounded down to a scale; 0 when it is malformed."""
    quantity = uses.get(measure) if isinstance(uses, dict) else None
    if not isinstance(quantity, dict) or type(quantity.get("amount")) is not int:
        return 0
    amount, own_scale = int(quantity["amount"]), int(quantity.get("scale", 0))
    return int(amount * 10**scale // 10**own_scale)


def _limit(caveat: Caveat) -> dict[str, Any] | None:
    """Return the limit of an `each` or `total` caveat if it is well-formed."""
    value = next(iter(caveat.values()), None) if _names(caveat) in (["each"], ["total"]) else None
    if not isinstance(value, dict) or value.get("of") not in MEASURES or value in BAD_LIMITS:
        return None
    return value


def _names(caveat: Caveat) -> list[Any]:
    return list(caveat) if isinstance(caveat, dict) else []
