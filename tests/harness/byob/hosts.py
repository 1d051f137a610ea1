"""Running a script with the context of a check, against a host in this process."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from harness.bench import Bench
from harness.byob import session
from harness.byob.context import Context
from harness.catalogue import catalogue
from harness.check import Check
from harness.clock import run_virtual, virtual_now
from harness.profile import EMPTY
from harness.targets.asgi import App
from harness.targets.hosts import app_target
from harness.transcript import Transcript
from reference.byob.host import Host
from reference.byob.http import byob_app
from reference.byob.store import MemoryStore

CLAUSES = ("BYOB-8-01", "BYOB-8-02", "BYOB-6-01")


async def nothing(t: Context) -> None:
    """The body of a check that is never run."""


def reference(**options: Any) -> App:
    """Return the reference as an application, on the virtual clock."""
    return byob_app(Host(MemoryStore(), **options), virtual_now)


def with_context(script: Callable[[Context], Awaitable[Any]], app: Callable[[], App] = reference) -> Any:
    """Run a script with a context whose check declares CLAUSES, and return its result."""

    async def main() -> Any:
        target = app_target(app(), virtual_now, timeout=5.0)
        facts = await session.learn(target, EMPTY)
        transcript = Transcript(virtual_now, lambda *_: None, str, "http", "byob/8/test")
        check = Check("byob/8/test", "Says what is tested.", CLAUSES, nothing)
        bench = Bench(check, target, catalogue("byob"), transcript, "run", 0, asyncio.sleep)
        context = Context(bench, facts, EMPTY)
        try:
            return await script(context)
        finally:
            await context.close()

    return run_virtual(main())
