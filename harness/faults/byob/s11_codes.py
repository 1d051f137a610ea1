"""BYOB 11: codes with another status, and codes that stand for another fault."""

from typing import Any

from harness.faults import Fault, add
from harness.faults.tables import refusing
from reference.byob.errors import STATUS, ByobError
from reference.byob.http import Api

PLACES, TASKS = "byob/11/each-code-has-its-place", "byob/11/codes-of-tasks"
REPEATS, CONFIGS = "byob/11/codes-of-the-close-and-of-replays", "byob/11/codes-of-configs"
OTHER_STATUS = {400: 422, 401: 403, 403: 401, 404: 410, 409: 422, 422: 400}
ELSEWHERE = {
    "E_SELF_VERIFY": TASKS,
    "E_TASK_STATE": TASKS,
    "E_TABLE_CLOSED": REPEATS,
    "E_REPLAY": REPEATS,
    "E_NO_TERMINATION": CONFIGS,
    "E_CONFIG": CONFIGS,
}
NO_FAULT = ("E_INTERNAL", "E_DISCLOSURE")
# A code, and one that a host may take for it.
TAKEN_FOR = {
    "E_PROTOCOL": "E_SCHEMA",
    "E_BAD_SIGNATURE": "E_UNAUTHORIZED",
    "E_UNAUTHORIZED": "E_BAD_SIGNATURE",
    "E_NOT_OWNER": "E_UNAUTHORIZED",
    "E_NOT_DECIDER": "E_NOT_FLOOR",
    "E_SELF_VERIFY": "E_NOT_OWNER",
    "E_NOT_FOUND": "E_UNAUTHORIZED",
    "E_NOT_FLOOR": "E_NOT_DECIDER",
    "E_TASK_STATE": "E_SCHEMA",
    "E_TABLE_CLOSED": "E_NOT_FOUND",
    "E_SEAT_TAKEN": "E_REPLAY",
    "E_REPLAY": "E_SEAT_TAKEN",
    "E_ADDRESS": "E_NOT_FOUND",
    "E_NO_EXECUTOR": "E_ADDRESS",
    "E_MIXED_OWNERS": "E_SCHEMA",
    "E_NO_TERMINATION": "E_ADDRESS",
    "E_CONFIG": "E_ADDRESS",
}


def _with_status(code: str, status: int) -> type[Api]:
    def change(error: ByobError) -> tuple[int, Any]:
        return (status if error.code == code else error.status), error.body()

    return refusing(change)


def _taken_for(code: str, other: str) -> type[Api]:
    def change(error: ByobError) -> tuple[int, Any]:
        taken = ByobError(other, error.message) if error.code == code else error
        return taken.status, taken.body()

    return refusing(change)


def _words(code: str) -> str:
    return code.lower().replace("_", "-")


for _code, _status in STATUS.items():
    if _code in NO_FAULT:
        continue
    _other = OTHER_STATUS[_status]
    _claims = (f"byob/11/{_words(_code)}-is-{_status}", ELSEWHERE.get(_code, PLACES))
    _says = f"Answers {_code} with the status {_other}."
    add(Fault(f"byob/{_words(_code)}-is-{_other}", _says, _claims, _with_status(_code, _other), traffic=_claims[1]))

for _code, _other_code in TAKEN_FOR.items():
    _says = f"Answers {_other_code} where {_code} is due."
    _id = f"byob/{_words(_code)}-taken-for-{_words(_other_code)}"
    add(Fault(_id, _says, (ELSEWHERE.get(_code, PLACES),), _taken_for(_code, _other_code)))
