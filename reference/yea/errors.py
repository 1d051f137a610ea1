"""The error that a service answers with (YEA 7).

A rule that refuses a request raises `YeaError`; the service turns it into an ERROR frame. The pure
functions below the service have errors of their own, each a ValueError beside its function: `JsonError`,
`CanonicalError`, `B64Error`, `KeyFormatError`, `QuantityError`, `EffectError`, `GrantError`.
"""

from collections.abc import Sequence

from reference.yea.types import Json

CODES = (
    "bad_frame",
    "unknown_capability",
    "invalid_params",
    "unauthorized",
    "forbidden",
    "consent_required",
    "not_found",
    "expired",
    "conflict",
    "limit",
    "unavailable",
    "internal",
)
"""The twelve codes of YEA 7, in the order of the spec."""


class YeaError(Exception):
    """A refusal, with everything that the ERROR frame says (YEA 7).

    code: one of `CODES`; any other raises ValueError.
    message: one sentence that explains the problem and shows the offending value.
    fix: suggestions, each {"say": str, "params"?: merge patch}.
    need: for forbidden, the caveats that blocked the request.
    consent: for consent_required, the seven members of YEA 6.6.
    retry: seconds after which a retry may succeed.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        fix: Sequence[dict[str, Json]] = (),
        need: Sequence[Json] = (),
        consent: dict[str, Json] | None = None,
        retry: int | float | None = None,
    ) -> None:
        if code not in CODES:
            raise ValueError(f"{code!r} is none of the error codes: {', '.join(CODES)}")
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.fix = list(fix)
        self.need = list(need)
        self.consent = consent
        self.retry = retry

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def body(self) -> dict[str, Json]:
        """The members of the ERROR frame besides yea, id and re; an empty optional one is left out."""
        optional: dict[str, Json] = {
            "fix": [*self.fix],
            "need": self.need,
            "consent": self.consent,
            "retry": self.retry,
        }
        body: dict[str, Json] = {"kind": "ERROR", "code": self.code, "message": self.message}
        body.update({name: value for name, value in optional.items() if value not in (None, [])})
        return body
