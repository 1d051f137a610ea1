"""The calendar capabilities, as docs/conformance-service.md has them."""

from typing import Any

import pytest

from tests.reference.yea.service.driving import NOW, Caller, Frame, code

UNTOUCHED = {"event": "e", "bookings": 0, "title": None, "start": None, "room": False, "invites": 0}


def test_an_untouched_event_reads_as_nothing() -> None:
    assert Caller().event("e") == UNTOUCHED


def test_the_agenda_has_twenty_fixed_events_with_odd_text() -> None:
    caller = Caller()
    events = caller.send(caller.ask("calendar.agenda", budget=10**6))["data"]["events"]
    assert [list(event) for event in events] == [["id", "title", "start", "who"]] * 20
    titles = "".join(event["title"] for event in events)
    assert all(sign in titles for sign in ("é", "🚀", "\n", ",", ";"))
    one_day = caller.send(caller.ask("calendar.agenda", {"day": "2026-10-06"}))["data"]["events"]
    assert one_day == events[10:]
    assert caller.send(caller.ask("calendar.agenda", {"day": "2030-01-01"}))["data"] == {"events": []}


@pytest.mark.parametrize(
    ("params", "title", "start"),
    [
        ({}, "e", "2026-10-05T09:00:00Z"),
        ({"title": "Lunch", "start": "2027-02-03T12:00:00Z"}, "Lunch", "2027-02-03T12:00:00Z"),
        ({"title": None, "start": None}, "e", "2026-10-05T09:00:00Z"),
    ],
)
def test_book(params: Frame, title: str, start: str) -> None:
    caller = Caller()
    proposal = caller.propose("calendar.book", {"event": "e"} | params)
    assert (proposal["risk"], proposal["undo"]) == ("low", {"window": 3600})
    assert proposal["effects"] == [
        {"op": "create", "target": "event/e"},
        {"op": "update", "target": "room/e", "field": "booked", "from": False, "to": True},
        {"op": "send", "target": "e@example.com", "detail": "invitation"},
    ]
    receipt = caller.send(caller.commit(proposal))["receipt"]
    assert receipt["result"] == {"event": "e", "start": start}
    assert caller.event("e") == UNTOUCHED | {"bookings": 1, "title": title, "start": start, "room": True, "invites": 1}
    caller.send(caller.undo(receipt))
    assert caller.event("e") == UNTOUCHED


def test_move() -> None:
    caller = Caller()
    first, second = "2027-01-01T10:00:00Z", "2027-01-02T10:00:00Z"
    effect = {"op": "update", "target": "event/e", "field": "start"}
    proposal = caller.propose("calendar.move", {"event": "e", "to": first})
    assert proposal["effects"] == [effect | {"to": first}]
    caller.send(caller.commit(proposal))
    proposal = caller.propose("calendar.move", {"event": "e", "to": second})
    assert proposal["effects"] == [effect | {"from": first, "to": second}]
    receipt = caller.send(caller.commit(proposal))["receipt"]
    assert caller.event("e") == UNTOUCHED | {"start": second}
    undone = caller.send(caller.undo(receipt))["receipt"]
    assert undone["effects"] == [effect | {"from": second, "to": first}]
    assert caller.event("e") == UNTOUCHED | {"start": first}


def test_clear() -> None:
    caller = Caller()
    for before in (0, 1):
        proposal = caller.propose("calendar.clear", {"event": "e"})
        assert proposal["risk"] == "medium"
        assert proposal["effects"] == [
            {"op": "update", "target": "event/e", "field": "bookings", "from": before, "to": before + 1},
            {"op": "update", "target": "day/e", "field": "cleared", "to": True},
            {"op": "delete", "target": "gap/e"},
            {"op": "other", "target": "event/e", "detail": "counted anew"},
        ]
        receipt = caller.send(caller.commit(proposal))["receipt"]
    assert caller.event("e") == UNTOUCHED | {"bookings": 2}
    caller.send(caller.undo(receipt))
    assert caller.event("e") == UNTOUCHED | {"bookings": 1}


def test_suggest() -> None:
    caller = Caller()
    proposals = caller.send(caller.intent("calendar.suggest", {"event": "e", "day": "2026-12-24"}))["proposals"]
    assert [proposal["risk"] for proposal in proposals] == ["medium", "low", "low"]
    assert [proposal["summary"] for proposal in proposals] == [
        f"Book e at 2026-12-24T{time}:00Z" for time in ("09:00", "11:00", "14:00")
    ]
    assert [proposal["data"] for proposal in proposals] == [
        {"score": score, "note": f"choice {number} of 3"} for number, score in ((1, 0.9), (2, 0.7), (3, 0.5))
    ]
    caller.send(caller.commit(proposals[1]))
    assert caller.event("e")["start"] == "2026-12-24T11:00:00Z"


def test_suggest_is_for_tomorrow_by_default() -> None:
    assert "2026-09-22T09:00:00Z" in Caller().propose("calendar.suggest", {"event": "e"})["summary"]


@pytest.mark.parametrize(("who", "name"), [("ana.ruiz", "Ana Ruiz"), ("ana.li", "Ana Li")])
def test_plan(who: str, name: str) -> None:
    caller = Caller()
    assert caller.send(caller.intent("calendar.plan", {"event": "e"}))["options"] == [
        {"label": "Ana Ruiz", "params": {"who": "ana.ruiz"}},
        {"label": "Ana Li", "params": {"who": "ana.li"}},
    ]
    caller.committed("calendar.plan", {"event": "e", "who": who})
    assert caller.event("e")["title"] == f"e with {name}"


def test_hold_and_pencil() -> None:
    caller = Caller()
    hold, pencil = (caller.propose(f"calendar.{name}", {"event": "e"}) for name in ("hold", "pencil"))
    assert (hold["expires"], hold["undo"]) == (int(NOW) + 5, {"window": 3600})
    assert (pencil["expires"] % 60, pencil["undo"]) == (0, {"window": 6})
    assert caller.send(caller.commit(pencil))["receipt"]["undo"] == {"until": int(NOW) + 6}


def test_claim() -> None:
    caller = Caller()
    proposals = caller.send(caller.intent("calendar.claim", {"slot": "s"}))["proposals"]
    assert [proposal["effects"] for proposal in proposals] == [
        [{"op": "create", "target": "slot/s", "detail": "first half"}],
        [{"op": "create", "target": "slot/s", "detail": "second half"}],
    ]
    receipt = caller.send(caller.commit(proposals[1]))["receipt"]
    assert receipt["result"] == {"slot": "s"}
    assert code(caller.send(caller.commit(proposals[0]))) == "conflict"
    assert caller.event("s") == UNTOUCHED | {"event": "s", "bookings": 1}
    caller.send(caller.undo(receipt))
    assert caller.event("s") == UNTOUCHED | {"event": "s"}


@pytest.mark.parametrize(
    ("capability", "params"),
    [
        ("calendar.book", {}),
        ("calendar.book", {"event": 5}),
        ("calendar.book", {"event": "e", "title": ["x"]}),
        ("calendar.book", {"event": "e", "title": "two\nlines"}),
        ("calendar.book", {"event": "e", "start": "tomorrow"}),
        ("calendar.move", {"event": "e"}),
        ("calendar.move", {"event": "e", "to": "2026-09-24"}),
        ("calendar.suggest", {"event": "e", "day": "2026-02-30"}),
        ("calendar.plan", {"event": "e", "who": "ana"}),
        ("calendar.claim", {"slot": ""}),
    ],
)
def test_wrong_params_get_a_fix_that_works(capability: str, params: dict[str, Any]) -> None:
    caller = Caller()
    reply = caller.send(caller.intent(capability, params))
    assert code(reply) == "invalid_params"
    [fix] = reply["fix"]
    assert code(caller.send(caller.intent(capability, params | fix["params"]))) in ("PROPOSALS", "CLARIFY")
