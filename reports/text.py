"""Text that a target wrote, made safe to keep and to show.

Three steps, each on its own: `cut` bounds the length and says how much is missing, `wellformed` makes a
string that every JSON and UTF-8 reader takes, `plain` writes out everything that a terminal could obey
(control characters, escapes, bidi controls, invisible signs). Nothing here knows what a report is.
"""

import re
import unicodedata
from typing import Final

SHORT: Final = 300
"""Characters kept of a title or a name."""
LONG: Final = 4096
"""Characters kept of a frame, a wanted or a seen value."""


def cut(text: str, limit: int = LONG) -> str:
    """The text itself, or its start and a note of what is missing: at most `limit` characters.

    Raises ValueError for a limit under 64.
    """
    if limit < 64:
        raise ValueError(f"a limit of {limit} leaves no room for the note")
    if len(text) <= limit:
        return text
    # The note grows with the number in it; its longest form is what the room is kept for.
    kept = limit - len(_note(len(text)))
    return text[:kept] + _note(len(text) - kept)


def _note(missing: int) -> str:
    return f"… [{missing:,} more characters]"


_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def wellformed(text: str) -> str:
    """The text with each lone surrogate written out as `\\udXXX`, so that it encodes as UTF-8."""
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


# Everything outside of these ranges is looked at one by one; a frame is mostly inside.
_SUSPECT: Final = re.compile("[^\x20-\x7e\xa1-\xac\xae-\u02ff]")
# Cc control, Cf format (bidi controls, zero width, tags), Cs surrogate, Co private use, Cn unassigned,
# Zl and Zp line and paragraph separators.
_ESCAPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_NAMED: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Letters that draw nothing at all although Unicode calls them letters or marks.
_BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")


def plain(text: str, limit: int = LONG, *, lines: bool = False) -> str:
    """One line (with `lines` as many as there are) that is safe to show in a terminal.

    `limit` bounds the characters of the result, notes included. A character that a terminal might obey or
    hide is written as `\\n`, `\\x1b`, `\\u202e` or `\\U000e0041`. Nothing is raised on any text.
    """
    # Escapes make text longer, so it is cut before (the work is bounded) and after (the result is).
    spelled = _SUSPECT.sub(lambda match: _spell(match[0], lines), cut(text, limit))
    return cut(spelled, limit)


def _spell(char: str, lines: bool) -> str:
    if char == "\n" and lines:
        return char
    if char in _NAMED:
        return _NAMED[char]
    selector = "\ufe00" <= char <= "\ufe0e" or "\U000e0100" <= char <= "\U000e01ef"
    if unicodedata.category(char) not in _ESCAPED and char not in _BLANK and not selector:
        return char
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
