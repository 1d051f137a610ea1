"""Where a table is: a host's base URL, and the paths of BYOB 2 below it."""

from typing import Final
from urllib.parse import quote, urlsplit

from reference.byob.seat.errors import AddressError

BASE_PATH: Final = "/v0.1"
LONGEST_ID: Final = 1024


def base(url: str) -> str:
    """The base URL of a host, which ends in /v0.1, from a URL with or without that (BYOB 2).

    A host may stand below a path of its own: https://example.org/byob. Raises AddressError.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
        sound = bool(parts.hostname) and port != 0 and bool(str(parts.hostname).encode("idna"))
    except ValueError:
        sound = False
    if not sound or parts.scheme not in ("http", "https") or not url.isprintable() or " " in url:
        raise AddressError(f"{url[:80]!r} is no address of a table host: write http://HOST:PORT or https://…")
    if parts.username is not None or parts.password is not None:
        raise AddressError("an address with a user name or password is not supported")
    if parts.query or parts.fragment:
        raise AddressError("an address of a table host has no ? and no #")
    path = parts.path.rstrip("/").removesuffix(BASE_PATH).rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}{BASE_PATH}"


def path(*words: str | int) -> str:
    """A path below the base URL; each word is one segment, whatever is in it. Raises AddressError for an unfit word."""
    return "".join(f"/{_segment(str(word))}" for word in words)


def _segment(word: str) -> str:
    if word in ("", ".", "..") or len(word) > LONGEST_ID:
        raise AddressError(f"{word[:40]!r} cannot stand in an address")
    try:
        return quote(word, safe="")
    except UnicodeEncodeError:
        raise AddressError("an id with half a character cannot stand in an address") from None
