"""Target addresses: `yea://host[:port]`, `yeas://`, `http(s)://…` and `stdio:CMD` (YEA 2.3)."""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from harness.errors import UsageError

TRANSPORT_OF = {"yea": "tcp", "yeas": "tls", "http": "http", "https": "http"}
DEFAULT_PORT = {"yea": 7447, "yeas": 7448, "http": 80, "https": 443}


@dataclass(frozen=True)
class Address:
    """A parsed target: the text as given, its transport, and host and port (empty and 0 for stdio)."""

    text: str
    transport: str
    host: str = ""
    port: int = 0
    path: str = ""
    command: str = ""

    @property
    def loopback(self) -> bool:
        """Whether the target is on this machine, by name or by number."""
        if self.transport == "stdio" or self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def _is_host(name: str) -> bool:
    """Whether a name can be looked up at all: the system's resolver raises on one that is too long, for example."""
    if ":" in name:
        return True  # an IPv6 address, which urlsplit has looked at
    try:
        return bool(name.encode("idna"))
    except UnicodeError:
        return False


def parse(text: str) -> Address:
    """Return the address in a TARGET; raises UsageError with what to write instead."""
    if text.startswith("stdio:"):
        command = text.removeprefix("stdio:").strip()
        if not command:
            raise UsageError("stdio: needs a command, for example stdio:./my-service --stdio")
        return Address(text, "stdio", command=command)
    try:
        parts = urlsplit(text)
    except ValueError:
        raise UsageError(
            f"{text!r} names no valid host; an IPv6 address stands in brackets: yea://[::1]:7447"
        ) from None
    if parts.scheme not in TRANSPORT_OF or not text.startswith(f"{parts.scheme}://"):
        raise UsageError(f"{text!r} is no target; write yea://HOST:PORT, yeas://…, http(s)://…/yea or stdio:CMD")
    try:
        port = parts.port
    except ValueError:
        raise UsageError(f"{text!r} has no valid port; ports are 1 to 65535") from None
    if not parts.hostname:
        raise UsageError(f"{text!r} names no host")
    if not _is_host(parts.hostname) or not text.isprintable() or " " in text:
        raise UsageError(f"{text!r} names no valid host")
    if parts.username is not None or parts.password is not None:
        raise UsageError("a target with a user name or password is not supported; use headers in a profile")
    return Address(
        text,
        TRANSPORT_OF[parts.scheme],
        parts.hostname,
        DEFAULT_PORT[parts.scheme] if port is None else port,
        parts.path or "/",
    )
