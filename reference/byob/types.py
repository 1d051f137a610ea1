"""The words of the protocol: kinds, events, planes, and what a seat is (BYOB 1, 4, 5).

Configs, requests and entries travel as plain JSON objects; only what the table itself keeps is a class.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

PROTOCOL = "byob/0.1"
"""The version that a join names, and that every answer names in a header (BYOB 2, 4)."""

CORE = "core"
"""The `seat` of a system entry: the table itself."""

Config: TypeAlias = Mapping[str, Any]
"""A table config that fits its schema (BYOB 3)."""

Entry: TypeAlias = dict[str, Any]
"""A ledger entry, or what will become one (BYOB 5)."""

SeatKind: TypeAlias = Literal["bot", "human"]
Status: TypeAlias = Literal["open", "closed"]

POST_KINDS = ("say", "pass", "raise_hand", "proposal", "decision", "status", "receipt", "verify")
"""The kinds that a seat writes (BYOB 5)."""

KINDS = ("system", *POST_KINDS[:5], "approval", "rejection", *POST_KINDS[5:])
"""All kinds of entries, in the order of the spec (BYOB 5)."""

EVENTS = (
    "table_opened",
    "seat_joined",
    "floor_granted",
    "task_opened",
    "task_state",
    "table_closed",
    "note",
    "subtable_result",
)
"""The events of a system entry (BYOB 5)."""

FLOOR_KINDS = frozenset({"say", "pass", "proposal", "decision"})
"""Only the floor holder writes these; a human says at any time (BYOB 8)."""

WORK_KINDS = frozenset({"status", "receipt", "verify"})
"""What seats write about a task, without the floor and after the close too (BYOB 5, 8)."""

GOVERNANCE = frozenset({"system", "proposal", "decision", "approval", "rejection", "status", "receipt", "verify"})
"""The kinds that every seat sees in every topology (BYOB 7)."""

COUNTED = frozenset({"say", "proposal", "decision"})
"""The kinds whose tokens count, and whose bodies are cut to max_chars (BYOB 8)."""

MAX_BOT_DEPTH = 32
"""Consecutive bot says when floor.max_bot_depth is not configured (BYOB 8)."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat that has joined: its id, its owner's id, what sits there, its card as signed, its role if any (BYOB 4)."""

    id: str
    owner: str
    kind: SeatKind
    card: Mapping[str, Any]
    role: str | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A proposed external action (BYOB 9).

    state: one of `tasks.STATES`. owner: the affected owner's id. executor: the seat that is to act.
    effects: as posted. opened_by: the seq of the proposal or decision.
    """

    id: str
    state: str
    owner: str
    executor: str
    effects: tuple[Mapping[str, Any], ...]
    opened_by: int

    def shown(self) -> dict[str, Any]:
        """The task as a JSON object: id, state, owner, executor, effects, opened_by."""
        return {
            "id": self.id,
            "state": self.state,
            "owner": self.owner,
            "executor": self.executor,
            "effects": [*self.effects],
            "opened_by": self.opened_by,
        }
