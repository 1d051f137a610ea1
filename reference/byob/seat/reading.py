"""What a host answers, as a seat takes it: the members that BYOB fixes, held to their types, and the rest as it came.

A host may be another implementation, or hostile. Where the text leaves a shape open (BYOB-Q004, Q012, Q013, Q064),
every fair reading is taken.
"""

from dataclasses import dataclass
from typing import Any, Final

from reference.byob.seat.errors import BadAnswer
from reference.byob.seat.posts import is_task_id
from reference.byob.seat.wire import one_line
from reference.yea.types import Json, as_integer

Entry = dict[str, Any]
"""A ledger entry as JSON (BYOB 5)."""

STATES: Final = frozenset(
    ("awaiting_approval", "approved", "rejected", "running", "reported", "verified", "failed", "stalled")
)
FINISHED: Final = frozenset(("rejected", "verified", "failed"))
"""The states that nothing leaves (BYOB 9)."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task (BYOB 9). executor, owner: None where the host does not say. body: all that it said."""

    id: str
    state: str
    executor: str | None
    owner: str | None
    body: dict[str, Any]

    @property
    def effects(self) -> list[Any]:
        """What it would change; empty where the host does not say."""
        effects = self.body.get("effects")
        return effects if isinstance(effects, list) else []


@dataclass(frozen=True, slots=True)
class Projection:
    """A projection (BYOB 6).

    tail: the entries after the cursor that was asked for, by seq. cursor: what to ask for next. holder: who has the
    floor, None for nobody. mine: whether this seat has it. grant_seq: of the grant, None where the host does not say.
    closed: whether the table is. tasks: those that concern the seat.
    """

    table: str
    seat: str
    prefix: dict[str, Any]
    prefix_hash: str
    tail: tuple[Entry, ...]
    cursor: int
    holder: str | None
    mine: bool
    grant_seq: int | None
    max_chars: int | None
    closed: bool
    tasks: tuple[Task, ...]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Memory:
    """A table's memory (BYOB 1, 2). body: all that the host said, as the token total."""

    decisions: tuple[dict[str, Any], ...]
    tasks: tuple[Task, ...]
    closed: bool
    body: dict[str, Any]


def projection(value: Json) -> Projection:
    """A projection; raises BadAnswer for anything else."""
    body = members(value, "projection")
    raw = body.get("floor")
    floor = raw if isinstance(raw, dict) else {}
    cursor = as_integer(body.get("cursor"))
    if cursor is None or cursor < 0:
        raise BadAnswer("the host's projection has no cursor")
    holder = floor.get("holder")
    return Projection(
        table=_text(body, "table", "projection"),
        seat=_text(body, "seat", "projection"),
        prefix=members(body.get("prefix"), "prefix"),
        prefix_hash=_text(body, "prefix_hash", "projection"),
        tail=_tail(body.get("tail"), cursor),
        cursor=cursor,
        holder=holder if isinstance(holder, str) else None,
        mine=floor.get("you_have_floor") is True,
        grant_seq=as_integer(floor.get("grant_seq")),
        max_chars=as_integer(floor.get("max_chars")),
        closed=_closed(body),
        tasks=_tasks(body.get("my_tasks")),
        body=body,
    )


def memory(value: Json) -> Memory:
    """A table's memory; raises BadAnswer for anything else."""
    body = members(value, "memory")
    decisions = body.get("decisions")
    if not isinstance(decisions, list):
        raise BadAnswer("the host's memory has no decisions")
    told = tuple(item for item in decisions if isinstance(item, dict))
    return Memory(told, _tasks(body.get("tasks")), _closed(body), body)


def task(value: Json, name: str | None = None) -> Task:
    """A task; raises BadAnswer for anything else. name: its id, where it is known from elsewhere."""
    body = members(value, "task")
    found = next((body[key] for key in ("id", "task") if is_task_id(body.get(key))), name)
    state = body.get("state")
    if not is_task_id(found) or not isinstance(state, str) or state not in STATES:
        raise BadAnswer("the host's answer is no task: it lacks an id and one of the eight states")
    executor = body.get("executor")
    if isinstance(executor, dict):
        executor = executor.get("seat")
    owner = body.get("owner")
    return Task(
        str(found),
        state,
        executor if isinstance(executor, str) else None,
        owner if isinstance(owner, str) else None,
        body,
    )


def entry(value: Json) -> Entry:
    """A ledger entry; raises BadAnswer for anything else."""
    body = members(value, "ledger entry")
    if as_integer(body.get("seq")) is None or not isinstance(body.get("kind"), str):
        raise BadAnswer("the host's answer is no ledger entry: it lacks seq and kind")
    return body


def ledger(value: Json) -> list[Entry]:
    """The entries of a ledger, bare or under `entries`; raises BadAnswer for anything else."""
    items = value.get("entries") if isinstance(value, dict) else value
    if not isinstance(items, list):
        raise BadAnswer("the host's answer is no ledger")
    return [entry(item) for item in items]


def named(value: Json, name: str) -> str:
    """The id that an answer gives: `{name: id}`, or `{name: {id: …}}`."""
    body = members(value, f"answer with a {name}")
    found = body.get(name)
    if isinstance(found, dict):
        found = found.get("id", found.get(name))
    if not isinstance(found, str) or not found:
        raise BadAnswer(f"the host's answer names no {name}")
    return found


def secret(value: Json, name: str) -> str:
    """A token that an answer gives. What it is instead is never told."""
    found = value.get(name) if isinstance(value, dict) else None
    if not isinstance(found, str) or not found.isascii() or not found.isprintable() or " " in found or not found:
        raise BadAnswer(f"the host's answer has no usable {name}")
    return found


def members(value: Json, what: str) -> dict[str, Any]:
    """A JSON object; raises BadAnswer."""
    if not isinstance(value, dict):
        raise BadAnswer(f"the host's answer is no {what}: it is no object")
    return value


def _text(body: dict[str, Any], name: str, what: str) -> str:
    value = body.get(name)
    if not isinstance(value, str):
        raise BadAnswer(f"the host's {what} has no {name}")
    return value


def _closed(body: dict[str, Any]) -> bool:
    status = body.get("status")
    if status not in ("open", "closed"):
        raise BadAnswer(f"the host's answer has the status {one_line(repr(status))}, not open or closed")
    return bool(status == "closed")


def _tail(value: Json, cursor: int) -> tuple[Entry, ...]:
    """BYOB 6: in seq order, and nothing past the cursor."""
    if not isinstance(value, list):
        raise BadAnswer("the host's projection has no tail")
    tail = tuple(entry(item) for item in value)
    numbers = [int(item["seq"]) for item in tail]
    if numbers != sorted(set(numbers)) or any(number > cursor for number in numbers):
        raise BadAnswer("the tail of the host's projection is not in the order of seq up to its cursor")
    return tail


def _tasks(value: Json) -> tuple[Task, ...]:
    """A list of tasks, or a map from ids to them."""
    if isinstance(value, dict):
        return tuple(task(item, name) for name, item in value.items())
    if not isinstance(value, list):
        raise BadAnswer("the host's answer has no list of tasks")
    return tuple(task(item) for item in value)
