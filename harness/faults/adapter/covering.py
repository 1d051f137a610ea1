"""Faults of `grant.check` in how single caveats are evaluated (YEA 6.3), and what such faults are made with."""

import fnmatch
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from harness.faults.adapter import Arguments
from harness.faults.adapter.tools import Row, context, register
from reference.yea import caveats
from reference.yea.caveats import CAVEATS, Context, Outcome, Rule
from reference.yea.grants import Grant, GrantError, decode
from reference.yea.proposals import RISKS

Table = Mapping[str, Rule]
Decide = Callable[[Grant, Context], str]
INHERITED = frozenset({"constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"})


def check(arguments: Arguments, decide: Decide) -> dict[str, str]:
    try:
        grant = decode(arguments["token"])
    except GrantError:
        return {"decision": "unauthorized"}
    if grant.issuer not in arguments["trusted"] or grant.holder != arguments["proof_key"]:
        return {"decision": "unauthorized"}
    return {"decision": decide(grant, context(arguments))}


def decider(words: str, says: str, kills: str, decide: Decide) -> Row:
    return words, says, kills, lambda arguments: check(arguments, decide)


def table_row(words: str, says: str, kills: str, table: Table) -> Row:
    return decider(words, says, kills, lambda grant, asked: caveats.evaluate(grant, asked, table=table).decision)


def hard(holds: bool) -> Outcome:
    return "satisfied" if holds else "hard"


def soft(holds: bool) -> Outcome:
    return "satisfied" if holds else "soft"


def rule_of(name: str, outcome: Callable[[Any, Context, str], Outcome]) -> Table:
    """The table with another outcome for one caveat."""
    return {**CAVEATS, name: replace(CAVEATS[name], outcome=outcome)}


def _shape(name: str, well_formed: Callable[[Any], bool], outcome: Callable[[Any, Context, str], Outcome]) -> Table:
    """The table with another idea of a well-formed value of one caveat."""
    return {**CAVEATS, name: replace(CAVEATS[name], well_formed=well_formed, outcome=outcome)}


def _level(risk: Any) -> int:
    return RISKS.index(risk) if risk in RISKS else 0


def _own_risk(c: Context) -> Any:
    return (c.proposal or {}).get("risk")


def _can(matches: Callable[[str, str], bool]) -> Table:
    return rule_of("can", lambda patterns, c, i: hard(any(matches(pattern, c.capability) for pattern in patterns)))


def _prefix(pattern: str, name: str) -> bool:
    return name.startswith(pattern.rstrip("*"))


def _expression(pattern: str, name: str) -> bool:
    return re.fullmatch(pattern.replace("*", ".*"), name) is not None


TABLES: tuple[tuple[str, str, str, Table], ...] = (
    (
        "exp-inclusive",
        "Takes ≤ for < at exp.",
        "exp-now consent-when-the-proposal-ends",
        rule_of("exp", lambda end, c, i: hard(c.now <= end)),
    ),
    (
        "nbf-exclusive",
        "Takes > for ≥ at nbf.",
        "nbf-now nbf-0-at-the-second-0",
        rule_of("nbf", lambda start, c, i: hard(c.now > start)),
    ),
    (
        "svc-substring",
        "Looks for the service's id as a substring, in a string too.",
        "svc-caveat-that-is-the-service-s-id-as-a-string svc-caveat-that-is-a-string-that-contains-the-service-s-id",
        _shape("svc", lambda v: isinstance(v, list | str), lambda v, c, i: hard(c.service in v)),
    ),
    (
        "svc-contained",
        "Accepts an id that contains the service's.",
        "svc-whose-id-goes-on-after-ours",
        rule_of("svc", lambda ids, c, i: hard(any(c.service in each for each in ids))),
    ),
    (
        "verbs-without-case",
        "Compares verbs without regard to case.",
        "verb-in-small-letters",
        rule_of("verbs", lambda verbs, c, i: hard(c.verb.lower() in [verb.lower() for verb in verbs])),
    ),
    ("can-prefix", "Takes every pattern for a prefix.", "exact-name-that-goes-on", _can(_prefix)),
    (
        "can-expression",
        "Reads a pattern as a regular expression.",
        "point-as-any-character exact-name-with-a-point alternatives",
        _can(_expression),
    ),
    (
        "can-glob",
        "Reads a pattern as a glob.",
        "question-mark character-class",
        _can(lambda pattern, name: fnmatch.fnmatchcase(name, pattern)),
    ),
    (
        "can-namespace",
        "Covers the name before the point as well.",
        "prefix-without-its-point",
        _can(lambda pattern, name: caveats.covers(pattern, name) or pattern == f"{name}.*"),
    ),
    (
        "can-contains",
        "Looks for a pattern anywhere in the name.",
        "exact-name-that-is-a-part prefix-in-the-middle",
        _can(lambda p, n: p.rstrip("*") in n),
    ),
    (
        "can-unknown-star",
        "Does not know *.",
        "can-of can-with-the-first-letter-and",
        _can(lambda pattern, name: pattern == name),
    ),
    (
        "risk-as-text",
        "Compares risks as text.",
        "risk-low-under-high risk-high-under-medium",
        rule_of("risk", lambda level, c, i: soft(_own_risk(c) in RISKS and str(_own_risk(c)) <= level)),
    ),
    (
        "risk-below",
        "Takes < for ≤ between risks.",
        "risk-low-under-low risk-high-under-high",
        rule_of("risk", lambda level, c, i: soft(_level(_own_risk(c)) < _level(level))),
    ),
    (
        "risk-unknown-is-low",
        "Takes a risk that is none of the three for low.",
        "risk-of-the-proposal-extreme risk-of-the-proposal-missing risk-of-the-proposal-null",
        rule_of("risk", lambda level, c, i: soft(_level(_own_risk(c)) <= _level(level))),
    ),
    (
        "risk-inherited",
        "Is fooled by risks named like what objects inherit.",
        "risk-of-the-proposal-constructor risk-of-the-proposal-tostring",
        rule_of("risk", lambda v, c, i: "satisfied" if _own_risk(c) in INHERITED else CAVEATS["risk"].outcome(v, c, i)),
    ),
    (
        "risk-level-unknown",
        "Takes an unknown level of a risk caveat for the highest.",
        "risk-caveat-that-is-no-level risk-caveat-that-is-named-constructor",
        _shape(
            "risk",
            lambda v: isinstance(v, str),
            lambda v, c, i: soft(v not in RISKS or _level(_own_risk(c)) <= _level(v)),
        ),
    ),
    (
        "risk-hard",
        "Refuses a risk that is too high instead of asking for consent.",
        "risk-high-under-low risk-medium-under-low",
        rule_of("risk", lambda level, c, i: hard(CAVEATS["risk"].outcome(level, c, i) == "satisfied")),
    ),
    (
        "only-soft",
        "Asks for consent where the hash is another.",
        "only-of-another-proposal consent-for-another-hash",
        rule_of("only", lambda own, c, i: soft((c.proposal or {}).get("hash") == own)),
    ),
    (
        "every-verb",
        "Applies COMMIT's caveats to other verbs.",
        "limits-on-ask limits-on-undo",
        {name: replace(rule, commit_only=False) for name, rule in CAVEATS.items()},
    ),
)

register("grant.check", *(table_row(*entry) for entry in TABLES))
