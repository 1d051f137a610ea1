"""Children for tests: small programs, and what can be seen of processes."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from harness.managed import Child

PROC = Path("/proc/self/stat").exists()
needs_proc = pytest.mark.skipif(not PROC, reason="looks at /proc")

SLEEP = "import time; time.sleep(60)"


def python(code: str, *, talks: bool = False) -> Child:
    """Return a child that runs this code."""
    return Child([sys.executable, "-u", "-c", code], "the child", talks=talks)


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be buried does not."""
    if not PROC:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def gone(pid: int) -> bool:
    """Whether a process is gone, at once or within a few seconds."""
    for _ in range(500):
        if not alive(pid):
            return True
        await asyncio.sleep(0.01)
    return False


def children() -> list[int]:
    """Return the processes that this one has started and not yet buried, Python's own keeper of resources aside."""
    mine = [pid for pid in Path("/proc").iterdir() if pid.name.isdigit() and _parent(pid) == os.getpid()]
    return [int(pid.name) for pid in mine if "resource_tracker" not in _read(pid / "cmdline")]


def marked(value: str) -> list[int]:
    """Return the processes that have this value in their environment, wherever they come from."""
    return [int(pid.name) for pid in Path("/proc").iterdir() if pid.name.isdigit() and value in _read(pid / "environ")]


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def _parent(pid: Path) -> int:
    try:
        return int((pid / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0
