"""Live trials: a broken service in a process of its own, over real sockets and in real time.

Most faults show in the laboratory. A few do not: what a process holds in memory, what a half request does to a server,
what a port says to somebody who speaks another protocol. These are served by `naysayer serve yea --fault ID`.
"""

import asyncio
import json
import time
from collections.abc import Callable

from harness import check as checks
from harness import facts, managed, monitors
from harness.catalogue import catalogue
from harness.errors import TargetError
from harness.profile import built_in
from harness.runner import Plan, Runner
from harness.targets.addresses import parse
from harness.targets.base import Target
from harness.targets.http import http_target
from harness.targets.tcp import tcp_target
from harness.transcript import Transcript
from reports.model import Row

START_TIMEOUT = 20.0
REPLY_TIMEOUT = 5.0


def examine(fault_id: str, select: Callable[[str], bool], transports: tuple[str, ...]) -> list[Row]:
    """Serve a fault and return the rows of the selected checks; raises TargetError when it cannot be served."""
    return asyncio.run(_examine(fault_id, select, transports))


async def _examine(fault_id: str, select: Callable[[str], bool], transports: tuple[str, ...]) -> list[Row]:
    child = managed.Child(managed.reference_command("yea", "--fault", fault_id), fault_id)
    await child.start()
    try:
        bound = _bound(fault_id, await child.first_line(START_TIMEOUT))
        targets = {name: _target(name, bound, child) for name in transports}
        return await _run(select, targets)
    finally:
        await child.stop()


def _bound(fault_id: str, line: str) -> dict[str, str]:
    try:
        said = json.loads(line)
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise TargetError(fault_id, f"did not say what it bound but {line[:200]!r}")
    return said


def _target(transport: str, bound: dict[str, str], child: managed.Child) -> Target:
    """Return a target of the child; its TCP port stands in for every stream transport."""
    address = parse(bound["http" if transport == "http" else "tcp"])
    make = http_target if transport == "http" else tcp_target
    target = make(address, time.time, timeout=REPLY_TIMEOUT, managed=True)
    target.transport, target.peak_memory = transport, child.peak_memory
    return target


async def _run(select: Callable[[str], bool], targets: dict[str, Target]) -> list[Row]:
    rows: list[Row] = []
    first = next(iter(targets))
    silent = Transcript(time.time, lambda *_: None, str, first, "hello")
    plan = Plan(
        checks=[c for i, c in checks.load("yea").items() if select(i)],
        watch=monitors.Watch([]),
        targets=targets,
        facts=await facts.discover(targets[first], silent, REPLY_TIMEOUT),
        profile=built_in("conformance"),
        catalogue=catalogue("yea"),
        sink=rows.append,
        replay=lambda check_id, transport: f"{check_id}@{transport}",
    )
    await Runner(plan).run()
    return rows
