"""The selftest's part for clients: every faulty client against the checks that claim it, with controls.

The reference client must pass everything. A client that says that all is done, and does nothing, must pass nothing. A
fault that cannot even be made must be told apart from one that was found. All of them are processes, forked from one
that has made its imports.
"""

import asyncio
import os
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from harness import monitors, session
from harness.check import load as load_checks
from harness.clients import session as clients
from harness.clients.starting import Starter
from harness.commands.client import NO_URL
from harness.errors import TargetError
from harness.faults import yea_client as faults
from harness.faults.yea_client import ClientFault
from harness.managed import Child, Spawn, execute
from harness.runner import Runner
from harness.scope import YEA_CLIENT
from harness.selection import Matcher, compile_selection, everything
from harness.trial import NEUTRAL, Trial, verdict, with_matrix
from harness.warm import PREFIX
from reports.model import Outcome, Row

SOUND, NONSENSE, UNLOADABLE = "control: the sound reference", "control: nonsense", "control: a fault that cannot load"
TIMEOUT = 20.0
AT_ONCE = 3
CONTROLS = (SOUND, NONSENSE, UNLOADABLE)
IDLE = ["-c", "import sys; print('{\"outcome\": \"done\"}\\n' * (sys.argv[1].count(',') + 1))"]


def batches(count: int) -> list[list[str]]:
    """Return the names of all trials in so many batches of about the same length."""
    names = [*CONTROLS, *faults.load()]
    return [names[start::count] for start in range(count)]


def run(names: Sequence[str], *, matrix: bool = False) -> list[Trial]:
    """Run some trials and return how they ended.

    Args:
        names: controls and ids of faults.
        matrix: run everything against each fault, to see what else it trips.
    """
    return asyncio.run(_run(names, matrix))


async def _run(names: Sequence[str], matrix: bool) -> list[Trial]:
    slots = asyncio.Semaphore(AT_ONCE)
    async with clients.spawning(True) as spawn:

        async def one(name: str) -> Trial:
            async with slots:
                return await _trial(name, spawn, matrix)

        return await asyncio.gather(*map(one, names))


async def _trial(name: str, spawn: Spawn, matrix: bool) -> Trial:
    if name == SOUND:
        return await _sound(spawn)
    if name == NONSENSE:
        return await _nonsense()
    if name == UNLOADABLE:
        trial = await _against(ClientFault("yea-client/no-such-fault", "cannot be made", ("",)), spawn, matrix=False)
        return Trial(UNLOADABLE, "passed" if trial.result == "broken" else "failed", why=trial.why)
    return await _against(faults.load()[name], spawn, matrix=matrix)


async def _sound(spawn: Spawn) -> Trial:
    rows = await examine(clients.reference_command(), spawn)
    bad = [row for row in rows if row.outcome not in NEUTRAL]
    if not rows or bad:
        why = "; ".join(f"{row.id}@{row.transport} {row.outcome}: {row.why}" for row in bad) or "no rows"
        return Trial(SOUND, "failed", why=why)
    return Trial(SOUND, "passed", (f"{len(rows)} rows",))


async def _nonsense() -> Trial:
    """A client that does nothing and says that all is done passes no check; its monitors see nothing."""
    command = shlex.join([sys.executable, *IDLE]) + " {do} {url} {seed_file} {principal_file} {ca}"
    rows = await examine(command, execute)
    fooled = [row for row in rows if row.outcome in (Outcome.PASSED, Outcome.WARNED, Outcome.ERROR)]
    if fooled or not rows:
        why = ", ".join(f"{row.id}@{row.transport} {row.outcome}" for row in fooled) or "no rows"
        return Trial(NONSENSE, "failed", why=why)
    return Trial(NONSENSE, "passed", (f"{len(rows)} rows, none of them passed",))


async def _against(fault: ClientFault, spawn: Spawn, *, matrix: bool) -> Trial:
    known = {**load_checks(YEA_CLIENT), **monitors.load(YEA_CLIENT)}
    unknown = [claim for claim in fault.kills if claim not in known]
    problem = await _problem(fault, spawn)
    if problem or unknown:
        return Trial(fault.id, "broken", fault.kills, problem or f"claims unknown checks: {', '.join(unknown)}")
    command = clients.reference_command("--fault", fault.id)
    rows = await examine(command, spawn, _selection(fault), fault.transports)
    trial = verdict(fault, [row for row in rows if row.transport in fault.transports], "has no row")
    return with_matrix(trial, await examine(command, spawn)) if matrix else trial


async def _problem(fault: ClientFault, spawn: Spawn) -> str:
    """Return why a faulty client cannot be made, or an empty string: without an address it must ask for one."""
    child = Child([*PREFIX, "client", "--fault", fault.id], "the client", talks=True, spawn=spawn)
    await child.start()
    try:
        said = await child.first_line(TIMEOUT)
    except TargetError as problem:
        return problem.problem
    finally:
        await child.stop()
    return "" if NO_URL in said else said


def _selection(fault: ClientFault) -> Matcher:
    """What a fault is run against: its claims, and for a monitor the traffic that it needs."""
    if not fault.traffic:
        return fault.kills.__contains__
    traffic = compile_selection(fault.traffic)
    return lambda check_id: check_id in fault.kills or traffic(check_id)


async def examine(
    command: str, spawn: Spawn, select: Matcher = everything, transports: Sequence[str] | None = None
) -> list[Row]:
    """Return the rows of the selected checks and monitors against a client.

    Args:
        command: with its placeholders.
        spawn: what starts it.
        select: which ids to run.
        transports: over which; None for all that the command can be played to.
    """
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="naysayer-") as folder:
        ready = clients.made_ready(Starter(command, Path(folder), spawn, TIMEOUT), transports, "a client")
        options = session.Options(protocol=YEA_CLIENT, select=select, jobs=max(2, os.cpu_count() or 2))
        await Runner(session.plan(ready, options, rows.append)).run()
    return rows
