"""What the twin's commits change: events and orders, each under an id that the caller chose."""

import asyncio
import itertools
from dataclasses import dataclass
from typing import Any

from tests.odd_twin.plans import Apply, Params, Plan, Tell
from tests.odd_twin.refusal import Refusal

SCALE = 18


@dataclass
class Event:
    """An event of the calendar, as it is before anybody touched it."""

    bookings: int = 0
    title: str | None = None
    start: str | None = None
    room: bool = False
    invites: int = 0
    version: int = 0


@dataclass
class Order:
    """An order of the shop; `spent` in units of 10^-18."""

    orders: int = 0
    spent: int = 0
    tips: int = 0
    failed_once: bool = False


class World:
    """All objects, and the counter whose numbers show in effect targets."""

    def __init__(self) -> None:
        self.events: dict[str, Event] = {}
        self.orders: dict[str, Order] = {}
        self.numbers = itertools.count(1)

    def event(self, name: str) -> Event:
        """Return the event of that name, new if nobody touched it."""
        return self.events.setdefault(name, Event())

    def order(self, name: str) -> Order:
        """Return the order of that name, new if nobody touched it."""
        return self.orders.setdefault(name, Order())

    def number(self) -> int:
        """Return a number that was never used; an INTENT uses numbers up, which only targets show."""
        return next(self.numbers)

    # The calendar's plans

    def booking(self, name: str, title: str | None, start: str | None, **more: Any) -> Plan:
        """Return the plan to book an event."""
        event, number = self.event(name), self.number()
        changes = {"title": title or event.title, "start": start or event.start, "room": True}
        before: list[tuple[str | None, str | None, bool]] = []

        async def apply(tell: Tell) -> Any:
            before.append((event.title, event.start, event.room))
            event.title, event.start, event.room = changes["title"], changes["start"], True  # type: ignore[assignment]
            event.bookings += 1
            event.invites += 1
            event.version += 1
            return {"start": event.start, "event": name, "number": number}

        def revert() -> None:
            event.title, event.start, event.room = before.pop()
            event.bookings -= 1
            event.invites -= 1
            event.version += 1

        effects: list[dict[str, Any]] = [
            {"op": "create", "target": f"event/{name}/booking-{number}"},
            {"op": "update", "target": f"room/{name}", "field": "booked", "from": event.room, "to": True},
            {"op": "send", "target": f"{name}@example.com", "detail": "invitation"},
        ]
        words = ("une fois de plus 🗓️", "again, in other words")[number % 2]
        plan = Plan(f"Réserver « {name} »\n{words}", effects, apply, revert, **more)
        return self._versioned(plan, event)

    def moving(self, name: str, to: str) -> Plan:
        """Return the plan to move an event; the `from` of its effect is left out when it has no start yet."""
        event, before = self.event(name), list[str | None]()

        async def apply(tell: Tell) -> Any:
            before.append(event.start)
            event.start = to
            event.version += 1
            return None

        def revert() -> None:
            event.start = before.pop()
            event.version += 1

        effect: dict[str, Any] = {"to": to, "op": "update", "target": f"event/{name}", "field": "start"}
        if event.start is not None:
            effect["from"] = event.start
        return self._versioned(Plan(f"Move {name}", [effect], apply, revert), event)

    def clearing(self, name: str) -> Plan:
        """Return the risky plan, which counts a booking."""
        event = self.event(name)

        async def apply(tell: Tell) -> Any:
            event.bookings += 1
            event.version += 1
            return [1, 2.5, "cleared"]

        def revert() -> None:
            event.bookings -= 1
            event.version += 1

        effects: list[dict[str, Any]] = [
            {
                "op": "update",
                "target": f"event/{name}",
                "field": "bookings",
                "from": event.bookings,
                "to": event.bookings + 1,
            },
            {"op": "other", "target": f"log/{self.number()}"},
        ]
        return self._versioned(Plan(f"Clear {name}", effects, apply, revert, risk="medium", window=2**52), event)

    def claims(self, name: str) -> list[Plan]:
        """Return two plans for one slot; when one is committed the other no longer holds."""
        event, version = self.event(name), self.event(name).version

        async def apply(tell: Tell) -> Any:
            event.bookings += 1
            event.version += 1
            return "claimed"

        def revert() -> None:
            event.bookings -= 1
            event.version += 1

        return [
            Plan(
                f"Claim {name} in the {when}",
                [{"op": "create", "target": f"slot/{name}", "detail": when}],
                apply,
                revert,
                stale=lambda: event.version != version,
                races=True,
            )
            for when in ("morning", "evening")
        ]

    def _versioned(self, plan: Plan, event: Event) -> Plan:
        version = event.version
        plan.stale = lambda: event.version != version
        return plan

    # The shop's plans

    def ordering(self, name: str, quantity: dict[str, Any], apply_more: Apply | None = None) -> Plan:
        """Return the plan of an order; `apply_more` runs before anything changes."""
        order = self.order(name)
        value = quantity["amount"] * 10 ** (SCALE - quantity.get("scale", 0))

        async def apply(tell: Tell) -> Any:
            if apply_more is not None:
                await apply_more(tell)
            order.orders += 1
            order.spent += value
            return {"order": name, "lines": [{"text": "x" * 240}]}

        def revert() -> None:
            order.orders -= 1
            order.spent -= value

        effects = [
            {"op": "create", "target": f"order/{name}/{self.number()}"},
            {"op": "send", "target": f"{name}@example.com"},
        ]
        uses = {"x.y-z_1": {"unit": "%", "amount": 0}, "emails": {"amount": 1}, "spend": quantity}
        return Plan(f"Order {name}", effects, apply, revert, uses=uses)

    def tipping(self, name: str, amount: int) -> Plan:
        """Return the plan that nothing undoes; its commit returns nothing."""
        order = self.order(name)

        async def apply(tell: Tell) -> Any:
            order.tips += 1

        effects = [{"op": "create", "target": f"tip/{name}/{self.number()}"}]
        uses = {"spend": {"unit": "USD", "amount": amount, "scale": 2}}
        return Plan(f"Tip {name}", effects, apply, lambda: None, risk="medium", window=None, uses=uses)

    def delivering(self, name: str, seconds: float) -> Plan:
        """Return the plan whose commit takes a while and tells how far it is."""
        order = self.order(name)

        async def apply(tell: Tell) -> Any:
            for step in range(1, 4):
                await tell(f"étape {step}\nof 3", step / 3 if step < 3 else 1)
                await asyncio.sleep(seconds / 3)
            order.orders += 1
            return None

        def revert() -> None:
            order.orders -= 1

        effects = [{"op": "other", "target": f"delivery/{name}/{self.number()}", "detail": "by bicycle"}]
        return Plan(f"Deliver {name}", effects, apply, revert, uses={"deliveries": {"scale": 1, "amount": 10}})

    def failing_once(self, name: str, code: str) -> Plan:
        """Return the plan whose first commit for this order fails before anything happens."""
        order = self.order(name)

        async def fail(tell: Tell) -> Any:
            if not order.failed_once:
                order.failed_once = True
                raise Refusal(code, "the kitchen was on fire, try again", retry=0.5)

        return self.ordering(name, {"amount": 2290, "scale": 2, "unit": "USD"}, fail)

    # What is read

    def read_event(self, params: Params) -> dict[str, Any]:
        """Return an event as the ask shows it."""
        name = params["event"]
        event = self.events.get(name, Event())
        return {
            "invites": event.invites,
            "room": event.room,
            "start": event.start,
            "title": event.title,
            "bookings": event.bookings,
            "event": name,
        }

    def read_order(self, params: Params) -> dict[str, Any]:
        """Return an order as the ask shows it."""
        name = params["order"]
        order = self.orders.get(name, Order())
        return {"tips": order.tips, "spent": decimal(order.spent), "orders": order.orders, "order": name}


def decimal(value: int) -> str:
    """Return units of 10^-18 as an exact decimal without zeros at its end."""
    digits = str(value).rjust(SCALE + 1, "0")
    return f"{digits[:-SCALE]}.{digits[-SCALE:]}".rstrip("0").rstrip(".")
