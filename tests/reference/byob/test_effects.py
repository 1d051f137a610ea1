"""One owner, the right executor, and the approval that is not needed (BYOB 4, 9)."""

from typing import Any

import pytest

from reference.byob.effects import affected_owner, auto_approved, executor
from reference.byob.errors import ByobError
from reference.byob.types import Seat
from tests.reference.byob.making import capability, seat


def effect(owner: str, resource: str, action: str) -> dict[str, Any]:
    return {"owner": owner, "resource": resource, "action": action, "args": {}}


MOVE, LABEL = effect("jenny", "board", "move"), effect("jenny", "board", "label")
MAIL = effect("jenny", "mail", "send")


def test_all_effects_name_one_owner() -> None:
    assert affected_owner([MOVE, MAIL]) == "jenny"


def test_two_owners_are_refused() -> None:
    with pytest.raises(ByobError, match="E_MIXED_OWNERS: all effects of one entry must name one owner, not jenny, tao"):
        affected_owner([MOVE, effect("tao", "board", "move")])


MOVER = seat("mover", "jenny", capability("board", "move"))
BOTH = seat("both", "jenny", capability("board", "move", "label"))
APART = seat("apart", "jenny", capability("mail", "send"), capability("board", "label"), capability("board", "move"))
FITTING: list[tuple[str, list[Any], list[Seat], str | None]] = [
    ("it declares the effect", [MOVE], [MOVER], "mover"),
    ("the first that joined", [MOVE], [BOTH, MOVER], "both"),
    ("the first of those that fit", [MOVE, LABEL], [MOVER, BOTH], "both"),
    ("capabilities add up", [MOVE, LABEL, MAIL], [BOTH, APART], "apart"),
    ("only some effects", [MOVE, LABEL], [MOVER], None),
    ("two seats do not add up", [MOVE, MAIL], [MOVER, seat("s", "jenny", capability("mail", "send"))], None),
    ("another owner's seat", [MOVE], [seat("s", "tao", capability("board", "move"))], None),
    ("a human", [MOVE], [seat("s", "jenny", capability("board", "move"), kind="human")], None),
    ("another resource", [MOVE], [seat("s", "jenny", capability("mail", "move"))], None),
    ("another action", [MOVE], [seat("s", "jenny", capability("board", "moved"))], None),
    ("no wildcards", [MOVE], [seat("s", "jenny", capability("*", "*"), capability("board", "*"))], None),
    ("no capabilities", [MOVE], [seat("s", "jenny")], None),
    ("no seats", [MOVE], [], None),
]


@pytest.mark.parametrize(("effects", "seats", "chosen"), [row[1:] for row in FITTING], ids=[row[0] for row in FITTING])
def test_the_executor(effects: list[Any], seats: list[Seat], chosen: str | None) -> None:
    if chosen is not None:
        assert executor(effects, seats).id == chosen
        return
    with pytest.raises(ByobError, match="E_NO_EXECUTOR: no bot seat of owner jenny declares every effect"):
        executor(effects, seats)


def test_the_messages_name_three_at_most() -> None:
    many = [effect(f"o{n}", "board", f"a{n}") for n in range(9)]
    with pytest.raises(ByobError) as raised:
        affected_owner(many)
    assert raised.value.message == "all effects of one entry must name one owner, not o0, o1, o2"
    with pytest.raises(ByobError) as raised:
        executor([{**each, "owner": "jenny"} for each in many], [])
    wanted = "board:a0, board:a1, board:a2"
    assert raised.value.message == f"no bot seat of owner jenny declares every effect in its card: {wanted}"


def test_mixed_owners_come_before_the_executor() -> None:
    with pytest.raises(ByobError, match="E_MIXED_OWNERS"):
        executor([MOVE, effect("tao", "board", "move")], [])


@pytest.mark.parametrize("requires", [None, False, True])
@pytest.mark.parametrize("auto", [None, False, True])
@pytest.mark.parametrize("owner", ["jenny", "tao"])
def test_the_flags_of_one_capability(requires: bool | None, auto: bool | None, owner: str) -> None:
    flags = {"requires_approval": requires, "auto_approve": auto}
    given = {name: value for name, value in flags.items() if value is not None}
    acting = seat("acting", "jenny", capability("board", "move", **given))
    assert auto_approved([MOVE], seat("p", owner), acting) is (not requires and (owner == "jenny" or bool(auto)))


AUTO_MOVE = capability("board", "move", auto_approve=True)
GUARDED_LABEL = capability("board", "label", requires_approval=True)
SEVERAL: list[tuple[str, str, list[Any], list[Any], bool]] = [
    ("every effect is marked", "tao", [MOVE, MAIL], [AUTO_MOVE, capability("mail", "send", auto_approve=True)], True),
    ("one effect is not", "tao", [MOVE, MAIL], [AUTO_MOVE, capability("mail", "send")], False),
    ("the mark covers its own actions", "tao", [LABEL], [AUTO_MOVE, capability("board", "label")], False),
    ("the guard is on the resource", "jenny", [MOVE], [capability("board", "move"), GUARDED_LABEL], False),
    ("another resource is guarded", "jenny", [MAIL], [capability("mail", "send"), GUARDED_LABEL], True),
    ("one of two resources is guarded", "jenny", [MAIL, LABEL], [capability("mail", "send"), GUARDED_LABEL], False),
    ("marked, though the resource is guarded for owners", "jenny", [MOVE], [AUTO_MOVE, GUARDED_LABEL], True),
    (
        "marked and guarded apart",
        "tao",
        [MOVE],
        [AUTO_MOVE, capability("board", "move", requires_approval=True)],
        False,
    ),
]


@pytest.mark.parametrize(("owner", "effects", "card", "is_free"), [r[1:] for r in SEVERAL], ids=[r[0] for r in SEVERAL])
def test_several_capabilities(owner: str, effects: list[Any], card: list[Any], is_free: bool) -> None:
    assert auto_approved(effects, seat("p", owner), seat("acting", "jenny", *card)) is is_free


def test_the_proposers_own_card_is_of_no_account() -> None:
    proposer = seat("p", "tao", AUTO_MOVE)
    assert not auto_approved([MOVE], proposer, seat("acting", "jenny", capability("board", "move")))


def test_a_human_of_the_affected_owner_proposes_for_it() -> None:
    assert auto_approved([MOVE], seat("h", "jenny", kind="human"), MOVER)
