"""The reference, or a faulty one, as a process of its own, for tests of commands that talk to a service."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import harness
from harness import cli

SOURCE = str(Path(harness.__file__).parent.parent)
SERVE = [sys.executable, "-m", "harness.cli", "serve", "yea", "--port", "0"]


@contextlib.contextmanager
def served(*options: str) -> Iterator[str]:
    """Start a service; yields its address over TCP."""
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    with subprocess.Popen([*SERVE, *options], stderr=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stderr is not None
        try:
            yield json.loads(server.stderr.readline())["tcp"]
        finally:
            server.kill()


def fuzz(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str]]:
    """Run `naysayer fuzz` in this process; returns its exit code and what it said, but for what was covered."""
    code = cli.main(["fuzz", *words])
    said = capsys.readouterr().out.splitlines()
    return code, [line for line in said if not line.startswith("covered  ")]
