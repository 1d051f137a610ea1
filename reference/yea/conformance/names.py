"""The names that callers choose."""

from reference.yea.errors import YeaError
from reference.yea.types import Json

LONGEST_NAME = 200


def checked(param: str, params: dict[str, Json]) -> str:
    """The param as text: 1 to 200 printable characters. Raises `invalid_params` with a fix."""
    value = str(params[param])
    if 0 < len(value) <= LONGEST_NAME and value.isprintable():
        return value
    shorter = "".join(sign for sign in value[:LONGEST_NAME] if sign.isprintable()) or "example"
    raise YeaError(
        "invalid_params",
        f"`{param}` must be 1 to {LONGEST_NAME} printable characters",
        fix=[{"say": "send it like this", "params": {param: shorter}}],
    )


def optional(param: str, params: dict[str, Json]) -> str | None:
    """The same for a param that may be absent."""
    return checked(param, params) if params.get(param) is not None else None
