"""Secrets out of everything that is kept or shown, and signatures made short for display.

`Masker` knows the secrets of a run (seeds, private keys, seat and admin tokens, profile headers) and finds
them as they are written in JSON, in URLs, and, for bytes, in base64 and hex. `shorten_signatures` is for
display only: a signature is no secret, just 86 characters that nobody reads.
"""

import base64
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final
from urllib.parse import quote, quote_plus

from reports.model import Footer, Header, Row
from reports.transcript import Event

MASK: Final = "[masked]"
_SHORT_SECRET: Final = 8


def spellings(secret: str | bytes) -> frozenset[str]:
    """How a secret may be written: bytes in base64, base64url (padded or not) and hex; text as it is,
    as a JSON string with or without escapes for what is not ASCII, and in a URL.
    """
    if isinstance(secret, bytes):
        coded = {base64.b64encode(secret).decode(), base64.urlsafe_b64encode(secret).decode()}
        plain = {*coded, *(text.rstrip("=") for text in coded), secret.hex(), secret.hex().upper()}
    else:
        plain = {secret}
        # A header such as "Bearer abc…" may come back without its first word.
        plain.update(word for word in secret.split() if len(word) >= _SHORT_SECRET)
    found: set[str] = set()
    for text in plain:
        found.add(text)
        found.update(json.dumps(text, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False))
        found.update(quoter(text, safe="", errors="replace") for quoter in (quote, quote_plus))
    return frozenset(found - {""})


class Masker:
    """Replaces every secret in a text by `MASK`. Call it with a text, or use it on whole records.

    A secret of fewer than 8 characters is masked only where it stands as a word of its own, or a header
    whose value is `1` would eat every number. Its repr never shows a secret.
    """

    def __init__(self, secrets: Iterable[str | bytes] = ()) -> None:
        # Longest first, so that no part of a long secret is found before the whole.
        found = sorted({text for secret in secrets for text in spellings(secret)}, key=lambda text: (-len(text), text))
        self._pattern = re.compile("|".join(map(_pattern, found))) if found else None

    def __repr__(self) -> str:
        return "Masker(…)"

    def __call__(self, text: str) -> str:
        """The text without the secrets."""
        return text if self._pattern is None else self._pattern.sub(MASK, text)

    def header(self, header: Header) -> Header:
        """The header with the secrets of its target masked (a URL may hold a password)."""
        return replace(header, target=self(header.target))

    def row(self, row: Row) -> Row:
        """The row with every text masked that may come from a target or a profile."""
        return replace(
            row,
            title=self(row.title),
            why=self(row.why),
            replay=self(row.replay),
            transcript=tuple(self.event(event) for event in row.transcript),
            findings=tuple(replace(found, wanted=self(found.wanted), got=self(found.got)) for found in row.findings),
        )

    def event(self, event: Event) -> Event:
        """The event with its text and its connection's name masked."""
        return replace(event, conn=self(event.conn), text=self(event.text))

    def footer(self, footer: Footer) -> Footer:
        """The footer with its reasons and notes masked."""
        return replace(
            footer,
            interrupted=None if footer.interrupted is None else self(footer.interrupted),
            unreached=tuple(replace(clause, why=self(clause.why)) for clause in footer.unreached),
            notes=tuple(map(self, footer.notes)),
        )


def _pattern(secret: str) -> str:
    escaped = re.escape(secret)
    return escaped if len(secret) >= _SHORT_SECRET else rf"(?<![\w-]){escaped}(?![\w-])"


# The member may stand in a JSON text that is itself inside a JSON string: hence the backslashes.
_SIGNATURE: Final = re.compile(
    r'(?P<start>(?P<quote>\\{0,8}")(?:sig|s|signature)(?P=quote)\s{0,8}:\s{0,8}(?P=quote))'
    r"(?P<first>[A-Za-z0-9_+/-]{8})(?P<rest>[A-Za-z0-9_+/=-]{32,})"
)


def shorten_signatures(text: str) -> str:
    """The text with the value of each long `sig`, `s` or `signature` member cut to its first 8 characters."""
    return _SIGNATURE.sub(lambda match: f"{match['start']}{match['first']}…", text)
