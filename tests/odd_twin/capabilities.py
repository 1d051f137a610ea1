"""The capabilities of the conformance service, as the twin offers them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from reference.yea.quantities import is_quantity
from tests.odd_twin import texts
from tests.odd_twin.plans import Capability, Choice, Params, Plan
from tests.odd_twin.refusal import Refusal
from tests.odd_twin.world import World

MENU: dict[str, Any] = {
    "tag?": "high-protein|spicy|vegan|vegetarian",
    "calories?": {"min?": "int", "max?": "int"},
    "only?": [{"sku": "string"}],
}
ASIDE: dict[str, Any] = {
    "tags?": "string[] — any words",
    "place?": {"room": "string", "floor?": {"number": "int"}},
    "guests?": [{"name": "string", "role?": "host|guest|a ghost — whoever"}],
    "ratings?": ["number"],
    "anything?": "any — or nothing",
}
WHO = {"ana.li": "Ana Li 李", "ana.ruiz": "Ana Ruiz"}


def capabilities(world: World, failed: str) -> dict[str, Capability]:
    """Return them by name: intents first, since the order is free. `failed` is the code of a commit that fails."""
    return {entry.name: entry for entry in (*_calendar_intents(world), *_shop_intents(world, failed), *_asks(world))}


def _asks(world: World) -> list[Capability]:
    return [
        Capability(
            "shop.terms", "ask", "All that\nis agreed", lambda _: {"text": texts.terms(), "title": "Terms of “trade”"}
        ),
        Capability("shop.menu", "ask", "What is cooked", _menu, MENU),
        Capability("shop.status", "ask", "How an order stands", world.read_order, {"order": "string — any id"}),
        Capability("calendar.agenda", "ask", "Événements fixes", _agenda, {"day?": "date"}),
        Capability("calendar.event", "ask", "One event", world.read_event, {"event": "string"}),
    ]


def _agenda(params: Params) -> Any:
    day = params.get("day")
    return {"events": [event for event in texts.agenda() if day is None or event["start"].startswith(day)]}


def _menu(params: Params) -> Any:
    tag, only, calories = params.get("tag"), params.get("only"), params.get("calories") or {}
    rows = [row for number, row in enumerate(texts.menu()) if tag is None or tag == texts.tag_of(number)]
    least, most = calories.get("min"), calories.get("max")
    wanted = None if only is None else {one["sku"] for one in only}
    return {
        "items": [
            row
            for row in rows
            if (least is None or row["calories"] >= least)
            and (most is None or row["calories"] <= most)
            and (wanted is None or row["sku"] in wanted)
        ]
    }


def _calendar_intents(world: World) -> list[Capability]:
    event = {"event": "string — an id, any will do"}

    def book(params: Params) -> list[Plan]:
        return [world.booking(params["event"], params.get("title"), params.get("start"))]

    def suggest(params: Params) -> list[Plan]:
        day = params.get("day") or (datetime.fromtimestamp(world.now, UTC) + timedelta(days=1)).strftime("%Y-%m-%d")
        data = {"note": "n" * 230, "slots": [{"at": hour / 2} for hour in range(16, 30)]}
        return [
            world.booking(params["event"], None, f"{day}T{hour:02}:00:00Z", risk=risk, data={**data, "score": score})
            for hour, risk, score in ((9, "medium", 0.9), (11, "low", 0.7), (14, "low", 0.5))
        ]

    def plan(params: Params) -> list[Plan] | Choice:
        if "who" not in params:
            words = ("{}", "the one called {}")[world.number() % 2]
            options = [(words.format(label), {"who": who, "hint": None}) for who, label in WHO.items()]
            return Choice("Which Ana?\nThere are two.", options)
        return [world.booking(params["event"], f"{params['event']} with {params['who']}", None)]

    return [
        Capability(
            "calendar.book",
            "intent",
            "Book",
            book,
            {**event, "title?": "string", "start?": "datetime", **ASIDE},
            risk="low",
        ),
        Capability(
            "calendar.move",
            "intent",
            "Move",
            lambda params: [world.moving(params["event"], params["to"])],
            {"to": "datetime", **event},
            risk="low",
        ),
        Capability(
            "calendar.clear", "intent", "Clear", lambda params: [world.clearing(params["event"])], event, risk="medium"
        ),
        Capability(
            "calendar.suggest", "intent", "Three ways to book", suggest, {**event, "day?": "date"}, risk="medium"
        ),
        Capability("calendar.plan", "intent", "Book with Ana", plan, {**event, "who?": "ana.ruiz|ana.li"}, risk="low"),
        Capability(
            "calendar.hold", "intent", "Book, quickly", lambda params: [_soon(book(params)[0])], event, risk="low"
        ),
        Capability(
            "calendar.pencil",
            "intent",
            "Book, to be undone at once",
            lambda params: [replace(book(params)[0], window=6)],
            event,
            risk="low",
        ),
        Capability(
            "calendar.claim",
            "intent",
            "One slot, two takers",
            lambda params: world.claims(params["slot"]),
            {"slot": "string"},
            risk="low",
        ),
    ]


def _soon(plan: Plan) -> Plan:
    return replace(plan, ttl=5)


def _shop_intents(world: World, failed: str) -> list[Capability]:
    order = {"order": "string — any id"}
    amounts = {"amount?": "int — what it costs", "scale?": "int", "unit?": "string"}
    return [
        Capability(
            "shop.order",
            "intent",
            "Order",
            lambda params: [world.ordering(params["order"], _quantity(params))],
            {**order, **amounts},
            risk="low",
        ),
        Capability(
            "shop.tip",
            "intent",
            "Tip, for good",
            lambda params: [world.tipping(params["order"], _quantity({"amount": 300, **params})["amount"])],
            {**order, "amount?": "int"},
            risk="medium",
        ),
        Capability(
            "shop.deliver",
            "intent",
            "Bring it",
            lambda params: [world.delivering(params["order"], _seconds(params))],
            {**order, "seconds?": "number — 0 to 10"},
            risk="low",
        ),
        Capability(
            "shop.flaky",
            "intent",
            "Order, the second time",
            lambda params: [world.failing_once(params["order"], failed)],
            order,
            risk="low",
        ),
    ]


def _quantity(params: Params) -> dict[str, Any]:
    quantity = {
        "unit": params.get("unit", "USD"),
        "scale": int(params.get("scale", 2)),
        "amount": int(params.get("amount", 2290)),
    }
    if not is_quantity(quantity):
        fix = {"say": "the usual", "params": {"amount": 2290, "scale": None, "unit": None}}
        raise Refusal("invalid_params", "no such quantity", fix=[fix])
    return quantity


def _seconds(params: Params) -> float:
    seconds: float = params.get("seconds", 1.0)
    if not 0 <= seconds <= 10:
        fix = {"say": "one second", "params": {"seconds": 1}}
        raise Refusal("invalid_params", "`seconds` is from 0 to 10", fix=[fix])
    return seconds
