"""byob.canonical: the text that owners sign (BYOB 4). Every text is written by hand; Node's is the second opinion."""

from typing import Any

from tests.vectors.generators.documents import Json, case, document, group, ok, refused

OP = "byob.canonical"
SORT, ORDER, BLANK, SAME = "BYOB-4-16", "BYOB-4-17", "BYOB-4-18", "BYOB-4-20"
NOTES = {
    "as-received": ("keeps the order of the members as they came", SORT),
    "top-only": ("sorts the outermost object alone", SORT),
    "not-in-arrays": ("does not look for objects inside arrays", SORT),
    "no-case": ("sorts without regard to case, or by a language's order", SORT),
    "numbers-first": ("puts keys that look like numbers first, or sorts them by value", SORT),
    "by-length": ("sorts by length first", SORT),
    "by-escape": ("sorts keys by their escaped text", SORT),
    "magic-key": ("loses or moves a key that means something to the language", f"{SORT} {SAME}"),
    "array-sorted": ("sorts the elements of arrays", ORDER),
    "array-set": ("drops repeated elements of arrays", f"{ORDER} {SAME}"),
    "array-flat": ("writes nested arrays as one", f"{ORDER} {SAME}"),
    "spaces": ("writes blanks after commas or colons, or line ends", BLANK),
    "strips-strings": ("removes blanks inside strings too", f"{BLANK} {SAME}"),
    "drops-null": ("leaves out what is null", SAME),
    "drops-empty": ("leaves out what is empty, zero or false", SAME),
    "coerces": ("reads strings as numbers, dates or booleans", SAME),
    "doubles": ("writes integers as doubles, or rounds large ones", SAME),
    "escapes-lost": ("writes a quote or a backslash unescaped", SAME),
    "escapes-kept": ("keeps the escapes of its input", SAME),
    "objects-only": ("takes objects alone", SAME),
    "lenient-reader": ("reads what is no JSON", SAME),
    "ascii-only": ("escapes all that is not ASCII", SAME),
    "more-escapes": ("escapes characters that need no escape", SAME),
    "other-escapes": ("spells the escapes of control characters otherwise", SAME),
    "normalised": ("normalises strings", SAME),
}


def _text(name: str, json: Any, text: Any, **options: Any) -> Json:
    return case(OP, name, {"json": json}, ok(text=text), **options)


def _sorted() -> Json:
    many = [f"k{n * 7 % 30:02}" for n in range(30)]
    return group(
        "keys are sorted at every depth",
        SORT,
        [
            _text("two keys", '{"b":1,"a":2}', '{"a":2,"b":1}', flags="as-received"),
            _text("sorted already", '{"a":1,"b":2,"c":3}', '{"a":1,"b":2,"c":3}'),
            _text("object in an object", '{"z":{"b":1,"a":2}}', '{"z":{"a":2,"b":1}}', flags="top-only"),
            _text(
                "three deep",
                '{"c":{"b":{"z":1,"a":2},"a":3},"b":4}',
                '{"b":4,"c":{"a":3,"b":{"a":2,"z":1}}}',
                flags="top-only as-received",
            ),
            _text("object in an array", '[{"b":1,"a":2}]', '[{"a":2,"b":1}]', flags="not-in-arrays"),
            _text(
                "array in an array",
                '{"x":[[{"b":1,"a":[{"d":1,"c":2}]}]]}',
                '{"x":[[{"a":[{"c":2,"d":1}],"b":1}]]}',
                flags="not-in-arrays top-only",
            ),
            _text("capitals first", '{"b":1,"B":2,"a":3,"A":4}', '{"A":4,"B":2,"a":3,"b":1}', flags="no-case"),
            _text(
                "underscore between", '{"aa":1,"a_":2,"aZ":3,"_a":4}', '{"_a":4,"aZ":3,"a_":2,"aa":1}', flags="no-case"
            ),
            _text("digits as text", '{"10":1,"9":2,"1":3}', '{"1":3,"10":1,"9":2}', flags="numbers-first"),
            _text(
                "digits among others", '{"a":1,"2":2," ":3,"-1":4}', '{" ":3,"-1":4,"2":2,"a":1}', flags="numbers-first"
            ),
            _text(
                "beginnings first", '{"aab":1,"aa":2,"b":3,"a":4}', '{"a":4,"aa":2,"aab":1,"b":3}', flags="by-length"
            ),
            _text("longer one first", '{"b":1,"aaaa":2}', '{"aaaa":2,"b":1}', flags="by-length"),
            _text("empty key", '{"a":1,"":2}', '{"":2,"a":1}', flags="as-received"),
            _text("quote in a key", r'{"#":1,"\"":2,"!":3}', r'{"!":3,"\"":2,"#":1}', flags="by-escape escapes-lost"),
            _text("backslash in a key", r'{"]":1,"\\":2,"[":3}', r'{"[":3,"\\":2,"]":1}', flags="escapes-lost"),
            _text("escaped letters in a key", r'{"\u0062":1,"a":2}', '{"a":2,"b":1}', flags="by-escape escapes-kept"),
            _text(
                "key proto", '{"b":1,"__proto__":{"z":1,"y":2}}', '{"__proto__":{"y":2,"z":1},"b":1}', flags="magic-key"
            ),
            _text(
                "keys of every object",
                '{"toString":1,"length":2,"constructor":3}',
                '{"constructor":3,"length":2,"toString":1}',
                flags="magic-key",
            ),
            _text("same keys in two objects", '[{"b":1,"a":1},{"a":2,"b":2}]', '[{"a":1,"b":1},{"a":2,"b":2}]'),
            _text(
                "thirty keys",
                "{" + ",".join(f'"{name}":"{name}"' for name in many) + "}",
                "{" + ",".join(f'"k{n:02}":"k{n:02}"' for n in range(30)) + "}",
                flags="as-received",
            ),
            _text(
                "join as in section 4",
                '{"table":"t","seat":"s","owner":"o","kind":"bot","role":"pro","card":{"proxy":false,"bot":"x",'
                '"capabilities":[{"resource":"r","actions":["b","a"]}]},"nonce":"n"}',
                '{"card":{"bot":"x","capabilities":[{"actions":["b","a"],"resource":"r"}],"proxy":false},"kind":"bot",'
                '"nonce":"n","owner":"o","role":"pro","seat":"s","table":"t"}',
                flags="top-only not-in-arrays array-sorted",
            ),
        ],
    )


def _arrays() -> Json:
    return group(
        "arrays keep their order",
        ORDER,
        [
            _text("numbers", "[3,1,2]", "[3,1,2]", flags="array-sorted"),
            _text("strings", '["b","a","C"]', '["b","a","C"]', flags="array-sorted"),
            _text("objects by their keys", '[{"b":1},{"a":1}]', '[{"b":1},{"a":1}]', flags="array-sorted"),
            _text(
                "twelve numbers", "[12,11,10,9,8,7,6,5,4,3,2,1]", "[12,11,10,9,8,7,6,5,4,3,2,1]", flags="array-sorted"
            ),
            _text(
                "types mixed", '[null,"a",1,true,{},[]]', '[null,"a",1,true,{},[]]', flags="array-sorted drops-empty"
            ),
            _text("repeated elements", '{"actions":["a","b","a"]}', '{"actions":["a","b","a"]}', flags="array-set"),
            _text("nested arrays", "[[2],[1,[0]]]", "[[2],[1,[0]]]", flags="array-flat array-sorted"),
            _text("one element", '{"to":["*"]}', '{"to":["*"]}', flags="array-flat"),
        ],
    )


def _blanks() -> Json:
    return group(
        "no whitespace outside strings",
        BLANK,
        [
            _text("blanks between tokens", '{ "a" : 1 , "b" : [ 1 , 2 ] }', '{"a":1,"b":[1,2]}', flags="spaces"),
            _text("line ends and tabs", '{\r\n\t"a":\t[\n1\n]\r\n}', '{"a":[1]}', flags="spaces"),
            _text("blanks around", '  \n"a"\n  ', '"a"', flags="spaces"),
            _text("empty object with a blank", "{ }", "{}", flags="spaces"),
            _text("empty array with blanks", "[ \n ]", "[]", flags="spaces"),
            _text("blanks in a string", '{"a":"  b  c  "}', '{"a":"  b  c  "}', flags="strips-strings"),
            _text("blanks in a key", '{" b":1," a ":2}', '{" a ":2," b":1}', flags="strips-strings as-received"),
            _text("signs in a string", '["a, b: c","{ }","[ ]"]', '["a, b: c","{ }","[ ]"]', flags="strips-strings"),
        ],
    )


def _kept() -> Json:
    null = {"question": "BYOB-Q030", "flags": "drops-null"}
    printable = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) not in '"\\/<>&')
    return group(
        "values stay as they are",
        SAME,
        [
            _text("true", "true", "true", flags="objects-only"),
            _text("false", '{"proxy":false}', '{"proxy":false}', flags="drops-empty"),
            _text("null alone", "null", "null", flags="objects-only drops-null"),
            _text("member null", '{"role":null,"a":1}', '{"a":1,"role":null}', comment="null is not undefined", **null),
            _text("null in an array", "[1,null,2]", "[1,null,2]", **null),
            _text("null deep inside", '{"card":{"x":[{"y":null}]}}', '{"card":{"x":[{"y":null}]}}', **null),
            _text("empty object", "{}", "{}", flags="drops-empty"),
            _text("empty array", "[]", "[]", flags="drops-empty objects-only"),
            _text("empty string", '""', '""', flags="drops-empty objects-only"),
            _text(
                "empty members",
                '{"f":{},"e":[],"d":"","c":0,"b":false}',
                '{"b":false,"c":0,"d":"","e":[],"f":{}}',
                flags="drops-empty",
            ),
            _text("zero", "0", "0", flags="doubles objects-only"),
            _text("negative", '{"a":-1}', '{"a":-1}', flags="doubles"),
            _text("ten digits", '{"seq":1790000000}', '{"seq":1790000000}', flags="doubles"),
            _text("largest integer", "9007199254740991", "9007199254740991", flags="doubles"),
            _text("smallest integer", "-9007199254740991", "-9007199254740991", flags="doubles"),
            _text("string of a number", '["1","1.0","007","1e3"]', '["1","1.0","007","1e3"]', flags="coerces"),
            _text(
                "string of a word", '["true","null","NaN",""]', '["true","null","NaN",""]', flags="coerces drops-null"
            ),
            _text("string of a time", '"2026-11-03T12:00:00.000Z"', '"2026-11-03T12:00:00.000Z"', flags="coerces"),
            _text("printable characters", f'"{printable}"', f'"{printable}"', flags="more-escapes"),
            _text("quotes", r'"say \"no\""', r'"say \"no\""', flags="escapes-lost"),
            _text("backslashes", r'"C:\\new\\"', r'"C:\\new\\"', flags="escapes-lost"),
            _text("escapes that are none", r'"\\n \\u0041"', r'"\\n \\u0041"', flags="escapes-lost"),
            _text("escaped letters", r'"\u0041\u007a"', '"Az"', flags="escapes-kept"),
            _text("escaped quote", r'"\u0022\u005C"', r'"\"\\"', flags="escapes-kept escapes-lost"),
            _text(
                "long string",
                {"repeat": [['"', 1], ["ab ", 20_000], ['"', 1]]},
                {"repeat": [['"', 1], ["ab ", 20_000], ['"', 1]]},
            ),
            _text("100 deep", {"repeat": [["[", 100], ["]", 100]]}, {"repeat": [["[", 100], ["]", 100]]}),
            case(
                OP,
                "10000 deep",
                {"json": {"repeat": [['{"a":', 10_000], ["1", 1], ["}", 10_000]]}},
                ok(text={"repeat": [['{"a":', 10_000], ["1", 1], ["}", 10_000]]}),
                refused(),
                comment="a reader may limit depth (RFC 8259, 9) and refuse it; it must not fall over",
            ),
        ],
    )


def _strings() -> Json:
    how: dict[str, Any] = {"basis": "open", "question": "BYOB-Q028"}

    def raw(name: str, text: str, flags: str, **options: Any) -> Json:
        return _text(name, f'"{text}"', f'"{text}"', flags=flags, **how, **options)

    return group(
        "strings beyond plain ASCII, as JSON.stringify writes them",
        SAME,
        [
            raw("latin", "Café Ünal", "ascii-only"),
            raw("ideographs", "先に処理する", "ascii-only"),
            raw("emoji", "ok 👍", "ascii-only"),
            raw("not normalised", "e\u0301 \u212b \ufb01", "normalised ascii-only"),
            raw("line separators", "a\u2028b\u2029c", "more-escapes ascii-only"),
            raw("no-break space and joiners", "a\u00a0b\u200dc\ufeffd", "strips-strings ascii-only"),
            raw("del", "a\x7fb", "more-escapes"),
            raw("slash", "a/b", "more-escapes"),
            raw("markup", "<a href='x'>&</a>".replace("/", ""), "more-escapes"),
            raw("short escapes", r"\b\t\n\f\r", "other-escapes"),
            raw("other controls", r"\u0000\u0001\u000b\u001f", "other-escapes", comment="lower-case hex"),
            _text(
                "long form of short escapes",
                r'"\u0008\u0009\u000A\u000c\u000D"',
                r'"\b\t\n\f\r"',
                flags="other-escapes escapes-kept",
                **how,
            ),
            _text("escaped slash", r'"a\/b"', '"a/b"', flags="escapes-kept more-escapes", **how),
            _text("escaped latin", r'"\u00e9\u00C9"', '"éÉ"', flags="escapes-kept ascii-only", **how),
            _text("escaped pair", r'"\ud83d\ude00"', '"😀"', flags="escapes-kept ascii-only", **how),
            _text("latin keys", '{"é":1,"z":2,"e":3}', '{"e":3,"z":2,"é":1}', flags="no-case ascii-only", **how),
            _text(
                "keys of several scripts",
                '{"漢":1,"ж":2,"か":3,"a":4}',
                '{"a":4,"ж":2,"か":3,"漢":1}',
                flags="no-case",
                **how,
            ),
            _text("control character in a key", r'{"a":1,"\n":2}', r'{"\n":2,"a":1}', flags="by-escape", **how),
        ],
    )


def _either(name: str, json: Any, *texts: str, question: str = "BYOB-Q028", no: bool = False, **options: Any) -> Json:
    answers = [*(ok(text=text) for text in texts), *([refused()] if no else [])]
    return case(OP, name, {"json": json}, *answers, basis="open", question=question, **options)


def _informative() -> Json:
    by_unit, by_point = '{"😀":1,"\uffee":2}', '{"\uffee":2,"😀":1}'
    return group(
        "strings and keys where every fair answer counts",
        SAME,
        [
            _either("astral key", '{"\uffee":2,"😀":1}', by_unit, by_point, comment="by UTF-16 unit, or by code point"),
            _either("astral keys escaped", r'{"\ufb01":1,"\ud840\udc00":2}', '{"𠀀":2,"ﬁ":1}', '{"ﬁ":1,"𠀀":2}'),
            _either("lone high surrogate", r'"a\ud800"', r'"a\ud800"', '"a\ud800"', '"a\ufffd"', no=True),
            _either(
                "lone low surrogate in a key", r'{"\udc00":1}', r'{"\udc00":1}', '{"\udc00":1}', '{"\ufffd":1}', no=True
            ),
            _either("same key twice", '{"a":1,"a":2}', '{"a":2}', '{"a":1}', no=True),
            _either("same key twice by an escape", r'{"a":1,"\u0061":2}', '{"a":2}', '{"a":1}', no=True),
        ],
    )


def _numbers() -> Json:
    def number(name: str, text: str, *texts: str) -> Json:
        return _either(name, text, *dict.fromkeys((*texts, text)), question="BYOB-Q029", no=True)

    return group(
        "numbers that are no plain integers of 53 bits: as ECMAScript, as Python, as sent, or refused",
        SAME,
        [
            number("point zero", "1.0", "1"),
            number("exponent", "1e3", "1000", "1000.0"),
            number("minus zero", "-0", "0"),
            number("minus zero point", "-0.0", "0", "-0"),
            number("a tenth", "0.1", "0.1"),
            number("trailing zero", "1.50", "1.5"),
            number("small", "0.0000001", "1e-7", "1e-07"),
            number("large exponent", "1e21", "1e+21"),
            number("exponent written out", "100000000000000000000", "1e+20"),
            number("2 to 53", "9007199254740992"),
            number("2 to 53 and one", "9007199254740993", "9007199254740992"),
            number("sum of doubles", "0.30000000000000004"),
        ],
    )


def _no_json() -> Json:
    texts = {
        "nothing": "",
        "blanks only": " \n",
        "open object": '{"a":1',
        "open string": '"a',
        "comma at the end of an array": "[1,]",
        "comma at the end of an object": '{"a":1,}',
        "single quotes": "{'a':1}",
        "key without quotes": "{a:1}",
        "two values": "{} {}",
        "leading zero": "01",
        "plus sign": "+1",
        "hex": "0x10",
        "python words": "[True,None]",
        "comment": "/* a */ 1",
        "unknown escape": r'"\x41"',
        "half an escape": r'"\u12"',
        "raw newline in a string": '"a\nb"',
    }
    names = {"nan": "NaN", "infinity": "[Infinity]"}
    return group(
        "no JSON at all",
        SAME,
        [
            *(case(OP, name, {"json": text}, refused(), flags="lenient-reader") for name, text in texts.items()),
            *(
                case(OP, name, {"json": text}, refused(), basis="open", question="BYOB-Q029", flags="lenient-reader")
                for name, text in names.items()
            ),
        ],
    )


def make() -> Json:
    """The file."""
    groups = [_sorted(), _arrays(), _blanks(), _kept(), _strings(), _informative(), _numbers(), _no_json()]
    return document(OP, "4", groups, NOTES)
