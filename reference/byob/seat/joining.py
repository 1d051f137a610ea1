"""What an owner signs: joins and decisions on tasks (BYOB 4, 9). Pure: nonces come from outside."""

from typing import Any, Final

from reference.byob.keys import OwnerKey
from reference.byob.seat.errors import Unsendable
from reference.byob.seat.posts import is_task_id
from reference.byob.signing import decision_payload, join_payload

PROTOCOL: Final = "byob/0.1"
KINDS: Final = ("bot", "human")
DECISIONS: Final = ("approve", "reject")


def talk_only(bot: str = "naysayer seat") -> dict[str, Any]:
    """A capability card that lets a bot talk and do nothing else (BYOB 4). bot: the product's name."""
    return {"bot": bot, "proxy": False, "capabilities": []}


def join_request(
    key: OwnerKey,
    *,
    table: str,
    seat: str,
    owner: str,
    card: dict[str, Any],
    nonce: str,
    kind: str = "bot",
    role: str | None = None,
    transport: str | None = None,
) -> dict[str, Any]:
    """A join-request, signed by the owner over {table, seat, owner, kind, role, card, nonce} (BYOB 4).

    kind: bot or human. role, transport: left out if None. nonce: new for this request. Raises Unsendable.
    """
    if kind not in KINDS:
        raise Unsendable("a seat is of kind bot or human")
    more = {"role": role, "transport": transport}
    request: dict[str, Any] = {"protocol": PROTOCOL, "seat": seat, "owner": owner, "kind": kind, "card": card}
    request |= {name: value for name, value in more.items() if value is not None} | {"nonce": nonce}
    return {**request, "signature": key.sign(join_payload(table, request))}


def owner_decision(
    key: OwnerKey, *, table: str, owner: str, task: str, decision: str, nonce: str, reason: str | None = None
) -> dict[str, Any]:
    """An owner-decision, signed by the owner over {table, owner, task, decision, reason, nonce} (BYOB 9).

    decision: approve or reject. reason: left out if None. nonce: new for this request. Raises Unsendable.
    """
    if decision not in DECISIONS:
        raise Unsendable("an owner's decision is approve or reject")
    if not is_task_id(task):
        raise Unsendable("a task's id is task- and a number")
    body: dict[str, Any] = {"owner": owner, "task": task, "decision": decision, "nonce": nonce}
    body |= {"reason": reason} if reason is not None else {}
    return {**body, "signature": key.sign(decision_payload(table, body))}
