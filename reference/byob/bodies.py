"""Request bodies: bounded in size, depth and time, and strict JSON (BYOB 2).

What a body must say is for the schemas; here it is read. A body that two readers could understand differently (a
repeated key), or that could not be written into a ledger again (NaN, an infinity, half a surrogate pair), is none.
"""

import asyncio
import re
from json import JSONDecodeError, JSONDecoder
from typing import Any

from starlette.requests import Request

from reference.byob.errors import ByobError
from reference.byob.validating import MAX_DEPTH, is_shallow
from reference.yea.jsontext import has_lone_surrogate
from reference.yea.transports.http import read_body

MAX_BODY = 1 << 20
"""Bytes of a body. The specification names no limit."""

BODY_SECONDS = 30.0
"""How long a body may take to arrive."""

_MEDIA_TYPE = "application/json"
_LONGEST_INTEGER = 308
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")


class TooLarge(ByobError):
    """A body over the limit, of which the rest has not been read."""


async def read(request: Request) -> Any:
    """The JSON value of a request's body.

    Raises ByobError (E_SCHEMA) for anything but JSON, TooLarge over the limit, and ClientDisconnect when the client
    goes away in the middle.
    """
    check_type(request.headers.get("content-type"))
    try:
        async with asyncio.timeout(BODY_SECONDS):
            raw = await read_body(request, MAX_BODY)
    except TimeoutError:
        raise refused(f"the body did not arrive within {BODY_SECONDS:g} seconds") from None
    if raw is None:
        raise TooLarge("E_SCHEMA", f"a body is at most {MAX_BODY} bytes long")
    return parse(raw)


def check_type(header: str | None) -> None:
    """Raises ByobError (E_SCHEMA) unless a Content-Type says JSON in UTF-8."""
    media, _, parameters = (header or "").partition(";")
    charset = parameters.lower().replace(" ", "").replace('"', "")
    if media.strip().lower() != _MEDIA_TYPE or charset not in ("", "charset=utf-8"):
        raise refused(f"a body is sent as Content-Type: {_MEDIA_TYPE}")


def parse(raw: bytes) -> Any:
    """The value of a JSON text. Raises ByobError (E_SCHEMA) for any other text, and for one that is too deep."""
    try:
        value = _DECODER.decode(raw.decode())
    except UnicodeDecodeError:
        raise refused("the body is not UTF-8") from None
    except JSONDecodeError as error:
        raise refused(f"the body is not JSON: {error.msg} in line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise _too_deep() from None
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and not is_shallow(value):
        raise _too_deep()
    if _SURROGATE_ESCAPE.search(raw) and has_lone_surrogate(value):
        raise refused("the body holds half of a surrogate pair, which is no Unicode text")
    return value


def refused(message: str) -> ByobError:
    """The error for a body that cannot be read (BYOB 11)."""
    return ByobError("E_SCHEMA", message)


def _too_deep() -> ByobError:
    return refused(f"the body nests arrays and objects more than {MAX_DEPTH} deep")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise refused("an object in the body has the same member twice")
    return members


def _integer(token: str) -> int:
    # Reading an integer exactly takes quadratic time, and a longer one may be past the range of a float.
    if len(token) > _LONGEST_INTEGER:
        raise refused("a number in the body is too large")
    return int(token)


def _fraction(token: str) -> float:
    number = float(token)
    if number in (float("inf"), float("-inf")):
        raise refused("a number in the body is too large")
    return number


def _constant(token: str) -> Any:
    raise refused(f"the body is not JSON: {token} is no JSON value")


_DECODER = JSONDecoder(object_pairs_hook=_members, parse_int=_integer, parse_float=_fraction, parse_constant=_constant)
