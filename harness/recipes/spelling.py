"""Other spellings of one value: base64url that is not canonical (YEA 6.1), and tokens that do not decode (6.2, 6.4).

Each spelling stands for the same bytes to a lenient reader. That is why it matters: a respelt signature would be a
new block id, and with it a fresh total.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.recipes.recipe import Recipe
from harness.recipes.scene import PREFIX, Block, Scene, block, text_token, token, token_text
from reference.yea import b64url

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
STANDARD = str.maketrans("-_", "+/")


def unused_bit(text: str) -> str:
    """Return base64url with one unused bit of its last character set; the text has such bits."""
    if len(text) % 4 not in (2, 3):
        raise ValueError("the last character has no unused bits")
    return text[:-1] + ALPHABET[ALPHABET.index(text[-1]) | 1]


ORDER = 2**252 + 27742317777372353535851937790883648493  # of Ed25519's group (RFC 8032)


def second_signature(text: str) -> str:
    """Return another signature that satisfies the same equation: S has the group's order added to it (YEA-Q62).

    RFC 8032 refuses it; a library that does not would take it for another block.
    """
    data = b64url.decode(text)
    scalar = int.from_bytes(data[32:], "little") + ORDER
    return b64url.encode(data[:32] + scalar.to_bytes(32, "little"))


def otherwise(text: str) -> str:
    """Return base64url of the same length that differs in its first character."""
    return ("A" if text[0] != "A" else "B") + text[1:]


@dataclass(frozen=True)
class Spelling:
    """A way to write base64url otherwise: a name, the clause against it, and how."""

    name: str
    clause: str
    write: Callable[[str], str]


SPELLINGS = (
    Spelling("padding", "YEA-6.1-03", lambda text: text + "=" * (-len(text) % 4)),
    Spelling("one = at the end", "YEA-6.1-03", lambda text: text + "="),
    Spelling("a line break at the end", "YEA-6.1-04", lambda text: text + "\n"),
    Spelling("a space inside", "YEA-6.1-04", lambda text: f"{text[:8]} {text[8:]}"),
    Spelling("+ and / for - and _", "YEA-6.1-04", lambda text: text.translate(STANDARD)),
    Spelling("an unused bit set", "YEA-6.1-05", unused_bit),
)


def respelt_key(key: str, spelling: Spelling) -> str:
    """Return a public key with its base64url spelt otherwise."""
    scheme, colon, text = key.partition(":")
    return scheme + colon + spelling.write(text)


def has_both_alphabets(text: str) -> bool:
    """Whether a text holds a character that standard base64 writes otherwise."""
    return "-" in text or "_" in text


def spellable_root(scene: Scene, *caveats: Any) -> Block:
    """Return a good root block that every spelling changes, in its signature and in its token.

    Plain ASCII gives base64url with a `_` only by characters such as `?`, and unused bits only at some lengths.
    """
    pads = itertools.cycle(("", "x", "xx"))
    while True:
        made = block(scene.principal, scene.root(*caveats, nonce=f"{scene.nonce()}???{next(pads)}"))
        if has_both_alphabets(made["s"]) and len(token(made).removeprefix(PREFIX)) % 4:
            return made


def _spellable_block(make: Callable[[], Block]) -> Block:
    made = make()
    while not has_both_alphabets(made["s"]):
        made = make()
    return made


def _token_spelt(spelling: Spelling) -> Recipe:
    def make(scene: Scene) -> str:
        return PREFIX + spelling.write(token(spellable_root(scene)).removeprefix(PREFIX))

    return Recipe(f"a token with {spelling.name}", spelling.clause, make)


def _root_signature_spelt(spelling: Spelling) -> Recipe:
    def make(scene: Scene) -> str:
        root = spellable_root(scene)
        return token({**root, "s": spelling.write(root["s"])})

    return Recipe(f"a root signature with {spelling.name}", spelling.clause, make)


def _last_signature_spelt(spelling: Spelling) -> Recipe:
    def make(scene: Scene) -> str:
        root = scene.root_to_friend()
        made: list[Block] = []

        def link() -> Block:
            made.append(block(scene.friend, scene.link(root, nonce=scene.nonce())))
            return made[-1]

        last = _spellable_block(link)
        return token(root, {**last, "s": spelling.write(last["s"])})

    return Recipe(f"a delegation's signature with {spelling.name}", spelling.clause, make)


def _inner_signature_spelt(spelling: Spelling) -> Recipe:
    """The chain goes on from the respelt signature, so that only its spelling is wrong."""

    def make(scene: Scene) -> str:
        root = _spellable_block(scene.root_to_friend)
        spelt = {**root, "s": spelling.write(root["s"])}
        return token(spelt, block(scene.friend, scene.link(spelt)))

    return Recipe(f"a chain on a root signature with {spelling.name}", spelling.clause, make)


def _inner_key_spelt(spelling: Spelling) -> Recipe:
    def make(scene: Scene) -> str:
        root = block(scene.principal, scene.root(sub=respelt_key(scene.friend.public, spelling)))
        return token(root, block(scene.friend, scene.link(root)))

    return Recipe(f"a middle holder's key with {spelling.name}", spelling.clause, make)


def _holder_key_spelt(spelling: Spelling) -> Recipe:
    def make(scene: Scene) -> str:
        return scene.grant(sub=respelt_key(scene.agent.public, spelling))

    return Recipe(f"its own key as sub with {spelling.name}", spelling.clause, make)


def _issuer_key_spelt(spelling: Spelling) -> Recipe:
    """A respelt issuer is no principal of the proposal either, so forbidden is fair (YEA-Q47)."""

    def make(scene: Scene) -> str:
        return scene.grant(iss=respelt_key(scene.principal.public, spelling))

    return Recipe(f"an issuer's key with {spelling.name}", spelling.clause, make, also=("forbidden",))


TOKEN_SPELLINGS = tuple(_token_spelt(spelling) for spelling in SPELLINGS)
SIGNATURE_SPELLINGS = tuple(
    make(spelling)
    for make in (_root_signature_spelt, _last_signature_spelt, _inner_signature_spelt)
    for spelling in SPELLINGS
)
KEY_SPELLINGS = tuple(
    make(spelling)
    for make in (_inner_key_spelt, _holder_key_spelt, _issuer_key_spelt)
    for spelling in SPELLINGS
    if make is _inner_key_spelt or spelling.name != "+ and / for - and _"  # a key may hold neither sign
)


def _malleable(scene: Scene) -> str:
    root = block(scene.principal, scene.root())
    return token({**root, "s": second_signature(root["s"])})


SECOND_SIGNATURES = (Recipe("a second signature of the same root", "YEA-6.1-02", _malleable),)


def _good_text(scene: Scene) -> str:
    return token_text(scene.grant())


def _prefixed(prefix: str) -> Recipe:
    return Recipe(f"a token that begins {prefix!r}", "YEA-6.4-01", lambda s: prefix + s.grant().removeprefix(PREFIX))


PREFIXES = tuple(map(_prefixed, ("", "pg2.", "PG1.", "pg1", " pg1.", "pg1..", "pg11.")))

UNDECODABLE = (
    Recipe("a token of the empty list", "YEA-6.2-01", lambda s: text_token("[]")),
    Recipe("a token that ends after its prefix", "YEA-6.2-19", lambda s: PREFIX),
    Recipe("an empty string as token", "YEA-6.2-19", lambda s: ""),
    Recipe("a token of other characters", "YEA-6.2-19", lambda s: PREFIX + "!!!"),
    Recipe("a token of one character", "YEA-6.2-19", lambda s: PREFIX + "A"),
    Recipe("a token that is not UTF-8", "YEA-6.2-19", lambda s: text_token(b"\xff")),
    Recipe("a token that is not JSON", "YEA-6.2-19", lambda s: text_token("not json")),
    Recipe("a token that is half a list", "YEA-6.2-19", lambda s: text_token(_good_text(s)[:-1])),
    Recipe("a good token with text after it", "YEA-6.2-19", lambda s: text_token(_good_text(s) + "x")),
    Recipe("a token of an empty object", "YEA-6.2-19", lambda s: text_token("{}")),
    Recipe("a token of a good block outside a list", "YEA-6.2-19", lambda s: text_token(_good_text(s)[1:-1])),
    Recipe("a token of null", "YEA-6.2-19", lambda s: text_token("null")),
    Recipe("a token of a number", "YEA-6.2-19", lambda s: text_token("5")),
    Recipe("a token of a string", "YEA-6.2-19", lambda s: text_token('"x"')),
)


def _spelt_number(name: str, good: Callable[[int], str], odd: Callable[[int], str]) -> Recipe:
    """A good token in which one number is written otherwise, with the signature of the right spelling."""

    def make(scene: Scene) -> str:
        ten = scene.now - scene.now % 10
        text = token_text(scene.grant({"nbf": 0}, iat=ten))
        if text.count(good(ten)) != 1:
            raise ValueError(f"the number {good(ten)} is not there once")
        return text_token(text.replace(good(ten), odd(ten)))

    return Recipe(f"a token that writes {name}", "YEA-6.2-18", make)


NUMBERS = (
    _spelt_number("iat as a decimal (.0)", lambda n: f'"iat":{n}', lambda n: f'"iat":{n}.0'),
    _spelt_number("iat with an exponent (e1)", lambda n: f'"iat":{n}', lambda n: f'"iat":{n // 10}e1'),
    _spelt_number("iat with an exponent (E+1)", lambda n: f'"iat":{n}', lambda n: f'"iat":{n // 10}E+1'),
    _spelt_number("iat with an empty exponent (e0)", lambda n: f'"iat":{n}', lambda n: f'"iat":{n}e0'),
    _spelt_number("a caveat's 0 as -0", lambda n: '"nbf":0', lambda n: '"nbf":-0'),
    _spelt_number("a caveat's 0 as 0.0", lambda n: '"nbf":0', lambda n: '"nbf":0.0'),
    _spelt_number("a caveat's 0 as 0e5", lambda n: '"nbf":0', lambda n: '"nbf":0e5'),
)
