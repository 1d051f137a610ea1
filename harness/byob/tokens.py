"""The tokens that a run was given: kept out of all that is shown, and watched for where they have no business."""

import re
from typing import Any

from harness.byob.reading import walk
from harness.targets.answers import Answer
from reports.masking import MASK

WORD = re.compile(r"[A-Za-z0-9_.~+/=-]{8,}")
SHORTEST = 8


class Tokens:
    """Every seat and admin token that the host has issued in this run."""

    def __init__(self) -> None:
        self._issued: set[str] = set()
        self._odd: list[str] = []  # tokens that are no single word, which are looked for one by one

    def learn(self, answer: Answer) -> None:
        """Take the tokens out of an answer to a creation or a join; those that are new are its own to show."""
        if not answer.ok or answer.method != "POST":
            return
        for path, value in walk(answer.value):
            named = bool(path) and str(path[-1]).endswith("token")
            if named and isinstance(value, str) and len(value) >= SHORTEST and value not in self._issued:
                self._issued.add(value)
                answer.issued += (value,)
                if not WORD.fullmatch(value):
                    self._odd.append(value)

    def add(self, token: str) -> None:
        """Take a token that is one word, and that the host has not shown yet."""
        self._issued.add(token)

    def mask(self, text: str) -> str:
        """Return a text with every token masked."""
        for token in self._odd:
            text = text.replace(token, MASK)
        return WORD.sub(lambda found: MASK if found.group() in self._issued else found.group(), text)

    def shown(self, text: str, own: tuple[str, ...] = ()) -> bool:
        """Whether a text shows a token that is not one of its own."""
        words = any(found in self._issued and found not in own for found in WORD.findall(text))
        return words or any(odd in text for odd in self._odd if odd not in own)


def token_in(value: Any, name: str) -> str:
    """Return the string member of this name in an object, or an empty string."""
    token = value.get(name) if isinstance(value, dict) else None
    return token if isinstance(token, str) else ""
