"""A calendar: events are booked, moved and cancelled."""

from collections.abc import Iterable

from reference.yea.errors import YeaError
from reference.yea.service import Call, Clarify, Plan, Service
from reference.yea.types import Json
from tests.services.records import Listing, Record, Recording, Records, plain, service

SEED: list[Record] = [
    {"id": "e1", "title": "Standup", "start": "2031-01-06T09:00:00Z", "with": ["team"]},
    {"id": "e2", "title": "Standup", "start": "2031-01-07T09:00:00Z", "with": ["team"]},
    {"id": "e3", "title": "Quarterly planning", "start": "2031-01-08T13:00:00Z", "with": ["lee"]},
]


class Book(Recording):
    """Books an event."""

    name = "calendar.book"
    summary = "Book an event"
    params = {"title": "string", "start": "datetime", "with?": ["string"]}
    risk = "low"

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        record = {
            "id": f"e{next(self.records.numbers)}",
            "title": params["title"],
            "start": params["start"],
            "with": params.get("with") or [],
        }
        effect: dict[str, Json] = {"op": "create", "target": f"event/{record['id']}", "detail": str(params["title"])}
        return [self.setting(f"Book {params['title']}", record, [effect])]


class Reschedule(Recording):
    """Moves an event, to one of three times; when the event is ambiguous it asks which."""

    name = "calendar.reschedule"
    summary = "Move an event"
    params = {"event": "string", "day": "date"}
    risk = "low"

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        found = self.records.matching(str(params["event"]))
        if not found:
            raise YeaError("not_found", "there is no such event", fix=[{"say": "send HELLO and look at the agenda"}])
        if len(found) > 1:
            return Clarify(
                "Which one?", [(f"{each['title']} at {each['start']}", {"event": each["id"]}) for each in found]
            )
        event = found[0]
        return [self.moving(event, f"{params['day']}T{hour}:00:00Z") for hour in ("10", "14", "16")]

    def moving(self, event: Record, start: str) -> Plan:
        """Return the plan that moves an event."""
        effect: dict[str, Json] = {
            "op": "update",
            "target": f"event/{event['id']}",
            "field": "start",
            "from": event["start"],
            "to": start,
        }
        record = {**plain([event])[0], "start": start}  # type: ignore[dict-item]
        return self.setting(f"Move {event['title']} to {start}", record, [effect])


def calendar(trusted: Iterable[str]) -> Service:
    """Return a calendar that trusts these principals."""
    records = Records(SEED)

    def agenda(params: dict[str, Json]) -> Json:
        found = records.matching(str(params.get("query") or ""))
        day = params.get("day")
        return plain(each for each in found if day is None or each["start"].startswith(str(day)))

    asks = [Listing("calendar.agenda", {"query?": "string", "day?": "date"}, agenda)]
    return service("calendar", [*asks, Book(records), Reschedule(records)], trusted)
