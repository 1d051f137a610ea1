"""Shards on this machine: one in this process, several in a process each.

An interruption ends every shard as its time would, so what each has found is told all the same; a second one ends the
processes at once.
"""

import contextlib
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event
from typing import Any, NoReturn

from harness.campaigns.orders import Order, Tell
from harness.campaigns.work import work
from harness.errors import HarnessError
from harness.managed import STOP_GRACE

OFTEN = 0.25
"""Seconds between two words of a shard on how far it is."""

LEAVING = STOP_GRACE + 2
"""Seconds that a shard's process has to end what it has started."""

Tick = Callable[[int], None]
"""Told how many more examples have been tried."""


class Worker(Exception):
    """A shard's process has ended without its results, or raised what is an error of our own."""


class Counting:
    """A campaign's watcher that passes on how many more examples were tried, a few times a second."""

    def __init__(self, tick: Tick, go_on: Callable[[], bool], clock: Callable[[], float] = time.monotonic) -> None:
        self._tick, self._go_on, self._clock = tick, go_on, clock
        self._told = 0
        self._next = clock() + OFTEN

    def __call__(self, tried: int) -> bool:
        """Watch; returns whether to go on."""
        if tried < self._told:  # the next campaign
            self._told = 0
        if self._clock() >= self._next:
            self._next = self._clock() + OFTEN
            self._tick(tried - self._told)
            self._told = tried
        return self._go_on()


def alone(order: Order, tell: Tell, tick: Tick) -> None:
    """Run one shard here. Ctrl-C ends it at once, or, where Python has dropped that, before the next example."""
    with _dropped() as dropped:
        work(order, tell, Counting(tick, lambda: not dropped.is_set()))


@contextlib.contextmanager
def _dropped() -> Iterator[threading.Event]:
    """Yield what is set when a Ctrl-C comes where Python can raise nothing, such as in a callback of its collector."""
    dropped, otherwise = threading.Event(), sys.unraisablehook

    def hear(told: "sys.UnraisableHookArgs") -> None:
        if isinstance(told.exc_value, KeyboardInterrupt):
            dropped.set()
        else:
            otherwise(told)

    sys.unraisablehook = hear
    try:
        yield dropped
    finally:
        sys.unraisablehook = otherwise


def spread(orders: list[Order], tell: Tell, tick: Tick) -> bool:
    """Run each shard in a process of its own; returns whether that was interrupted.

    Raises HarnessError for a target that cannot be opened, and Worker for a process that was lost: what the others
    found has been told by then.
    """
    # No process is forked: what runs in this one, threads among it, is no business of theirs.
    context = get_context("spawn")
    stop = context.Event()
    processes: dict[Connection[Any, Any], SpawnProcess] = {}
    for order in orders:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_shard, args=(order, theirs, stop), daemon=False)
        _start(process)
        theirs.close()
        processes[ours] = process
    problems: list[Exception] = []
    interrupted = False
    waiting = dict(processes)
    try:
        while waiting:
            try:
                _hear(waiting, tell, tick, problems)
            except KeyboardInterrupt:
                if interrupted:
                    raise
                interrupted = True
            if interrupted or problems:
                stop.set()
    finally:
        if waiting:
            _leave(list(processes.values()))
        for process in processes.values():
            process.join()
    if problems and not interrupted:
        raise problems[0]
    return interrupted


def _leave(processes: list[SpawnProcess]) -> None:
    """End processes at once, but let each end the target that it has started, if that is quick."""
    for process in processes:
        process.terminate()
    end = time.monotonic() + LEAVING
    for process in processes:
        process.join(max(0.0, end - time.monotonic()))
        process.kill()


def _start(process: SpawnProcess) -> None:
    """Start a process that no Ctrl-C ends while it has yet to say what it does about one."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _hear(
    waiting: "dict[Connection[Any, Any], SpawnProcess]", tell: Tell, tick: Tick, problems: list[Exception]
) -> None:
    for ready in wait(list(waiting)):
        assert isinstance(ready, Connection)  # noqa: S101 - nothing else is waited for
        try:
            kind, told = ready.recv()
        except EOFError:
            process = waiting.pop(ready)
            process.join()
            if process.exitcode:
                problems.append(Worker(f"a worker ended with exit code {process.exitcode}"))
            continue
        if kind == "result":
            tell(told)
        elif kind == "tried":
            tick(told)
        else:
            problems.append(HarnessError(told) if kind == "refused" else Worker(told))


def _exit(*_: object) -> NoReturn:
    raise SystemExit(1)


def _shard(order: Order, parent: "Connection[Any, Any]", stop: Event) -> None:
    """The main function of a shard's process. Ctrl-C reaches it too, and is left to its parent."""
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, _exit)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    counting = Counting(lambda more: parent.send(("tried", more)), lambda: not stop.is_set())
    try:
        work(order, lambda result: parent.send(("result", result)), counting)
    except HarnessError as problem:
        parent.send(("refused", str(problem)))
    except BrokenPipeError:
        pass  # the parent is gone, and so is whoever would read this
    except Exception:
        parent.send(("broke", traceback.format_exc()))
    finally:
        parent.close()
