"""Processes that share out independent jobs, and that an interruption ends at once with all that they have started.

A Ctrl-C at a terminal reaches the workers too, and is left to their parent. That ends them by SIGTERM: a job that runs
is interrupted, so that what it started and wrote is cleared away, and no other is begun.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import active_children
from typing import Any, TypeVar

T = TypeVar("T")
Submit = Callable[..., Future[Any]]

GRACE = 1.5
"""Seconds that the workers get to clear away, all together."""


@contextlib.contextmanager
def workers(count: int, prepare: Callable[[], None]) -> Iterator[Submit]:
    """Yield what takes a job, a function and its arguments, and returns the future of its result.

    Args:
        count: processes.
        prepare: called first in each of them.

    Whatever ends the block early, an interruption too, ends the workers.
    """
    pool = ProcessPoolExecutor(count, initializer=_begin, initargs=(prepare,))

    def submit(work: Callable[..., T], *arguments: Any, **named: Any) -> Future[T]:
        with _held():
            return pool.submit(_job, work, *arguments, **named)

    try:
        yield submit
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        _end()
        raise
    pool.shutdown()


@contextlib.contextmanager
def _held() -> Iterator[None]:
    """Let no Ctrl-C end a worker that has yet to say what it does about one."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _end() -> None:
    running = active_children()
    for process in running:
        process.terminate()
    end = time.monotonic() + GRACE
    for process in running:
        process.join(max(0.0, end - time.monotonic()))
        process.kill()


def _begin(prepare: Callable[[], None]) -> None:
    # Not SIG_IGN, which whatever a job starts would inherit.
    signal.signal(signal.SIGINT, _left_to_the_parent)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    prepare()


def _job(work: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """Do a job in a worker; one that is interrupted ends the worker once it has cleared away."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        return work(*arguments, **named)
    finally:
        if signal.getsignal(signal.SIGTERM) is not _interrupt:
            os._exit(128 + signal.SIGTERM)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _interrupt(*_: Any) -> None:
    signal.signal(signal.SIGTERM, _left_to_the_parent)  # once is enough: clearing away takes its time
    raise KeyboardInterrupt


def _left_to_the_parent(*_: Any) -> None:
    pass
