"""UNDO (YEA 4.5)."""

import pytest

from tests.reference.yea.service.driving import K1, K2, A, B, Caller, code, consent, delegated, grant, spend

BOOK = "calendar.book"
EVENT = {"event": "e"}


def test_an_undo_reverses_the_change_and_says_so() -> None:
    caller = Caller()
    before = caller.event("e")
    receipt = caller.committed(BOOK, EVENT)
    reply = caller.send(caller.undo(receipt))
    undone = reply["receipt"]
    assert list(undone) == ["id", "proposal", "capability", "summary", "at", "effects", "undo", "undoes"]
    assert (undone["undoes"], undone["undo"], undone["proposal"]) == (receipt["id"], None, receipt["proposal"])
    assert undone["id"] != receipt["id"]
    assert undone["effects"] == [
        {"op": "delete", "target": "event/e"},
        {"op": "update", "target": "room/e", "field": "booked", "from": True, "to": False},
        {"op": "other", "target": "e@example.com", "detail": "invitation"},
    ]
    assert caller.event("e") == before


def test_a_repeated_undo_gives_the_first_reversal_also_after_the_window() -> None:
    caller = Caller()
    receipt = caller.committed("calendar.pencil", EVENT)
    first = caller.send(caller.undo(receipt))
    caller.now += 100
    again = caller.send(caller.undo(receipt))
    assert again["receipt"] == first["receipt"]
    assert (again["replay"], "replay" in first) == (True, False)


def test_undos_at_once_reverse_once() -> None:
    caller = Caller()
    receipt = caller.committed(BOOK, EVENT)
    finals = [reply[-1] for reply in caller.together([caller.undo(receipt) for _ in range(3)])]
    assert len({final["receipt"]["id"] for final in finals}) == 1
    assert [final.get("replay", False) for final in finals] == [False, True, True]


@pytest.mark.parametrize(("later", "wanted"), [(6, "RECEIPT"), (6.1, "expired"), (60, "expired")])
def test_past_its_window_a_receipt_is_expired(later: float, wanted: str) -> None:
    caller = Caller()
    receipt = caller.committed("calendar.pencil", EVENT)
    caller.now += later
    assert code(caller.send(caller.undo(receipt))) == wanted


def test_only_the_principal_of_the_commit_has_it_undone() -> None:
    caller = Caller()
    receipt = caller.committed(BOOK, EVENT)
    assert code(caller.send(caller.undo(receipt, grant(B)))) == "forbidden"
    assert code(caller.send(caller.undo(receipt, grant(B), grant(A)))) == "RECEIPT"
    assert code(caller.send(caller.undo(receipt, grant(B)))) == "forbidden"


def test_another_agent_of_the_principal_may_undo() -> None:
    caller = Caller()
    receipt = caller.committed(BOOK, EVENT)
    chain = delegated(grant(A, K1), K1, K2)
    assert code(caller.send(caller.undo(receipt, chain, key=K2))) == "RECEIPT"


def test_can_looks_at_the_capability_of_the_receipt() -> None:
    caller = Caller()
    receipt = caller.committed(BOOK, EVENT)
    assert code(caller.send(caller.undo(receipt, grant(A, K1, {"can": ["shop.*"]})))) == "forbidden"
    assert code(caller.send(caller.undo(receipt, grant(A, K1, {"can": [BOOK]})))) == "RECEIPT"


def test_limits_do_not_hold_back_an_undo() -> None:
    caller = Caller()
    receipt = caller.committed("shop.order", {"order": "o"})
    token = grant(A, K1, spend("spend", 0), spend("spend", 0, "each"), {"risk": "low"}, {"only": "x"})
    assert code(caller.send(caller.undo(receipt, token))) == "RECEIPT"


def test_a_consent_authorizes_no_undo() -> None:
    caller = Caller()
    draft = caller.draft(BOOK, EVENT)
    token = consent(draft)
    receipt = caller.send(caller.commit(draft, token))["receipt"]
    assert code(caller.send(caller.undo(receipt, token))) == "forbidden"


def test_what_cannot_be_undone_is_not() -> None:
    caller = Caller()
    tip = caller.committed("shop.tip", {"order": "o"})
    assert code(caller.send(caller.undo(tip))) == "forbidden"
    undone = caller.send(caller.undo(caller.committed(BOOK, EVENT)))["receipt"]
    assert code(caller.send(caller.undo(undone))) == "forbidden"


def test_an_undo_proof_is_over_the_receipt() -> None:
    caller = Caller()
    receipt = caller.committed(BOOK, EVENT)
    for target in (BOOK, receipt["proposal"], "r_other"):
        assert code(caller.send(caller.undo(receipt, proof=caller.proof(K1, "UNDO", target)))) == "unauthorized"


def test_the_order_of_undos_does_not_matter() -> None:
    caller = Caller()
    before = caller.event("e")
    receipts = [caller.committed(BOOK, EVENT | {"title": str(number)}) for number in range(3)]
    moved = caller.committed("calendar.move", EVENT | {"to": "2027-01-01T10:00:00Z"})
    caller.send(caller.undo(receipts[0]))
    assert caller.event("e") == {
        "event": "e",
        "bookings": 2,
        "title": "2",
        "start": "2027-01-01T10:00:00Z",
        "room": True,
        "invites": 2,
    }
    for receipt in (receipts[2], moved, receipts[1]):
        caller.send(caller.undo(receipt))
    assert caller.event("e") == before
