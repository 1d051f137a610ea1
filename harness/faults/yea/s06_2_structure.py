"""YEA 6.2: malformed grants that are taken, or refused in the wrong way."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.granting import Block, Decoder, Granting, decoding
from harness.recipes.scene import loose_text
from reference.yea import b64url, grants, jsontext
from reference.yea.errors import YeaError
from reference.yea.grants import Grant, GrantError
from reference.yea.keys import verify
from reference.yea.service import Request

FIELDS = "yea/6.2/missing-or-mistyped-fields-are-refused"


def _anything(value: Any) -> bool:
    return True


def _without(root: tuple[str, ...], later: tuple[str, ...]) -> type[Decoder]:
    """Return a decoder that does not look at these fields."""
    kept = tuple(
        {name: test for name, test in fields.items() if name not in skipped}
        for fields, skipped in zip(Decoder.FIELDS, (root, later), strict=True)
    )
    return type("Skipping", (Decoder,), {"FIELDS": kept})


def _untyped(name: str) -> type[Decoder]:
    """Return a decoder that wants a field and takes it of any type."""
    changed: tuple[Mapping[str, Any], ...] = tuple(
        {field: _anything if field == name else test for field, test in fields.items()} for fields in Decoder.FIELDS
    )
    return type("Untyped", (Decoder,), {"FIELDS": changed})


for _name in ("caveats", "iat", "nonce"):
    add(
        Fault(
            f"yea/roots-need-no-{_name}",
            f"Takes a root block without {_name}.",
            (FIELDS,),
            decoding(_without((_name,), ())),
        )
    )
    add(
        Fault(
            f"yea/blocks-with-any-{_name}",
            f"Takes a block whose {_name} is of any type.",
            (FIELDS,),
            decoding(_untyped(_name)),
        )
    )
for _name in ("caveats", "iat"):
    add(
        Fault(
            f"yea/delegations-need-no-{_name}",
            f"Takes a delegation block without {_name}.",
            (FIELDS,),
            decoding(_without((), (_name,))),
        )
    )


class _NoPrev(Decoder):
    FIELDS = _without((), ("prev",)).FIELDS

    def follows(self, payload: Block, before: Block) -> bool:
        return not isinstance(payload.get("prev"), str) or super().follows(payload, before)


class _PlainObjects(Decoder):
    """Passes over what is no block."""

    def blocks(self, value: Any) -> list[Block]:
        blocks = [block for block in value if isinstance(block, dict)] if isinstance(value, list) else value
        return super().blocks(blocks)


class _Unlisted(Decoder):
    """Takes a block outside a list for a list of one."""

    def blocks(self, value: Any) -> list[Block]:
        return super().blocks([value] if isinstance(value, dict) else value)


class _EmptyCrashes(Decoder):
    """Looks at the first block of a list that has none."""

    def blocks(self, value: Any) -> list[Block]:
        if value == []:
            raise IndexError("list index out of range")
        return super().blocks(value)


class _TrailingText(Decoder):
    """Reads the first JSON value and no further."""

    def value(self, data: bytes) -> Any:
        try:
            return json.JSONDecoder().raw_decode(data.decode())[0]
        except ValueError as problem:
            raise GrantError(str(problem)) from None


class _TextCrashes(Decoder):
    """Fails on bytes that are not UTF-8."""

    def value(self, data: bytes) -> Any:
        data.decode()
        return super().value(data)


class _Unsigned(Decoder):
    """Verifies a signature only where there is one."""

    def check_signature(self, signature: Any) -> None:
        if signature is not None:
            super().check_signature(signature)

    def signed(self, key: str, payload: Block, signature: Any, position: int) -> bool:
        return signature is None or super().signed(key, payload, signature, position)


class _LongSignatures(Decoder):
    """Reads the first 64 bytes of a signature."""

    def check_signature(self, signature: Any) -> None:
        super().check_signature(self._cut(signature) if isinstance(signature, str) else signature)

    def signed(self, key: str, payload: Block, signature: Any, position: int) -> bool:
        return super().signed(key, payload, self._cut(str(signature)), position)

    def _cut(self, signature: str) -> str:
        try:
            return b64url.encode(b64url.decode(signature)[:64])
        except b64url.B64Error:
            return signature


class _AnyNumbers(Decoder):
    """Reads a number in any spelling."""

    def value(self, data: bytes) -> Any:
        try:
            return jsontext.loads(data)
        except jsontext.JsonError as problem:
            raise GrantError(str(problem)) from None


class _Fractions(Decoder):
    """Writes fractions into what it takes for the canonical form."""

    def value(self, data: bytes) -> Any:
        try:
            return jsontext.loads(data)
        except jsontext.JsonError as problem:
            raise GrantError(str(problem)) from None

    def signed_text(self, payload: Block) -> bytes:
        return loose_text(payload).encode()


class _Escapes(Decoder):
    """Writes lone surrogates as escapes into what it takes for the canonical form."""

    def signed_text(self, payload: Block) -> bytes:
        try:
            return super().signed_text(payload)
        except GrantError:
            return loose_text(payload).encode()


class _Replaces(Decoder):
    """Writes U+FFFD for lone surrogates into what it takes for the canonical form."""

    def signed_text(self, payload: Block) -> bytes:
        try:
            return super().signed_text(payload)
        except GrantError:
            text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            return text.encode("utf-8", "replace").replace(b"?", "\ufffd".encode())


class _AlsoSpaced(Decoder):
    """Verifies over the text with spaces as well."""

    def signed(self, key: str, payload: Block, signature: Any, position: int) -> bool:
        spaced = json.dumps(payload, sort_keys=True).encode()
        return super().signed(key, payload, signature, position) or verify(key, spaced, str(signature))


class _AlsoHashed(Decoder):
    """Verifies over the hash of the text as well."""

    def signed(self, key: str, payload: Block, signature: Any, position: int) -> bool:
        hashed = b64url.encode(hashlib.sha256(self.signed_text(payload)).digest()).encode()
        return super().signed(key, payload, signature, position) or verify(key, hashed, str(signature))


class _NoSchemes(Decoder):
    """Takes a holder's key without its scheme."""

    def check_holder(self, key: str) -> None:
        super().check_holder(self._full(key))

    def signer(self, blocks: list[Block], position: int) -> str:
        return self._full(super().signer(blocks, position))

    def holder(self, blocks: list[Block]) -> str:
        return self._full(super().holder(blocks))

    def _full(self, key: str) -> str:
        return key if ":" in key else f"ed25519:{key}"


class _AnyHolder(Decoder):
    """Does not look whether a holder is a key, and fails when it has to use one that is none."""

    def check_holder(self, key: str) -> None:
        if ":" not in key:
            raise ValueError(f"not enough values to unpack: {key!r}")
        super().check_holder(key)


class _SignedByItself(Decoder):
    """Takes a delegation that its own holder signed."""

    def signed(self, key: str, payload: Block, signature: Any, position: int) -> bool:
        own = str(payload.get("sub"))
        again = position > 0 and super().signed(own, payload, signature, position)
        return again or super().signed(key, payload, signature, position)


class _SignedByTheRoot(Decoder):
    """Takes a delegation that the root's issuer signed."""

    def check_link(self, blocks: list[Block], position: int) -> None:
        if position:
            forged = [
                {"p": {**blocks[position - 1]["p"], "sub": blocks[0]["p"]["iss"]}, "s": blocks[position - 1]["s"]}
            ]
            try:
                super().check_link([*blocks[: position - 1], *forged, *blocks[position:]], position)
            except GrantError:
                super().check_link(blocks, position)
        else:
            super().check_link(blocks, position)


class _RootBySub(Decoder):
    """Takes a root that its holder signed."""

    def signed(self, key: str, payload: Block, signature: Any, position: int) -> bool:
        own = position == 0 and super().signed(str(payload.get("sub")), payload, signature, position)
        return own or super().signed(key, payload, signature, position)


class _RawPrev(Decoder):
    """Takes a prev that hashes the bytes of the signature."""

    def follows(self, payload: Block, before: Block) -> bool:
        raw = b64url.encode(hashlib.sha256(b64url.decode(str(before["s"]))).digest())
        return payload.get("prev") == raw or super().follows(payload, before)


class _RawPrevOnly(Decoder):
    """Wants a prev that hashes the bytes of the signature."""

    def follows(self, payload: Block, before: Block) -> bool:
        return bool(payload.get("prev") == b64url.encode(hashlib.sha256(b64url.decode(str(before["s"]))).digest()))


class _TwoBlocks(Decoder):
    """Takes no chain of more than two blocks."""

    def blocks(self, value: Any) -> list[Block]:
        made = super().blocks(value)
        if len(made) > 2:
            raise GrantError("too many blocks")
        return made


class _RootsOnly(Decoder):
    """Takes no delegated grant."""

    def blocks(self, value: Any) -> list[Block]:
        made = super().blocks(value)
        if len(made) > 1:
            raise GrantError("no delegation")
        return made


class _AnyoneInTheChain(Granting):
    """Lets every holder in a chain use the grant at its end."""

    def holds(self, grant: Grant, key: str | None) -> bool:
        return any(block["p"]["sub"] == key for block in grant.blocks if isinstance(block["p"], dict))


OFFLINE = "yea/6.2/chains-made-offline-are-accepted"
BLOCKS = "yea/6.2/non-objects-as-blocks-are-refused"
DECODE = "yea/6.2/undecodable-tokens-are-refused"
SIGNERS = "yea/6.2/blocks-are-signed-by-the-holder-before"
COVERS = "yea/6.2/signatures-cover-the-canonical-form"
SURROGATES = "yea/6.2/lone-surrogates-in-payloads-are-refused"
SHAPES = "yea/6.2/malformed-signatures-are-refused"

# (id, what is wrong, what it is killed by, the decoder).
DECODERS: tuple[tuple[str, str, tuple[str, ...], type[Decoder]], ...] = (
    ("delegations-need-no-prev", "Takes a delegation block without prev.", (FIELDS,), _NoPrev),
    ("non-blocks-are-passed-over", "Passes over elements of a grant that are no blocks.", (BLOCKS,), _PlainObjects),
    ("grants-need-no-list", "Takes a block outside a list for a grant.", (DECODE,), _Unlisted),
    ("empty-grants-are-internal", "Fails with internal on a grant without blocks.", (DECODE,), _EmptyCrashes),
    ("tokens-may-go-on", "Reads a token's JSON and passes over what comes after it.", (DECODE,), _TrailingText),
    ("tokens-not-in-utf-8-are-internal", "Fails with internal on a token not in UTF-8.", (DECODE,), _TextCrashes),
    ("unsigned-blocks-pass", "Takes a block without a signature.", (SHAPES,), _Unsigned),
    ("signatures-of-65-bytes-are-cut", "Takes the first 64 bytes of a signature.", (SHAPES,), _LongSignatures),
    (
        "odd-numbers-are-read",
        "Reads an integer in a token in any spelling.",
        ("yea/6.2/odd-number-spellings-are-refused",),
        _AnyNumbers,
    ),
    (
        "fractions-are-signed",
        "Verifies payloads with fractions over a text of its own.",
        ("yea/6.2/fractions-in-payloads-are-refused",),
        _Fractions,
    ),
    ("surrogates-are-escaped", "Verifies lone surrogates as escapes.", (SURROGATES,), _Escapes),
    ("surrogates-are-replaced", "Verifies lone surrogates as U+FFFD.", (SURROGATES,), _Replaces),
    ("signatures-over-spaced-text", "Verifies a signature over a text with spaces.", (COVERS,), _AlsoSpaced),
    ("signatures-over-a-hash", "Verifies a signature over the hash of the text.", (COVERS,), _AlsoHashed),
    (
        "holders-need-no-scheme",
        "Takes a holder's key without ed25519: before it.",
        ("yea/6.2/holders-that-are-no-keys-are-refused",),
        _NoSchemes,
    ),
    (
        "holders-without-a-colon-are-internal",
        "Fails with internal on a holder that is just a name.",
        ("yea/6.2/holders-that-are-no-keys-are-refused",),
        _AnyHolder,
    ),
    ("delegations-sign-themselves", "Takes a delegation signed by its own holder.", (SIGNERS,), _SignedByItself),
    (
        "delegations-signed-by-the-issuer",
        "Takes a delegation signed by the root's issuer.",
        (SIGNERS, "yea/6.4/a-wrong-later-signature-is-refused"),
        _SignedByTheRoot,
    ),
    ("roots-signed-by-their-holder", "Takes a root signed by its holder.", (SIGNERS,), _RootBySub),
    (
        "prev-of-raw-bytes",
        "Takes a prev that hashes the signature's bytes.",
        ("yea/6.2/prev-is-the-hash-of-the-signature-text",),
        _RawPrev,
    ),
    ("prev-of-raw-bytes-only", "Wants a prev that hashes the signature's bytes.", (OFFLINE,), _RawPrevOnly),
    ("chains-of-two-at-most", "Takes no chain of more than two blocks.", (OFFLINE,), _TwoBlocks),
    ("no-delegations", "Takes no delegated grant.", (OFFLINE,), _RootsOnly),
)
for _id, _says, _kills, _decoder in DECODERS:
    add(Fault(f"yea/{_id}", _says, _kills, decoding(_decoder)))

add(
    Fault(
        "yea/every-holder-keeps-the-grant",
        "Lets every holder in a chain use the grant at its end.",
        ("yea/6.2/a-delegated-grant-is-its-last-holders",),
        _AnyoneInTheChain,
    )
)


@fault(
    "yea/malformed-grants-are-forbidden",
    "yea/6.2/malformed-beats-forbidden",
    FIELDS,
    "yea/6.2/fractions-in-payloads-are-refused",
)
class MalformedIsForbidden(Granting):
    """Answers forbidden to a grant that decodes as JSON and is malformed."""

    def need_valid(self, request: Request) -> list[Grant]:
        """Refuse them first."""
        for token in request.grants:
            if self.decode_grant(token) is None and self._reads(token):
                raise YeaError("forbidden", "the grant does not cover this request")
        return super().need_valid(request)

    def _reads(self, token: str) -> bool:
        try:
            return bool(json.loads(b64url.decode(token.removeprefix(grants.PREFIX))))
        except ValueError:
            return False


class _Narrowing(Granting):
    """Judges a grant by what `kept` leaves of its blocks' caveats."""

    def decode_grant(self, token: str) -> Grant | None:
        grant = super().decode_grant(token)
        if grant is None:
            return None
        return Grant(grant.blocks, grant.issuer, grant.holder, grant.block_ids, self.kept(grant.caveats))

    def kept(self, caveats: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Any, ...], ...]:
        """The caveats that count."""
        return caveats


NARROWS = "yea/6.2/a-delegation-only-narrows"
EVERY = "yea/6.3/every-caveat-of-every-block-counts"


@fault("yea/only-the-last-block-counts", NARROWS, EVERY, "yea/6.2/a-delegation-lifts-no-risk-ceiling")
class OnlyTheLast(_Narrowing):
    """Judges a grant by the caveats of its last block alone."""

    def kept(self, caveats: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Any, ...], ...]:
        """Those of the last."""
        return (*((),) * (len(caveats) - 1), caveats[-1])


@fault("yea/only-the-root-counts", NARROWS, EVERY)
class OnlyTheRoot(_Narrowing):
    """Judges a grant by the caveats of its root alone."""

    def kept(self, caveats: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Any, ...], ...]:
        """Those of the root."""
        return (caveats[0], *((),) * (len(caveats) - 1))


@fault("yea/later-caveats-replace-earlier-ones", NARROWS, "yea/6.2/a-delegation-lifts-no-risk-ceiling")
class Replacing(_Narrowing):
    """Lets a caveat replace those of its name in the blocks before."""

    def kept(self, caveats: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Any, ...], ...]:
        """Drop those that are named again further on."""
        return tuple(self._unreplaced(level, caveats[at + 1 :]) for at, level in enumerate(caveats))

    def _unreplaced(self, level: tuple[Any, ...], later: tuple[tuple[Any, ...], ...]) -> tuple[Any, ...]:
        named = {name for block in later for caveat in block if isinstance(caveat, dict) for name in caveat}
        return tuple(caveat for caveat in level if not (isinstance(caveat, dict) and named & caveat.keys()))


@fault("yea/only-the-first-caveat-counts", EVERY)
class OnlyTheFirst(_Narrowing):
    """Judges each block by its first three caveats."""

    def kept(self, caveats: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Any, ...], ...]:
        """Those at the start."""
        return tuple(level[:3] for level in caveats)
