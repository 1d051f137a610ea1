"""Billing: customers get credits, which can be taken back, and reminders, which cannot."""

from collections.abc import Iterable

from reference.yea.errors import YeaError
from reference.yea.service import Call, Clarify, Plan, Service
from reference.yea.types import Json
from tests.services.records import Listing, Record, Recording, Records, plain, service

CUSTOMERS: list[Record] = [
    {"id": "cus_ana_r", "name": "Ana Ruiz", "plan": "pro"},
    {"id": "cus_ana_l", "name": "Ana Li", "plan": "team"},
    {"id": "cus_ben", "name": "Ben Okafor", "plan": "starter"},
]


class Billed(Recording):
    """An intent about one customer; who that is must be clear. Customers are `customers`, what is done `records`."""

    def __init__(self, records: Records, customers: Records) -> None:
        super().__init__(records)
        self.customers = customers

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        found = self.customers.matching(str(params["who"]))
        if not found:
            raise YeaError("not_found", "there is no such customer", fix=[{"say": "look at billing.customers"}])
        if len(found) > 1:
            return Clarify("Which customer?", [(str(each["name"]), {"who": each["id"]}) for each in found])
        record = {"id": f"{self.name}/{next(self.records.numbers)}", "who": found[0]["id"], **params}
        return [self.billing(record, found[0])]

    def billing(self, record: Record, customer: Record) -> Plan:
        """Return the plan for one customer."""
        raise NotImplementedError


class Credit(Billed):
    """Credits an amount."""

    name = "billing.credit"
    summary = "Credit a customer"
    params = {"who": "string", "cents": "int", "note": "string"}
    risk = "medium"

    def billing(self, record: Record, customer: Record) -> Plan:
        effect: dict[str, Json] = {"op": "create", "target": record["id"], "detail": str(record["note"])}
        uses: dict[str, Json] = {"spend": {"amount": record["cents"], "scale": 2, "unit": "USD"}}
        return self.setting(f"Credit {customer['name']}", record, [effect], uses=uses, risk="medium")


class Remind(Billed):
    """Sends a reminder."""

    name = "billing.remind"
    summary = "Send a customer a reminder"
    params = {"who": "string", "note": "string"}
    risk = "low"

    def billing(self, record: Record, customer: Record) -> Plan:
        effect: dict[str, Json] = {"op": "send", "target": f"{customer['id']}@example.com", "detail": "reminder"}
        return self.setting(f"Remind {customer['name']}", record, [effect], undo=None)


def billing(trusted: Iterable[str]) -> Service:
    """Return a billing service that trusts these principals."""
    records, customers = Records(), Records(CUSTOMERS)

    def done(params: dict[str, Json]) -> Json:
        mine = [each for each in records.all.values() if each["note"] == params["note"]]
        return {"entries": plain(mine), "count": len(mine)}

    asks = [
        Listing(
            "billing.customers", {"query?": "string"}, lambda p: plain(customers.matching(str(p.get("query") or "")))
        ),
        Listing("billing.entries", {"note": "string"}, done),
    ]
    return service("billing", [*asks, Credit(records, customers), Remind(records, customers)], trusted)
