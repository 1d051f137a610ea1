"""Where a table is: a host's base URL with or without /v0.1, and paths that nothing can break out of."""

import pytest

from reference.byob.seat import addresses
from reference.byob.seat.errors import AddressError


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("http://127.0.0.1:8700", "http://127.0.0.1:8700/v0.1"),
        ("http://127.0.0.1:8700/", "http://127.0.0.1:8700/v0.1"),
        ("http://127.0.0.1:8700/v0.1", "http://127.0.0.1:8700/v0.1"),
        ("https://example.org/byob/v0.1/", "https://example.org/byob/v0.1"),
        ("https://[::1]:1/byob", "https://[::1]:1/byob/v0.1"),
    ],
)
def test_the_base_path_may_be_left_out(url: str, base: str) -> None:
    assert addresses.base(url) == base


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:8700",
        "ftp://a",
        "http://",
        "http://a:0",
        "http://a:x",
        "http://a/?q=1",
        "http://a/#f",
        "http://a b",
        "http://u:p@a",
        "http://[",
        "http://a\n",
    ],
)
def test_what_is_no_address_is_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(AddressError) as raised:
        addresses.base(url)
    assert "\n" not in str(raised.value)
    assert "p@a" not in str(raised.value)


def test_an_id_is_one_segment_whatever_is_in_it() -> None:
    assert (
        addresses.path("tables", "a/../b?c#d%2f é\0", "entries", 7)
        == "/tables/a%2F..%2Fb%3Fc%23d%252f%20%C3%A9%00/entries/7"
    )


@pytest.mark.parametrize("word", ["", ".", "..", "x" * 1025, "\ud800"])
def test_what_cannot_be_a_segment_is_refused(word: str) -> None:
    with pytest.raises(AddressError):
        addresses.path("tables", word)
