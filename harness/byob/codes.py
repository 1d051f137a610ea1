"""The error codes of a table host and the status of each (BYOB 11)."""

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
CLIENT_SIDE = ("E_DISCLOSURE",)


def in_words(*codes: str) -> str:
    """Return codes with their statuses: `409 E_NOT_FLOOR or 409 E_TABLE_CLOSED`."""
    return " or ".join(f"{STATUS[code]} {code}" for code in codes)
