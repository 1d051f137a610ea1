"""YEA 6, grants and caveats: the reference's decision, and attenuation that only ever narrows."""

import json
from typing import Any

from hypothesis import strategies as st

from fuzz.properties import answer, event, prop
from fuzz.strategies.grants import KEYS, SERVICE, Chain, Request, cases, caveats
from fuzz.targets import Operations
from reference.yea import caveats as reference
from reference.yea.grants import decode

ORDER = {"ok": 0, "consent_required": 1, "forbidden": 2, "unauthorized": 3}
COMMIT_ONLY = ("each", "total", "risk", "only")
Case = tuple[Chain, Request]


def show(case: Case) -> str:
    """A case as one can rebuild it."""
    chain, request = case
    return json.dumps({"caveats": chain.blocks, "request": request.__dict__, "token": chain.token()}, default=list)


def arguments(chain: Chain, request: Request) -> dict[str, Any]:
    """Return the arguments of `grant.check` for a case."""
    token = chain.token()
    ids = decode(token).block_ids
    context = {"service": SERVICE, "verb": request.verb, "capability": request.capability, "now": request.now}
    if request.proposal is not None:
        context["proposal"] = request.proposal
    if request.used:
        context["used"] = {ids[number]: used for number, used in request.used.items()}
    holder = chain.holder.public
    return {"token": token, "trusted": [KEYS[0].public], "proof_key": holder, "context": json.dumps(context)}


@prop(
    "caveats/agrees", "YEA-6.3-01", "YEA-6.3-18", "YEA-6.3-19", "YEA-6.3-28", "YEA-6.6-07", examples=cases(), show=show
)
def agrees(target: Operations, case: Case) -> str | None:
    """A grant is decided as the reference decides it."""
    chain, request = case
    if _is_open(chain, request):
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
    examples=st.tuples(cases(malformed=False), caveats()),
    show=lambda made: f"{show(made[0])} and then {json.dumps(made[1])}",
)
def narrows(target: Operations, made: tuple[Case, Any]) -> str | None:
    """A further caveat never makes a decision milder."""
    (chain, request), more = made
    *before, last = chain.blocks
    narrower = Chain((*before, (*last, more)))
    first = answer(target, "grant.check", arguments(chain, request)).get("ok", {}).get("decision")
    second = answer(target, "grant.check", arguments(narrower, request)).get("ok", {}).get("decision")
    if first not in ORDER or second not in ORDER:
        return f"no decision: {first!r}, {second!r}"
    return None if ORDER[second] >= ORDER[first] else f"{first} became {second} under {json.dumps(more)}"


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


def _is_open(chain: Chain, request: Request) -> bool:
    """A malformed caveat of COMMIT alone, on another verb (YEA-Q65)."""
    if request.verb == "COMMIT":
        return False
    named = [c for block in chain.blocks for c in block if isinstance(c, dict) and len(c) == 1]
    return any(name in COMMIT_ONLY for caveat in named for name in caveat)
