"""YEA 6.2 and 10: block signatures verified over a canonical form in which some characters are written otherwise."""

import json
import unicodedata
from collections.abc import Callable

from harness.faults import Fault, add
from harness.faults.granting import Block, Decoder, decoding

TEXTS = "yea/6.2/any-text-is-signed"


def _html(text: str) -> str:
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _lines(text: str) -> str:
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


# (id, what is wrong, the writer's last step).
WRITERS: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    ("in-ascii", "Escapes all but ASCII.", lambda text: json.dumps(json.loads(text), separators=(",", ":"))),
    ("for-html", "Escapes <, > and &.", _html),
    ("with-slashes-escaped", "Escapes the slash.", lambda text: text.replace("/", "\\/")),
    ("with-line-separators-escaped", "Escapes U+2028 and U+2029.", _lines),
    ("with-del-escaped", "Escapes DEL.", lambda text: text.replace("\x7f", "\\u007f")),
    ("normalized", "Normalizes to NFC.", lambda text: unicodedata.normalize("NFC", text)),
    ("with-u000a", "Has no short escapes.", lambda text: text.replace("\\n", "\\u000a").replace("\\t", "\\u0009")),
)


def _written(write: Callable[[str], str]) -> type[Decoder]:
    class Written(Decoder):
        def signed_text(self, payload: Block) -> bytes:
            return write(super().signed_text(payload).decode()).encode()

    return Written


for _id, _says, _write in WRITERS:
    add(Fault(f"yea/blocks-{_id}", f"{_says[:-1]} in what a block signs.", (TEXTS,), decoding(_written(_write))))
