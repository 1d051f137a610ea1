"""The owner's disclosure rules: deny patterns that every text is held against before it leaves (BYOB 9).

A file says `deny = ["pattern", …]` (TOML, or the same as JSON). A pattern is a regular expression, searched for in
every string and key of what would be sent and in its JSON text, once as it stands and once in its plain form: NFKC, and
without invisible characters, so that a full-width digit or a zero-width space hides nothing. Patterns are private: an
error names a rule by its position only.

A pattern may backtrack for ever on a text that somebody chose for that. So matching has a time limit, and a rule that
is not decided by then counts as matching: nothing leaves unchecked.
"""

import json
import time
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import regex  # type: ignore[import-untyped]

from reference.byob.seat.errors import Disclosure, SeatError
from reference.yea import jsontext, jsontree
from reference.yea.types import Json

SECONDS = 2.0
"""What all rules together may take for one post."""

LONGEST_PATTERN = 1000
MOST_PATTERNS = 200
LARGEST_FILE = 1 << 20


class RulesError(SeatError):
    """A file of disclosure rules that cannot be used. Its text never shows a pattern."""


class Rules:
    """An owner's deny patterns."""

    def __init__(self, deny: Iterable[str] = (), *, clock: Callable[[], float] = time.monotonic) -> None:
        """deny: regular expressions. clock: seconds, for the time limit.

        Raises RulesError for what is no regular expression, too long, or one of too many.
        """
        patterns = tuple(deny)
        if len(patterns) > MOST_PATTERNS:
            raise RulesError(f"deny has {len(patterns)} patterns; the most that are taken is {MOST_PATTERNS}")
        self._rules = tuple(_compiled(position, pattern) for position, pattern in enumerate(patterns, 1))
        self._clock = clock

    def __repr__(self) -> str:
        return f"Rules({len(self._rules)} private patterns)"

    def __len__(self) -> int:
        return len(self._rules)

    def check(self, values: Iterable[Json]) -> None:
        """Raise Disclosure if a rule matches any text of the JSON values, or is not decided in time."""
        if not self._rules:
            return
        texts = list(dict.fromkeys(text for value in values for text in _texts(value)))
        deadline = self._clock() + SECONDS
        for position, rule in enumerate(self._rules, 1):
            for text in texts:
                self._try(position, rule, text, deadline - self._clock())

    def _try(self, position: int, rule: Any, text: str, seconds: float) -> None:
        try:
            found = seconds <= 0 or rule.search(text, timeout=seconds)
        except TimeoutError:
            raise Disclosure(position, undecided=True) from None
        if found:
            raise Disclosure(position, undecided=seconds <= 0)


def load(path: Path) -> Rules:
    """The rules of a file: TOML, or JSON if its name ends in .json.

    Raises RulesError, which names the file and the position of a pattern, and never shows one.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as problem:
        raise RulesError(f"{path} cannot be read: {problem.strerror}") from None
    if len(data) > LARGEST_FILE:
        raise RulesError(f"{path} is larger than {LARGEST_FILE} bytes")
    try:
        return Rules(_listed(_parsed(data, as_json=path.suffix == ".json")))
    except RulesError as problem:
        raise RulesError(f"{path}: {problem}") from None


def _parsed(data: bytes, *, as_json: bool) -> Any:
    # What a parser says may quote the text, and so a pattern: it is not passed on.
    try:
        return json.loads(data) if as_json else tomllib.loads(data.decode())
    except (ValueError, RecursionError):
        raise RulesError(f"is no {'JSON' if as_json else 'TOML'}") from None


def _listed(value: Any) -> list[str]:
    if not isinstance(value, dict) or set(value) != {"deny"}:
        raise RulesError("a file of disclosure rules has one member, deny, a list of regular expressions")
    if not isinstance(value["deny"], list):
        raise RulesError("deny is a list of regular expressions")
    return value["deny"]


def _compiled(position: int, pattern: object) -> Any:
    if not isinstance(pattern, str) or not pattern:
        raise RulesError(f"pattern {position} of deny is no text")
    if len(pattern) > LONGEST_PATTERN:
        raise RulesError(f"pattern {position} of deny is longer than {LONGEST_PATTERN} characters")
    try:
        return regex.compile(pattern)
    except (regex.error, ValueError, RecursionError, OverflowError):
        raise RulesError(f"pattern {position} of deny is no regular expression") from None


def _texts(value: Json) -> Iterator[str]:
    """Every text of a value: its strings, its keys, and its JSON, which has the numbers too; each also plain."""
    for strings in jsontree.strings(value):
        for text in strings:
            yield text
            yield plain(text)
    text = jsontext.dumps(value)
    yield text
    yield plain(text)


def plain(text: str) -> str:
    """The text in NFKC without format characters (Cf), such as a zero-width space or a soft hyphen."""
    if text.isascii():
        return text
    visible = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFKC", visible)
