"""The URL forms of YEA 2.3."""

import pytest

from reference.yea.client.addresses import Address, parse
from reference.yea.client.errors import AddressError


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("yea://h", Address("yea", "yea://h", "h", 7447)),
        ("yea://h/", Address("yea", "yea://h/", "h", 7447)),
        ("yea://h:1", Address("yea", "yea://h:1", "h", 1)),
        ("yeas://h", Address("yeas", "yeas://h", "h", 7448)),
        ("yeas://[::1]:9", Address("yeas", "yeas://[::1]:9", "::1", 9)),
        ("YEA://H", Address("yea", "YEA://H", "h", 7447)),
        ("http://h/yea", Address("http", "http://h/yea")),
        ("https://h:8443/x?y=1", Address("https", "https://h:8443/x?y=1")),
        ("stdio:./s --stdio", Address("stdio", "stdio:./s --stdio", command=("./s", "--stdio"))),
        ("stdio:'a b' \"c d\"", Address("stdio", "stdio:'a b' \"c d\"", command=("a b", "c d"))),
    ],
)
def test_each_form_is_read(text: str, wanted: Address) -> None:
    assert parse(text) == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no address"),
        ("h:7447", "is no address"),
        ("ftp://h", "is no address"),
        ("yea:h", "is no address"),
        ("yea://", "names no valid host"),
        ("yea://h:0", "names no valid host"),
        ("yea://h:99999", "names no valid host"),
        ("yea://h:x", "names no valid host"),
        ("yea://::1", "names no valid host"),
        ("yea://[::1", "names no valid host"),
        ("yea://a..b", "names no valid host"),
        ("yea://" + "a" * 64, "names no valid host"),
        ("yea://a b", "names no valid host"),
        ("http://a\x1b/yea", "names no valid host"),
        ("yea://h/path", "more than a host and a port"),
        ("yea://h?x", "more than a host and a port"),
        ("http://me:secret@h/yea", "user name or password"),
        ("stdio:", "needs a command"),
        ("stdio:''\0", "needs a command"),
        ("stdio:a 'b", "a quotation mark is missing"),
    ],
)
def test_anything_else_is_refused_with_what_to_write(text: str, said: str) -> None:
    with pytest.raises(AddressError, match=said) as raised:
        parse(text)
    assert "secret" not in str(raised.value)
