"""A shop: a long list of dishes, orders that cost money, and tips that are never given back."""

from collections.abc import Iterable

from reference.yea.errors import YeaError
from reference.yea.service import Call, Clarify, Event, Plan, Service
from reference.yea.service.steps import Job
from reference.yea.types import Json
from tests.services.records import Listing, Record, Recording, Records, plain, service

DISHES: dict[str, int] = {f"m{number:03d}": 899 + 137 * number % 900 for number in range(1, 301)}


def money(cents: int) -> dict[str, Json]:
    """Return what a plan uses."""
    return {"spend": {"amount": cents, "scale": 2, "unit": "USD"}}


class Order(Recording):
    """Orders dishes, under the customer's own reference."""

    name = "shop.order"
    summary = "Order dishes"
    params = {"reference": "string", "items": [{"sku": "string", "qty": "int"}]}
    risk = "low"

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        items = params["items"]
        assert isinstance(items, list)
        cents = sum(self.price(item) for item in items if isinstance(item, dict))
        record: Record = {
            "id": f"o{next(self.records.numbers)}",
            "kind": "order",
            "reference": params["reference"],
            "usd": f"{cents / 100:.2f}",
        }
        effect: dict[str, Json] = {"op": "create", "target": f"order/{record['id']}"}
        summary = f"Order {len(items)} dishes for {record['usd']} USD"
        return [self.setting(summary, record, [effect], uses=money(cents))]

    def price(self, item: dict[str, Json]) -> int:
        """Return what an item costs, in cents."""
        sku, count = str(item["sku"]), int(str(item["qty"]))
        if sku not in DISHES or count < 1:
            raise YeaError("invalid_params", f"there is no dish {sku!r}", fix=[{"say": "order m001"}])
        return DISHES[sku] * count

    def apply(self, job: dict[str, Json], call: Call) -> Job:
        yield Event("the kitchen has it", 0.3)
        yield Event("it is on its way", 0.9)
        return (yield from super().apply(job, call))


class Tip(Recording):
    """Tips for an order."""

    name = "shop.tip"
    summary = "Tip the kitchen; this cannot be undone"
    params = {"reference": "string", "cents": "int"}
    risk = "medium"

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        record: Record = {
            "id": f"t{next(self.records.numbers)}",
            "kind": "tip",
            "reference": params["reference"],
            "cents": params["cents"],
        }
        effect: dict[str, Json] = {"op": "create", "target": f"tip/{record['id']}"}
        uses = money(int(str(params["cents"])))
        return [self.setting("Tip the kitchen", record, [effect], uses=uses, risk="medium", undo=None)]


def shop(trusted: Iterable[str]) -> Service:
    """Return a shop that trusts these principals."""
    records = Records()

    def search(params: dict[str, Json]) -> Json:
        query = str(params.get("query") or "")
        rows: list[Json] = [{"sku": sku, "name": f"Dish {sku}", "cents": cents} for sku, cents in DISHES.items()]
        return [row for row in rows if query in str(row)]

    def history(params: dict[str, Json]) -> Json:
        mine = [each for each in records.all.values() if each["reference"] == params["reference"]]
        return {"orders": plain(mine), "count": len(mine)}

    asks = [
        Listing("shop.search", {"query?": "string"}, search),
        Listing("shop.orders", {"reference": "string"}, history),
    ]
    return service("shop", [*asks, Order(records), Tip(records)], trusted)
