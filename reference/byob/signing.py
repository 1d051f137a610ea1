"""What owners sign: joins and decisions on tasks (BYOB 4, 9)."""

from collections.abc import Mapping
from typing import Any

from reference.byob.keys import verify

__all__ = ["decision_payload", "join_payload", "verify"]

JOIN_MEMBERS = ("seat", "owner", "kind", "role", "card", "nonce")
"""What a join's signature covers beside `table` (BYOB 4)."""

DECISION_MEMBERS = ("owner", "task", "decision", "reason", "nonce")
"""What an owner decision's signature covers beside `table` (BYOB 9)."""


def join_payload(table: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """The object that the owner signs for a join: the table's id and six members of the request, as sent (BYOB 4).

    A member that the request does not have is left out.
    """
    return _payload(table, request, JOIN_MEMBERS)


def decision_payload(table: str, decision: Mapping[str, Any]) -> dict[str, Any]:
    """The object that the owner signs for a decision on a task: the table's id and five members (BYOB 9).

    A member that the decision does not have is left out.
    """
    return _payload(table, decision, DECISION_MEMBERS)


def _payload(table: str, request: Mapping[str, Any], members: tuple[str, ...]) -> dict[str, Any]:
    return {"table": table, **{name: request[name] for name in members if name in request}}
