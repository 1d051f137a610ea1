"""stdio: (YEA 2.3)."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

from reference.yea.transports.stdio import serve_stdio
from tests.reference.yea.service.driving import Caller
from tests.reference.yea.transports.sockets import HELLO, run

ROOT = Path(__file__).parents[4]
NOISY = """
import asyncio, os, time
from reference.yea.conformance import conformance_service
from reference.yea.transports.stdio import frames_only, serve_stdio

async def main():
    with frames_only() as frames:
        print("noise")
        os.system("echo more noise")
        await serve_stdio(conformance_service(), time.time, stdout=frames)

asyncio.run(main())
print("after")
"""


def kinds(output: bytes) -> list[str]:
    """The kinds of the frames in an output."""
    return [json.loads(line)["kind"] for line in output.splitlines()]


def test_files_are_served_to_their_end(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(HELLO * 300)
    with (tmp_path / "in").open("rb") as source, (tmp_path / "out").open("wb") as sink:
        run(serve_stdio(Caller().service, lambda: 0.0, stdin=source.fileno(), stdout=sink.fileno()))
    assert kinds((tmp_path / "out").read_bytes()) == ["BRIEF"] * 300


def test_pipes_are_served_and_left_as_they_were() -> None:
    async def test() -> None:
        caller = Caller()
        (their_in, our_out), (our_in, their_out) = os.pipe(), os.pipe()
        commit = caller.framed(caller.commit(caller.propose("shop.deliver", {"order": "o", "seconds": 0.05})))
        os.write(our_out, HELLO + json.dumps(commit).encode() + b"\n")
        os.close(our_out)
        await serve_stdio(caller.service, lambda: caller.now, stdin=their_in, stdout=their_out)
        assert os.get_blocking(their_in) and os.get_blocking(their_out)
        os.close(their_out)
        output = b""
        while piece := os.read(our_in, 1 << 16):
            output += piece
        assert kinds(output) == ["BRIEF", "EVENT", "EVENT", "RECEIPT"]
        os.close(their_in)
        os.close(our_in)

    run(test())


def test_no_input_is_an_end() -> None:
    with Path(os.devnull).open("r+b") as null:
        asyncio.run(serve_stdio(Caller().service, lambda: 0.0, stdin=null.fileno(), stdout=null.fileno()))


def test_only_frames_go_to_the_output() -> None:
    done = subprocess.run([sys.executable, "-c", NOISY], input=HELLO, capture_output=True, cwd=ROOT, timeout=10)
    frames, after = done.stdout.splitlines()
    assert kinds(frames) == ["BRIEF"]
    assert after == b"after"
    assert sorted(done.stderr.split(b"\n")) == [b"", b"more noise", b"noise"]
