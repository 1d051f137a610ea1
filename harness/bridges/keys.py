"""The owner's key: as the file that a bridge reads, and as the texts in which it could leave the bridge.

The spec does not say what is in the file of BYOB_OWNER_KEY_FILE (BYOB-Q108). A JSON object is tried first, then PEM; a
profile may have a template of its own.
"""

import base64
import json
import os
import stat
import string
from collections.abc import Callable, Iterable
from pathlib import Path

from harness.byob.owners import Owner
from harness.managed import fill
from reports.masking import MASK, spellings

PKCS8_HEAD = bytes.fromhex("302e020100300506032b657004220420")  # RFC 8410: an Ed25519 key as PKCS#8, without it
WORD = frozenset(string.ascii_letters + string.digits + "+/=_-")
PEM = "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n"
PLACEHOLDERS = ("owner", "public_key", "private_key", "pem", "seed", "seed_hex")


def pkcs8(owner: Owner) -> bytes:
    """Return the private key in PKCS#8, 48 bytes of DER."""
    return PKCS8_HEAD + owner.seed


def _private_key(owner: Owner) -> str:
    return base64.b64encode(pkcs8(owner)).decode("ascii")


def as_json(owner: Owner) -> str:
    """Return the file as a JSON object: owner, public_key (SPKI) and private_key (PKCS#8), both in base64."""
    members = {"owner": owner.id, "public_key": owner.public_key, "private_key": _private_key(owner)}
    return json.dumps(members, indent=2) + "\n"


def as_pem(owner: Owner) -> str:
    """Return the file as PKCS#8 in PEM, which names no owner."""
    return PEM.format(_private_key(owner))


Form = Callable[[Owner], str]
"""Makes the text of a key file."""

FORMS: dict[str, Form] = {"json": as_json, "pem": as_pem}


def template_form(template: str) -> Form:
    """Return what makes a file as a profile wants it, with the placeholders of `PLACEHOLDERS` filled."""

    def made(owner: Owner) -> str:
        values = {
            "owner": owner.id,
            "public_key": owner.public_key,
            "private_key": _private_key(owner),
            "pem": as_pem(owner),
            "seed": base64.b64encode(owner.seed).decode("ascii"),
            "seed_hex": owner.seed.hex(),
        }
        return fill(template, values)

    return made


def write(path: Path, text: str) -> None:
    """Write a file that its owner alone may read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def hide(text: str, shown: Iterable[str]) -> str:
    """Return a text in which every word is masked that holds one of these traces of a key."""
    for trace in shown:
        while (at := text.find(trace)) >= 0:
            begin, end = at, at + len(trace)
            while begin > 0 and text[begin - 1] in WORD:
                begin -= 1
            while end < len(text) and text[end] in WORD:
                end += 1
            text = text[:begin] + MASK + text[end:]
    return text


def traces(owner: Owner) -> tuple[str, ...]:
    """Return the texts by which a private key shows: its seed in base64, base64url and hex, longest first.

    The base64 of PKCS#8 holds that of the seed shifted by the 16 bytes before it, so the part that does not depend on
    what surrounds it stands for all such forms.
    """
    seed = owner.seed
    whole = {text for text in spellings(seed) if len(text) >= len(seed)}
    for shift in range(3):
        text = base64.b64encode(bytes(shift) + seed).decode("ascii")
        inner = text[4:40]  # characters that stand for bytes of the seed alone
        whole |= {inner, inner.replace("+", "-").replace("/", "_")}
    listed = json.dumps(list(seed))
    whole |= {listed[1:-1], listed[1:-1].replace(" ", "")}
    return tuple(sorted(whole, key=lambda text: (-len(text), text)))
