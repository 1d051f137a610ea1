"""proof.sign and proof.verify: what a proof signs, and what does not verify (YEA 6.5; 6.1 for spellings).

Most wrong proofs are the recipes that the wire checks use, signed here with fixed keys.
"""

from collections.abc import Sequence
from typing import Any

from harness.recipes import proofs as recipes
from tests.vectors.generators.documents import Json, case, document, group, ok, spelled, unlike
from tests.vectors.generators.second import AGENT, NOW, PRINCIPAL, SUBAGENT, Key, b64url, canonical, unb64url

AUD, CAPABILITY = "shop.example", "shop.order"
HASH = "Yb3Zk0nM9-q1x_Uu7b2y5fVtJ8aQ4cL6dE0gH1iS2kA"
# The order of the group of Ed25519's base point (RFC 8032, 5.1).
ORDER = 2**252 + 27742317777372353535851937790883648493

ROWS = (
    ("COMMIT", HASH, "6.5-01", "the proposal hash"),
    ("UNDO", "r_91", "6.5-01", "the receipt id"),
    ("ASK", CAPABILITY, "6.5-01", "the capability"),
    ("INTENT", CAPABILITY, "6.5-01", "the capability"),
    ("INTENT", f"auto:{CAPABILITY}:f_8Kc01Zq", "6.5-01 4.3.1-20", "auto, the capability and the frame id"),
    ("EXPAND", "h_3kd", "6.5-01", "the handle"),
)
ROW_FLAGS = "member-order extra-members hashed-first padded"
SIGN_NOTES = {
    "member-order": ("signs the members in another order, or with blanks", "6.5-01"),
    "ts-as-text": ("signs ts as a string", "6.5-01"),
    "extra-members": ("signs the key too", "6.5-01"),
    "no-aud": ("leaves the audience out, or folds it", "6.5-01 6.5-02"),
    "joined": ("signs a joined text, no JSON", "6.5-01"),
    "hashed-first": ("signs the hash of the text", "6.5-01"),
    "ascii-only": ("escapes what is not ASCII before signing", "6.5-01 10-07"),
    "padded": ("writes the signature with padding or with + and /", "6.1-02 6.1-08"),
}
VERIFY_NOTES = {
    "aud-unchecked": ("does not bind the audience", "6.5-02"),
    "verb-unchecked": ("does not bind the verb, or compares it without regard to case", "6.5-03"),
    "ts-unchecked": ("does not bind ts", "6.5-04"),
    "target-unchecked": ("does not bind the target", "6.5-01"),
    "lenient-base64": ("accepts several spellings of a signature or key", "6.1-03 6.1-04 6.1-05"),
    "scheme-unchecked": ("does not look at ed25519:", "6.1-01"),
    "length-lenient": ("cuts a key or signature that is too long, or fills a short one", "6.1-02 6.1-07"),
    "raises": ("accepts what its library cannot read", "6.1-07"),
    "malleable": ("accepts a second signature that anyone can compute", "6.1-02"),
    "member-order": ("verifies another text than the canonical one", "6.5-01"),
}


def payload(aud: str, verb: str, target: str, ts: int) -> bytes:
    """What a proof signs, by the second hand."""
    return canonical({"aud": aud, "verb": verb, "target": target, "ts": ts}).encode()


def _signed(name: str, verb: str, target: str, *, signer: Key = AGENT, **options: Any) -> Json:
    aud, ts = options.pop("aud", AUD), options.pop("ts", NOW)
    arguments = {"seed": signer.seed, "aud": aud, "verb": verb, "target": target, "ts": ts}
    answer = ok(key=signer.public, sig=signer.sign(payload(aud, verb, target, ts)))
    return case("proof.sign", name, arguments, answer, **options)


def _row_name(verb: str, target: str) -> str:
    return f"{verb} with auto" if target.startswith("auto:") else verb


def sign_document() -> Json:
    """The file of proof.sign."""
    rows = [
        _signed(_row_name(verb, target), verb, target, comment=f"over {words}", flags=ROW_FLAGS, clauses=clauses)
        for verb, target, clauses, words in ROWS
    ]
    texts = [
        _signed("ts 0", "ASK", CAPABILITY, ts=0, flags="ts-as-text"),
        _signed("ts largest", "ASK", CAPABILITY, ts=2**53 - 1, flags="ts-as-text"),
        _signed("aud in capitals", "ASK", CAPABILITY, aud="Shop.Example", flags="no-aud"),
        _signed("aud not ascii", "ASK", CAPABILITY, aud="café.example", flags="ascii-only no-aud"),
        _signed("target not ascii", "UNDO", "r_日本😀\u2028", flags="ascii-only"),
        _signed("target with escapes", "EXPAND", 'h_"\\\n\x01\x7f/', flags="joined member-order"),
        _signed("target with colons", "INTENT", "auto:a:b:c", flags="joined"),
        _signed("target with blanks", "INTENT", "  a  ", comment="nothing is trimmed"),
        _signed("auto frame id not ascii", "INTENT", "auto:a.b:é", flags="ascii-only", clauses="4.3.1-20"),
        _signed("principal signs", "COMMIT", HASH, signer=PRINCIPAL, comment="any key can prove that it is held"),
    ]
    groups = [
        group("rows of the target table", "6.5-01 6.1-02 6.1-08", rows),
        group("texts and times", "6.5-01", texts),
    ]
    return document("proof.sign", "6.5", groups, SIGN_NOTES)


def _verified(name: str, proof: Json, valid: bool, *, aud: str, verb: str, target: str, **options: Any) -> Json:
    arguments = {"key": proof["key"], "sig": proof["sig"], "aud": aud, "verb": verb, "target": target}
    return case("proof.verify", name, {**arguments, "ts": proof["ts"]}, ok(valid=valid), **options)


def _stage(verb: str, target: str) -> Any:
    others = {
        "the proposal's id": "p_7Hc2",
        "the proposal's hash": HASH,
        "the capability": CAPABILITY,
        "another hash": "Z" + HASH[1:],
        "another capability": "shop.orders",
        "the name with auto before it": f"auto:{CAPABILITY}",
        "nothing": "",
    }
    agent: Any = AGENT
    other: Any = SUBAGENT
    return recipes.Stage(AUD, verb, target, NOW, agent, other, others)


def _recipes(
    table: Sequence[recipes.ProofRecipe], verb: str, target: str, flags: str, *, suffix: str = "", clauses: str = ""
) -> list[Json]:
    """A case for each recipe that fits the verb, with its own clause if `clauses` names none."""
    stage = _stage(verb, target)
    return [
        _verified(
            recipe.name.removeprefix("a proof ").removeprefix("whose ") + suffix,
            recipe.make(stage),
            False,
            aud=AUD,
            verb=verb,
            target=target,
            flags=flags,
            clauses=clauses or recipe.clause.removeprefix("YEA-"),
        )
        for recipe in table
        if verb in recipe.verbs
    ]


def _good() -> list[Json]:
    rows = []
    for verb, target, clauses, words in ROWS:
        proof = _stage(verb, target).proof()
        name = f"right {_row_name(verb, target)}"
        rows.append(_verified(name, proof, True, aud=AUD, verb=verb, target=target, comment=words, clauses=clauses))
    old = _stage("ASK", CAPABILITY).proof(ts=0)
    text = 'r_"é😀\n\u2028'
    return [
        *rows,
        _verified("right at ts 0", old, True, aud=AUD, verb="ASK", target=CAPABILITY, comment="no clock is asked"),
        _verified("right over any text", _stage("UNDO", text).proof(), True, aud=AUD, verb="UNDO", target=text),
    ]


def _other_texts() -> list[Json]:
    """Signatures over another text that says the same."""
    plain = payload(AUD, "ASK", CAPABILITY, NOW).decode()
    made: tuple[tuple[str, str], ...] = (
        ("with blanks", plain.replace(":", ": ").replace(",", ", ")),
        (
            "in the order of the spec's example",
            f'{{"aud":"{AUD}","verb":"ASK","target":"{CAPABILITY}","ts":{NOW}}}',
        ),
        ("with ts as a string", plain.replace(str(NOW), f'"{NOW}"')),
        ("with ts as a decimal", plain.replace(str(NOW), f"{NOW}.0")),
        ("without aud", plain.replace(f'"aud":"{AUD}",', "")),
        ("with the key besides", plain.replace('"target"', f'"key":"{AGENT.public}","target"')),
        ("joined by colons", f"{AUD}:ASK:{CAPABILITY}:{NOW}"),
        ("and a newline", plain + "\n"),
    )
    return [
        _verified(
            f"signed over a text {words}",
            {"key": AGENT.public, "ts": NOW, "sig": AGENT.sign(text.encode())},
            False,
            aud=AUD,
            verb="ASK",
            target=CAPABILITY,
            flags="member-order",
        )
        for words, text in made
    ]


def _targets() -> list[Json]:
    auto = f"auto:{CAPABILITY}:f_1"
    signed: tuple[tuple[str, str, str], ...] = (
        ("plain INTENT proof for an auto one", auto, CAPABILITY),
        ("auto proof for a plain INTENT", CAPABILITY, auto),
        ("auto proof of another frame", f"auto:{CAPABILITY}:f_2", auto),
        ("auto proof of another capability", "auto:shop.tip:f_1", auto),
    )
    options = {"aud": AUD, "verb": "INTENT", "flags": "target-unchecked", "clauses": "4.3.1-20 6.5-01"}
    made = [
        _verified(name, _stage("INTENT", over).proof(), False, target=target, **options)
        for name, target, over in signed
    ]
    tables = (
        (recipes.COMMIT_TARGETS, "COMMIT", HASH),
        (recipes.UNDO_TARGETS, "UNDO", "r_91"),
        (recipes.NAME_TARGETS, "ASK", CAPABILITY),
    )
    for table, verb, target in tables:
        suffix = f" for {verb}"
        made += _recipes(table, verb, target, "target-unchecked", suffix=suffix, clauses="6.5-01")
    return made


def _malleable() -> Json:
    """S + L: the same signature to a verifier that does not look at the range of S (RFC 8032, 5.1.7)."""
    proof = _stage("ASK", CAPABILITY).proof()
    data = unb64url(proof["sig"])
    scalar = int.from_bytes(data[32:], "little") + ORDER
    sig = b64url(data[:32] + scalar.to_bytes(32, "little"))
    words = "S + L; a new block id with fresh totals, if it were accepted"
    more = {"comment": words, "basis": "open", "question": "YEA-Q62", "flags": "malleable"}
    wrong = {**proof, "sig": sig}
    return _verified("signature with the order added", wrong, False, aud=AUD, verb="ASK", target=CAPABILITY, **more)


def verify_document() -> Json:
    """The file of proof.verify."""
    says, signers, respelt = recipes.SAYS_OTHERWISE, recipes.WRONG_SIGNERS, recipes.SPELLED_OTHERWISE
    by_clause = {
        "6.5-02": ("another audience", "aud-unchecked"),
        "6.5-03": ("another verb", "verb-unchecked"),
        "6.5-04": ("another time", "ts-unchecked"),
    }
    texts = _other_texts()
    groups = [group("right proofs", "6.5-01 6.1-02", _good()), group("other texts", "6.5-01", texts)]
    made = {spelled(each["input"]) for each in texts}
    for clause, (words, flag) in by_clause.items():
        table = [recipe for recipe in says if recipe.clause == f"YEA-{clause}"]
        groups.append(group(words, clause, unlike(_recipes(table, "ASK", CAPABILITY, flag), made)))
    groups += [
        group("another target", "6.5-01", _targets()),
        group(
            "another signer",
            "6.1-02",
            [*_recipes(signers, "ASK", CAPABILITY, "raises", clauses="6.1-02"), _malleable()],
        ),
        group("spelled otherwise", "", unlike(_recipes(respelt, "ASK", CAPABILITY, "lenient-base64"), set())),
        group(
            "of another shape", "", _recipes(recipes.MISSHAPEN, "ASK", CAPABILITY, "length-lenient scheme-unchecked")
        ),
        group("no point on the curve", "6.1-07", [_no_point()]),
    ]
    return document("proof.verify", "6.5, 6.1", groups, VERIFY_NOTES)


def _no_point() -> Json:
    """2 is no y coordinate of a point on the curve, so these 32 bytes are no key."""
    proof = {**_stage("ASK", CAPABILITY).proof(), "key": "ed25519:" + b64url(b"\x02" + bytes(31))}
    return _verified("key that is no point", proof, False, aud=AUD, verb="ASK", target=CAPABILITY, flags="raises")
