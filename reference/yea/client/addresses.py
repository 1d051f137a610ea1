"""Where a service is: the URL forms of YEA 2.3."""

import shlex
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from reference.yea.client.errors import AddressError
from reference.yea.client.frames import short

DEFAULT_PORTS = {"yea": 7447, "yeas": 7448}
"""YEA 2.3: the ports of TCP and TLS when the URL names none."""

BRIDGES = ("http", "https")


@dataclass(frozen=True, slots=True)
class Address:
    """A parsed address.

    scheme: yea, yeas, stdio, http or https. text: as given. host, port: of yea and yeas.
    command: of stdio, the program and its arguments.
    """

    scheme: str
    text: str
    host: str = ""
    port: int = 0
    command: tuple[str, ...] = ()


def parse(text: str) -> Address:
    """The address in a text: yea://host[:port], yeas://host[:port], stdio:command, http(s)://… (YEA 2.3).

    A command is split as a shell would, and no shell is involved. Raises AddressError.
    """
    if text.startswith("stdio:"):
        return Address("stdio", text, command=_command(text.removeprefix("stdio:")))
    parts, port = _split(text)
    if parts.scheme in DEFAULT_PORTS:
        if parts.path not in ("", "/") or parts.query or parts.fragment:
            raise AddressError(f"{short(text)} has more than a host and a port: write {parts.scheme}://HOST:PORT")
        return Address(parts.scheme, text, parts.hostname or "", DEFAULT_PORTS[parts.scheme] if port is None else port)
    return Address(parts.scheme, text)


def _split(text: str) -> tuple[SplitResult, int | None]:
    """The parts of a URL with a host, and the port it names."""
    try:
        parts = urlsplit(text)
        port, host = parts.port, parts.hostname
        named = bool(host) and (":" in str(host) or bool(str(host).encode("idna")))
    except ValueError:
        raise AddressError(f"{short(text)} names no valid host and port; IPv6 goes in brackets: [::1]:7447") from None
    known = parts.scheme in DEFAULT_PORTS or parts.scheme in BRIDGES
    if not known or not text.lower().startswith(f"{parts.scheme}://"):
        forms = "yea://HOST:PORT, yeas://HOST:PORT, http(s)://…/yea or stdio:COMMAND"
        raise AddressError(f"{short(text)} is no address of a service: write {forms}")
    if not named or port == 0 or not text.isprintable() or " " in text:
        raise AddressError(f"{short(text)} names no valid host and port")
    if parts.username is not None or parts.password is not None:
        raise AddressError("an address with a user name or password is not supported")
    return parts, port


def _command(text: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(text))
    except ValueError:
        raise AddressError(f"{short(text)} is no command: a quotation mark is missing") from None
    if not words or "\0" in text:
        raise AddressError("stdio: needs a command, for example stdio:./my-service --stdio")
    return words
