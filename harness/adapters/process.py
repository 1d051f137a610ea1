"""Driving somebody else's adapter: pipelined, bounded, and restarted when it dies.

Requests go out up to `PIPELINE` at a time. When the adapter dies, hangs, writes something that is no answer or answers
an unknown id, it is restarted, and what it had not answered is asked again one at a time: only the request that stops
it again has failed, the others count as answered.
"""

import asyncio
import contextlib
import json
import os
import signal
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.errors import TargetError
from reference.yea import jsontext

PIPELINE = 64
PATIENCE = 10.0
LINE_LIMIT = 16 << 20
MOST_RESTARTS = 40
KEPT_ERRORS = 40

Request = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What came back for one request: the answer object without its id, or why there is none."""

    value: dict[str, Any] | None
    broke: str = ""

    @property
    def unsupported(self) -> bool:
        """Whether the adapter says that it has no such operation."""
        return self.value is not None and self.value.get("unsupported") is True


class Broken(Exception):
    """The adapter broke the protocol or went away; `str()` says how."""


@dataclass
class Adapter:
    """An adapter program.

    Args:
        arguments: the program and its arguments.
        patience: seconds without an answer after which it hangs.
    """

    arguments: list[str]
    patience: float = PATIENCE
    greeting: dict[str, Any] = field(default_factory=dict)
    restarts: int = 0
    errors: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT_ERRORS))
    _process: asyncio.subprocess.Process | None = None
    _drain: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the program and greet it; raises TargetError when it does not come up or is no adapter."""
        await self._spawn()
        try:
            answer = (await self._converse([{"id": 0, "op": "hello"}])).get(0)
        except Broken as problem:
            words = f"; it said: {self.errors[-1]}" if self.errors else ""
            await self.stop()
            raise TargetError(self.name, f"is no adapter: hello got no answer ({problem}{words})") from None
        ok = (answer or {}).get("ok")
        if not isinstance(ok, dict) or ok.get("adapter") != 1 or not isinstance(ok.get("protocols"), list):
            await self.stop()
            raise TargetError(self.name, 'is no adapter: hello wants {"ok": {"adapter": 1, "protocols": […], …}}')
        self.greeting = ok

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"adapter {self.arguments[0]}"

    async def ask(self, requests: Sequence[Request], done: Callable[[int, Answer], None]) -> None:
        """Ask everything; `done` is told of each request's id and answer as they come."""
        waiting = deque(requests)
        while waiting:
            batch, open_ones = list(waiting), {request["id"]: request for request in waiting}
            waiting.clear()

            def take(number: int, value: dict[str, Any], open_ones: dict[int, Request] = open_ones) -> None:
                del open_ones[number]
                done(number, Answer(value))

            sent: list[int] = []
            try:
                await self._converse(batch, take, sent)
            except Broken:
                await self._restart()
                suspects = [open_ones.pop(number) for number in sent if number in open_ones]
                await self._one_by_one(suspects, done)
            waiting.extend(open_ones.values())

    async def stop(self) -> None:
        """End the adapter and its process group; never raises."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        if self._drain is not None:
            self._drain.cancel()
            await asyncio.gather(self._drain, return_exceptions=True)

    async def _one_by_one(self, suspects: list[Request], done: Callable[[int, Answer], None]) -> None:
        for request in suspects:
            try:
                answers = await self._converse([request])
            except Broken as problem:
                done(request["id"], Answer(None, str(problem)))
                await self._restart()
            else:
                done(request["id"], Answer(answers[request["id"]]))

    async def _restart(self) -> None:
        self.restarts += 1
        await self.stop()
        if self.restarts > MOST_RESTARTS:
            raise TargetError(self.name, f"broke {MOST_RESTARTS} times; it was given up")
        await self._spawn()

    async def _spawn(self) -> None:
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self.arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
                limit=LINE_LIMIT,
            )
        except OSError as problem:
            raise TargetError(self.name, f"cannot be started: {problem.strerror or problem}") from None
        self._drain = asyncio.create_task(self._read_errors())

    async def _converse(
        self,
        requests: list[Request],
        take: Callable[[int, dict[str, Any]], None] | None = None,
        sent: list[int] | None = None,
    ) -> dict[int, dict[str, Any]]:
        """Send requests and read their answers, at most PIPELINE under way; raises Broken at the first breach."""
        answers: dict[int, dict[str, Any]] = {}
        under_way: set[int] = set()
        room = asyncio.Semaphore(PIPELINE)
        writing = asyncio.create_task(self._write(requests, room, under_way, sent))
        try:
            for _ in requests:
                number, value = await self._next(under_way)
                under_way.discard(number)
                answers[number] = value
                if take is not None:
                    take(number, value)
                room.release()
        finally:
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
        return answers

    async def _write(
        self, requests: list[Request], room: asyncio.Semaphore, under_way: set[int], sent: list[int] | None
    ) -> None:
        assert self._process is not None and self._process.stdin is not None  # noqa: S101 - spawned before
        for request in requests:
            await room.acquire()
            under_way.add(request["id"])
            if sent is not None:
                sent.append(request["id"])
            with contextlib.suppress(OSError):
                self._process.stdin.write(json.dumps(request).encode("ascii") + b"\n")
                await self._process.stdin.drain()

    async def _next(self, under_way: set[int]) -> tuple[int, dict[str, Any]]:
        assert self._process is not None and self._process.stdout is not None  # noqa: S101 - spawned before
        try:
            async with asyncio.timeout(self.patience):
                line = await self._process.stdout.readline()
        except TimeoutError:
            raise Broken(f"no answer within {self.patience:g} s") from None
        except ValueError:
            raise Broken(f"an answer longer than {LINE_LIMIT >> 20} MiB") from None
        if not line.endswith(b"\n"):
            code = await self._exit_code()
            raise Broken(f"it ended{code}" if not line else f"it ended within a line{code}")
        return _read(line, under_way)

    async def _exit_code(self) -> str:
        assert self._process is not None  # noqa: S101 - spawned before
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):
                return f" with exit code {await self._process.wait()}"
        return ""

    async def _read_errors(self) -> None:
        assert self._process is not None and self._process.stderr is not None  # noqa: S101 - spawned before
        stream = self._process.stderr
        while data := await stream.read(64 * 1024):
            for line in data.decode("utf-8", "backslashreplace").splitlines()[-KEPT_ERRORS:]:
                self.errors.append(line[:1000])


def _read(line: bytes, under_way: set[int]) -> tuple[int, dict[str, Any]]:
    try:
        value = jsontext.loads(line)
    except ValueError:
        raise Broken(f"a line that is not JSON: {line[:80]!r}") from None
    if not isinstance(value, dict):
        raise Broken(f"a line that is no object: {line[:80]!r}")
    number = value.pop("id", None)
    if isinstance(number, bool) or not isinstance(number, int) or number not in under_way:
        raise Broken(f"an answer to an id that was not asked: {str(number)[:40]}")
    if sum(name in value for name in ("ok", "error", "unsupported")) != 1:
        raise Broken("an answer without exactly one of ok, error and unsupported")
    return number, value
