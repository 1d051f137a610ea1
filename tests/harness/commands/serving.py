"""The reference, or a faulty one, as a process of its own, for tests of commands that talk to a service."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import harness

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
