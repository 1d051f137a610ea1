"""The selftest's part for fuzzing: every property against the faults that it must find.

Two controls per property: the reference holds, and a target that answers nonsense does not. A fault is killed when the
property fails on it within `EXAMPLES`; one that is said to be unlisted survives as well if a stored vector, or a check
of the wire, catches it.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from fuzz import campaign, properties
from harness import laboratory
from harness.adapters import trials as adapter_trials
from harness.adapters.blocking import OwnOperations
from harness.byob import laboratory as tables
from harness.byob.nonsense import NonsenseHost
from harness.faults import fuzz as faults
from harness.faults.fuzz import Fuzzed, FuzzFault
from harness.fuzzed_hosts import local_host
from harness.fuzzed_services import local_service
from harness.selection import compile_selection
from harness.targets.local import local_wire
from harness.trial import Trial
from reference.yea.conformance import conformance_service
from reference.yea.service import Service
from reports.model import Outcome

SEED = 1
EXAMPLES = {properties.OPERATIONS: 2000, properties.WIRE: 2000, properties.SERVICE: 500, properties.HOST: 500}
"""A session is an example of many requests, so there are fewer of them."""

SOUND_EXAMPLES = {properties.OPERATIONS: 200, properties.WIRE: 200, properties.SERVICE: 25, properties.HOST: 25}
PATIENCE = 10.0
LISTED = {
    properties.WIRE: "yea/2",
    properties.SERVICE: "yea/4 or yea/5 or yea/6",
    properties.HOST: "byob/7 or byob/8 or byob/9",
}
"""The checks that an unlisted service must pass: those of the sections that the property is about."""

SOUND: dict[str, Callable[[], AbstractContextManager[Fuzzed]]] = {
    properties.OPERATIONS: lambda: nullcontext(OwnOperations()),
    properties.WIRE: lambda: local_wire(conformance_service(), PATIENCE),
    properties.SERVICE: lambda: local_service(conformance_service(), PATIENCE),
    properties.HOST: local_host,
}
NONSENSE: dict[str, Callable[[], AbstractContextManager[Fuzzed]]] = {
    properties.OPERATIONS: lambda: nullcontext(_NonsenseOperations()),
    properties.WIRE: lambda: local_wire(conformance_service(service_class=Nonsense), faults.PATIENCE),
    properties.SERVICE: lambda: local_service(conformance_service(service_class=Nonsense), faults.PATIENCE),
    properties.HOST: lambda: local_host(NonsenseHost),
}
"""What opens the two controls, by what a property is over."""


class Nonsense(Service):
    """Answers every request with a frame of no known kind, under no id."""

    def envelope(self, re: str, body: dict[str, Any]) -> dict[str, Any]:
        """Replace what is said by nonsense."""
        return {"re": None, "kind": "NONSENSE"}


class _NonsenseOperations:
    def __init__(self) -> None:
        self._asked = 0

    def call(self, operation: str, arguments: Any) -> dict[str, Any]:
        """Answer something else each time."""
        self._asked += 1
        return {"ok": {"nonsense": self._asked}}


def jobs() -> list[tuple[str, str | None]]:
    """Return what can be run apart: each property's controls, and each of its faults, the slow ones first."""
    made = [(name, each) for name in properties.load() for each in (None, *(f.id for f in faults.load().get(name, ())))]
    return sorted(made, key=lambda job: properties.load()[job[0]].over not in properties.LIVE)


def run(name: str, fault_id: str | None) -> list[Trial]:
    """Return the controls of a property, or the trial of one of its faults."""
    entry = properties.load()[name]
    if fault_id is None:
        return [_sound(entry), _nonsense(entry)]
    return [_against(entry, fault) for fault in faults.load()[name] if fault.id == fault_id]


def _sound(entry: properties.Property) -> Trial:
    examples = SOUND_EXAMPLES[entry.over]
    with SOUND[entry.over]() as target:
        outcome = _campaign(entry, target, examples)
    name = f"control: the reference under {entry.name}"
    held = outcome.examples >= examples and not _found(outcome)
    return Trial(name, "passed" if held else "failed", (f"{outcome.examples} examples",) if held else (), _why(outcome))


def _nonsense(entry: properties.Property) -> Trial:
    with NONSENSE[entry.over]() as target:
        found = _found(_campaign(entry, target, SOUND_EXAMPLES[entry.over]))
    return Trial(f"control: nonsense under {entry.name}", "passed" if found else "failed")


def _against(entry: properties.Property, fault: FuzzFault) -> Trial:
    try:
        with fault.target() as target:
            outcome = _campaign(entry, target, EXAMPLES[entry.over])
        listed = _listed(fault, entry) if fault.unlisted else ""
    except Exception as problem:  # a fault that does not load proves nothing, whatever it raises
        return Trial(fault.id, "broken", (entry.name,), f"{type(problem).__name__}: {problem}")
    if not _found(outcome):
        return Trial(fault.id, "survived", (entry.name,), f"{outcome.examples} examples held")
    return Trial(fault.id, "survived" if listed else "killed", (entry.name,), listed)


def _campaign(entry: properties.Property, target: Fuzzed, examples: int) -> campaign.Outcome:
    return campaign.run(entry, target, examples=examples, seconds=None, chosen=SEED, database=None, shrink=False)


def _found(outcome: campaign.Outcome) -> bool:
    return bool(outcome.failure)


def _why(outcome: campaign.Outcome) -> str:
    return f"{outcome.failure}: {outcome.smallest[:500]}" if outcome.failure else outcome.unsupported


def _listed(fault: FuzzFault, entry: properties.Property) -> str:
    """Return what else catches a fault that is said to be unlisted, or an empty string."""
    if fault.op:
        return adapter_trials.caught_by(fault.op, fault.wrong)
    select = compile_selection(LISTED[entry.over])
    if entry.over == properties.HOST:
        rows = tables.examine(fault.make, select)
    else:
        rows = laboratory.examine(fault.make, select, transports=("tcp",), slow=True)
    caught = [row.id for row in rows if row.outcome in (Outcome.FAILED, Outcome.WARNED, Outcome.ERROR)]
    return f"it is listed: {', '.join(caught[:5])} find it" if caught else ""
