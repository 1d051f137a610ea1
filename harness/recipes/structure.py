"""Malformed blocks (YEA 6.2): everything is signed by the right key, so that only the shape is wrong."""

import json
from collections.abc import Callable
from typing import Any

from harness.recipes.recipe import Recipe
from harness.recipes.scene import (
    DROP,
    Block,
    Scene,
    block,
    block_id,
    loose_text,
    loose_token,
    token,
)
from harness.recipes.spelling import SPELLINGS, respelt_key
from reference.yea import b64url
from reference.yea.keys import KeyPair

FOREIGN_SERVICE = "elsewhere.naysayer.example"


def _root(name: str, clause: str, *caveats: Any, **members: Any) -> Recipe:
    return Recipe(f"a root block {name}", clause, lambda scene: scene.grant(*caveats, **members))


def _link(name: str, clause: str, **members: Any) -> Recipe:
    """The delegation is the friend's, to the agent."""

    def make(scene: Scene) -> str:
        root = scene.root_to_friend()
        return token(root, block(scene.friend, scene.link(root, **members)))

    return Recipe(f"a delegation block {name}", clause, make)


FIELDS = (
    *(_root(f"without {name}", "YEA-6.2-08", **{name: DROP}) for name in ("iss", "sub", "caveats", "iat", "nonce")),
    *(_link(f"without {name}", "YEA-6.2-08", **{name: DROP}) for name in ("prev", "sub", "caveats", "iat")),
    _root("whose nonce is a number", "YEA-6.2-09", nonce=5),
    _root("whose nonce is null", "YEA-6.2-09", nonce=None),
    _root("whose iss is a number", "YEA-6.2-09", iss=5),
    _root("whose sub is a number", "YEA-6.2-09", sub=5),
    _root("whose iat is a string", "YEA-6.2-09", iat="1790000000"),
    _root("whose iat is null", "YEA-6.2-09", iat=None),
    _root("whose iat is true", "YEA-6.2-09", iat=True),
    _root("whose caveats are null", "YEA-6.2-09", caveats=None),
    _root("whose caveats are an empty object", "YEA-6.2-09", caveats={}),
    _root("whose caveats are a string", "YEA-6.2-09", caveats=""),
    _link("whose prev is a number", "YEA-6.2-09", prev=5),
    _link("whose iat is a string", "YEA-6.2-09", iat="1790000000"),
    _link("whose iat is null", "YEA-6.2-09", iat=None),
    _link("whose caveats are null", "YEA-6.2-09", caveats=None),
    _link("whose caveats are an object", "YEA-6.2-09", caveats={}),
)


def _signed(name: str, payload: Any) -> Recipe:
    """A last block whose payload is no object; the friend signs it, as it would sign a good one."""

    def make(scene: Scene) -> str:
        return token(scene.root_to_friend(), block(scene.friend, payload))

    return Recipe(f"a last block whose payload is {name}", "YEA-6.2-06", make)


def _tail(name: str, element: Any) -> Recipe:
    def make(scene: Scene) -> str:
        return token(block(scene.principal, scene.root()), element)

    return Recipe(f"a good block and then {name}", "YEA-6.2-06", make)


def _only(name: str, element: Any) -> Recipe:
    return Recipe(f"a list of {name} as token", "YEA-6.2-06", lambda scene: token(element))


BLOCKS = (
    *(_only(name, element) for name, element in (("null", None), ("an empty list", []), ("a string", "x"))),
    _only("an empty object", {}),
    *(_tail(name, element) for name, element in (("null", None), ("an empty list", []), ("a string", "x"))),
    *(_signed(name, payload) for name, payload in (("an empty list", []), ("a string", "x"), ("null", None))),
)


def _signature(name: str, spoil: Callable[[str], Any]) -> Recipe:
    def make(scene: Scene) -> str:
        root = block(scene.principal, scene.root())
        spoilt = spoil(root["s"])
        return token({"p": root["p"]} if spoilt is DROP else {"p": root["p"], "s": spoilt})

    return Recipe(f"a block whose signature is {name}", "YEA-6.2-07", make)


def _inner_signature(name: str, spoil: Callable[[str], Any]) -> Recipe:
    """The chain goes on from the spoilt text, so that nothing else is wrong."""

    def make(scene: Scene) -> str:
        root = scene.root_to_friend()
        spoilt = {"p": root["p"], "s": spoil(root["s"])}
        return token(spoilt, block(scene.friend, scene.link(spoilt)))

    return Recipe(f"a first block whose signature is {name}", "YEA-6.2-07", make)


def cut_to(text: str, size: int) -> str:
    """Return base64url of the first `size` bytes, or of all and zeros after them."""
    return b64url.encode(b64url.decode(text)[:size].ljust(size, b"\0"))


SIGNATURES = (
    _signature("missing", lambda s: DROP),
    _signature("null", lambda s: None),
    _signature("a number", lambda s: 5),
    _signature("empty", lambda s: ""),
    _signature("in a list", lambda s: [s]),
    _signature("63 bytes long", lambda s: cut_to(s, 63)),
    _signature("65 bytes long", lambda s: cut_to(s, 65)),
    _inner_signature("empty", lambda s: ""),
    _inner_signature("63 bytes long", lambda s: cut_to(s, 63)),
    _inner_signature("65 bytes long", lambda s: cut_to(s, 65)),
)


def _middle(name: str, spell: Callable[[str], str], clause: str = "YEA-6.2-10") -> Recipe:
    def make(scene: Scene) -> str:
        root = block(scene.principal, scene.root(sub=spell(scene.friend.public)))
        return token(root, block(scene.friend, scene.link(root)))

    return Recipe(f"a middle holder that is {name}", clause, make)


def _last(name: str, spell: Callable[[str], str], clause: str = "YEA-6.2-10") -> Recipe:
    return Recipe(f"a holder that is {name}", clause, lambda s: s.grant(sub=spell(s.agent.public)))


def key_of(key: str, size: int) -> str:
    """Return a public key cut, or filled with zeros, to `size` bytes."""
    scheme, colon, text = key.partition(":")
    return scheme + colon + cut_to(text, size)


HOLDERS = (
    _last("a name", lambda key: "bob"),
    _last("empty", lambda key: ""),
    _last("a key without its scheme", lambda key: key.removeprefix("ed25519:")),
    _last("a key whose scheme is in capitals", lambda key: key.replace("ed25519", "ED25519")),
    _last("padded", lambda key: respelt_key(key, SPELLINGS[0])),
    _middle("a name", lambda key: "bob"),
    _middle("a key without its scheme", lambda key: key.removeprefix("ed25519:")),
    _middle("padded", lambda key: respelt_key(key, SPELLINGS[0])),
    _last("a key of 31 bytes", lambda key: key_of(key, 31), "YEA-6.1-07"),
    _last("a key of 33 bytes", lambda key: key_of(key, 33), "YEA-6.1-07"),
    _middle("a key of 31 bytes", lambda key: key_of(key, 31), "YEA-6.1-07"),
    _middle("a key of 33 bytes", lambda key: key_of(key, 33), "YEA-6.1-07"),
)


def _loose(name: str, clause: str, payload: Callable[[Scene], Any], *, replaced: bool = False) -> Recipe:
    signed = " and signed with U+FFFD for it" if replaced else ""
    return Recipe(f"{name}{signed}", clause, lambda s: loose_token(s.principal, payload(s), replaced=replaced))


def _beside_the_scope(caveat: Callable[[Scene], Any]) -> Callable[[Scene], Any]:
    return lambda scene: scene.root(caveat(scene))


FRACTIONS = (
    _loose("an exp with a fraction", "YEA-6.2-11", _beside_the_scope(lambda s: {"exp": s.now + 3600.5})),
    _loose("an nbf with a fraction", "YEA-6.2-11", _beside_the_scope(lambda s: {"nbf": s.now - 0.5})),
    _loose("a fraction in a limit", "YEA-6.2-11", _beside_the_scope(lambda s: {"each": {"of": "zz", "max": 1.5}})),
    _loose("an unknown member that is a fraction", "YEA-6.2-11", lambda s: s.root(note=1.5)),
    _loose("a fraction deep inside an unknown member", "YEA-6.2-11", lambda s: s.root(note=[{"a": [0.5]}])),
    _loose("an iat with a fraction", "YEA-6.2-11", lambda s: s.root(iat=s.now - 0.5)),
)

LARGE_NUMBERS = (
    # YEA-Q64: there is no valid signature over such a number, but forbidden is a fair reading of 6.3 too.
    Recipe(
        "an exp of 2^53",
        "YEA-6.2-11",
        lambda s: loose_token(s.principal, s.root({"exp": 2**53})),
        also=("forbidden",),
    ),
)

_LONE = {
    "a lone surrogate in its nonce": lambda s: s.root(nonce="\ud800"),
    "a lone surrogate in its svc": lambda s: s.root(caveats=[{"svc": ["\udfff", s.service]}]),
    "a lone surrogate in a caveat's name": lambda s: s.root({"\udbff": 1}),
    "a lone surrogate in an unknown member's name": lambda s: s.root(**{"\ud800": 1}),
    "two surrogates in the wrong order": lambda s: s.root(nonce="\udc00\ud800"),
}
SURROGATES = tuple(
    _loose(name, "YEA-6.2-12", payload, replaced=replaced)
    for name, payload in _LONE.items()
    for replaced in (False, True)
)


def _signed_over(name: str, text: Callable[[dict[str, Any]], str]) -> Recipe:
    """The token is canonical; the signature is over another text of the same payload."""

    def make(scene: Scene) -> str:
        payload = scene.root()
        return token({"p": payload, "s": scene.principal.sign(text(payload).encode())})

    return Recipe(f"a block signed over {name}", "YEA-6.2-02", make)


SIGNED_TEXTS = (
    _signed_over("its members in another order", lambda p: loose_text(p).replace(*_swap(p))),
    _signed_over("a text with spaces", lambda p: json.dumps(p, sort_keys=True)),
    _signed_over("a text with a line break at its end", lambda p: loose_text(p) + "\n"),
    _signed_over("the hash of its text", lambda p: block_id(loose_text(p))),
)


def _swap(payload: dict[str, Any]) -> tuple[str, str]:
    """Return a pair of neighbouring members of the canonical text, and the same two exchanged."""
    iat, iss = f'"iat":{payload["iat"]}', f'"iss":"{payload["iss"]}"'
    return f"{iat},{iss}", f"{iss},{iat}"


# Texts that have one canonical form (YEA 10), which many JSON writers spell otherwise.
_ANY_TEXT = {
    "letters beyond ASCII": "Zo\u00eb, \u03a9, \u65e5\u672c",
    "a letter and its accent apart": "e\u0301",
    "signs that HTML escapes": "<b>R&D's</b>",
    "a slash": "a/b",
    "quotes and backslashes": '"\\"',
    "control characters": "\b\f\n\r\t\x01\x1f",
    "DEL and line separators": "\x7f\u2028\u2029",
    "characters beyond the BMP": "\U0001f680\U0001d4b3",
}


def _in_a_nonce(name: str, text: str) -> Recipe:
    return Recipe(f"a nonce of {name}", "YEA-6.2-02", lambda s: s.grant(nonce=s.nonce() + text), "ok")


TEXTS = tuple(_in_a_nonce(name, text) for name, text in _ANY_TEXT.items())


def _both_wrong(name: str, second: Callable[[KeyPair, Scene, Block], Block]) -> Recipe:
    def make(scene: Scene) -> str:
        root = scene.root_to_friend(caveats=[{"svc": [FOREIGN_SERVICE]}])
        return token(root, second(scene.friend, scene, root))

    return Recipe(name, "YEA-6.2-13", make)


MALFORMED_AND_FORBIDDEN = (
    _both_wrong(
        "a foreign svc, and a second block without iat",
        lambda key, scene, root: block(key, scene.link(root, iat=DROP)),
    ),
    _both_wrong(
        "a foreign svc, and a second block whose caveats are null",
        lambda key, scene, root: block(key, scene.link(root, caveats=None)),
    ),
    Recipe(
        "an expired exp, and no nonce",
        "YEA-6.2-13",
        lambda s: s.grant({"exp": s.now - 3600}, nonce=DROP),
    ),
)
