"""What the small services have in common: records, found by their words, that intents add, change and take back."""

import copy
import itertools
from collections.abc import Callable, Iterable
from typing import Any

from reference.yea.service import Ask, Call, Intent, Plan, Service
from reference.yea.service.steps import Job
from reference.yea.types import Json

Record = dict[str, Any]


class Records:
    """Records by id, in the order in which they came."""

    def __init__(self, seed: Iterable[Record] = ()) -> None:
        self.all: dict[str, Record] = {str(record["id"]): record for record in seed}
        self.numbers = itertools.count(1000)

    def matching(self, words: str) -> list[Record]:
        """Return the records whose id it is, or whose texts hold every word."""
        if words in self.all:
            return [self.all[words]]
        wanted = words.lower().split()
        return [record for record in self.all.values() if all(word in str(record).lower() for word in wanted)]


class Listing(Ask):
    """An ask about records."""

    def __init__(self, name: str, params: dict[str, Json], answer: Callable[[dict[str, Json]], Json]) -> None:
        self.name, self.params, self._answer = name, params, answer
        self.summary = f"What {name} knows"

    def answer(self, params: dict[str, Json], call: Call) -> Json:
        return copy.deepcopy(self._answer(params))


class Recording(Intent):
    """An intent whose plan sets records, or adds them, and whose undo sets back what stood there before."""

    def __init__(self, records: Records) -> None:
        self.records = records

    def setting(self, summary: str, record: Record, effects: list[dict[str, Json]], **more: Any) -> Plan:
        """Return the plan that sets one record."""
        return Plan(summary=summary, effects=effects, job={"set": record, "result": {"id": record["id"]}}, **more)

    def apply(self, job: dict[str, Json], call: Call) -> Job:
        yield from ()
        record: Any = job["set"]
        before = self.records.all.get(record["id"])
        self.records.all[record["id"]] = {**record, "by": call.proposal, "before": before}
        return job["result"]

    def revert(self, job: dict[str, Json], call: Call) -> Job:
        yield from ()
        record: Any = job["set"]
        before = self.records.all.pop(record["id"], {}).get("before")
        if before is not None:
            self.records.all[record["id"]] = before
        return None


def plain(records: Iterable[Record]) -> list[Json]:
    """Return records as a caller sees them."""
    return [{name: value for name, value in record.items() if name not in ("by", "before")} for record in records]


def service(name: str, capabilities: list[Any], trusted: Iterable[str]) -> Service:
    """Return a service of these capabilities."""
    return Service(
        id=f"{name}.example", name=name.title(), summary=f"A {name}.", capabilities=capabilities, trusted=trusted
    )
