"""Caveats: whether a grant covers a request (YEA 6.3, with the decisions of 6.4 and 6.6).

`CAVEATS` is the table of rules, one for each name. A rule says which values are well-formed, and how a
well-formed one turns out for a request: satisfied, failed softly (a principal may still consent) or failed
hard. What is unknown or malformed fails hard, whatever the verb.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from reference.yea.grants import Grant, GrantError, decode
from reference.yea.proposals import RISKS
from reference.yea.quantities import is_limit, same_unit, uses_valid
from reference.yea.quantities import value as exact
from reference.yea.types import Json, as_integer

Outcome = Literal["satisfied", "soft", "hard"]
Decision = Literal["ok", "unauthorized", "forbidden", "consent_required"]


@dataclass(frozen=True, slots=True)
class Context:
    """The request that a grant is asked to cover.

    service: the service's id. verb: the request's. capability: the one it names; for an UNDO the receipt's.
    now: unix seconds. proposal: for a COMMIT, with the members hash, risk and uses (an absent uses is not a
    null one); other members are ignored. used: for each block id and measure, the quantity that is committed
    or reserved so far.
    """

    service: str
    verb: str
    capability: str
    now: float
    proposal: Mapping[str, Json] | None = None
    used: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of caveat.

    well_formed: whether a value is of the right shape. outcome: how a well-formed value of the block with
    this id turns out for a request. commit_only: whether verbs other than COMMIT satisfy it anyway.
    """

    well_formed: Callable[[Json], bool]
    outcome: Callable[[Any, Context, str], Outcome]
    commit_only: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the caveats of one grant say about a request: those that failed hard, and those that failed softly.

    Both in the order of the chain.
    """

    hard: tuple[Json, ...] = ()
    soft: tuple[Json, ...] = ()

    @property
    def decision(self) -> Literal["ok", "forbidden", "consent_required"]:
        """A hard failure is forbidden, whatever else failed; soft ones alone ask for consent (YEA 6.3, 6.6)."""
        if self.hard:
            return "forbidden"
        return "consent_required" if self.soft else "ok"

    @property
    def blocking(self) -> tuple[Json, ...]:
        """The caveats that led to the decision, the `need` of a forbidden (YEA 7). Empty when it is ok."""
        return self.hard or self.soft


def _is_strings(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_string(value: Json) -> bool:
    return isinstance(value, str)


def _is_integer(value: Json) -> bool:
    return as_integer(value) is not None


def _is_risk(value: Json) -> bool:
    return isinstance(value, str) and value in RISKS


def _hard_unless(holds: bool) -> Outcome:
    return "satisfied" if holds else "hard"


def _svc(services: list[str], context: Context, block_id: str) -> Outcome:
    return _hard_unless(context.service in services)


def _verbs(verbs: list[str], context: Context, block_id: str) -> Outcome:
    return _hard_unless(context.verb in verbs)


def _can(patterns: list[str], context: Context, block_id: str) -> Outcome:
    return _hard_unless(any(covers(pattern, context.capability) for pattern in patterns))


def covers(pattern: str, capability: str) -> bool:
    """Whether a pattern of `can` covers a capability: an exact name, or a prefix followed by * (YEA 6.3).

    A * that is not the last character stands for itself.
    """
    return capability.startswith(pattern[:-1]) if pattern.endswith("*") else capability == pattern


def _exp(end: int, context: Context, block_id: str) -> Outcome:
    return _hard_unless(context.now < end)


def _nbf(start: int, context: Context, block_id: str) -> Outcome:
    return _hard_unless(context.now >= start)


def _each(limit: dict[str, Json], context: Context, block_id: str) -> Outcome:
    return within(limit, _proposal(context), {})


def _total(limit: dict[str, Json], context: Context, block_id: str) -> Outcome:
    return within(limit, _proposal(context), context.used.get(block_id, {}))


def within(limit: dict[str, Json], proposal: Mapping[str, Json], used: Mapping[str, Json]) -> Outcome:
    """Whether a proposal stays within a limit, on top of the quantities already used (YEA 6.3)."""
    uses = proposal.get("uses", {})
    # YEA 6.3: a malformed uses is a hard failure, a null one too, also when the limit is on another measure
    if not isinstance(uses, dict) or not uses_valid(uses):
        return "hard"
    measure = str(limit["of"])
    quantity = uses.get(measure)
    # YEA 6.3: limits bind only what is reported
    if not isinstance(quantity, dict):
        return "satisfied"
    # YEA 6.3: a mismatch fails like any value over the limit
    if not same_unit(quantity, limit):
        return "soft"
    before = exact(used[measure]) if measure in used else 0
    return "satisfied" if before + exact(quantity) <= exact(limit, "max") else "soft"


def _risk(level: str, context: Context, block_id: str) -> Outcome:
    risk = _proposal(context).get("risk")
    # YEA 6.3: a proposal risk that is none of the three fails closed
    if not isinstance(risk, str) or risk not in RISKS:
        return "hard"
    return "satisfied" if RISKS.index(risk) <= RISKS.index(level) else "soft"


def _only(hash: str, context: Context, block_id: str) -> Outcome:
    return _hard_unless(_proposal(context).get("hash") == hash)


def _proposal(context: Context) -> Mapping[str, Json]:
    return context.proposal or {}


def _waived(value: Json, context: Context, block_id: str) -> Outcome:
    return "satisfied"


CAVEATS: Mapping[str, Rule] = {
    "svc": Rule(_is_strings, _svc),
    "verbs": Rule(_is_strings, _verbs),
    "can": Rule(_is_strings, _can),
    "exp": Rule(_is_integer, _exp),
    "nbf": Rule(_is_integer, _nbf),
    "each": Rule(is_limit, _each, commit_only=True),
    "total": Rule(is_limit, _total, commit_only=True),
    "risk": Rule(_is_risk, _risk, commit_only=True),
    "only": Rule(_is_string, _only, commit_only=True),
}
"""The caveats of YEA 6.3."""

WITHOUT_LIMITS: Mapping[str, Rule] = {
    **CAVEATS,
    **{name: Rule(CAVEATS[name].well_formed, _waived) for name in ("each", "total", "risk")},
}
"""The same, but each, total and risk are satisfied once they are well-formed: for a replay, and for what a
service checks before them (YEA 4.4)."""


def judge(caveat: Json, context: Context, block_id: str, *, table: Mapping[str, Rule] = CAVEATS) -> Outcome:
    """How one caveat of the block with this id turns out for a request (YEA 6.3)."""
    if not isinstance(caveat, dict) or len(caveat) != 1:
        return "hard"
    [(name, value)] = caveat.items()
    rule = table.get(name)
    # YEA 6.3: unknown caveats, and caveats whose value is malformed, fail closed
    if rule is None or not rule.well_formed(value):
        return "hard"
    if rule.commit_only and context.verb != "COMMIT":
        return "satisfied"
    return rule.outcome(value, context, block_id)


def evaluate(grant: Grant, context: Context, *, table: Mapping[str, Rule] = CAVEATS) -> Verdict:
    """The verdict of all caveats of all blocks of a grant (YEA 6.3).

    table: the rules by name. Totals are judged by `context.used`; to reserve is up to the caller.
    """
    outcomes: dict[Outcome, list[Json]] = {"satisfied": [], "soft": [], "hard": []}
    for block_id, caveats in zip(grant.block_ids, grant.caveats, strict=True):
        for caveat in caveats:
            outcomes[judge(caveat, context, block_id, table=table)].append(caveat)
    return Verdict(hard=tuple(outcomes["hard"]), soft=tuple(outcomes["soft"]))


def check(
    token: str,
    trusted: Collection[str],
    proof_key: str,
    context: Context,
    *,
    table: Mapping[str, Rule] = CAVEATS,
) -> Decision:
    """Whether the grant of a token covers a request: all six steps of YEA 6.4.

    trusted: the public keys of the principals that the service trusts. proof_key: the key of the request's
    proof. A token that is no valid grant, a root that is not trusted and a holder that is another key are
    "unauthorized"; only then do the caveats decide.
    """
    try:
        grant = decode(token)
    except GrantError:
        return "unauthorized"
    if grant.issuer not in trusted or grant.holder != proof_key:
        return "unauthorized"
    return evaluate(grant, context, table=table).decision
