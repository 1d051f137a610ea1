"""grant.check cases: what a case is made of, and the cases that are recipes of the wire checks.

A recipe says who signs what and which single thing is wrong (harness.recipes). Here it is cooked with fixed keys of
the second hand, for a fixed service and time.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from harness.recipes import caveats, chains, consents, limits, spelling, structure
from harness.recipes.recipe import Recipe
from harness.recipes.scene import Scene
from tests.vectors.generators.documents import Json, case, group, ok, slug, spelled, unlike
from tests.vectors.generators.second import AGENT, FRIENDS, MALLORY, NOW, PRINCIPAL, compact, digest

OP = "grant.check"
SERVICE, CAPABILITY = "shop.example", "shop.order"
HASH = digest("the proposal")
USES = {"spend": {"amount": 2290, "scale": 2, "unit": "USD"}, "emails": {"amount": 1}}
PROPOSAL = {"hash": HASH, "uses": USES, "risk": "low"}
TRUSTED = (PRINCIPAL.public,)


def scene(nonces: Iterator[int] | None = None) -> Scene:
    """The scene of every case; nonces are counted anew for each, so that a case never depends on its neighbours."""
    numbers = nonces or count()
    keys: Any = (PRINCIPAL, MALLORY, AGENT, FRIENDS)
    principal, stranger, agent, friends = keys
    return Scene(
        service=SERVICE,
        capability=CAPABILITY,
        now=NOW,
        principal=principal,
        stranger=stranger,
        agent=agent,
        friends=friends,
        nonce=lambda: f"n{next(numbers)}",
        proposal={**PROPOSAL, "expires": NOW + 600},
    )


@dataclass(frozen=True)
class Asked:
    """The request that a grant is checked against; what is left out of it is named in `without`."""

    verb: str = "COMMIT"
    service: str = SERVICE
    capability: str = CAPABILITY
    now: int = NOW
    proposal: Mapping[str, Any] = field(default_factory=lambda: PROPOSAL)
    used: Mapping[str, Any] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    trusted: tuple[str, ...] = TRUSTED
    proof_key: str = AGENT.public

    def arguments(self, token: str) -> Json:
        """The arguments of the operation."""
        proposal = {name: value for name, value in self.proposal.items() if name not in self.without}
        context = {"service": self.service, "verb": self.verb, "capability": self.capability, "now": self.now}
        if self.verb == "COMMIT":
            context["proposal"] = proposal
        if self.used:
            context["used"] = self.used
        return {
            "token": token,
            "trusted": list(self.trusted),
            "proof_key": self.proof_key,
            "context": compact(context),
        }


Make = Callable[[Scene], Any]
"""Returns a caveat, a list of caveats, or a token."""


def check(name: str, made: Any, *words: str, asked: Asked | None = None, **options: Any) -> Json:
    """A case: a token, or caveats on an otherwise good grant, and the words that are right."""
    value = made(scene()) if callable(made) else made
    if isinstance(value, dict):
        value = [value]
    token = value if isinstance(value, str) else scene().grant(caveats=[{"svc": [SERVICE]}, *value])
    answers = [ok(decision=word) for word in words]
    return case(OP, name, (asked or Asked()).arguments(token), *answers, **options)


# Tables of recipes, each with the name of its group, and the flag of the mistake that they catch.
TABLES: tuple[tuple[str, str, Sequence[Recipe]], ...] = (
    ("caveats that hold", "over-strict", caveats.HOLDS),
    ("limits that hold", "over-strict", limits.WITHIN),
    ("consents", "over-strict", consents.ORDERS),
    ("texts in a nonce", "signed-text", structure.TEXTS),
    ("fields of a block", "fields-unchecked", structure.FIELDS),
    ("blocks that are no objects", "fields-unchecked", structure.BLOCKS),
    ("signatures of another shape", "signature-shape", structure.SIGNATURES),
    ("holders that are no keys", "sub-unchecked", structure.HOLDERS),
    ("numbers that are no integers", "no-canonical-form", (*structure.FRACTIONS, *structure.LARGE_NUMBERS)),
    ("lone surrogates", "no-canonical-form", structure.SURROGATES),
    ("signed texts", "signed-text", structure.SIGNED_TEXTS),
    ("malformed, and forbidden too", "forbidden-first", structure.MALFORMED_AND_FORBIDDEN),
    ("tokens spelled otherwise", "lenient-base64", spelling.TOKEN_SPELLINGS),
    ("signatures spelled otherwise", "lenient-base64", spelling.SIGNATURE_SPELLINGS),
    ("keys spelled otherwise", "lenient-base64", spelling.KEY_SPELLINGS),
    ("prefixes", "prefix-unchecked", spelling.PREFIXES),
    ("tokens that do not decode", "raises", spelling.UNDECODABLE),
    ("numbers spelled otherwise", "number-spelling", spelling.NUMBERS),
    ("signers", "wrong-signer", chains.SIGNERS),
    ("links", "prev-unchecked", chains.LINKS),
    ("root signatures", "wrong-signer", chains.ROOT_SIGNATURES),
    ("later signatures", "root-only", chains.LATER_SIGNATURES),
    ("holders", "holder-unchecked", chains.HOLDING),
    ("principals that nobody trusts", "trust-unchecked", chains.UNTRUSTED),
    ("unauthorized, and forbidden too", "forbidden-first", chains.FORBIDDEN_TOO),
    ("unknown caveats", "unknown-passes", caveats.UNKNOWN),
    ("malformed svc, verbs and can", "malformed-passes", caveats.LISTS),
    ("malformed exp and nbf", "malformed-passes", caveats.TIMES),
    ("malformed risk and only", "malformed-passes", caveats.LEVELS),
    ("malformed limits", "malformed-passes", caveats.LIMIT_SHAPES),
    ("limits out of range", "malformed-passes", caveats.LIMIT_RANGES),
    ("caveats that do not hold", "caveat-unchecked", caveats.MISSES),
    ("places of a caveat that does not hold", "last-block-only", caveats.PLACES),
    ("delegations only narrow", "last-block-only", caveats.NARROWED),
    ("each over the limit", "limit-unchecked", limits.EACH),
    ("total over the limit", "limit-unchecked", limits.TOTAL),
    ("soft and hard", "soft-first", limits.SOFT_AND_HARD),
    ("consents to another proposal", "caveat-unchecked", consents.FOR_ANOTHER),
)


def recipe_groups(own: Sequence[Json]) -> list[Json]:
    """A group for each table of recipes; a recipe that makes what a case before it made is left out."""
    made = {spelled(each["input"]) for part in own for each in part["cases"]}
    seen: Counter[str] = Counter()
    groups = []
    for name, flag, table in TABLES:
        cases = unlike((_recipe(recipe, flag, seen, INSTEAD.get(name, "")) for recipe in table), made)
        if cases:
            groups.append(group(name, BESIDES.get(name, ""), cases))
    return groups


# Tables whose recipes prove a rule of the wire there, and this clause here; and one that proves one more.
INSTEAD = {"consents": "6.6-11", "consents to another proposal": "6.3-23"}
BESIDES = {"caveats that do not hold": "6.4-09"}


def _recipe(recipe: Recipe, flag: str, seen: Counter[str], instead: str) -> Json:
    name = slug(recipe.name)
    seen[name] += 1
    numbered = name if seen[name] == 1 else f"{name} {seen[name]}"
    # On the wire more words can be fair, where another check may come first. Here nothing comes first, but for a
    # number of 2^53 and more, which two sections refuse with different words (YEA-Q64).
    options = {"question": "YEA-Q64"} if recipe in structure.LARGE_NUMBERS else {}
    words = recipe.codes if options else (recipe.word,)
    comment = recipe.name if slug(recipe.name).replace("-", " ") != recipe.name else ""
    clause = instead or recipe.clause.removeprefix("YEA-")
    return check(numbered, recipe.make, *words, comment=comment, flags=flag, clauses=clause, **options)
