"""The shop half of the conformance service. Every order is named by the caller."""

from typing import Any

from reference.yea.conformance import texts
from reference.yea.conformance.calendar import EventIntent
from reference.yea.conformance.names import checked, optional
from reference.yea.conformance.world import About
from reference.yea.errors import YeaError
from reference.yea.quantities import is_quantity, render
from reference.yea.quantities import value as exact
from reference.yea.service.capability import ApplyError, Ask, Call, Clarify, Plan
from reference.yea.service.steps import Event, Job, Pause
from reference.yea.types import Json, as_integer

DEFAULT_AMOUNT, DEFAULT_SCALE, DEFAULT_UNIT = 2290, 2, "USD"
DEFAULT_TIP = 300
DEFAULT_SECONDS, LONGEST_SECONDS = 1.0, 10.0
RETRY = 1


class Status(About, Ask):
    """What is known of one order."""

    name = "shop.status"
    summary = "The state of one order"
    params = {"order": "string — any name"}

    def answer(self, params: dict[str, Json], call: Call) -> Json:
        order = checked("order", params)
        name = order_name(order)
        return {
            "order": order,
            "orders": self.world.count(name, "ordered"),
            "spent": self.spent(name),
            "tips": self.world.count(name, "tipped"),
        }

    def spent(self, name: str) -> str:
        """The exact sum of what was spent, whatever the units, at the largest scale among them."""
        spent = [change["spend"] for change in self.world.changes(name) if isinstance(change.get("spend"), dict)]
        scale = max((int(str(item.get("scale", 0))) for item in spent if isinstance(item, dict)), default=0)
        digits = str(sum(exact(item) for item in spent) // 10 ** (18 - scale)).rjust(scale + 1, "0")
        point = len(digits) - scale
        return f"{digits[:point]}.{digits[point:]}" if scale else digits


class Menu(About, Ask):
    """A long list."""

    name = "shop.menu"
    summary = "Everything that can be ordered"
    params: dict[str, Json] = {
        "tag?": "high-protein|spicy|vegan|vegetarian",
        "calories?": {"min?": "int", "max?": "int"},
        "only?": [{"sku": "string"}],
    }

    def answer(self, params: dict[str, Json], call: Call) -> Json:
        tag, only = params.get("tag"), params.get("only")
        rows = texts.menu(str(tag) if tag is not None else None)
        if isinstance(only, list):
            skus = [item["sku"] for item in only if isinstance(item, dict)]
            rows = [row for row in rows if isinstance(row, dict) and row["sku"] in skus]
        return {"items": [row for row in rows if is_between(row, params.get("calories"))]}


class Terms(About, Ask):
    """A long text."""

    name = "shop.terms"
    summary = "The terms of the shop"
    params: dict[str, Json] = {}

    def answer(self, params: dict[str, Json], call: Call) -> Json:
        return {"title": "Terms", "text": texts.terms()}


class OrderIntent(EventIntent):
    """An intent about one order."""

    def ordering(self, order: str, spend: Json = None, **more: Any) -> Plan:
        """The plan that places an order. more: members of the Plan that differ from the usual."""
        change: dict[str, Json] = {"ordered": True, "spend": spend}
        effect: dict[str, Json] = {"op": "create", "target": f"order/{order}"}
        price = f" for {render(spend)}" if spend is not None else ""
        fields: dict[str, Any] = {
            "summary": f"Order {order}{price}",
            "effects": [effect],
            "job": {"object": order_name(order), "change": change, "result": {"order": order}},
        }
        return Plan(**(fields | more))


class Order(OrderIntent):
    """An order that spends what the params say."""

    name = "shop.order"
    summary = "Order something, at any price"
    params = {"order": "string — any name", "amount?": "int", "scale?": "int", "unit?": "string"}

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        order, spend = checked("order", params), read_spend(params)
        effects: list[dict[str, Json]] = [
            {"op": "create", "target": f"order/{order}"},
            {"op": "send", "target": f"{order}@example.com", "detail": "confirmation"},
        ]
        uses: dict[str, Json] = {"spend": spend, "emails": {"amount": 1}}
        return [self.ordering(order, spend, uses=uses, effects=effects)]


class Tip(OrderIntent):
    """What cannot be undone."""

    name = "shop.tip"
    summary = "Tip for an order"
    params = {"order": "string — any name", "amount?": "int"}
    risk = "medium"

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        order = checked("order", params)
        spend = read_spend({"amount": params.get("amount", DEFAULT_TIP)})
        effect: dict[str, Json] = {"op": "create", "target": f"tip/{order}"}
        job: dict[str, Json] = {"object": order_name(order), "change": {"tipped": True}}
        summary = f"Tip {render(spend)} for {order}"
        return [Plan(summary=summary, effects=[effect], job=job, uses={"spend": spend}, risk="medium", undo=None)]


class Deliver(OrderIntent):
    """A commit that takes its time."""

    name = "shop.deliver"
    summary = "Deliver an order, which takes a while"
    params = {"order": "string — any name", "seconds?": "number — how long, 0 to 10"}

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        order, seconds = checked("order", params), read_seconds(params)
        plan = self.ordering(order, summary=f"Deliver {order}", uses={"deliveries": {"amount": 1}})
        plan.job["seconds"] = seconds
        return [plan]

    def apply(self, job: dict[str, Json], call: Call) -> Job:
        half = float(str(job["seconds"])) / 2
        yield Event("packing", 0.25)
        yield Pause(half)
        yield Event("on the way", 0.75)
        yield Pause(half)
        return (yield from super().apply(job, call))


class Flaky(OrderIntent):
    """A commit that fails the first time."""

    name = "shop.flaky"
    summary = "Order something; the first commit of an order fails"
    params = {"order": "string — any name"}

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        order, spend = checked("order", params), read_spend({})
        return [self.ordering(order, spend, uses={"spend": spend})]

    def apply(self, job: dict[str, Json], call: Call) -> Job:
        tried = f"flaky/{job['object']}"
        if not self.world.changes(tried):
            self.world.add(tried, call.proposal, {})
            raise ApplyError("unavailable", "the shop did not answer, and nothing was ordered", retry=RETRY)
        return (yield from super().apply(job, call))


def is_between(row: Json, calories: Json) -> bool:
    """Whether a row of the menu has no fewer calories than `min` and no more than `max`, where these are given."""
    bounds = calories if isinstance(calories, dict) else {}
    value = int(str(row["calories"])) if isinstance(row, dict) else 0
    least, most = as_integer(bounds.get("min")), as_integer(bounds.get("max"))
    return (least is None or value >= least) and (most is None or value <= most)


def order_name(order: str) -> str:
    """Where the changes to an order are kept."""
    return f"order/{order}"


def read_spend(params: dict[str, Json]) -> dict[str, Json]:
    """The quantity that the params ask for (YEA 5.1). Raises `invalid_params` with a fix."""
    spend: dict[str, Json] = {
        "amount": params.get("amount", DEFAULT_AMOUNT),
        "scale": params.get("scale", DEFAULT_SCALE),
        "unit": optional("unit", params) or DEFAULT_UNIT,
    }
    if is_quantity(spend):
        return spend
    raise YeaError(
        "invalid_params",
        "`amount`, `scale` and `unit` must make a quantity",
        fix=[
            {
                "say": "send the usual price",
                "params": {"amount": DEFAULT_AMOUNT, "scale": DEFAULT_SCALE, "unit": DEFAULT_UNIT},
            }
        ],
    )


def read_seconds(params: dict[str, Json]) -> float:
    """How long a delivery takes, in seconds. Raises `invalid_params` with a fix."""
    seconds = float(str(params.get("seconds", DEFAULT_SECONDS)))
    if 0 <= seconds <= LONGEST_SECONDS:
        return seconds
    raise YeaError(
        "invalid_params",
        f"`seconds` must be from 0 to {LONGEST_SECONDS:g}",
        fix=[{"say": "send one second", "params": {"seconds": 1}}],
    )
