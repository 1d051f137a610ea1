"""Shards on a Dask cluster that is there already (`pip install 'naysayer[distributed]'`).

Each worker of the cluster runs a shard for each property. Scheduler and workers need this version of naysayer, and the
workers what the command line names: the adapter's program, the profile, a way to the target. What is kept is kept here.
"""

import importlib
import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis.database import DirectoryBasedExampleDatabase

from fuzz.kept import failures, renew
from harness.campaigns.local import Tick
from harness.campaigns.orders import Order, Result, Tell, split
from harness.campaigns.work import work
from harness.errors import HarnessError, TargetError, UsageError

CONNECTING = 10.0
"""Seconds that the scheduler may take to answer."""

Names = Callable[[str], list[str]]

ASKING = 1.0
"""Seconds between two looks of a shard at whether it should stop."""


def distributed() -> Any:
    """Return Dask's package; raises UsageError where it is not installed."""
    try:
        package = importlib.import_module("distributed")
    except ImportError:
        raise UsageError("--dask needs Dask: pip install -c constraints.txt '.[distributed]' in the clone") from None
    return package


def spread(order: Order, address: str, shards: int | None, names: Names, tell: Tell, tick: Tick) -> bool:
    """Run a campaign on a cluster; returns whether that was interrupted.

    Args:
        order: the whole campaign.
        address: of the scheduler: tcp://HOST:PORT.
        shards: how many; None for one a worker.
        names: property to the names of its jobs, whose failures are tried first.
        tell: gets each result.
        tick: told how many more examples were tried, as each shard ends.

    Raises TargetError for a cluster that is out of reach or has no worker, and what a shard raised.
    """
    dask = distributed()
    try:
        client = dask.Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as problem:
        raise TargetError(f"--dask {address}", f"no Dask scheduler can be reached: {problem}") from None
    with client:
        workers = sorted(client.scheduler_info(n_workers=-1)["workers"])
        if not workers:
            raise TargetError(f"--dask {address}", "the cluster has no worker")
        stop = dask.Event(f"naysayer-{uuid.uuid4().hex}", client=client)
        running = []
        for name in order.names:
            known = _known(order.folder, names(name))
            alone = replace(order, names=(name,), folder=None, known=known)
            for part in split(alone, shards or len(workers)):
                home = workers[part.shard % len(workers)]
                running.append(
                    client.submit(_shard, part, stop, workers=[home], allow_other_workers=True, pure=False, retries=0)
                )
        return _gather(dask.as_completed(running, loop=client.loop), stop, order.folder, tell, tick)


def _gather(ended: Any, stop: Any, folder: Path | None, tell: Tell, tick: Tick) -> bool:
    """Tell each result as it comes; the first problem is raised when all have ended."""
    interrupted = False
    problems: list[Exception] = []
    while not ended.is_empty():
        try:
            future = next(ended)
            if future.status == "error":
                problems.append(future.exception())
                stop.set()
                continue
            for result in future.result():
                _keep(folder, result)
                tick(result.outcome.examples)
                tell(result)
        except KeyboardInterrupt:
            if interrupted:
                raise
            interrupted = True
            stop.set()
    if problems and not interrupted:
        raise problems[0] if isinstance(problems[0], HarnessError) else HarnessError(f"on a worker: {problems[0]}")
    return interrupted


def _known(folder: Path | None, names: list[str]) -> dict[str, tuple[bytes, ...]]:
    if folder is None:
        return {}
    database = DirectoryBasedExampleDatabase(folder / "examples")
    return {name: failures(database, name) for name in names}


def _keep(folder: Path | None, result: Result) -> None:
    if folder is not None:
        before = (result.order.known or {}).get(result.job.name, ())
        renew(DirectoryBasedExampleDatabase(folder / "examples"), result.job.name, before, result.kept)


def _shard(order: Order, stop: Any) -> list[Result]:
    """The task of a worker: the results of a shard."""
    results: list[Result] = []
    work(order, results.append, _Asking(stop))
    return results


class _Asking:
    """A campaign's watcher that asks the cluster now and then whether to stop."""

    def __init__(self, stop: Any) -> None:
        self._stop = stop
        self._next = 0.0
        self._stopped = False

    def __call__(self, _: int) -> bool:
        """Watch; returns whether to go on."""
        if time.monotonic() >= self._next:
            self._stopped = bool(self._stop.is_set())
            self._next = time.monotonic() + ASKING
        return not self._stopped
