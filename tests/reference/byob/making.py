"""Small configs, seats and entries, each with only what a test is about."""

from collections.abc import Mapping
from typing import Any

from reference.byob.types import Entry, Seat

CARD: dict[str, Any] = {"bot": "a script", "capabilities": []}


def config(topology: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    """A table config as a policy reads it."""
    return {"id": "t", "topic": "Which one?", "owners": {}, "topology": dict(topology), **members}


def capability(resource: str, *actions: str, **flags: bool) -> dict[str, Any]:
    """A capability of a card."""
    return {"resource": resource, "actions": [*actions], **flags}


def seat(
    id: str, owner: str = "tao", *capabilities: dict[str, Any], kind: Any = "bot", role: str | None = None
) -> Seat:
    """A seat that has joined."""
    return Seat(id, owner, kind, {**CARD, "capabilities": [*capabilities]}, role)


def entry(author: str, kind: str = "say", *to: str, **members: Any) -> Entry:
    """An entry with some seq; without addresses it is for everybody."""
    return {"seq": 9, "table": "t", "seat": author, "kind": kind, "to": [*(to or ("*",))], **members}
