"""Driving somebody else's adapter: pipelined, bounded, and restarted when it breaks.

Requests go out up to `PIPELINE` at a time. When the adapter dies, hangs, writes something that is no answer or answers
an id that waits for none, it is restarted, and what it had not answered is asked again one at a time: only the request
that stops it again has failed, the others count as answered. So has one that is answered twice. An adapter that breaks
too often is given up, and what it was not asked is told as that.
"""

import asyncio
import json
import shlex
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from harness.adapters.program import LINE_LIMIT, Program
from harness.errors import TargetError

PIPELINE = 64
PATIENCE = 10.0
STRETCH = 256
STOP_GRACE = 2.0
MOST_BREAKS = 200
MOST_SILENCES = 20
MOST_STARTS = 3
KEPT_ERRORS = 40
DEEPEST = 16
FLUSH = 1_000_000_000
"""Ids from here on are of requests that only show whether something is still to come."""

Request = dict[str, Any]
WANTED_HELLO = '{"ok": {"adapter": 1, "protocols": […], …}}'
HELLO: Request = {"id": 0, "op": "hello"}


@dataclass(frozen=True)
class Answer:
    """What came back for one request: the answer object without its id, or why there is none.

    `asked` is false for a request that was not asked, since the adapter was given up before.
    """

    value: dict[str, Any] | None
    broke: str = ""
    asked: bool = True

    @property
    def unsupported(self) -> bool:
        """Whether the adapter says that it has no such operation."""
        return self.value is not None and self.value.get("unsupported") is True


class Broken(Exception):
    """The adapter broke the protocol or went away; `str()` says how, `kind` in words that many breaks share."""

    def __init__(self, problem: str, kind: str = "") -> None:
        super().__init__(problem)
        self.kind = kind or problem


class Silent(Broken):
    """It did not answer in time."""


class Stray(Broken):
    """It wrote what answers nothing; `number` is the request that it answered a second time, if it did."""

    def __init__(self, problem: str, kind: str = "", number: int | None = None) -> None:
        super().__init__(problem, kind)
        self.number = number


class GivenUp(Exception):
    """It broke too often; `str()` says so."""


class Talk:
    """The requests of one stretch: those that were sent, and the answers so far."""

    def __init__(self, requests: Sequence[Request]) -> None:
        self.requests = {request["id"]: request for request in requests}
        self.sent: dict[int, None] = {}
        self.answers: dict[int, dict[str, Any]] = {}

    def doubtful(self, problem: Broken) -> list[Request]:
        """Return what has to be asked again after a break: all that was under way, and what a stray line is due to.

        That is the request that it answers a second time, or the one that was answered last before it.
        """
        if isinstance(problem, Stray) and self.answers:
            number = next(reversed(self.answers)) if problem.number is None else problem.number
            self.answers.pop(number, None)
        return [self.requests[number] for number in self.sent if number not in self.answers and number < FLUSH]

    def take(self, line: bytes) -> int:
        """Take an answer line and return its id; raises Stray for any other line."""
        number, value = _read(line)
        if number in self.answers:
            raise Stray(f"a second answer to the request {number}", "a second answer", number)
        if number not in self.sent:
            raise Stray(f"an answer to an id that was not asked: {number}", "an answer to an id that was not asked")
        self.answers[number] = value
        return number


@dataclass
class Adapter:
    """An adapter program.

    Args:
        arguments: the program and its arguments.
        patience: seconds without an answer after which it hangs.
        most_breaks: after so many it is given up.
        most_silences: after so many breaks by silence it is given up.

    `greeting` is the ok of its hello, `breaks` counts the ways in which it broke, `errors` are its last words on
    standard error.
    """

    arguments: list[str]
    patience: float = PATIENCE
    most_breaks: int = MOST_BREAKS
    most_silences: int = MOST_SILENCES
    greeting: dict[str, Any] = field(default_factory=dict)
    breaks: Counter[str] = field(default_factory=Counter)
    errors: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT_ERRORS))
    _silences: int = 0
    _flushes: int = 0
    _program: Program | None = None

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"adapter {shlex.join(self.arguments)}"

    async def start(self) -> None:
        """Start the program and greet it; raises TargetError when it does not come up or is no adapter."""
        try:
            await self._spawn()
        except Broken as problem:
            words = f"; it said: {self.errors[-1]}" if self.errors else ""
            raise TargetError(self.name, f"is no adapter: hello got no answer ({problem}{words})") from None

    async def ask(self, requests: Sequence[Request], done: Callable[[int, Answer], None]) -> None:
        """Ask everything; `done` is told of each request's id and answer, once nothing can change it."""
        waiting = {request["id"]: request for request in requests}

        def settle(number: int, answer: Answer) -> None:
            del waiting[number]
            done(number, answer)

        try:
            while waiting:
                await self._ask_stretch(list(waiting.values())[:STRETCH], settle)
        except GivenUp as problem:
            for number in list(waiting):
                settle(number, Answer(None, str(problem), asked=False))

    async def ask_one(self, request: Request) -> Answer:
        """Ask one thing, with nothing else under way; raises GivenUp."""
        talk = Talk([request])
        try:
            await self._converse(talk)
        except Silent as problem:
            return Answer(None, str(problem))
        except Broken:  # which may be left from the request before
            return await self._ask_alone(request)
        return Answer(talk.answers[request["id"]])

    async def stop(self) -> None:
        """End the adapter: by the end of its input, and its process group when that is not enough."""
        program, self._program = self._program, None
        if program is not None:
            await program.stop(STOP_GRACE)

    async def _ask_stretch(self, requests: list[Request], settle: Callable[[int, Answer], None]) -> None:
        talk, doubtful = Talk(requests), []
        try:
            await self._converse(talk)
            await self._flush(talk)
        except Broken as problem:
            doubtful = talk.doubtful(problem)
        for number, value in talk.answers.items():
            settle(number, Answer(value))
        for request in doubtful:
            settle(request["id"], await self._ask_alone(request))

    async def _ask_alone(self, request: Request, again: bool = True) -> Answer:
        """Ask one thing, and see that nothing but its answer comes."""
        talk = Talk([request])
        try:
            await self._converse(talk)
            await self._flush(talk)
        except Stray as problem:
            # It may be due to what was asked alone before this, so the last word has a program that was asked nothing.
            return await self._ask_alone(request, again=False) if again else Answer(None, str(problem))
        except Broken as problem:
            if not talk.answers:
                return Answer(None, str(problem))
        return Answer(talk.answers[request["id"]])

    async def _flush(self, talk: Talk) -> None:
        """Greet the adapter once more: whatever it had still to say to earlier requests comes before the answer."""
        self._flushes += 1
        last = {**HELLO, "id": FLUSH + self._flushes}
        talk.requests[last["id"]] = last
        await self._converse(talk, [last])
        del talk.answers[last["id"]]

    async def _converse(self, talk: Talk, requests: Sequence[Request] | None = None) -> None:
        """Send requests and read their answers, at most PIPELINE under way.

        Raises Broken at the first breach, with the program gone, and GivenUp.
        """
        program = self._program or await self._restart()
        try:
            await self._exchange(program, talk, list(talk.requests.values()) if requests is None else requests)
        except Broken as problem:
            await self._broke(problem)
            raise

    async def _exchange(self, program: Program, talk: Talk, requests: Sequence[Request]) -> None:
        room = asyncio.Semaphore(PIPELINE)
        writing = asyncio.create_task(_write(program, requests, room, talk.sent))
        try:
            for _ in requests:
                talk.take(await self._line(program))
                room.release()
        finally:
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)

    async def _line(self, program: Program) -> bytes:
        try:
            async with asyncio.timeout(self.patience):
                line = await program.readline()
        except TimeoutError:
            raise Silent(f"no answer within {self.patience:g} s") from None
        except ValueError:
            raise Stray(f"a line longer than {LINE_LIMIT >> 20} MiB") from None
        if line.endswith(b"\n"):
            return line
        within = f" within the line {line[:80]!r}" if line else ""
        how = await program.ended()
        raise Broken(f"it {how}{within}", f"it {how}")

    async def _spawn(self) -> None:
        """Start the program and greet it; raises TargetError and Broken."""
        self._program = Program(self.arguments, self.name, self.errors)
        await self._program.start()
        talk = Talk([HELLO])
        await self._converse(talk)
        ok = talk.answers[0].get("ok")
        if not _greets(ok):
            await self.stop()
            said = json.dumps(talk.answers[0])[:200]
            raise TargetError(self.name, f"is no adapter: hello wants {WANTED_HELLO}, not {said}")
        self.greeting = dict(ok or {})

    async def _restart(self) -> Program:
        """Start the program again; raises GivenUp when it broke too often or does not come up any more."""
        last = ""
        for _ in range(MOST_STARTS):
            if self._silences >= self.most_silences or self.breaks.total() >= self.most_breaks:
                raise GivenUp(f"the adapter broke {self.breaks.total()} times and was given up")
            try:
                await self._spawn()
            except (Broken, TargetError) as problem:
                last = problem.problem if isinstance(problem, TargetError) else str(problem)
                continue
            if self._program is not None:
                return self._program
        raise GivenUp(f"the adapter could not be started again and was given up: {last}")

    async def _broke(self, problem: Broken) -> None:
        self.breaks[problem.kind] += 1
        self._silences += isinstance(problem, Silent)
        program, self._program = self._program, None
        if program is not None:
            await program.stop(0)


async def _write(program: Program, requests: Sequence[Request], room: asyncio.Semaphore, sent: dict[int, None]) -> None:
    for request in requests:
        await room.acquire()
        sent[request["id"]] = None
        try:
            await program.write(json.dumps(request).encode("ascii") + b"\n")
        except OSError:
            return  # it reads no more; what it wrote says why


def _greets(ok: Any) -> bool:
    """Whether the ok of a hello is that of an adapter of this protocol."""
    if not isinstance(ok, dict) or not isinstance(ok.get("protocols"), list):
        return False
    return type(ok.get("adapter")) is int and ok["adapter"] == 1


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner for each in level if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]  # fmt: skip
    return bool(level)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


def _read(line: bytes) -> tuple[int, dict[str, Any]]:
    try:
        # An answer is flat: JSON under test travels as text. So Python's own reader will do, and its limit of depth.
        value = json.loads(line.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Stray(f"a line that is not JSON: {line[:80]!r}", "a line that is not JSON") from None
    if not isinstance(value, dict):
        raise Stray(f"a line that is no object: {line[:80]!r}", "a line that is no object")
    if _is_deep(value):
        raise Stray(f"an answer of more than {DEEPEST} levels")
    number = value.pop("id", None)
    if isinstance(number, bool) or not isinstance(number, int):
        raise Stray(f"an answer whose id is no integer: {line[:80]!r}", "an answer whose id is no integer")
    if sum(name in value for name in ("ok", "error", "unsupported")) != 1:
        problem = "an answer without exactly one of ok, error and unsupported"
        raise Stray(f"{problem}: {line[:80]!r}", problem)
    return number, value
