"""The error that a table answers with (BYOB 11).

A rule that refuses a request raises `ByobError`; the host turns it into {"error": {"code", "message"}} with the
status of its code. Pure functions below it have errors of their own: `KeyFormatError` for what is no key.
"""

from typing import Any

STATUS = {
    "E_SCHEMA": 400,
    "E_PROTOCOL": 400,
    "E_BAD_SIGNATURE": 401,
    "E_UNAUTHORIZED": 401,
    "E_NOT_OWNER": 403,
    "E_NOT_DECIDER": 403,
    "E_SELF_VERIFY": 403,
    "E_NOT_FOUND": 404,
    "E_NOT_FLOOR": 409,
    "E_TASK_STATE": 409,
    "E_TABLE_CLOSED": 409,
    "E_SEAT_TAKEN": 409,
    "E_REPLAY": 409,
    "E_ADDRESS": 422,
    "E_NO_EXECUTOR": 422,
    "E_MIXED_OWNERS": 422,
    "E_NO_TERMINATION": 422,
    "E_CONFIG": 422,
    "E_DISCLOSURE": 451,
    "E_INTERNAL": 500,
}
"""Every code with its HTTP status, in the order of the spec. E_DISCLOSURE never leaves the seat's side."""


class ByobError(Exception):
    """A refusal (BYOB 11).

    code: one of `STATUS`; any other raises ValueError.
    message: one sentence that names the member at fault and what is wanted, without secrets.
    """

    def __init__(self, code: str, message: str) -> None:
        if code not in STATUS:
            raise ValueError(f"{code!r} is none of the error codes: {', '.join(STATUS)}")
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    @property
    def status(self) -> int:
        """The HTTP status of the code."""
        return STATUS[self.code]

    def body(self) -> dict[str, Any]:
        """The answer's JSON object: {"error": {"code": …, "message": …}}."""
        return {"error": {"code": self.code, "message": self.message}}
