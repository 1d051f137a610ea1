"""grant.issue, grant.delegate and grant.block_ids: blocks, tokens and ids (YEA 6.2)."""

import itertools
from typing import Any

from tests.vectors.generators.documents import Json, case, document, group, ok, refused
from tests.vectors.generators.second import (
    AGENT,
    FRIENDS,
    NOW,
    PRINCIPAL,
    SUBAGENT,
    Key,
    b64url,
    canonical,
    compact,
    digest,
    signed,
    text_token,
    token,
)

CAVEATS: list[Any] = [{"svc": ["shop.example"]}, {"exp": NOW + 3600}]
ALL: list[Any] = [
    {"svc": ["shop.example", "cal.example"]},
    {"verbs": ["ASK", "COMMIT"]},
    {"can": ["shop.*", "calendar.find"]},
    {"exp": NOW + 3600},
    {"nbf": NOW},
    {"each": {"of": "spend", "max": 5000, "scale": 2, "unit": "USD"}},
    {"total": {"of": "emails", "max": 3}},
    {"risk": "medium"},
    {"only": digest("x")},
]
SHARED_NOTES = {
    "unsorted": ("signs or encodes members in another order than the canonical one", "6.2-02 6.2-17"),
    "caveats-reread": ("loses, sorts or corrects caveats", "6.2-02"),
    "ascii-only": ("escapes what is not ASCII", "6.2-02 10-07"),
    "fractions": ("signs fractions", "6.2-11"),
    "replaced": ("replaces a lone surrogate by U+FFFD", "6.2-12 10-10"),
}
PADDED = ("writes the token with padding or with + and /", "6.2-17 6.1-08")
ISSUE_NOTES = {
    **SHARED_NOTES,
    "padded": PADDED,
    "no-nonce": ("leaves the nonce or iat out, or makes its own", "6.2-03"),
    "signed-text": ("signs the hash, or a text with blanks", "6.2-02"),
}
DELEGATE_NOTES = {
    **SHARED_NOTES,
    "padded": PADDED,
    "prev-of-bytes": ("hashes the bytes of the signature, or the payload, for prev", "6.2-05"),
    "prev-of-root": ("links to the root whatever the last block is", "6.2-05"),
    "root-shape": ("writes iss or nonce into a delegation", "6.2-04"),
    "lenient-token": ("extends a token that no decoder accepts", "6.2-18 6.2-19 6.4-01 6.1-03 6.1-05"),
    "rewrites": ("changes the blocks before it", "6.2-04"),
}
ID_NOTES = {
    "bytes-hashed": ("hashes the bytes of the signature", "6.2-20"),
    "payload-hashed": ("hashes the payload or the whole block", "6.2-20"),
    "hex": ("writes hex", "6.2-20"),
    "last-block-names-it": ("takes the last block's id for the grant's", "6.2-21"),
    "padded": ("writes padding", "6.2-20"),
    "reversed": ("lists the last block first", "6.2-20"),
}


def root(
    caveats: list[Any], *, sub: Key = AGENT, iat: int = NOW, nonce: str = "n0nce", signer: Key = PRINCIPAL
) -> Json:
    """A root block."""
    payload = {"iss": signer.public, "sub": sub.public, "caveats": caveats, "iat": iat, "nonce": nonce}
    return signed(signer, payload)


def link(before: Json, signer: Key, sub: Key, caveats: list[Any], *, iat: int = NOW) -> Json:
    """A delegation block after another."""
    return signed(signer, {"prev": digest(before["s"]), "sub": sub.public, "caveats": caveats, "iat": iat})


def _issued(name: str, caveats: list[Any], text: str | None = None, **options: Any) -> Json:
    signer, iat = options.pop("signer", PRINCIPAL), options.pop("iat", NOW)
    nonce = options.pop("nonce", "n0nce")
    arguments = _issue(compact(caveats) if text is None else text, signer=signer, iat=iat, nonce=nonce)
    made = token(root(caveats, iat=iat, nonce=nonce, signer=signer))
    answers = (ok(token=made), refused()) if options.pop("lenient", False) else (ok(token=made),)
    return case("grant.issue", name, arguments, *answers, **options)


def _issue(caveats: str, *, signer: Key = PRINCIPAL, iat: int = NOW, nonce: str = "n0nce") -> Json:
    return {"seed": signer.seed, "sub": AGENT.public, "caveats": caveats, "iat": iat, "nonce": nonce}


def _not_issued(name: str, caveats: str, **options: Any) -> Json:
    return case("grant.issue", name, _issue(caveats), refused(), **options)


def issue_document() -> Json:
    """The file of grant.issue."""
    deep = [{"x": [{"b": {"y": [1], "a": None}, "a": [True, {}]}]}]
    spaced = '[ {"svc" : [ "shop.example" ] } ,\n {"exp":1790003600} ]'
    good = [
        _issued("two caveats", CAVEATS, flags="unsorted no-nonce signed-text"),
        _issued("no caveats", [], comment="grants everything until the end of time"),
        _issued("every caveat", ALL, flags="caveats-reread"),
        _issued("caveats twice and in another order", [CAVEATS[1], CAVEATS[0], CAVEATS[1]], flags="caveats-reread"),
        _issued("blanks in the caveats", CAVEATS, spaced, comment="the text is read, not copied", flags="unsorted"),
        _issued("limit members in another order", [ALL[5]], compact([_backwards(ALL[5])]), flags="unsorted"),
        _issued("unknown caveat", deep, comment="signed as it is, or refused", flags="unsorted", lenient=True),
        _issued("names not ascii", [{"svc": ["café.example"]}, {"can": ["日本.*", "😀"]}], flags="ascii-only"),
        _issued("nonce not ascii", CAVEATS, nonce='é"\\\n\x01\u2028', flags="ascii-only"),
        _issued("iat 0", CAVEATS, iat=0, flags="no-nonce"),
        _issued("iat largest", CAVEATS, iat=2**53 - 1),
        _issued("negative integers", [{"nbf": -5}], comment="an integer like any other"),
        _issued("agent issues", CAVEATS, signer=SUBAGENT, comment="whether it is trusted is the service's business"),
        _issued("token of - and _", CAVEATS, nonce="???>>>~~~", flags="padded"),
    ]
    spelled = [
        _issued(
            "exp 1790003600-0", CAVEATS, compact(CAVEATS).replace("3600", "3600.0"), question="YEA-Q28", lenient=True
        ),
        _issued("nbf minus zero", [{"nbf": 0}], '[{"nbf":-0}]', question="YEA-Q28", lenient=True),
    ]
    bad = [
        _not_issued("exp with a fraction", '[{"exp":1790003600.5}]', flags="fractions", clauses="6.2-11"),
        _not_issued("fraction deep inside", '[{"x":[{"y":0.1}]}]', flags="fractions", clauses="6.2-11"),
        _not_issued("exp 2 to 53", '[{"exp":9007199254740992}]', clauses="6.2-11"),
        _not_issued("lone surrogate", '[{"svc":["a\\ud800"]}]', flags="replaced", clauses="6.2-12 10-10"),
        _not_issued("lone surrogate in a name", '[{"\\udc00":1}]', flags="replaced", clauses="6.2-12 10-10"),
    ]
    groups = [
        group("roots", "6.2-02 6.2-03 6.2-17", good),
        group("whole numbers spelled otherwise", "6.2-17", spelled),
        group("caveats without a canonical form", "", bad),
    ]
    return document("grant.issue", "6.2", groups, ISSUE_NOTES)


def _backwards(caveat: Json) -> Json:
    return {name: dict(reversed(value.items())) for name, value in caveat.items()}


def chain(length: int) -> list[Json]:
    """A good chain of this many blocks, from the principal over the friends to the agent."""
    holders = [*FRIENDS[: length - 1], AGENT]
    blocks = [root(CAVEATS, sub=holders[0])]
    for signer, holder in itertools.pairwise(holders):
        blocks.append(link(blocks[-1], signer, holder, [{"can": ["*"]}]))
    return blocks


def _delegated(name: str, blocks: list[Json], caveats: list[Any], **options: Any) -> Json:
    sub, iat = options.pop("sub", SUBAGENT), options.pop("iat", NOW)
    arguments = _delegate(token(*blocks), compact(caveats), sub=sub, iat=iat)
    answer = ok(token=token(*blocks, link(blocks[-1], AGENT, sub, caveats, iat=iat)))
    return case("grant.delegate", name, arguments, answer, **options)


def _delegate(made: str, caveats: str, *, sub: Key = SUBAGENT, iat: int = NOW) -> Json:
    return {"token": made, "seed": AGENT.seed, "sub": sub.public, "caveats": caveats, "iat": iat}


def _not_delegated(name: str, made: str, caveats: str = "[]", **options: Any) -> Json:
    return case("grant.delegate", name, _delegate(made, caveats), refused(), **options)


def delegate_document() -> Json:
    """The file of grant.delegate."""
    one, good = chain(1), token(*chain(1))
    unused = next(t for t in (token(root(CAVEATS, nonce="n" * n)) for n in range(3)) if (len(t) - 4) % 4 == 3)
    decimal = text_token(canonical(one).replace(f'"iat":{NOW}', f'"iat":{NOW}.0'))
    delegations = [
        _delegated("after a root", one, [{"can": ["shop.find"]}], flags="prev-of-bytes root-shape unsorted"),
        _delegated("no caveats", one, [], comment="passes on all that it has"),
        _delegated("after a delegation", chain(2), [{"verbs": ["ASK"]}], flags="prev-of-root rewrites"),
        _delegated("after nine delegations", chain(10), [{"nbf": NOW}], flags="prev-of-root rewrites"),
        _delegated("to itself", one, [{"risk": "low"}], sub=AGENT),
        _delegated("wider than before", one, [{"can": ["*"]}], comment="added as it is; it widens nothing"),
        _delegated("every caveat", one, ALL, flags="caveats-reread"),
        _delegated("names not ascii", one, [{"can": ["日本.*"]}], flags="ascii-only"),
        _delegated("token of - and _", one, [{"svc": ["???>>>~~~", "????>>>>~~~~", "?>?>?>"]}], flags="padded"),
        _delegated("iat before the root's", one, [], iat=5, flags="rewrites"),
    ]
    uncanonical = [
        _not_delegated("exp with a fraction", good, '[{"exp":1.5}]', flags="fractions", clauses="6.2-11"),
        _not_delegated("lone surrogate", good, '[{"only":"\\ud800"}]', flags="replaced", clauses="6.2-12 10-10"),
    ]
    unreadable = [
        _not_delegated("token without its prefix", good[4:], flags="lenient-token", clauses="6.4-01"),
        _not_delegated("token of another version", "pg2." + good[4:], flags="lenient-token", clauses="6.4-01"),
        _not_delegated("token padded", unused + "=", flags="lenient-token", clauses="6.1-03"),
        _not_delegated("token with an unused bit", _unused_bit(unused), flags="lenient-token", clauses="6.1-05"),
        _not_delegated("token that spells iat as a decimal", decimal, flags="lenient-token", clauses="6.2-18"),
        _not_delegated("token of no blocks", text_token("[]"), flags="lenient-token", clauses="6.2-01"),
        _not_delegated("token of no JSON", text_token("grant"), flags="lenient-token", clauses="6.2-19"),
    ]
    groups = [
        group("delegations", "6.2-04 6.2-05 6.2-15 6.2-17", delegations),
        group("caveats without a canonical form", "", uncanonical),
        group("tokens that do not decode", "", unreadable),
    ]
    return document("grant.delegate", "6.2", groups, DELEGATE_NOTES)


def _unused_bit(made: str) -> str:
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return made[:-1] + alphabet[alphabet.index(made[-1]) | 1]


def _ids(name: str, blocks: list[Json], **options: Any) -> Json:
    answer = ok(ids=[digest(block["s"]) for block in blocks])
    return case("grant.block_ids", name, {"token": token(*blocks)}, answer, **options)


def _no_ids(name: str, made: str, **options: Any) -> Json:
    return case("grant.block_ids", name, {"token": made}, refused(), **options)


def _with_signs() -> list[Json]:
    """A root whose id has both characters that base64 writes otherwise."""
    roots = (root(CAVEATS, nonce=str(number)) for number in range(10_000))
    return [next(made for made in roots if {"-", "_"} <= set(digest(made["s"])))]


def ids_document() -> Json:
    """The file of grant.block_ids."""
    one = chain(1)
    delegated = [*one, link(one[0], AGENT, SUBAGENT, [])]
    good = token(*one)
    made = [
        _ids("root", one, flags="bytes-hashed payload-hashed hex"),
        _ids("id of - and _", _with_signs(), flags="padded"),
        _ids("root of another nonce", [root(CAVEATS, nonce="other")], comment="another grant, another id"),
        _ids("no caveats", [root([])]),
    ]
    chains = [
        _ids("root and a delegation", delegated, comment="the root keeps its id", flags="last-block-names-it reversed"),
        _ids("three blocks", chain(3), flags="reversed"),
        _ids("ten blocks", chain(10)),
    ]
    unreadable = [
        _no_ids("without the prefix", good[4:], clauses="6.4-01"),
        _no_ids("padded", token(root(CAVEATS, nonce=_nonce_that_pads())) + "=", clauses="6.1-03"),
        _no_ids("no blocks", text_token("[]"), clauses="6.2-01"),
        _no_ids("no list", text_token(canonical(one)[1:-1]), clauses="6.2-19"),
        _no_ids("no UTF-8", "pg1." + b64url(b"\xff[]"), clauses="6.2-19"),
        _no_ids("block without a signature", text_token('[{"p":{}}]'), clauses="6.2-07"),
    ]
    groups = [
        group("ids of roots", "6.2-20", made),
        group("ids along a chain", "6.2-20 6.2-21", chains),
        group("tokens that do not decode", "", unreadable),
    ]
    return document("grant.block_ids", "6.2", groups, ID_NOTES)


def _nonce_that_pads() -> str:
    return next("n" * n for n in range(3) if (len(token(root(CAVEATS, nonce="n" * n))) - 4) % 4 == 3)
