import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.yea import b64url


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"\x00", "AA"),
        (b"\x00\x00", "AAA"),
        (b"\x00\x00\x00", "AAAA"),
        (b"\xff", "_w"),
        (b"\xfb\xff", "-_8"),
        (b"\xfb\xef\xbe", "----"),
        (b"f", "Zg"),
        (b"foobar", "Zm9vYmFy"),
    ],
)
def test_base64url_has_no_padding_and_its_own_alphabet(data: bytes, text: str) -> None:
    assert b64url.encode(data) == text
    assert b64url.decode(text) == data


@pytest.mark.parametrize(
    "text",
    [
        "AA==",
        "AAA=",
        "=",
        "A",
        "AAAAA",
        "AB",  # the four unused bits of one byte
        "A_",
        "AAB",  # the two unused bits of two bytes
        "AA\n",
        "AA ",
        " AA",
        "A A",
        "AAAA\n",
        "A\nAAA",
        "+w",
        "/w",
        "AA.",
        "AA\x00",
        "ÀA",
        "ＡＡ",
        "AA\u200b",
        "\ud800A",
    ],
    ids=repr,
)
def test_any_other_spelling_is_refused(text: str) -> None:
    with pytest.raises(b64url.B64Error):
        b64url.decode(text)


@pytest.mark.parametrize("value", [None, 5, b"AA", ["AA"], True], ids=repr)
def test_what_is_no_string_is_refused(value: object) -> None:
    with pytest.raises(b64url.B64Error, match="is a string"):
        b64url.decode(value)  # type: ignore[arg-type]


@given(st.binary(max_size=70))
def test_every_byte_string_has_one_spelling(data: bytes) -> None:
    text = b64url.encode(data)
    assert b64url.decode(text) == data
    assert text == base64.b64encode(data, b"-_").decode().strip("=")


@given(st.text("AQgw_-=+/ \n", max_size=9))
def test_a_text_that_is_read_is_the_text_that_is_written(text: str) -> None:
    try:
        data = b64url.decode(text)
    except b64url.B64Error:
        return
    assert b64url.encode(data) == text
