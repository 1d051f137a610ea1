"""byob.tokens: what a post counts that reports nothing (BYOB 8). Every count is worked out by hand."""

from typing import Any

from tests.vectors.generators.documents import Json, case, document, group, ok, refused

OP = "byob.tokens"
CJK, OTHERS, MIXED = "BYOB-8-33", "BYOB-8-34", "BYOB-8-35"
NOTES = {
    "floor": ("rounds down", OTHERS),
    "nearest": ("rounds to the nearest, half up or half to even", OTHERS),
    "at-least-one": ("counts one token for nothing", OTHERS),
    "one-too-many": ("adds one to n/4, instead of rounding up", OTHERS),
    "words": ("counts words", OTHERS),
    "blanks-free": ("does not count blanks", OTHERS),
    "trimmed": ("strips blanks at the ends", OTHERS),
    "punctuation-apart": ("counts each sign of punctuation as a token", OTHERS),
    "bytes": ("counts bytes of UTF-8", f"{CJK} {OTHERS}"),
    "all-by-four": ("divides every character by four, CJK too", CJK),
    "cjk-double": ("counts two tokens for a CJK character", CJK),
    "runs-apart": ("rounds up every run between CJK characters on its own", MIXED),
    "larger-only": ("takes one of the two counts, not their sum", MIXED),
    "range-short": ("begins or ends the range of ideographs elsewhere", CJK),
    "escapes": ("counts the escapes of the JSON text", OTHERS),
    "graphemes": ("counts what a reader sees as one sign, not its characters", OTHERS),
    "unified-only": ("knows the unified ideographs alone as CJK", CJK),
}
EITHER = "informative: the text gives no ranges"


def _count(name: str, text: Any, *counts: int, **options: Any) -> Json:
    return case(OP, name, {"text": text}, *(ok(count=count) for count in counts), **options)


def _ascii() -> Json:
    lengths = {0: (0, "at-least-one one-too-many"), 1: (1, "floor nearest"), 2: (1, "floor nearest"), 3: (1, "floor")}
    lengths |= {4: (1, "one-too-many"), 5: (2, "floor nearest"), 6: (2, "floor nearest"), 7: (2, "floor")}
    lengths |= {8: (2, "one-too-many"), 9: (3, "floor nearest")}
    letters = "abcdefghi"
    counted = [
        _count(f"{n} letters" if n != 1 else "1 letter", letters[:n], count, flags=flags)
        for n, (count, flags) in lengths.items()
    ]
    return group(
        "others: a quarter, rounded up",
        OTHERS,
        [
            *counted,
            _count("a sentence", "Which issue goes first this week?", 9, flags="words floor", comment="33 characters"),
            _count("eight blanks", " " * 8, 2, flags="blanks-free trimmed words"),
            _count("blanks around", "  ab   ", 2, flags="blanks-free trimmed nearest", comment="7 characters"),
            _count("one newline", "\n", 1, flags="blanks-free trimmed"),
            _count("carriage return and newline", "abc\r\n", 2, flags="trimmed", comment="two characters for one end"),
            _count("tabs", "\ta\tb\t", 2, flags="blanks-free trimmed"),
            _count("null character", "\0abcd", 2, comment="ended by it, 0", flags="floor"),
            _count("punctuation", '!?.,;:"-', 2, flags="punctuation-apart"),
            _count("digits", "0123456789", 3, flags="floor punctuation-apart"),
            _count("json text", '{"a":1}', 2, flags="escapes punctuation-apart"),
            _count("backslashes", "\\n\\u0041", 2, flags="escapes", comment="8 characters, none of them an escape"),
            _count("markup", "<b>&amp;</b>", 3, comment="12 characters, as written"),
            _count("words of one letter", "a b c d", 2, flags="words blanks-free"),
            _count("1000 letters", {"repeat": [["a", 1000]]}, 250, flags="words one-too-many"),
            _count("100001 letters", {"repeat": [["abcde", 20_000], ["f", 1]]}, 25_001, flags="floor nearest"),
        ],
    )


def _ideographs() -> Json:
    return group(
        "unified ideographs: one each",
        CJK,
        [
            _count("one ideograph", "漢", 1, flags="cjk-double"),
            _count("two ideographs", "漢字", 2, flags="all-by-four"),
            _count("nine ideographs", "天地玄黃宇宙洪荒日", 9, flags="all-by-four bytes cjk-double"),
            _count("five simplified", "优先处理哪", 5, flags="all-by-four"),
            _count("four of japan", "会議予定", 4, flags="all-by-four cjk-double"),
            _count("first of the range", "一" * 5, 5, flags="range-short", comment="U+4E00"),
            _count("second of the range", "丁" * 5, 5, flags="range-short", comment="U+4E01"),
            _count("last of unicode 1", "龥" * 5, 5, flags="range-short", comment="U+9FA5"),
            _count("middle of the range", "濾" * 6, 6, flags="range-short", comment="U+6FFE"),
            _count("the same again", "木木木", 3, comment="repeated, each counts"),
            _count("1000 ideographs", {"repeat": [["字", 1000]]}, 1000, flags="all-by-four bytes cjk-double"),
        ],
    )


def _mixed() -> Json:
    return group(
        "mixed: both counts, the others taken together",
        f"{MIXED} {CJK} {OTHERS}",
        [
            _count("ideograph and letter", "漢a", 2, flags="larger-only all-by-four floor"),
            _count("two letters on each side", "ab漢cd", 2, flags="runs-apart", comment="1 + 4/4"),
            _count("one letter on each side", "a漢b", 2, flags="runs-apart floor", comment="1 + 2/4"),
            _count("letters between", "漢a字b文c話d", 5, flags="runs-apart larger-only", comment="4 + 4/4"),
            _count("five between", "a漢b字c文d話e", 6, flags="runs-apart floor nearest", comment="4 + 5/4"),
            _count("blank between", "漢 字", 3, flags="blanks-free runs-apart larger-only", comment="2 + 1/4"),
            _count("newlines between", "漢\n字\n", 3, flags="blanks-free trimmed runs-apart", comment="2 + 2/4"),
            _count("a name in a sentence", "Please ask 王 about it.", 7, flags="runs-apart", comment="1 + 22/4"),
            _count("number in ideographs", "第459号", 3, flags="larger-only", comment="2 + 3/4"),
            _count("ascii punctuation", "好,好.", 3, flags="punctuation-apart runs-apart", comment="2 + 2/4"),
            _count("ideographs first", "漢字abcdefgh", 4, flags="larger-only one-too-many", comment="2 + 8/4"),
            _count("ideographs last", "abcdefg漢字", 4, flags="floor larger-only", comment="2 + 7/4"),
            _count(
                "long and mixed",
                {"repeat": [["漢ab", 1001]]},
                1502,
                flags="runs-apart bytes larger-only",
                comment="1001 + 2002/4",
            ),
        ],
    )


def _warned(name: str, text: str, count: int, **options: Any) -> Json:
    return _count(name, text, count, basis="open", question="BYOB-Q082", **options)


def _other_cjk() -> Json:
    return group(
        "further CJK characters, by the recommended reading",
        CJK,
        [
            _warned("last of the block", "\u9fff" * 5, 5, flags="range-short", comment="U+9FFF, of Unicode 14"),
            _warned("extension a first", "\u3400" * 5, 5, flags="unified-only"),
            _warned("extension a last", "\u4dbf" * 5, 5, flags="unified-only"),
            _warned("hiragana", "ひらがなです", 6, flags="unified-only all-by-four"),
            _warned("katakana", "カタカナ", 4, flags="unified-only all-by-four"),
            _warned("prolonged sound", "サーバー", 4, flags="unified-only", comment="U+30FC in it"),
            _warned("hangul", "가나다라", 4, flags="unified-only all-by-four"),
            _warned("hangul last", "\ud7a3" * 5, 5, flags="unified-only"),
            _warned("hangul with a blank", "한글 책", 4, flags="unified-only", comment="3 + 1/4"),
            _warned("compatibility ideographs", "\uf900\uf901\ufa0e", 3, flags="unified-only"),
            _warned("japanese sentence", "会議はいつ", 5, flags="unified-only", comment="2 ideographs, 3 kana"),
        ],
    )


def _informative(name: str, text: str, *counts: int, **options: Any) -> Json:
    return _count(name, text, *counts, basis="open", question="BYOB-Q082", **{"comment": EITHER, **options})


def _open_ranges() -> Json:
    return group(
        "characters that may count either way",
        CJK,
        [
            _informative("cjk punctuation", "、。「」", 1, 4),
            _informative("ideographic space", "\u3000" * 5, 2, 5),
            _informative("iteration mark", "人々", 2, comment="1 + 1/4, or 2"),
            _informative("fullwidth letters", "ＡＢＣＤ", 1, 4),
            _informative("half-width katakana", "ｱｲｳｴ", 1, 4),
            _informative("bopomofo", "ㄅㄆㄇㄈ", 1, 4),
            _informative("hangul jamo", "\u1112\u1161\u11ab\u1100", 1, 4),
            _informative("radicals", "⼀⼁⼂⼃", 1, 4),
            _informative("hexagrams", "䷀䷁䷂䷃", 1, 4, comment="between extension A and the ideographs"),
            _informative("yi", "ꀀꀁꀂꀃ", 1, 4, comment="right after the ideographs"),
            _informative("astral ideographs", "𠀀𠀁𠀂𠀃", 1, 2, 4),
            _informative("enclosed ideographs", "㈱㈲㊙㊚", 1, 4),
        ],
    )


def _characters() -> Json:
    how: dict[str, Any] = {"basis": "open", "question": "BYOB-Q081"}
    return group(
        "what a character is",
        OTHERS,
        [
            _count("latin", "éüñøß", 2, flags="bytes", comment="5 characters, 10 bytes", **how),
            _count("cyrillic", "привет", 2, flags="bytes", **how),
            _count("combining marks", "e\u0301" * 4, 2, flags="graphemes bytes", comment="8 characters", **how),
            _count("joiners", "a\u200db\u200dc", 2, flags="graphemes", comment="5 characters", **how),
            _count("long dash and quotes", "“a” – b", 2, flags="bytes", comment="7 characters", **how),
            _count("two emoji", "😀😀", 1, flags="bytes", comment="2 code points, 4 UTF-16 units", **how),
            _count("four emoji", "😀😀😀😀", 1, 2, flags="bytes", comment="4 code points, 8 UTF-16 units", **how),
            _count("family", "👨\u200d👩\u200d👧", 2, flags="bytes", comment="5 code points, 8 UTF-16 units", **how),
            case(OP, "lone surrogate", {"text": "\ud800abcd"}, ok(count=2), refused(), **how),
        ],
    )


def make() -> Json:
    """The file."""
    return document(OP, "8", [_ascii(), _ideographs(), _mixed(), _other_cjk(), _open_ranges(), _characters()], NOTES)
