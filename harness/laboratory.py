"""The laboratory: checks against a service in this process, on a virtual clock that both share.

Faults are examined here, and so is the sound reference: no sockets, no waiting, nothing left behind.
"""

from collections.abc import Callable
from dataclasses import replace

from harness import check as checks
from harness import clock, facts, monitors
from harness.catalogue import catalogue
from harness.profile import Profile, built_in
from harness.runner import Plan, Runner
from harness.selection import Matcher, everything
from harness.targets.base import Clock, Target
from harness.targets.memory import bridge_target, stream_target
from harness.transcript import Transcript
from reference.yea.service import Service
from reports.model import Row

REPLY_TIMEOUT = 10.0
Maker = Callable[..., Target]


def _as(transport: str) -> Maker:
    """Return what makes an in-memory stream that stands in for another stream transport."""

    def make(service: Service, clock: Clock, *, timeout: float) -> Target:
        return replace(stream_target(service, clock, timeout=timeout), transport=transport)

    return make


TARGETS: dict[str, Maker] = {"tcp": stream_target, "tls": _as("tls"), "stdio": _as("stdio"), "http": bridge_target}


def examine(
    make: Callable[[], Service],
    select: Matcher = everything,
    *,
    transports: tuple[str, ...] = ("tcp", "http"),
    profile: Profile | None = None,
    seed: int = 0,
    slow: bool = False,
) -> list[Row]:
    """Return the rows of the selected checks and monitors against a service.

    Args:
        make: makes the service, once; all transports share it.
        select: which check and monitor ids to run.
        transports: tcp, tls and stdio (all of them in-memory streams) and http (ASGI).
        profile: the built-in `conformance` unless given.
    """
    return clock.run_virtual(_examine(make, select, transports, profile or built_in("conformance"), seed, slow))


async def _examine(
    make: Callable[[], Service], select: Matcher, transports: tuple[str, ...], profile: Profile, seed: int, slow: bool
) -> list[Row]:
    service = make()
    targets = {name: TARGETS[name](service, clock.virtual_now, timeout=REPLY_TIMEOUT) for name in transports}
    silent = Transcript(clock.virtual_now, lambda *_: None, str, transports[0], "hello")
    rows: list[Row] = []
    plan = Plan(
        checks=[c for i, c in checks.load("yea").items() if select(i)],
        watch=monitors.Watch([m for i, m in monitors.load("yea").items() if select(i)]),
        targets=targets,
        facts=await facts.discover(targets[transports[0]], silent, REPLY_TIMEOUT),
        profile=profile,
        catalogue=catalogue("yea"),
        sink=rows.append,
        replay=lambda check_id, transport: f"{check_id}@{transport}",
        seed=seed,
        slow=slow,
    )
    await Runner(plan).run()
    return rows
