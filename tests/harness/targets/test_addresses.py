"""Target addresses: what a TARGET may be, and what is said of one that is none."""

import pytest

from harness.errors import UsageError
from harness.targets.addresses import Address, parse

PARSED = {
    "yea://host": Address("yea://host", "tcp", "host", 7447, "/"),
    "yea://127.0.0.1:1": Address("yea://127.0.0.1:1", "tcp", "127.0.0.1", 1, "/"),
    "yea://[::1]:9000": Address("yea://[::1]:9000", "tcp", "::1", 9000, "/"),
    "yea://[2001:db8::7]": Address("yea://[2001:db8::7]", "tcp", "2001:db8::7", 7447, "/"),
    "yea://[fe80::1%eth0]:7": Address("yea://[fe80::1%eth0]:7", "tcp", "fe80::1%eth0", 7, "/"),
    "yeas://Host.Example": Address("yeas://Host.Example", "tls", "host.example", 7448, "/"),
    "http://h/yea": Address("http://h/yea", "http", "h", 80, "/yea"),
    "http://h:8080": Address("http://h:8080", "http", "h", 8080, "/"),
    "https://h/a/b?c=d": Address("https://h/a/b?c=d", "http", "h", 443, "/a/b"),
    "https://[::1]/yea": Address("https://[::1]/yea", "http", "::1", 443, "/yea"),
    "http://bücher.example/yea": Address("http://bücher.example/yea", "http", "bücher.example", 80, "/yea"),
    "stdio: ./serve --x ": Address("stdio: ./serve --x ", "stdio", command="./serve --x"),
}

NO_TARGET = "is no target; write yea://HOST:PORT, yeas://…, http(s)://…/yea or stdio:CMD"
REFUSED = {
    "": f"'' {NO_TARGET}",
    "host": f"'host' {NO_TARGET}",
    "host:7447": f"'host:7447' {NO_TARGET}",
    "127.0.0.1:7447": f"'127.0.0.1:7447' {NO_TARGET}",
    "ftp://h/": f"'ftp://h/' {NO_TARGET}",
    "yea:h": f"'yea:h' {NO_TARGET}",
    "YEA://h": f"'YEA://h' {NO_TARGET}",
    " yea://h": f"' yea://h' {NO_TARGET}",
    "//h/yea": f"'//h/yea' {NO_TARGET}",
    "yea://": "'yea://' names no host",
    "yea://:7447": "'yea://:7447' names no host",
    "http:///yea": "'http:///yea' names no host",
    "yea://h:0x10": "'yea://h:0x10' has no valid port; ports are 1 to 65535",
    "yea://h:65536": "'yea://h:65536' has no valid port; ports are 1 to 65535",
    "yea://h:-1": "'yea://h:-1' has no valid port; ports are 1 to 65535",
    "yea://[::1": "'yea://[::1' names no valid host; an IPv6 address stands in brackets: yea://[::1]:7447",
    "yea://::1]": "'yea://::1]' names no valid host; an IPv6 address stands in brackets: yea://[::1]:7447",
    "yea://::1": "'yea://::1' has no valid port; ports are 1 to 65535",
    "yea://a..b": "'yea://a..b' names no valid host",
    "yea://a b": "'yea://a b' names no valid host",
    "http://h/a b": "'http://h/a b' names no valid host",
    "yea://a\x00b": "'yea://a\\x00b' names no valid host",
    "yea://a\x1b[31m": "'yea://a\\x1b[31m' names no valid host; an IPv6 address stands in brackets: yea://[::1]:7447",
    "http://user@h/": "a target with a user name or password is not supported; use headers in a profile",
    "http://user:word@h/": "a target with a user name or password is not supported; use headers in a profile",
    "stdio:": "stdio: needs a command, for example stdio:./my-service --stdio",
    "stdio:  ": "stdio: needs a command, for example stdio:./my-service --stdio",
}

LOOPBACK = {
    "yea://localhost": True,
    "yea://127.0.0.1": True,
    "yea://127.9.9.9:5": True,
    "yea://[::1]": True,
    "http://LOCALHOST/yea": True,
    "stdio:x": True,
    "yea://10.0.0.1": False,
    "yea://0.0.0.0": False,
    "yea://[::2]": False,
    "yea://localhost.example": False,
    "http://127.0.0.1.example/": False,
}


@pytest.mark.parametrize("text", PARSED)
def test_an_address_is_parsed(text: str) -> None:
    assert parse(text) == PARSED[text]


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_target_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert str(caught.value) == REFUSED[text]


def test_a_host_name_that_no_resolver_takes_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        parse(f"yea://{'a' * 64}.example")
    assert str(caught.value).endswith("names no valid host")


@pytest.mark.parametrize("text", LOOPBACK)
def test_loopback_is_told_by_name_or_number(text: str) -> None:
    assert parse(text).loopback is LOOPBACK[text]
