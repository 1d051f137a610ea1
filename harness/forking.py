"""The far side of `harness.warm`: a process that has imported what `naysayer serve` needs, and forks on request.

Its arguments are other modules to import instead. Its standard input is a socket. A request is one JSON object, a
number and the command's words, with changes to the environment if there are any, and three descriptors: what becomes
standard input, output and error. The fork answers with its process id once it is in a session of its own. When one has
ended, its id and exit code are said. The end of the socket is the end of this process; its forks end with their input.
"""

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Sequence
from typing import Any

from harness import cli

NEEDED = ("harness.commands.serve", "reference.yea.transports.serve", "asyncio.base_events")
ALWAYS = "harness.command_line"
LONGEST = 64 * 1024


def main() -> None:
    """Fork until the socket ends."""
    for name in (ALWAYS, *(sys.argv[1:] or NEEDED)):
        importlib.import_module(name)
    gc.freeze()  # what is here now is shared by all forks
    control = socket.socket(fileno=0)
    woken, waking = socket.socketpair()
    waking.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waking.fileno())
    while True:
        ready, _, _ = select.select([control, woken], [], [])
        if woken in ready:
            woken.recv(LONGEST)
            _say_who_ended(control)
        if control in ready:
            try:
                request, descriptors, _, _ = socket.recv_fds(control, LONGEST, 3)
            except ConnectionResetError:  # who asked was interrupted and left an answer unread
                return
            if not request:
                return
            _fork(control, json.loads(request), descriptors)


def _fork(control: socket.socket, request: dict[str, Any], descriptors: Sequence[int]) -> None:
    try:
        child = os.fork()
    except OSError as problem:
        _say(control, number=request["number"], error=problem.strerror)
        child = -1
    if child == 0:
        _become(control, request, descriptors)
    for descriptor in descriptors:
        os.close(descriptor)


def _become(control: socket.socket, request: dict[str, Any], descriptors: Sequence[int]) -> None:
    """Be the command, in a session of its own, and end with its exit code."""
    code = 255
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _say(control, number=request["number"], started=os.getpid())
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)  # which closes the socket, number 0
            os.close(descriptor)
        # Streams that were files would not do as pipes.
        sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115 - for good
        sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
        for name, value in request.get("environment", {}).items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        code = cli.main(request["words"])
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)


def _say_who_ended(control: socket.socket) -> None:
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            _say(control, ended=ended[0], code=os.waitstatus_to_exitcode(ended[1]))


def _say(control: socket.socket, **members: Any) -> None:
    control.sendall(json.dumps(members).encode() + b"\n")


if __name__ == "__main__":
    main()
