"""Counting tokens of posts that do not report them (BYOB 8)."""

import re

from reference.byob.types import COUNTED, Entry

CJK = (
    (0x3040, 0x30FF),  # hiragana and katakana
    (0x3400, 0x4DBF),  # Han, extension A
    (0x4E00, 0x9FFF),  # Han, the unified ideographs
    (0xAC00, 0xD7A3),  # Hangul syllables
    (0xF900, 0xFAFF),  # Han, compatibility ideographs
    (0x20000, 0x3134F),  # Han, extensions B to G and the compatibility supplement
)
"""The code points that count as CJK characters, first and last of each range. The spec gives none (BYOB 8)."""

_CJK = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in CJK) + "]")


def count(text: str) -> int:
    """The tokens of a text: one per CJK character, plus ceil(n/4) for its other n characters (BYOB 8).

    Characters are Unicode code points; the others are taken together wherever they stand.
    """
    cjk = 0 if text.isascii() else len(_CJK.findall(text))
    return cjk - (cjk - len(text)) // 4


def tokens_of(entry: Entry) -> int:
    """What an entry adds to the token budget: what it reports, else what its body counts (BYOB 8).

    Only say, proposal and decision add anything.
    """
    if entry["kind"] not in COUNTED:
        return 0
    reported = entry.get("budget", {}).get("tokens_used")
    return count(entry.get("body", "")) if reported is None else int(reported)
