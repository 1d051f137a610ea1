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
    owner, wanted = affected_owner(effects), _actions(effects)
    for seat in seats:
        if seat.kind == "bot" and seat.owner == owner and wanted <= _declared(seat):
            return seat
    named = ", ".join(sorted(f"{resource}:{action}" for resource, action in wanted)[:3])
    raise ByobError("E_NO_EXECUTOR", f"no bot seat of owner {owner} declares every effect in its card: {named}")


def auto_approved(effects: Sequence[Effect], proposer: Seat, executor: Seat) -> bool:
    """Whether a task needs no signed approval (BYOB 9).

    Either the proposer's owner is the affected one and the executor's card marks none of the resources
    requires_approval, or the executor's card marks every effect auto_approve.
    """
    return own_approval(effects, proposer, executor) or card_approval(effects, executor)


def own_approval(effects: Sequence[Effect], proposer: Seat, executor: Seat) -> bool:
    """Whether the owner's own seat proposes, on resources that the executor's card leaves unguarded (BYOB 4, 9).

    requires_approval guards its resource as a whole, whichever capability of the card says it.
    """
    guarded = {each["resource"] for each in executor.card["capabilities"] if each.get("requires_approval", False)}
    return proposer.owner == executor.owner and guarded.isdisjoint(effect["resource"] for effect in effects)


def card_approval(effects: Sequence[Effect], executor: Seat) -> bool:
    """Whether the executor's card accepts every effect from any seat (BYOB 4, 9).

    requires_approval wins over auto_approve for the actions that it stands beside.
    """
    free = _declared(executor, "auto_approve") - _declared(executor, "requires_approval")
    return _actions(effects) <= free


def _actions(effects: Sequence[Effect]) -> set[tuple[str, str]]:
    return {(effect["resource"], effect["action"]) for effect in effects}


def _declared(seat: Seat, flag: str | None = None) -> set[tuple[str, str]]:
    """Every (resource, action) that a seat's card declares; with a flag, in the capabilities that set it."""
    return {
        (capability["resource"], action)
        for capability in seat.card["capabilities"]
        if flag is None or capability.get(flag, False)
        for action in capability["actions"]
    }
