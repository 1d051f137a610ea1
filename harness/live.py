"""Live trials: a broken service in a process of its own, over real sockets and in real time.

Most faults show in the laboratory. A few do not: what a process holds in memory and what it keeps when it is killed,
what a half request does to a server, what a port says to somebody who speaks another protocol. These are served by
`naysayer serve yea --fault ID`.
"""

import asyncio
import shlex
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from harness import check as checks
from harness import embedded, facts, monitors
from harness.catalogue import catalogue
from harness.profile import built_in
from harness.runner import Plan, Runner
from harness.starting import Started, equip
from harness.targets.addresses import parse
from harness.targets.base import Target
from harness.targets.http import http_target
from harness.targets.stdio import stdio_target
from harness.targets.tcp import tcp_target
from harness.targets.tls import tls_target, trusting
from harness.transcript import Transcript
from reports.model import Row

START_TIMEOUT = 20.0
REPLY_TIMEOUT = 5.0


def examine(
    fault_id: str, select: Callable[[str], bool], transports: tuple[str, ...], *, in_the_clear: bool = False
) -> list[Row]:
    """Serve a fault and return the rows of the selected checks; raises TargetError when it cannot be served.

    `in_the_clear`: its TCP port passes for its TLS port.
    """
    return asyncio.run(_examine(fault_id, select, transports, in_the_clear))


async def _examine(
    fault_id: str, select: Callable[[str], bool], transports: tuple[str, ...], in_the_clear: bool
) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="naysayer-") as folder:
        served = await embedded.start("yea", Path(folder), START_TIMEOUT, "--fault", fault_id)
        try:
            targets = {name: _target(name, served, fault_id, in_the_clear) for name in transports}
            started = Started(served.child, [], served.ca, START_TIMEOUT, keeps_state=True)
            equip(targets, started, _ask)
            return await _run(select, targets)
        finally:
            await served.child.stop()


def _target(transport: str, served: embedded.Embedded, fault_id: str, in_the_clear: bool) -> Target:
    """Return a target of the child; over stdio each connection is a child of its own.

    `in_the_clear`: the TCP port passes for the TLS port, one that answers without a handshake.
    """
    if transport == "stdio":
        words = shlex.join(embedded.command("yea", "--stdio", "--fault", fault_id))
        address = parse(f"stdio:{words}")
        return stdio_target(address, time.time, timeout=REPLY_TIMEOUT, start_timeout=START_TIMEOUT)
    address = parse(served.addresses["tcp" if in_the_clear else transport])
    if transport == "tls" and not in_the_clear:
        return tls_target(address, time.time, timeout=REPLY_TIMEOUT, context=trusting(served.ca), managed=True)
    make = http_target if transport == "http" else tcp_target
    target = make(address, time.time, timeout=REPLY_TIMEOUT, managed=True)
    target.transport = transport
    return target


async def _ask(targets: dict[str, Target]) -> None:
    for transport, target in targets.items():
        await facts.discover(target, _silent(transport), REPLY_TIMEOUT)


def _silent(transport: str) -> Transcript:
    return Transcript(time.time, lambda *_: None, str, transport, "hello")


async def _run(select: Callable[[str], bool], targets: dict[str, Target]) -> list[Row]:
    rows: list[Row] = []
    first = next(iter(targets))
    plan = Plan(
        checks=[c for i, c in checks.load("yea").items() if select(i)],
        watch=monitors.Watch([]),
        targets=targets,
        facts=await facts.discover(targets[first], _silent(first), REPLY_TIMEOUT),
        profile=built_in("conformance"),
        catalogue=catalogue("yea"),
        sink=rows.append,
        replay=lambda check_id, transport: f"{check_id}@{transport}",
    )
    await Runner(plan).run()
    return rows
