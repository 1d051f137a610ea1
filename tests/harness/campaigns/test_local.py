"""Shards in processes of their own."""

import gc
import os
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from harness.campaigns import local
from harness.campaigns.orders import Order, Result, split
from harness.errors import HarnessError

ORDER = Order(("canonical/idempotent", "est/agrees"), 60, None, 1, None, None, None, 10.0)
FOREVER = replace(ORDER, names=("canonical/idempotent",), examples=10**9)


def run(order: Order, shards: int = 2) -> tuple[list[Result], bool]:
    found: list[Result] = []
    return found, local.spread(split(order, shards), found.append, lambda _: None)


def test_every_shard_runs_every_property() -> None:
    found, interrupted = run(ORDER)
    made = sorted((each.job.of, each.order.shard, each.outcome.examples) for each in found)
    assert not interrupted
    assert made == [(name, shard, 30) for name in ("canonical/idempotent", "est/agrees") for shard in (0, 1)]


def test_shards_try_different_examples(tmp_path: Path) -> None:
    found, _ = run(replace(ORDER, names=("est/agrees",)))
    first, second = found
    assert first.order.seed != second.order.seed


def test_a_failure_of_a_shard_comes_with_its_calls_and_its_seed() -> None:
    adapter = f"'{sys.executable}' -m harness.cli adapter --fault est/digit-runs"
    found, _ = run(replace(ORDER, names=("est/agrees",), examples=400, adapter=adapter))
    for each in found:
        assert each.outcome.failure
        assert [call.operation for call in each.outcome.calls] == ["est"]
        (again,) = run(each.order, shards=1)[0]
        assert (again.outcome.smallest, again.outcome.failure) == (each.outcome.smallest, each.outcome.failure)


def test_a_target_that_cannot_be_opened_is_named() -> None:
    with pytest.raises(HarnessError, match="adapter /no/such: cannot be started"):
        run(replace(ORDER, adapter="/no/such"))


def test_a_process_that_is_lost_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    started = local._start

    def kill(process: local.SpawnProcess) -> None:
        started(process)
        process.kill()

    monkeypatch.setattr(local, "_start", kill)
    with pytest.raises(local.Worker, match="exit code -9"):
        run(ORDER)


def test_an_interruption_keeps_what_was_found() -> None:
    told = threading.Event()

    def interrupt(_: int) -> None:
        if not told.is_set():
            told.set()
            os.kill(os.getpid(), signal.SIGINT)

    found: list[Result] = []
    assert local.spread(split(FOREVER, 2), found.append, interrupt) is True
    assert [each.outcome.interrupted for each in found] == [True, True]
    assert sum(each.outcome.examples for each in found) > 0


def drop(problem: BaseException) -> None:
    """Raise where it goes nowhere: when the garbage collector calls back."""

    def call(_: str, __: dict[str, int]) -> None:
        gc.callbacks.remove(call)
        raise problem

    gc.callbacks.append(call)
    gc.collect()


def test_an_interruption_that_python_drops_ends_what_runs_here_too(capsys: pytest.CaptureFixture[str]) -> None:
    found: list[Result] = []
    (order,) = split(FOREVER, 1)
    local.alone(order, found.append, lambda _: drop(KeyboardInterrupt()))
    assert [each.outcome.interrupted for each in found] == [True]
    assert "Traceback" not in capsys.readouterr().err


def test_what_else_python_drops_is_told_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda dropped: told.append(str(dropped.exc_value)))
    before = sys.unraisablehook
    local.alone(replace(FOREVER, examples=20), lambda _: drop(ValueError("dropped")), lambda _: None)
    assert (told, sys.unraisablehook) == (["dropped"], before)
