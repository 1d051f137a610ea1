"""What the twin's commits change, as docs/conformance-service.md says: events and orders under ids that callers chose.

An object is the list of what was done to it, so that undos in any order take away just what their commit did. The
effects' targets end in numbers that an INTENT uses up, and results have members besides: the page leaves that open.
"""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.odd_twin.plans import Apply, Params, Plan, Tell
from tests.odd_twin.refusal import Refusal

SCALE = 18
NO_START = "2026-10-05T09:00:00Z"

Done = dict[str, Any]


@dataclass
class Object:
    """An event, a slot or an order: what was done to it, and how often that changed."""

    done: list[Done] = field(default_factory=list)
    version: int = 0
    failed_once: bool = False

    def count(self, *kinds: str) -> int:
        """Return how many things of these kinds were done and not undone."""
        return sum(one["kind"] in kinds for one in self.done)

    def latest(self, name: str) -> Any:
        """Return a member of the latest thing that has it, or None."""
        return next((one[name] for one in reversed(self.done) if name in one), None)


class World:
    """All objects, and the counter whose numbers show in effect targets; `now` is when the INTENT in hand came."""

    def __init__(self) -> None:
        self._objects: dict[tuple[str, str], Object] = {}
        self._numbers = itertools.count(1)
        self.now = 0.0

    def object(self, sort: str, name: str) -> Object:
        """Return the event or order of that name, new if nobody touched it."""
        return self._objects.setdefault((sort, name), Object())

    def number(self) -> int:
        """Return a number that was never used."""
        return next(self._numbers)

    def _plan(
        self,
        thing: Object,
        summary: str,
        effects: Sequence[dict[str, Any]],
        done: Done,
        result: Any,
        before: Callable[[Tell], Any] | None = None,
        **more: Any,
    ) -> Plan:
        """Return the plan to do one thing to an object; `before` runs before anything changes."""
        version = thing.version

        async def apply(tell: Tell) -> Any:
            if before is not None:
                await before(tell)
            thing.done.append(done)
            thing.version += 1
            return result

        def revert() -> None:
            thing.done[:] = [one for one in thing.done if one is not done]
            thing.version += 1

        return Plan(summary, list(effects), apply, revert, stale=lambda: thing.version != version, **more)

    # The calendar's plans

    def booking(self, name: str, title: str | None = None, start: str | None = None, **more: Any) -> Plan:
        """Return the plan to book an event; planned again it has other words."""
        event, number = self.object("event", name), self.number()
        begins = start or NO_START
        effects: list[dict[str, Any]] = [
            {"op": "create", "target": f"event/{name}/booking-{number}"},
            {
                "op": "update",
                "target": f"room/{name}",
                "field": "booked",
                "from": event.count("booking") > 0,
                "to": True,
            },
            {"op": "send", "target": f"{name}@example.com", "detail": "invitation"},
        ]
        words = ("une fois de plus 🗓️", "again, in other words")[number % 2]
        done = {"kind": "booking", "title": title or name, "start": begins}
        result = {"number": number, "start": begins, "event": name}
        return self._plan(event, f"Réserver « {name} »\n{words}", effects, done, result, **more)

    def moving(self, name: str, to: str) -> Plan:
        """Return the plan to move an event; the `from` of its effect is left out when it has no start yet."""
        event = self.object("event", name)
        effect: dict[str, Any] = {"to": to, "op": "update", "target": f"event/{name}", "field": "start"}
        if event.latest("start") is not None:
            effect["from"] = event.latest("start")
        return self._plan(event, f"Move {name}", [effect], {"kind": "move", "start": to}, {"start": to, "event": name})

    def clearing(self, name: str) -> Plan:
        """Return the risky plan, which counts a booking and has an effect of every sort but two."""
        event = self.object("event", name)
        booked = event.count("booking", "clear", "claim")
        effects: list[dict[str, Any]] = [
            {"op": "update", "target": f"event/{name}", "field": "bookings", "from": booked, "to": booked + 1},
            {"op": "update", "target": f"day/{name}", "field": "cleared", "to": True},
            {"op": "delete", "target": f"gap/{name}/{self.number()}"},
            {"op": "other", "target": f"event/{name}", "detail": "counted anew"},
        ]
        result = {"numbers": [1, 2.5, "cleared"], "event": name}
        return self._plan(event, f"Clear {name}", effects, {"kind": "clear"}, result, risk="medium", window=2**52)

    def claims(self, name: str) -> list[Plan]:
        """Return two plans for one slot; when one is committed the other no longer holds."""
        return [
            self._plan(
                self.object("event", name),
                f"Claim {name} in the {when}",
                [{"op": "create", "target": f"slot/{name}", "detail": when}],
                {"kind": "claim"},
                {"slot": name},
                races=True,
            )
            for when in ("morning", "evening")
        ]

    # The shop's plans

    def ordering(self, name: str, quantity: dict[str, Any], before: Apply | None = None) -> Plan:
        """Return the plan of an order; it reports a measure of nothing besides."""
        effects = [
            {"op": "create", "target": f"order/{name}/{self.number()}"},
            {"op": "send", "target": f"{name}@example.com", "detail": "confirmation"},
        ]
        uses = {"x.y-z_1": {"unit": "%", "amount": 0}, "emails": {"amount": 1}, "spend": quantity}
        done = {"kind": "order", "spend": quantity}
        result = {"lines": [{"text": "x" * 240}], "order": name}
        return self._plan(self.object("order", name), f"Order {name}", effects, done, result, before, uses=uses)

    def tipping(self, name: str, amount: int) -> Plan:
        """Return the plan that nothing undoes; its commit returns nothing."""
        effects = [{"op": "create", "target": f"tip/{name}/{self.number()}"}]
        uses = {"spend": {"unit": "USD", "amount": amount, "scale": 2}}
        more: dict[str, Any] = {"risk": "medium", "window": None, "uses": uses}
        return self._plan(self.object("order", name), f"Tip {name}", effects, {"kind": "tip"}, None, **more)

    def delivering(self, name: str, seconds: float) -> Plan:
        """Return the plan whose commit takes a while and tells how far it is."""

        async def on_the_way(tell: Tell) -> None:
            for step in range(1, 4):
                await tell(f"étape {step}\nof 3", step / 3 if step < 3 else 1)
                await asyncio.sleep(seconds / 3)

        effects = [{"op": "create", "target": f"order/{name}/{self.number()}", "detail": "by bicycle"}]
        thing, uses = self.object("order", name), {"deliveries": {"amount": 1}}
        return self._plan(
            thing, f"Deliver {name}", effects, {"kind": "delivery"}, {"order": name}, on_the_way, uses=uses
        )

    def failing_once(self, name: str, code: str) -> Plan:
        """Return the plan whose first commit for this order fails before anything happens."""
        order = self.object("order", name)

        async def fail(tell: Tell) -> None:
            if not order.failed_once:
                order.failed_once = True
                raise Refusal(code, "the kitchen was on fire, try again", retry=0.5)

        return self.ordering(name, {"amount": 2290, "scale": 2, "unit": "USD"}, fail)

    # What is read

    def read_event(self, params: Params) -> dict[str, Any]:
        """Return an event as the ask shows it; asking makes nothing."""
        event = self._objects.get(("event", params["event"]), Object())
        booked = event.count("booking")
        return {
            "invites": booked,
            "room": booked > 0,
            "start": event.latest("start"),
            "title": event.latest("title"),
            "bookings": event.count("booking", "clear", "claim"),
            "event": params["event"],
        }

    def read_order(self, params: Params) -> dict[str, Any]:
        """Return an order as the ask shows it; asking makes nothing."""
        order = self._objects.get(("order", params["order"]), Object())
        spent = [one["spend"] for one in order.done if "spend" in one]
        return {
            "tips": order.count("tip"),
            "spent": decimal(spent),
            "orders": order.count("order", "delivery"),
            "order": params["order"],
        }


def decimal(quantities: list[dict[str, Any]]) -> str:
    """Return the exact sum of quantities, with as many digits after the point as the largest scale among them."""
    scale = max((quantity["scale"] for quantity in quantities), default=0)
    total = sum(quantity["amount"] * 10 ** (scale - quantity["scale"]) for quantity in quantities)
    digits = str(total).rjust(scale + 1, "0")
    return f"{digits[:-scale]}.{digits[-scale:]}" if scale else digits
