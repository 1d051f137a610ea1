"""Adapters in a few lines of Python, most of them hostile: each is written to a file and started as a program."""

import shlex
import sys
from pathlib import Path

ANSWERING = """\
import json, os, signal, sys, time
HELLO = {"name": "odd", "version": "1", "adapter": 1, "protocols": ["yea"]}

def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.flush()

def reply(request, **answer):
    write(json.dumps({"id": request["id"], **answer}) + "\\n")

def right(request):
    reply(request, ok=HELLO if request["op"] == "hello" else {"n": request.get("n")})

"""
LOOP = """
for line in sys.stdin:
    request = json.loads(line)
    if request.get("n") == 3:
        bad(request)
    else:
        right(request)
"""


def words(script: Path) -> list[str]:
    """The command for a script, as an argument list; without site packages it starts in a moment."""
    return [sys.executable, "-I", "-S", str(script)]


def command(script: Path) -> str:
    """The command for a script, as `--adapter` takes it."""
    return shlex.join(words(script))


def program(folder: Path, code: str, name: str = "adapter.py") -> Path:
    """Write a script that has the helpers above."""
    script = folder / name
    script.write_text(ANSWERING + code)
    return script


def failing(folder: Path, bad: str) -> Path:
    """Write an adapter that is right but for the request whose `n` is 3: for that it runs `bad`, a few statements."""
    body = "\n".join(f"    {line}" for line in bad.splitlines())
    return program(folder, f"def bad(request):\n{body}\n{LOOP}")
