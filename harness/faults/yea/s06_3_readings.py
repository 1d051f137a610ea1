"""YEA 6.3: caveats read as a neighbouring protocol or a library reads them, and kept from one request to the next."""

import fnmatch
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.yea.s06_3_caveats import HOLDS, MISSES, SHAPES, UNKNOWN, with_rule
from reference.yea.caveats import CAVEATS, Context, Verdict, covers, evaluate
from reference.yea.grants import Grant
from reference.yea.service import Service

PLACES = "yea/6.3/every-caveat-of-every-block-counts"
OWN_RISK = "yea/6.3/risk-is-each-proposals-own"
BEGINS = "yea/6.3/a-grant-begins-at-its-nbf"
ENDS = "yea/6.3/a-grant-ends-at-its-exp"
MOST_CAVEATS = 32

Holds = Callable[[Any, Context], bool]


def _held(name: str, holds: Holds) -> type[Service]:
    """Return a service by which a well-formed caveat is satisfied whenever this holds."""

    def outcome(value: Any, context: Context, block_id: str) -> Any:
        return "satisfied" if holds(value, context) else "hard"

    return with_rule(name, replace(CAVEATS[name], outcome=outcome))


def _listed(find: Callable[[str, Context], bool]) -> Holds:
    return lambda value, context: any(find(entry, context) for entry in value)


def _regular(pattern: str, context: Context) -> bool:
    try:
        return re.fullmatch(pattern.replace("*", ".*"), context.capability) is not None
    except re.error:
        return False


def _hash(context: Context) -> str:
    return str((context.proposal or {}).get("hash"))


def _milliseconds(value: int, context: Context) -> bool:
    return context.now < (value / 1000 if value > 10**11 else value)


# (id, what is wrong, what it is killed by, the caveat, when it is satisfied).
READINGS: tuple[tuple[str, str, str, str, Holds], ...] = (
    (
        "svc-knows-a-star",
        "Takes * in svc for every service.",
        MISSES,
        "svc",
        _listed(lambda s, c: s in ("*", c.service)),
    ),
    ("svc-covers-prefixes", "Reads svc as can is read.", MISSES, "svc", _listed(lambda s, c: covers(s, c.service))),
    (
        "svc-covers-subdomains",
        "Takes the domain above its own in svc for its own.",
        MISSES,
        "svc",
        _listed(lambda s, c: f".{c.service}".endswith(f".{s}")),
    ),
    ("svc-is-trimmed", "Trims the ids in svc.", MISSES, "svc", _listed(lambda s, c: s.strip() == c.service)),
    (
        "svc-may-be-an-address",
        "Takes an address in svc for the id in it.",
        MISSES,
        "svc",
        _listed(lambda s, c: s.rpartition("//")[2] == c.service),
    ),
    (
        "verbs-know-a-star",
        "Takes * in verbs for every verb.",
        MISSES,
        "verbs",
        _listed(lambda v, c: v in ("*", c.verb)),
    ),
    (
        "intent-implies-commit",
        "Takes INTENT in verbs for COMMIT as well.",
        MISSES,
        "verbs",
        _listed(lambda v, c: v == c.verb or (v, c.verb) == ("INTENT", "COMMIT")),
    ),
    (
        "can-is-a-file-pattern",
        "Reads ? and [] in can as file names are matched.",
        MISSES,
        "can",
        _listed(lambda p, c: fnmatch.fnmatchcase(c.capability, p)),
    ),
    ("can-is-a-regular-expression", "Reads can as a regular expression.", MISSES, "can", _listed(_regular)),
    (
        "can-covers-what-is-below",
        "Takes a name in can for all names below it.",
        MISSES,
        "can",
        _listed(lambda p, c: covers(p, c.capability) or c.capability.startswith(f"{p}.")),
    ),
    (
        "an-empty-pattern-covers-all",
        "Takes an empty name in can for every capability.",
        MISSES,
        "can",
        _listed(lambda p, c: p == "" or covers(p, c.capability)),
    ),
    (
        "exp-has-a-minute-of-grace",
        "Honours a grant for a minute after its exp.",
        MISSES,
        "exp",
        lambda v, c: c.now < v + 60,
    ),
    ("exp-below-0-is-never", "Takes an exp below 0 for no end.", MISSES, "exp", lambda v, c: v < 0 or c.now < v),
    ("exp-of-32-bits", "Reads exp as 32 bits.", HOLDS, "exp", lambda v, c: v < 0 or c.now < v % 2**32),
    ("exp-in-milliseconds", "Takes a large exp for milliseconds.", HOLDS, "exp", _milliseconds),
    (
        "nbf-has-minutes-of-grace",
        "Honours a grant five minutes before its nbf.",
        MISSES,
        "nbf",
        lambda v, c: c.now >= v - 300,
    ),
    ("nbf-of-32-bits", "Reads nbf as 32 bits.", MISSES, "nbf", lambda v, c: c.now >= v % 2**32),
    ("nbf-is-never-below-0", "Fails an nbf below 0.", HOLDS, "nbf", lambda v, c: 0 <= v <= c.now),
    ("only-by-its-beginning", "Compares only as far as it goes.", MISSES, "only", lambda v, c: _hash(c).startswith(v)),
    (
        "only-in-any-letters",
        "Compares only without capitals.",
        MISSES,
        "only",
        lambda v, c: _hash(c).lower() == v.lower(),
    ),
    (
        "only-with-padding",
        "Takes a padded hash in only for the hash.",
        MISSES,
        "only",
        lambda v, c: _hash(c) == v.rstrip("="),
    ),
)
for _id, _says, _kill, _name, _holds in READINGS:
    add(Fault(f"yea/{_id}", _says, (_kill,), _held(_name, _holds)))

VERBS = ("HELLO", "ASK", "INTENT", "COMMIT", "UNDO", "EXPAND")
add(
    Fault(
        "yea/new-verbs-are-malformed",
        "Takes verbs with one that it does not know for malformed.",
        (HOLDS,),
        with_rule(
            "verbs",
            replace(CAVEATS["verbs"], well_formed=lambda v: isinstance(v, list) and all(verb in VERBS for verb in v)),
        ),
    )
)


def _numbered(value: Any) -> bool:
    """A limit whose scale may be true, which is 1 to many a reader."""
    scaled = (
        {**value, "scale": int(value["scale"])} if isinstance(value, dict) and value.get("scale") is True else value
    )
    return CAVEATS["each"].well_formed(scaled)


add(
    Fault(
        "yea/a-scale-may-be-true",
        "Takes true for a scale of 1.",
        (SHAPES,),
        with_rule("each", replace(CAVEATS["each"], well_formed=_numbered)),
    )
)


def _capability_risk(level: str, context: Context, block_id: str) -> Any:
    levels = ("low", "medium", "high")
    own = {"calendar.clear": "medium", "shop.tip": "medium"}.get(context.capability, "low")
    return "satisfied" if levels.index(own) <= levels.index(level) else "soft"


add(
    Fault(
        "yea/risk-is-the-capabilitys",
        "Holds risk against the BRIEF's risk of the capability, not the proposal's.",
        (OWN_RISK,),
        with_rule("risk", replace(CAVEATS["risk"], outcome=_capability_risk)),
    )
)


class _Sifting(Service):
    """Judges only some of the caveats."""

    def counts(self, caveat: Any, position: int) -> bool:
        """Whether one is judged, by its place in its block."""
        return True

    def evaluate(self, grant: Grant, context: Context) -> Verdict:
        """Leave the others out."""
        kept = tuple(
            tuple(caveat for position, caveat in enumerate(caveats) if self.counts(caveat, position))
            for caveats in grant.caveats
        )
        return evaluate(Grant(grant.blocks, grant.issuer, grant.holder, grant.block_ids, kept), context)


def _unknown(caveat: Any) -> str | None:
    name = next(iter(caveat)) if isinstance(caveat, dict) and len(caveat) == 1 else None
    return name if name not in CAVEATS else None


@fault("yea/private-caveats-pass", UNKNOWN)
class PrivateCaveats(_Sifting):
    """Passes over caveats whose name begins with x-."""

    def counts(self, caveat: Any, position: int) -> bool:
        """All but these."""
        return not (_unknown(caveat) or "").startswith("x-")


@fault("yea/unset-caveats-pass", UNKNOWN)
class UnsetCaveats(_Sifting):
    """Passes over unknown caveats that are null or false."""

    def counts(self, caveat: Any, position: int) -> bool:
        """All but these."""
        return _unknown(caveat) is None or bool(caveat[_unknown(caveat)])


@fault("yea/caveats-past-a-bound-pass", PLACES)
class ManyCaveats(_Sifting):
    """Judges the first 32 caveats of a block and no more."""

    def counts(self, caveat: Any, position: int) -> bool:
        """The first ones."""
        return position < MOST_CAVEATS


@fault("yea/caveat-names-in-any-letters", UNKNOWN)
class AnyLetters(Service):
    """Takes a caveat in capitals for the one in small letters."""

    def evaluate(self, grant: Grant, context: Context) -> Verdict:
        """Write the names small."""
        small = tuple(
            tuple({n.lower(): v for n, v in c.items()} if isinstance(c, dict) else c for c in caveats)
            for caveats in grant.caveats
        )
        return evaluate(Grant(grant.blocks, grant.issuer, grant.holder, grant.block_ids, small), context)


@fault("yea/verdicts-are-remembered", ENDS)
class VerdictsRemembered(Service):
    """Remembers that a grant covered a verb and capability, and looks at no exp again."""

    def evaluate(self, grant: Grant, context: Context) -> Verdict:
        """By memory, if it was ok."""
        remembered: set[Any] = self.__dict__.setdefault("remembered", set())
        named = (grant.block_ids, context.verb, context.capability)
        if named in remembered:
            return Verdict()
        verdict = super().evaluate(grant, context)
        if verdict.decision == "ok":
            remembered.add(named)
        return verdict


@fault("yea/refusals-are-remembered", BEGINS)
class RefusalsRemembered(Service):
    """Remembers that a grant did not cover a verb and capability, and never looks again."""

    def evaluate(self, grant: Grant, context: Context) -> Verdict:
        """By memory, if it failed."""
        remembered: dict[Any, Verdict] = self.__dict__.setdefault("remembered", {})
        named = (grant.block_ids, context.verb, context.capability)
        if named not in remembered:
            verdict = super().evaluate(grant, context)
            if verdict.decision == "ok":
                return verdict
            remembered[named] = verdict
        return remembered[named]


@fault("yea/replays-under-expired-grants", ENDS)
class ReplaysUnderExpired(Service):
    """Looks at no caveat of the grant that a repeated COMMIT comes with."""

    def check_replay(self, record: Any, request: Any, grants: list[Grant]) -> None:
        """The principal alone."""
        self.granted_by(record.acting or "", grants)
