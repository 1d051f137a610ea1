"""ECMAScript itself as a second opinion, where `node` is installed."""

import json
import shutil
import subprocess
from typing import Any

import pytest

NODE = shutil.which("node")

needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed: ECMAScript was not asked")


def ask_node(script: str, value: Any) -> Any:
    """What an ECMAScript expression over `input` gives, in and out as JSON text (lone surrogates as escapes)."""
    assert NODE is not None
    program = f'const input = JSON.parse(require("fs").readFileSync(0, "utf8")); console.log(JSON.stringify({script}))'
    done = subprocess.run(
        [NODE, "-e", program], input=json.dumps(value).encode(), capture_output=True, check=True, timeout=60
    )
    return json.loads(done.stdout)
