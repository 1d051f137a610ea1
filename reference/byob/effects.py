"""Effects: whose resources an entry would change, who carries it out, and whether it needs a word (BYOB 9)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reference.byob.errors import ByobError
from reference.byob.types import Seat

Effect = Mapping[str, Any]


def affected_owner(effects: Sequence[Effect]) -> str:
    """The one owner that all effects name (BYOB 9). Raises ByobError E_MIXED_OWNERS when they name several."""
    owners = sorted({effect["owner"] for effect in effects})
    if len(owners) > 1:
        raise ByobError("E_MIXED_OWNERS", f"all effects of one entry must name one owner, not {', '.join(owners[:3])}")
    return str(owners[0])


def executor(effects: Sequence[Effect], seats: Iterable[Seat]) -> Seat:
    """The bot seat of the affected owner whose card declares every effect, the first that joined (BYOB 9).

    seats: in the order in which they joined. Raises ByobError E_MIXED_OWNERS or E_NO_EXECUTOR.
    """
    owner = affected_owner(effects)
    for seat in seats:
        if seat.kind == "bot" and seat.owner == owner and all(_covering(seat, effect) for effect in effects):
            return seat
    wanted = ", ".join(dict.fromkeys(f"{each['resource']}:{each['action']}" for each in effects[:3]))
    raise ByobError("E_NO_EXECUTOR", f"no bot seat of owner {owner} declares every effect in its card: {wanted}")


def auto_approved(effects: Sequence[Effect], proposer: Seat, executor: Seat) -> bool:
    """Whether a task needs no signed approval (BYOB 9).

    Either the proposer's owner is the affected one and the executor's card marks none of the resources
    requires_approval, or the executor's card marks every effect auto_approve.
    """
    if proposer.owner == executor.owner and not any(_guarded(executor, effect) for effect in effects):
        return True
    return all(_free(executor, effect) for effect in effects)


def _covering(seat: Seat, effect: Effect) -> list[Mapping[str, Any]]:
    """The capabilities of a seat's card that declare an effect."""
    return [
        capability
        for capability in seat.card["capabilities"]
        if capability["resource"] == effect["resource"] and effect["action"] in capability["actions"]
    ]


def _guarded(seat: Seat, effect: Effect) -> bool:
    """Whether the card asks for approval on the effect's resource, in whichever capability (BYOB 4)."""
    return any(
        capability["resource"] == effect["resource"] and capability.get("requires_approval", False)
        for capability in seat.card["capabilities"]
    )


def _free(seat: Seat, effect: Effect) -> bool:
    """Whether the card accepts the effect from any seat (BYOB 4: requires_approval on the same capability wins)."""
    covering = _covering(seat, effect)
    return any(each.get("auto_approve", False) for each in covering) and not any(
        each.get("requires_approval", False) for each in covering
    )
