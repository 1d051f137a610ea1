"""The selftest: every fault against the checks that claim it, with controls that can void the whole.

Controls come first. The sound reference must pass every check. A service that answers nonsense must pass none (a check
that passes there passes on anything). A fault that cannot even be made must be told apart from a killed one. The
adapter faults are held against the vectors in the same way, the properties of fuzzing against theirs, and the client
faults against the checks on clients. Each trial is independent, so they run in as many processes as there are cores.
"""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from harness import check, faults, fuzz_trials, laboratory, live, monitors
from harness.adapters import trials as adapter_trials
from harness.bridges import laboratory as bridge_laboratory
from harness.bridges.nonsense import UnloadableBridge
from harness.byob import laboratory as table_laboratory
from harness.byob import nonsense as table_nonsense
from harness.clients import trials as client_trials
from harness.scope import YEA_CLIENT
from harness.selection import Matcher, compile_selection, everything
from harness.trial import NEUTRAL, Trial, verdict, with_matrix
from harness.workers import workers
from reference.yea.conformance import conformance_service
from reference.yea.service import Service
from reports.model import Outcome, Row

SOUND, NONSENSE, UNLOADABLE = "control: the sound reference", "control: nonsense", "control: a fault that cannot load"


class Nonsense(Service):
    """Answers every request but the first HELLO with a frame of no known kind."""

    def envelope(self, re: str, body: dict[str, Any]) -> dict[str, Any]:
        """Replace what is said by nonsense, except to the HELLO that finds the service."""
        whole = super().envelope(re, body)
        return whole if re == "naysayer-hello" else {"re": re, "kind": "NONSENSE"}


class Unloadable(Service):
    """Cannot be made at all."""

    def __init__(self, **_: Any) -> None:
        raise RuntimeError("made to fail")


@dataclass(frozen=True)
class Lab:
    """How a protocol's faults are examined.

    Args:
        sound: the rows of the sound reference against everything.
        nonsense: those of what answers nonsense.
        examine: (fault, selection) to the rows of a fault.
        unloadable: a class that cannot be made.
    """

    sound: Callable[[], list[Row]]
    nonsense: Callable[[], list[Row]]
    examine: Callable[[faults.Fault, Matcher], list[Row]]
    unloadable: type[Any]


def _service_rows(fault: faults.Fault, select: Matcher) -> list[Row]:
    if fault.live:
        return live.examine(fault.id, select, fault.transports, in_the_clear=fault.in_the_clear)
    return laboratory.examine(fault.make, select, transports=fault.transports, slow=True)


LABS: dict[str, Lab] = {
    "yea": Lab(
        lambda: laboratory.examine(lambda: conformance_service(), transports=tuple(laboratory.TARGETS), slow=True),
        lambda: laboratory.examine(lambda: conformance_service(service_class=Nonsense)),
        _service_rows,
        Unloadable,
    ),
    "byob": Lab(
        table_laboratory.examine,
        lambda: table_laboratory.examine(table_nonsense.NonsenseHost),
        lambda fault, select: table_laboratory.examine(fault.make, select),
        table_nonsense.UnloadableHost,
    ),
    "byob-bridge": Lab(
        bridge_laboratory.sound, bridge_laboratory.nonsense, bridge_laboratory.examine_fault, UnloadableBridge
    ),
}


PROTOCOLS = (*LABS, YEA_CLIENT)


def run(protocol: str, *, matrix: bool = False, told: Callable[[Trial], None] = lambda _: None) -> list[Trial]:
    """Run the controls and every fault; returns the trials, controls first.

    Args:
        protocol: one of PROTOCOLS.
        matrix: run everything against each fault too, to see what else it trips.
        told: is told of each fault of a service, host or bridge as its trial ends, in their order.
    """
    if protocol == YEA_CLIENT:
        return _clients(matrix)
    names = [SOUND, NONSENSE, UNLOADABLE, *faults.load(protocol)]
    with workers(os.cpu_count() or 1, _quieten) as submit:
        waiting = [submit(_trial, protocol, name, matrix) for name in names]
        vectors = [submit(adapter_trials.run, op) for op in adapter_trials.operations(protocol)]
        fuzzed = [submit(fuzz_trials.run, *job) for job in (fuzz_trials.jobs() if protocol == "yea" else ())]
        made = []
        for each in waiting:
            made.append(each.result())
            told(made[-1])
        made += [trial for each in (*vectors, *fuzzed) for trial in each.result()]
        return sorted(made, key=lambda trial: not trial.control)


def _clients(matrix: bool) -> list[Trial]:
    cores = os.cpu_count() or 1
    with workers(cores, _quieten) as submit:
        waiting = [submit(client_trials.run, names, matrix=matrix) for names in client_trials.batches(cores)]
        return sorted((trial for each in waiting for trial in each.result()), key=_controls_first)


def _controls_first(trial: Trial) -> tuple[bool, str]:
    return not trial.control, trial.name


def _quieten() -> None:
    """Faults fail loudly, as they must; nobody wants to read it here."""
    logging.disable(logging.CRITICAL)


def passed(trials: list[Trial]) -> bool:
    """Whether every trial ended as it must; false when there was none."""
    return bool(trials) and all(trial.good for trial in trials)


def summary(trials: list[Trial]) -> str:
    """Return one line of counts."""
    made = [trial.result for trial in trials if not trial.control]
    counts = ", ".join(f"{made.count(word)} {word}" for word in ("killed", "survived", "broken"))
    controls = [trial for trial in trials if trial.control]
    good = sum(trial.good for trial in controls)
    void = "" if good == len(controls) else "; the run is void"
    return f"{len(made)} faults: {counts}; {good} of {len(controls)} controls passed{void}"


def _trial(protocol: str, name: str, matrix: bool) -> Trial:
    if name == SOUND:
        return _sound(protocol)
    if name == NONSENSE:
        return _nonsense(protocol)
    if name == UNLOADABLE:
        return _unloadable(protocol)
    return _against(faults.load(protocol)[name], matrix)


def _sound(protocol: str) -> Trial:
    rows = LABS[protocol].sound()
    bad = [row for row in rows if row.outcome not in NEUTRAL]
    if not rows or bad:
        return Trial(
            SOUND, "failed", why="; ".join(f"{r.id}@{r.transport} {r.outcome}: {r.why}" for r in bad) or "no rows"
        )
    return Trial(SOUND, "passed", (f"{len(rows)} rows",))


def _nonsense(protocol: str) -> Trial:
    """No check may pass; monitors may, for what they watch does not occur or is not what is wrong."""
    known = check.load(protocol)
    rows = LABS[protocol].nonsense()
    fooled = [row for row in rows if row.id in known and row.outcome in (Outcome.PASSED, Outcome.WARNED, Outcome.ERROR)]
    failed = sum(row.outcome == Outcome.FAILED for row in rows)
    if fooled or not failed:
        return Trial(
            NONSENSE, "failed", why=", ".join(f"{r.id}@{r.transport} {r.outcome}" for r in fooled) or "none failed"
        )
    return Trial(NONSENSE, "passed", (f"{failed} of {len(rows)} rows failed",))


def _unloadable(protocol: str) -> Trial:
    claim = next(iter(check.load(protocol)))
    fault = faults.Fault(f"{protocol}/control", "cannot be made", (claim,), LABS[protocol].unloadable)
    trial = _against(fault, matrix=False)
    return Trial(UNLOADABLE, "passed" if trial.result == "broken" else "failed", why=trial.why)


def _against(fault: faults.Fault, matrix: bool) -> Trial:
    known = {**check.load(fault.protocol), **monitors.load(fault.protocol)}
    unknown = [claim for claim in fault.kills if claim not in known]
    if unknown:
        return Trial(fault.id, "broken", fault.kills, f"claims unknown checks: {', '.join(unknown)}")
    try:
        trial = verdict(fault, LABS[fault.protocol].examine(fault, _selection(fault)), "does not run")
        if matrix and not fault.live:  # over one transport: the others show the same, in twice the time
            once = replace(fault, transports=fault.transports[:1])
            trial = with_matrix(trial, LABS[fault.protocol].examine(once, everything))
    except Exception as problem:  # a fault that does not load proves nothing, whatever it raises
        return Trial(fault.id, "broken", fault.kills, f"{type(problem).__name__}: {problem}")
    return trial


def _selection(fault: faults.Fault) -> Callable[[str], bool]:
    """What a fault is run against: its claims, and for a monitor among them the traffic that it needs."""
    if not any(claim in monitors.load(fault.protocol) for claim in fault.kills):
        return fault.kills.__contains__
    traffic = compile_selection(fault.traffic) if fault.traffic else everything
    return lambda check_id: check_id in fault.kills or traffic(check_id)
