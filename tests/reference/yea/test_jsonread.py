import json
from json import JSONDecoder

import pytest

from reference.yea.jsonread import JsonError, read

DECODER = JSONDecoder()


@pytest.mark.parametrize(
    "text",
    [
        "0",
        '"a"',
        " [ ] ",
        "{ }",
        '[1,"2",[3,{"4":[5]}],{}]',
        '{"a":{"b":{}},"c":[[]],"a":7}',
        '\t{"a"\n:\r[ true , null ]\t}\n',
    ],
)
def test_it_reads_what_the_standard_library_reads(text: str) -> None:
    assert read(text, DECODER) == json.loads(text)


def test_the_decoder_reads_the_scalars() -> None:
    assert read('[1,{"a":-2}]', JSONDecoder(parse_int=lambda token: f"<{token}>")) == ["<1>", {"a": "<-2>"}]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[1,2", "ends at 4"),
        ("[1 2]", "unexpected '2]' at 3"),
        ('{"a":1]', "unexpected ']' at 6"),
        ('{"a" 1}', "unexpected '1}' at 5"),
        ("{5:1}", "unexpected '5:1}' at 1"),
        ("[] x", "unexpected ' x' at 2"),
        ("[nul]", "Expecting value"),
        ('["a]', "Unterminated string"),
    ],
)
def test_a_refusal_says_where(text: str, why: str) -> None:
    with pytest.raises(JsonError) as caught:
        read(text, DECODER)
    assert why in str(caught.value)
