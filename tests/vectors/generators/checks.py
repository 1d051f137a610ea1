"""grant.check: whether a grant covers a request (YEA 6.2 to 6.6): the file, and the cases that no recipe has.

Recipes fit the wire, where the time is the target's and totals are what was committed. What needs an exact second, a
chosen total, another verb or a chosen proposal is written here.
"""

from typing import Any

from harness.recipes.scene import Scene, block, text_token, token
from tests.vectors.generators import caveats, limits, totals
from tests.vectors.generators.documents import Json, document, group
from tests.vectors.generators.scenes import CAPABILITY, HASH, PROPOSAL, SERVICE, Asked, check, recipe_groups
from tests.vectors.generators.second import AGENT, FRIENDS, MALLORY, NOW, PRINCIPAL, SUBAGENT, compact

NOTES = {
    "over-strict": ("refuses what the spec allows", "6.3-01"),
    "fields-unchecked": ("does not look at a block's fields and their types", "6.2-06 6.2-08 6.2-09"),
    "signature-shape": ("does not look at the shape of a signature", "6.2-07"),
    "sub-unchecked": ("takes any string for a holder", "6.2-10 6.1-07"),
    "no-canonical-form": ("answers forbidden, or accepts, what has no canonical form", "6.2-11 6.2-12"),
    "signed-text": ("verifies another text than the canonical one", "6.2-02"),
    "forbidden-first": ("evaluates caveats before the grant is verified", "6.2-13 6.4-08"),
    "lenient-base64": ("accepts several spellings of one base64url value", "6.1-03 6.1-04 6.1-05"),
    "prefix-unchecked": ("does not look at pg1.", "6.4-01"),
    "raises": ("fails on a token that does not decode instead of answering unauthorized", "6.2-01 6.2-19"),
    "number-spelling": ("accepts 1.0, 1e3 or -0 in a token", "6.2-18"),
    "wrong-signer": ("verifies a signature against another key", "6.2-03 6.2-04 6.4-02"),
    "prev-unchecked": ("does not compare prev, or computes it otherwise", "6.2-05 6.4-04"),
    "root-only": ("verifies the root alone", "6.4-03"),
    "holder-unchecked": ("does not compare the holder with the proof's key", "6.2-14 6.4-05 6.4-07"),
    "trust-unchecked": ("trusts every issuer", "6.4-06"),
    "unknown-passes": ("passes unknown caveats", "6.3-02 6.3-03"),
    "malformed-passes": ("fails open, or softly, on a malformed caveat", "6.3-04 6.3-05 6.3-06 6.3-07 6.3-08 6.3-09"),
    "caveat-unchecked": ("does not evaluate a caveat", "6.3-11 6.3-12 6.3-13 6.3-16 6.3-17 6.3-23"),
    "last-block-only": ("evaluates one block or one caveat only", "6.2-16 6.3-01"),
    "limit-unchecked": ("does not evaluate limits", "6.3-18 6.3-19"),
    "soft-first": ("lets a soft failure hide a hard one", "6.6-07"),
    "boundary": ("takes < for ≤ or the other way round", "6.3-16 6.3-17 6.3-18 6.3-19"),
    "can-as-regex": ("reads a pattern as a regular expression or a glob", "6.3-13 6.3-14"),
    "substring": ("looks for a substring", "6.3-11 6.3-12 6.3-13"),
    "every-verb": ("applies COMMIT's caveats to other verbs", "6.3-24"),
    "commit-only-malformed": ("passes a malformed caveat of COMMIT on other verbs", "6.3-10"),
    "floating-point": ("compares or adds in floating point", "6.3-28 6.3-29"),
    "narrow-integers": ("overflows 64 bits when it scales", "6.3-28 6.3-29"),
    "scale-ignored": ("compares amounts whatever their scales", "6.3-28"),
    "unit-ignored": ("does not compare units", "6.3-26 6.3-27"),
    "unit-hard": ("takes a unit mismatch for a hard failure", "6.3-27"),
    "zero-passes": ("passes a quantity of 0 whatever its unit", "6.3-27"),
    "converts": ("converts between units", "5.1-21 6.3-26"),
    "wrong-total": ("adds usage under another block or measure", "6.3-19 6.3-20"),
    "used-ignored": ("does not add what is already used", "6.3-19"),
    "uses-unchecked": ("does not look whether the proposal's uses is well-formed", "6.3-30"),
    "uses-softly": ("takes a malformed uses for a soft failure", "6.3-30"),
    "unreported-fails": ("fails a limit on a measure that is not reported", "6.3-31 5.1-20"),
    "inherited": ("is fooled by names that objects inherit", "6.3-22 6.3-32"),
    "risk-order": ("compares risks as text, or < for ≤", "6.3-21"),
    "risk-passes": ("passes a proposal whose risk is none of the three", "6.3-22"),
    "risk-hard": ("takes a risk that is too high for a hard failure", "6.3-21"),
    "only-soft": ("takes another hash for a soft failure", "6.3-23"),
    "consent-too-wide": ("lets a consent authorize more than its COMMIT", "6.6-16 6.6-17"),
    "first-only": ("evaluates the first caveat of a name only", "6.3-01"),
    "recursion": ("overflows its stack on deep input", "6.3-02"),
}


def _chains() -> Json:
    def lengths(number: int) -> Any:
        return lambda s: token(*s.chain(*[()] * number))

    return group(
        "chains that hold",
        "6.2-15",
        [
            check("one block", lambda s: s.grant(), "ok", clauses="6.2-02 6.2-03"),
            check("two blocks", lengths(2), "ok", clauses="6.2-04 6.2-05 6.2-14"),
            check("three blocks", lengths(3), "ok"),
            check("twelve blocks", lengths(12), "ok"),
            check("delegated to itself", _to_itself, "ok"),
            check("no caveats", lambda s: s.grant(caveats=[]), "ok", comment="covers everything"),
            check("every block narrows", _narrowing, "ok", clauses="6.2-16"),
            check(
                "token not in canonical order",
                _unsorted,
                "ok",
                clauses="6.2-17",
                basis="public-vectors",
                question="YEA-Q63",
                comment="another order of keys is no reason to refuse a token, as a number spelled otherwise is",
            ),
        ],
    )


def _to_itself(s: Scene) -> str:
    root = block(s.principal, s.root())
    return token(root, block(s.agent, s.link(root, {"verbs": ["COMMIT"]})))


def _narrowing(s: Scene) -> str:
    levels = ({"can": ["*"]}, {"can": ["shop.*"]}, {"can": ["shop.order"]})
    return token(*s.chain(*((level,) for level in levels)))


def _unsorted(s: Scene) -> str:
    """The same blocks with `s` before `p`: only the payload's canonical form is signed."""
    made = block(s.principal, s.root())
    return text_token(compact([{"s": made["s"], "p": dict(reversed(made["p"].items()))}]))


def _repeated(first: int, *rest: int) -> Any:
    return lambda s: token(*(s.chain((), (), ())[at] for at in (first, *rest)))


def _broken_chains() -> Json:
    return group(
        "chains that do not hold",
        "6.4-04",
        [
            check("middle block dropped", _repeated(0, 2), "unauthorized", flags="prev-unchecked"),
            check("second block twice", _repeated(0, 1, 1, 2), "unauthorized", flags="prev-unchecked"),
            check("root twice", _repeated(0, 0, 1, 2), "unauthorized", flags="prev-unchecked"),
            check("blocks backwards", _repeated(2, 1, 0), "unauthorized", flags="prev-unchecked"),
            check("last block twice", _repeated(0, 1, 2, 2), "unauthorized", flags="prev-unchecked"),
        ],
    )


def _trust() -> Json:
    others = (MALLORY.public, PRINCIPAL.public)
    name = "bob"
    respelt = AGENT.public + "="
    issuer = PRINCIPAL.public + "="
    return group(
        "trust and holders",
        "6.4-06 6.4-07",
        [
            check("second of two trusted", lambda s: s.grant(), "ok", asked=Asked(trusted=others)),
            check(
                "nobody trusted", lambda s: s.grant(), "unauthorized", asked=Asked(trusted=()), flags="trust-unchecked"
            ),
            check("only the holder trusted", lambda s: s.grant(), "unauthorized", asked=Asked(trusted=(AGENT.public,))),
            check(
                "trusted key in the middle",
                _via_the_principal,
                "unauthorized",
                comment="the root's issuer has to be trusted, not a later holder",
                flags="trust-unchecked",
            ),
            check(
                "start of a trusted key",
                lambda s: s.grant(),
                "unauthorized",
                asked=Asked(trusted=(PRINCIPAL.public[:-1], PRINCIPAL.public + "A")),
                flags="trust-unchecked",
            ),
            check("agent trusted as its own principal", _own_grant, "ok", asked=Asked(trusted=(AGENT.public,))),
            check(
                "proof by the first holder",
                lambda s: token(*s.chain((), ())),
                "unauthorized",
                asked=Asked(proof_key=FRIENDS[0].public),
                flags="holder-unchecked",
            ),
            check(
                "proof by the issuer",
                lambda s: s.grant(),
                "unauthorized",
                asked=Asked(proof_key=PRINCIPAL.public),
                flags="holder-unchecked",
            ),
            check(
                "holder and proof that are the same name",
                lambda s: s.grant(sub=name),
                "unauthorized",
                asked=Asked(proof_key=name),
                flags="sub-unchecked",
                clauses="6.2-10",
            ),
            check(
                "holder and proof padded alike",
                lambda s: s.grant(sub=respelt),
                "unauthorized",
                asked=Asked(proof_key=respelt),
                flags="sub-unchecked lenient-base64",
                clauses="6.2-10 6.1-03",
            ),
            check(
                "issuer and trusted key padded alike",
                lambda s: s.grant(iss=issuer),
                "unauthorized",
                asked=Asked(trusted=(issuer,)),
                flags="lenient-base64",
                clauses="6.1-03",
            ),
        ],
    )


def _own_grant(s: Scene) -> str:
    return token(block(s.agent, s.root(iss=s.agent.public)))


def _via_the_principal(s: Scene) -> str:
    """The stranger grants to the principal, who delegates to the agent."""
    root = block(s.stranger, s.root(iss=s.stranger.public, sub=s.principal.public))
    return token(root, block(s.principal, s.link(root)))


def _hashes() -> Json:
    consent = [{"svc": [SERVICE]}, {"verbs": ["COMMIT"]}, {"can": [CAPABILITY]}, {"only": HASH}, {"exp": NOW + 600}]

    def grant(s: Scene) -> str:
        return s.grant(caveats=consent)

    other = Asked(proposal={**PROPOSAL, "hash": HASH[::-1]})
    return group(
        "consents and only",
        "6.6-16 6.6-17",
        [
            check("only of this hash", {"only": HASH}, "ok", clauses="6.3-23"),
            check("only of this hash and another", [{"only": HASH}, {"only": "x"}], "forbidden", flags="first-only"),
            check("only of the hash in capitals", {"only": HASH.upper()}, "forbidden", clauses="6.3-23"),
            check("only of another hash and a low limit", _other_only(), "forbidden", flags="only-soft soft-first"),
            check("consent", grant, "ok"),
            check("consent in its last second", grant, "ok", asked=Asked(now=NOW + 599)),
            check("consent when the proposal ends", grant, "forbidden", asked=Asked(now=NOW + 600), flags="boundary"),
            check("consent for another hash", grant, "forbidden", asked=other, flags="only-soft"),
            *(
                check(f"consent on {verb}", grant, "forbidden", asked=Asked(verb=verb), flags="consent-too-wide")
                for verb in ("UNDO", "ASK", "INTENT")
            ),
            check("consent at another service", grant, "forbidden", asked=Asked(service="cal.example")),
            check("consent for another capability", grant, "forbidden", asked=Asked(capability="shop.orders")),
            check("consent of another agent", grant, "unauthorized", asked=Asked(proof_key=SUBAGENT.public)),
        ],
    )


def _other_only() -> list[Json]:
    return [{"each": {"of": "spend", "max": 0, "unit": "USD"}}, {"only": "x"}]


def _mixes() -> Json:
    soft, hard = {"risk": "low"}, {"can": ["cal.*"]}
    asked = Asked(proposal={**PROPOSAL, "risk": "high"})
    over = {"each": {"of": "emails", "max": 0}}
    return group(
        "which failure wins",
        "6.6-07",
        [
            check("two soft failures", [soft, over], "consent_required", asked=asked),
            check("soft and then hard", [soft, hard], "forbidden", asked=asked, flags="soft-first"),
            check("hard and then soft", [hard, soft], "forbidden", asked=asked, flags="soft-first"),
            check(
                "soft in the root and hard in a child",
                lambda s: token(*s.chain((soft,), (hard,))),
                "forbidden",
                asked=asked,
                flags="soft-first last-block-only",
            ),
            check(
                "hard in the root and soft in a child",
                lambda s: token(*s.chain((hard,), (soft,))),
                "forbidden",
                asked=asked,
                flags="soft-first last-block-only",
            ),
            check(
                "soft, and an exp that has passed", [soft, {"exp": NOW}], "forbidden", asked=asked, flags="soft-first"
            ),
            check("soft, and an unknown caveat", [soft, {"zone": 1}], "forbidden", asked=asked, flags="soft-first"),
            check("soft, and holder of another", _others(soft), "unauthorized", asked=asked, flags="forbidden-first"),
            check("same soft caveat twice", [soft, soft], "consent_required", asked=asked),
            check("same good caveat twice", [{"risk": "high"}, {"risk": "high"}], "ok", asked=asked),
        ],
    )


def _others(caveat: Json) -> Any:
    return lambda s: s.grant(caveat, sub=s.friend.public)


def _oddities() -> Json:
    strings = [{"svc": [SERVICE, "1.0", "1e3", "-0"]}]

    def nested(depth: int) -> Any:
        caveat: Any = 1
        for _ in range(depth):
            caveat = [caveat]
        return {"zone": caveat}

    return group(
        "strings that look like numbers, and depth",
        "6.2-18",
        [
            check("nonce that looks like a decimal", lambda s: s.grant(nonce="1.0"), "ok", flags="number-spelling"),
            check("nonce that looks like json", lambda s: s.grant(nonce='":1.0,"a":-0'), "ok", flags="number-spelling"),
            check("strings that look like numbers", strings, "ok", flags="number-spelling"),
            check("negative integer", {"nbf": -1790000000}, "ok", flags="number-spelling"),
            check("unknown caveat 30 deep", nested(30), "forbidden", clauses="6.3-02"),
            check(
                "unknown caveat 300 deep",
                nested(300),
                "forbidden",
                "unauthorized",
                comment="a reader may limit depth (RFC 8259, 9) and refuse the token",
                flags="recursion",
                clauses="6.3-02",
            ),
        ],
    )


def make() -> Json:
    """The file."""
    own = [
        _chains(),
        _broken_chains(),
        _trust(),
        *caveats.groups(),
        *limits.groups(),
        *totals.groups(),
        _hashes(),
        _mixes(),
        _oddities(),
    ]
    return document("grant.check", "6.2, 6.3, 6.4, 6.6", [*own, *recipe_groups(own)], NOTES)
