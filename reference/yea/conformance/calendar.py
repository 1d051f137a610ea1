"""The calendar half of the conformance service. Every event is named by the caller."""

import datetime
from typing import Any

from reference.yea.conformance import texts
from reference.yea.conformance.names import checked, optional
from reference.yea.conformance.world import About
from reference.yea.service.capability import ApplyError, Ask, Call, Clarify, Intent, Plan
from reference.yea.service.steps import Job
from reference.yea.types import Json

DEFAULT_START = "2026-10-05T09:00:00Z"
HOLD_SECONDS = 5
PENCIL_WINDOW = 6
SLOTS = ("09:00", "11:00", "14:00")
WHO = {"ana.ruiz": "Ana Ruiz", "ana.li": "Ana Li"}


class Event(About, Ask):
    """What is known of one event."""

    name = "calendar.event"
    summary = "The state of one event"
    params = {"event": "string — any name"}

    def answer(self, params: dict[str, Json], call: Call) -> Json:
        event = checked("event", params)
        name = event_name(event)
        return {
            "event": event,
            "bookings": self.world.count(name, "booked") + self.world.count(slot_name(event), "booked"),
            "title": self.world.last(name, "title"),
            "start": self.world.last(name, "start"),
            "room": self.world.count(name, "room") > 0,
            "invites": self.world.count(name, "invited"),
        }


class Agenda(About, Ask):
    """Fixed events, with text that is hard to encode."""

    name = "calendar.agenda"
    summary = "Twenty fixed events"
    params = {"day?": "date — only this day"}

    def answer(self, params: dict[str, Json], call: Call) -> Json:
        day = params.get("day")
        return {"events": texts.agenda(str(day) if day is not None else None)}


class EventIntent(About, Intent):
    """An intent whose plans each make one change to one object, and whose undo takes it away."""

    risk = "low"

    def apply(self, job: dict[str, Json], call: Call) -> Job:
        yield from ()
        change = job["change"]
        self.world.add(str(job["object"]), call.proposal, change if isinstance(change, dict) else {})
        return job.get("result")

    def revert(self, job: dict[str, Json], call: Call) -> Job:
        yield from ()
        self.world.take_back(str(job["object"]), call.proposal)
        return None


class Book(EventIntent):
    """Books an event: one undoable proposal."""

    name = "calendar.book"
    summary = "Book an event"
    params = {"event": "string — any name", "title?": "string", "start?": "datetime"}

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        return [self.booking(checked("event", params), optional("title", params), params.get("start"))]

    def booking(self, event: str, title: str | None, start: Json, **more: Any) -> Plan:
        """The plan that books an event. more: members of the Plan that differ from the usual."""
        begins = str(start) if start is not None else DEFAULT_START
        change: dict[str, Json] = {
            "booked": True,
            "room": True,
            "invited": True,
            "title": title or event,
            "start": begins,
        }
        fields: dict[str, Any] = {
            "summary": f"Book {event} at {begins}",
            "effects": booking_effects(event),
            "job": {
                "object": event_name(event),
                "change": change,
                "result": {"event": event, "start": begins},
            },
        }
        return Plan(**(fields | more))


class Move(EventIntent):
    """Moves an event."""

    name = "calendar.move"
    summary = "Move an event"
    params = {"event": "string — any name", "to": "datetime"}

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        event, to = checked("event", params), str(params["to"])
        name = event_name(event)
        effect: dict[str, Json] = {"op": "update", "target": f"event/{event}", "field": "start"}
        before = self.world.last(name, "start")
        if before is not None:
            effect["from"] = before
        effect["to"] = to
        change: dict[str, Json] = {"start": to}
        job: dict[str, Json] = {"object": name, "change": change, "result": {"event": event, "start": to}}
        return [Plan(summary=f"Move {event} to {to}", effects=[effect], job=job)]


class Clear(EventIntent):
    """A riskier booking, for grants with a risk ceiling."""

    name = "calendar.clear"
    summary = "Clear the time of an event"
    params = {"event": "string — any name"}
    risk = "medium"

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        event = checked("event", params)
        name = event_name(event)
        count = self.world.count(name, "booked") + self.world.count(slot_name(event), "booked")
        change: dict[str, Json] = {"booked": True}
        job: dict[str, Json] = {"object": name, "change": change, "result": {"event": event}}
        effects = clearing_effects(event, count)
        return [Plan(summary=f"Clear the time of {event}", effects=effects, job=job, risk="medium")]


class Suggest(Book):
    """Three proposals, the first riskier than the others."""

    name = "calendar.suggest"
    summary = "Three ways to book an event"
    params = {"event": "string — any name", "day?": "date"}

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        event = checked("event", params)
        day = params.get("day") or tomorrow(call.now)
        plans = []
        for position, time in enumerate(SLOTS):
            start = f"{day}T{time}:00Z"
            data: dict[str, Json] = {
                "score": (9 - 2 * position) / 10,
                "note": f"choice {position + 1} of {len(SLOTS)}",
            }
            risk = "medium" if position == 0 else "low"
            plans.append(self.booking(event, None, start, risk=risk, data=data))
        return plans


class Arrange(Book):
    """Ambiguous until it is said who."""

    name = "calendar.plan"
    summary = "Plan an event with Ana"
    params = {"event": "string — any name", "who?": "ana.ruiz|ana.li"}

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        event, who = checked("event", params), params.get("who")
        if who is None:
            return Clarify("Which Ana do you mean?", [(name, {"who": key}) for key, name in WHO.items()])
        return [self.booking(event, f"{event} with {WHO[str(who)]}", None)]


class Hold(Book):
    """A proposal that expires within seconds."""

    name = "calendar.hold"
    summary = "Book an event, within five seconds"
    params = {"event": "string — any name"}

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        event = checked("event", params)
        return [self.booking(event, None, None, lifetime=HOLD_SECONDS, whole_minute=False)]


class Pencil(Book):
    """A booking with a short undo window."""

    name = "calendar.pencil"
    summary = "Book an event, with six seconds to undo it"
    params = {"event": "string — any name"}

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        return [self.booking(checked("event", params), None, None, undo=PENCIL_WINDOW)]


class Claim(EventIntent):
    """Two proposals for one slot: what was planned before the slot changed hands is stale."""

    name = "calendar.claim"
    summary = "Claim a slot"
    params = {"slot": "string — any name"}

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        slot = checked("slot", params)
        name = slot_name(slot)
        version = [change["by"] for change in self.world.changes(name)]
        plans = []
        for part in ("first half", "second half"):
            change: dict[str, Json] = {"booked": True}
            job: dict[str, Json] = {"object": name, "change": change, "seen": [*version], "result": {"slot": slot}}
            effect: dict[str, Json] = {"op": "create", "target": f"slot/{slot}", "detail": part}
            plans.append(Plan(summary=f"Claim the {part} of {slot}", effects=[effect], job=job))
        return plans

    def apply(self, job: dict[str, Json], call: Call) -> Job:
        if [change["by"] for change in self.world.changes(str(job["object"]))] != job["seen"]:
            raise ApplyError("conflict", "the slot has changed since this was planned; send the INTENT again")
        return (yield from super().apply(job, call))


def event_name(event: str) -> str:
    """Where the changes to an event are kept."""
    return f"event/{event}"


def slot_name(slot: str) -> str:
    """Where the changes to a slot are kept."""
    return f"slot/{slot}"


def booking_effects(event: str) -> list[dict[str, Json]]:
    """Everything that a booking changes."""
    return [
        {"op": "create", "target": f"event/{event}"},
        {"op": "update", "target": f"room/{event}", "field": "booked", "from": False, "to": True},
        {"op": "send", "target": f"{event}@example.com", "detail": "invitation"},
    ]


def clearing_effects(event: str, bookings: int) -> list[dict[str, Json]]:
    """Everything that a clearing changes; the kinds of effect that a booking lacks are among them."""
    target = f"event/{event}"
    return [
        {"op": "update", "target": target, "field": "bookings", "from": bookings, "to": bookings + 1},
        {"op": "update", "target": f"day/{event}", "field": "cleared", "to": True},
        {"op": "delete", "target": f"gap/{event}"},
        {"op": "other", "target": target, "detail": "counted anew"},
    ]


def tomorrow(now: float) -> str:
    """The date of the day after `now`, in UTC."""
    day = datetime.datetime.fromtimestamp(now, datetime.UTC) + datetime.timedelta(days=1)
    return day.date().isoformat()
