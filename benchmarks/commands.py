"""Whole commands: the vectors through an adapter, and the estimator's table."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from benchmarks.timing import Line

NAYSAYER = [sys.executable, "-m", "harness.cli"]


def lines() -> Iterator[Line]:
    """Yield every measurement."""
    with tempfile.TemporaryDirectory() as folder:
        adapter = f"'{sys.executable}' -m harness.cli adapter"
        seconds = _seconds(["vectors", "--adapter", adapter, "--report", folder])
        yield Line("all vectors through an adapter", seconds, 10, False, "s")
    yield Line("the estimator's table", _seconds(["estimator"]), 10, False, "s")


def _seconds(arguments: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run([*NAYSAYER, *arguments], check=True, capture_output=True)
    return time.perf_counter() - begun
