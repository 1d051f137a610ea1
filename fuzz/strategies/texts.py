"""Texts whose tokens are counted: runs of letters and digits of every length, blanks after line ends, odd letters."""

from collections.abc import Sequence

from hypothesis import strategies as st

PIECES = (
    "a", "Z", "ab", "word", "0", "12", "345", "6789", "01234567", "\n", "\n ", "\n  ", "\n   ", "\n\n", " ", "  ", "\t",
    "\r", "\r\n", "\f", "\v", "\x00", "\x1c", "\x1f", "\x7f", "\x85", "\xa0", "\u2028", "\u3000", "\ufeff", "é",
    "ß", "ſ", "K", "\u212a", "\u0660\u0661\u0662\u0663", "٣", "½", "²", "漢字", "😀", "👨\u200d👩", "\U0010ffff", "_",
    "-", "!", "e\u0301", "…", "…\n  ", ".", ",", '"', "\\n", "[`{@/:", "a1b2", "1a", "\n\t  ",
    "ªº", "ı", "\u180e", "\u200b",
)  # fmt: skip
"""Around every border of YEA 8: ASCII and other letters, digits and blanks, groups of three, newlines with spaces."""
SEPARATORS = ("\t", "!", "…", "😀", "\x00", "é")
"""What joins with nothing: a token of its own, or none at all."""
IDEOGRAPHS = "一丁中字漢龥鿋"
"""Characters that every reading takes for CJK: U+4E00 to U+9FFF (BYOB-Q082)."""
LATIN = ("a", "Z", "0", " ", ".", "\t", "\n", "ab", "abc", "four", "fiver", '"', "\\", "~", "x" * 17, "y" * 400)
"""ASCII alone: what a character is, is open beyond it (BYOB-Q081)."""
Texts = st.SearchStrategy[str]


def counted_texts() -> Texts:
    """Texts around the borders of the token estimate, and any others."""
    pieces = st.one_of(st.sampled_from(PIECES), st.sampled_from(PIECES), st.characters(exclude_categories=["Cs"]))
    many = st.builds(lambda piece, times: piece * times, st.sampled_from(PIECES), st.integers(1, 200))
    return st.one_of(st.lists(pieces, max_size=8).map("".join), st.lists(pieces, max_size=8).map("".join), many)


def separated_texts() -> st.SearchStrategy[tuple[str, str, str]]:
    """Two texts and what can stand between them, so that nothing of the one joins with the other."""
    return st.tuples(counted_texts(), st.sampled_from(SEPARATORS), counted_texts())


def ideographic_texts() -> Texts:
    """Texts of CJK characters and ASCII, mixed in any way, as one counts a post (BYOB 8)."""
    pieces = st.one_of(_picked(LATIN), _picked(LATIN), _picked(IDEOGRAPHS))
    runs = st.builds(lambda piece, times: piece * times, pieces, st.integers(0, 9))
    return st.lists(st.one_of(pieces, runs), max_size=12).map("".join)


def _picked(pieces: Sequence[str]) -> Texts:
    return st.sampled_from(pieces)
