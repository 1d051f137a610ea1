"""Shards on a Dask cluster: a local one, of two processes."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis.database import DirectoryBasedExampleDatabase

from fuzz.kept import failures
from harness.campaigns import cluster
from harness.campaigns.orders import Order, Result
from harness.errors import HarnessError, TargetError, UsageError

ORDER = Order(("canonical/idempotent", "est/agrees"), 60, None, 1, None, None, None, 10.0)
BROKEN = f"'{sys.executable}' -m harness.cli adapter --fault est/digit-runs"


# In a process of its own: what Dask leaves open there is no warning of these tests.
CLUSTER = """
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as made:
        print(made.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pytest.importorskip("distributed")
    program = tmp_path_factory.mktemp("cluster") / "cluster.py"
    program.write_text(CLUSTER)
    command = [sys.executable, str(program)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as started:
        assert started.stdout is not None
        yield started.stdout.readline().strip()
        started.communicate(timeout=60)


def run(order: Order, address: str, shards: int | None = None) -> list[Result]:
    found: list[Result] = []
    assert cluster.spread(order, address, shards, lambda name: [name], found.append, lambda _: None) is False
    return found


def test_every_worker_has_a_shard_of_every_property(address: str) -> None:
    made = sorted((each.job.of, each.order.shard, each.outcome.examples) for each in run(ORDER, address))
    assert made == [(name, shard, 30) for name in ("canonical/idempotent", "est/agrees") for shard in (0, 1)]


def test_there_may_be_more_shards_than_workers(address: str) -> None:
    found = run(replace(ORDER, names=("est/agrees",)), address, shards=3)
    assert sorted(each.order.shard for each in found) == [0, 1, 2]


def test_what_is_found_is_kept_here_and_tried_first_there(address: str, tmp_path: Path) -> None:
    order = replace(ORDER, names=("est/agrees",), examples=400, folder=tmp_path)
    found = run(replace(order, adapter=BROKEN), address)
    assert all(each.outcome.failure for each in found)
    kept = failures(DirectoryBasedExampleDatabase(tmp_path / "examples"), "est/agrees")
    assert set(kept) == {value for each in found for value in each.kept} != set()
    once = run(replace(order, adapter=BROKEN, examples=2, seed=2**40), address)
    assert {each.outcome.smallest for each in once} <= {each.outcome.smallest for each in found}


def test_what_fails_no_more_is_forgotten(address: str, tmp_path: Path) -> None:
    order = replace(ORDER, names=("est/agrees",), examples=200, folder=tmp_path)
    run(replace(order, adapter=BROKEN), address)
    run(order, address)
    assert failures(DirectoryBasedExampleDatabase(tmp_path / "examples"), "est/agrees") == ()


def test_a_target_that_a_worker_cannot_open_is_named(address: str) -> None:
    with pytest.raises(HarnessError, match="adapter /no/such: cannot be started"):
        run(replace(ORDER, adapter="/no/such"), address)


def test_a_cluster_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "CONNECTING", 0.2)
    with pytest.raises(TargetError, match=r"--dask tcp://127\.0\.0\.1:9: no Dask scheduler can be reached"):
        run(ORDER, "tcp://127.0.0.1:9")


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install -c constraints\.txt '\.\[distributed\]'"):
        run(ORDER, "tcp://127.0.0.1:9")
