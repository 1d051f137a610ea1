"""The laboratory for table hosts: checks against a host in this process, on a virtual clock that both share.

Faults are examined here, and so are the sound reference and the odd twin: no sockets, no waiting, nothing left behind.
"""

from collections.abc import Callable
from typing import Any

from harness import check as checks
from harness import clock, monitors
from harness.byob import closing, session
from harness.byob.context import contexts
from harness.catalogue import catalogue
from harness.profile import EMPTY, Profile
from harness.runner import Plan, Runner
from harness.selection import Matcher, everything
from harness.targets.asgi import App
from harness.targets.base import Target
from harness.targets.hosts import app_target
from reference.byob.host import Host
from reference.byob.http import byob_app
from reference.byob.store import MemoryStore, Store
from reports.model import Row

REPLY_TIMEOUT = 10.0
NOT_RESTARTED = "this host keeps nothing that would outlast a restart"


def examine(make: Callable[[Store], Host] = Host, select: Matcher = everything, **options: Any) -> list[Row]:
    """Return the rows of the selected checks and monitors against a host of the reference's kind.

    Args:
        make: makes the host on a store, once, and again when a check restarts it.
        select: which check and monitor ids to run.
        options: see `examine_target`.
    """
    return clock.run_virtual(_examine(make, select, options))


async def _examine(make: Callable[[Store], Host], select: Matcher, options: dict[str, Any]) -> list[Row]:
    store = MemoryStore()
    apps = [byob_app(make(store), clock.virtual_now)]

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await apps[-1](scope, receive, send)

    async def restart() -> None:
        apps[-1].state.api.stop()
        apps.append(byob_app(make(store), clock.virtual_now))

    target = app_target(app, clock.virtual_now, timeout=REPLY_TIMEOUT)
    target.restart = restart
    return await examine_target(target, select, **options)


def examine_app(make: Callable[[], App], select: Matcher = everything, **options: Any) -> list[Row]:
    """Return the rows against any ASGI application, made on the virtual loop; see `examine_target` for the options."""

    async def main() -> list[Row]:
        target = app_target(make(), clock.virtual_now, timeout=REPLY_TIMEOUT)
        target.not_restarted = NOT_RESTARTED
        return await examine_target(target, select, **options)

    return clock.run_virtual(main())


async def examine_target(
    target: Target, select: Matcher, *, profile: Profile = EMPTY, seed: int = 0, slow: bool = True
) -> list[Row]:
    """Return the rows of the selected checks and monitors against a target.

    Args:
        target: of a table host.
        select: which ids to run.
        profile: what may be done there.
        seed: decides order and choices.
        slow: whether slow checks run too.
    """
    rows: list[Row] = []
    plan = Plan(
        checks=[c for i, c in checks.load("byob").items() if select(i)],
        watch=monitors.Watch([m for i, m in monitors.load("byob").items() if select(i)]),
        targets={"http": target},
        facts=await session.learn(target, profile),
        profile=profile,
        catalogue=catalogue("byob"),
        sink=rows.append,
        replay=lambda check_id, transport: f"{check_id}@{transport}",
        seed=seed,
        slow=slow,
        contexts=contexts,
        closing=closing.read_all,
    )
    await Runner(plan).run()
    return rows
