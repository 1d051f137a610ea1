"""YEA 6, grants and caveats: the reference's decision, and attenuation that only ever narrows."""

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from fuzz.properties import answer, event, prop, result
from fuzz.strategies.grants import SERVICE, TRUSTED, Chain, Request, cases, caveats
from fuzz.strategies.tokens import NOW
from fuzz.targets import Operations
from reference.yea import caveats as reference
from reference.yea.grants import block_id, read_blocks

ORDER = {"ok": 0, "consent_required": 1, "forbidden": 2, "unauthorized": 3}
Case = tuple[Chain, Request]
HARD: tuple[Any, ...] = (
    {"exp": NOW}, {"nbf": NOW + 1}, {"svc": []}, {"can": []}, {"verbs": []}, {"zone": ["x"]}, {"can": ["x.*"]},
    {"svc": [f"{SERVICE}.evil"]}, {}, {"exp": NOW + 9, "nbf": 0}, {"exp": "9999999999"}, None,
)  # fmt: skip
"""Caveats that fail hard for every verb."""


def show(case: Case) -> str:
    """A case as one can rebuild it."""
    chain, request = case
    shown = {"caveats": chain.blocks, "spoiled": chain.spoiled, "request": request.__dict__}
    return json.dumps({**shown, **arguments(chain, request)}, default=list)


def arguments(chain: Chain, request: Request) -> dict[str, Any]:
    """Return the arguments of `grant.check` for a case."""
    context = {"service": SERVICE, "verb": request.verb, "capability": request.capability, "now": request.now}
    if request.proposal is not None:
        context["proposal"] = request.proposal
    if request.used:
        ids = [block_id(str(block["s"])) for block in read_blocks(Chain(chain.blocks).token())]
        context["used"] = {ids[number]: used for number, used in request.used.items()}
    return {
        "token": chain.token(),
        "trusted": TRUSTED[request.trusted],
        "proof_key": request.proof_key(chain),
        "context": json.dumps(context),
    }


@prop(
    "caveats/agrees", "YEA-6.3-01", "YEA-6.3-18", "YEA-6.3-19", "YEA-6.3-28", "YEA-6.6-07", examples=cases(), show=show
)
def agrees(target: Operations, case: Case) -> str | None:
    """A grant is decided as the reference decides it."""
    chain, request = case
    if is_open(chain, request):
        event("the text is open")
        return None
    made = arguments(chain, request)
    wanted = _decide(made)
    event(wanted)
    got = answer(target, "grant.check", made)
    return None if got.get("ok") == {"decision": wanted} else f"wanted {wanted}, got {json.dumps(got)[:300]}"


@prop(
    "caveats/attenuation-narrows",
    "YEA-6.2-16",
    examples=st.tuples(cases(malformed=False), st.lists(caveats(), max_size=2), st.booleans()),
    show=lambda made: f"{show(made[0])} and then {json.dumps(made[1])} {'delegated' if made[2] else 'more'}",
)
def narrows(target: Operations, made: tuple[Case, list[Any], bool]) -> str | None:
    """Further caveats, in the last block or in a delegation, never make a decision milder."""
    (chain, request), more, delegated = made
    *before, last = chain.blocks
    narrower = Chain((*chain.blocks, tuple(more)) if delegated else (*before, (*last, *more)))
    decisions = [_decision(target, each, request) for each in (chain, narrower)]
    if None in decisions:
        return f"no decision: {decisions}"
    first, second = map(str, decisions)
    event(first)
    return None if ORDER[second] >= ORDER[first] else f"{first} became {second}"


@prop(
    "caveats/hard-beats-soft",
    *("YEA-6.3-01", "YEA-6.3-19", "YEA-6.3-27"),
    examples=st.tuples(cases(malformed=False), st.sampled_from(HARD), st.integers(0, 2), st.integers(0, 3)),
    show=lambda made: f"{show(made[0])} with {json.dumps(made[1])} in block {made[2]}, place {made[3]}",
)
def hard_beats_soft(target: Operations, made: tuple[Case, Any, int, int]) -> str | None:
    """A caveat that fails hard makes it forbidden, whatever else only asks for consent, and wherever it stands."""
    (chain, request), hard, number, place = made
    blocks = [list(block) for block in chain.blocks]
    blocks[number % len(blocks)].insert(place, hard)
    event(_decide(arguments(chain, request)))
    decision = _decision(target, Chain(tuple(map(tuple, blocks))), request)
    return None if decision == "forbidden" else f"wanted forbidden, got {decision}"


@prop(
    "caveats/each-block-counts",
    *("YEA-6.2-16", "YEA-6.3-01"),
    examples=cases(malformed=False),
    show=show,
)
def each_block_counts(target: Operations, case: Case) -> str | None:
    """The decision about a chain is the worst of those about its caveats one by one."""
    chain, request = case
    whole = _decision(target, chain, request)
    parts = [_decision(target, _alone(chain, *place), request) for place in _places(chain)]
    if whole is None or None in parts:
        return f"no decision: {whole}, {parts}"
    worst = max(map(str, parts), key=ORDER.__getitem__, default="ok")
    event(worst)
    return None if whole == worst else f"one by one they make {worst}, together {whole}"


def _places(chain: Chain) -> list[tuple[int, int]]:
    return [(number, place) for number, block in enumerate(chain.blocks) for place in range(len(block))]


def _alone(chain: Chain, number: int, place: int) -> Chain:
    """The chain with this one caveat and no other."""
    return Chain(tuple((block[place],) if at == number else () for at, block in enumerate(chain.blocks)))


def _decision(target: Operations, chain: Chain, request: Request) -> str | None:
    made = result(answer(target, "grant.check", arguments(chain, request)), "decision")
    return made if made in ORDER else None


def _decide(made: dict[str, Any]) -> str:
    context = json.loads(made["context"])
    asked = reference.Context(
        service=context["service"],
        verb=context["verb"],
        capability=context["capability"],
        now=context["now"],
        proposal=context.get("proposal"),
        used=context.get("used", {}),
    )
    return reference.check(made["token"], made["trusted"], made["proof_key"], asked)


def is_open(chain: Chain, request: Request) -> bool:
    """Whether a malformed caveat of COMMIT alone meets another verb (YEA-Q65)."""
    return is_verb_open(request.verb, chain.blocks)


def is_verb_open(verb: str, blocks: Sequence[Sequence[Any]]) -> bool:
    """Whether a malformed caveat of COMMIT alone, in one of these blocks, meets this other verb (YEA-Q65)."""
    if verb == "COMMIT":
        return False
    named = [caveat for block in blocks for caveat in block if isinstance(caveat, dict)]
    rules = [(reference.CAVEATS.get(name), value) for caveat in named for name, value in caveat.items()]
    return any(rule is not None and rule.commit_only and not rule.well_formed(value) for rule, value in rules)
