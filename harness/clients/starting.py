"""Starting a client: its command with the placeholders filled, bounded in time and output, ended with its group."""

import asyncio
import contextlib
import json
import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from harness import keyfiles
from harness.clients import results
from harness.clients.plays import ASK, CHANGE, PARAMS, READ
from harness.clients.results import Result
from harness.errors import TargetFault, UsageError
from harness.managed import Child, Spawn, execute, fill_command
from harness.people import Agent, Principal
from reference.yea.keys import KeyPair

MOST_OUTPUT = 4 << 20
"""Bytes of standard output after which a client is said to flood."""

REQUESTS_PER_JOB = 20
"""Requests a client may send for each job, and as many again for its start."""

START = 3
"""How many times as long a client may take to begin: several start at once, and some start slowly."""

END_GRACE = 0.5
"""Seconds a client gets to end by itself once it has said what there is to say."""

CHUNK = 64 * 1024
NEEDED = ("url",)


@dataclass(frozen=True)
class Identity:
    """Who a client acts for: its own key and grant, and its principal's key, as files that it can be given."""

    agent: Agent
    principal: Principal
    seed_file: Path
    principal_file: Path
    grant: str


@dataclass(frozen=True)
class Orders:
    """What a client is told: where the service is, which job to do how often, who it acts for, and whom to trust."""

    url: str
    do: str
    times: int
    identity: Identity
    ca: Path

    def values(self) -> dict[str, str]:
        """Return the values of the placeholders."""
        return {
            "url": self.url,
            "do": ",".join([self.do] * self.times),
            "capability": READ if self.do == ASK else CHANGE,
            "params": json.dumps(PARAMS),
            "seed_file": str(self.identity.seed_file),
            "grant": self.identity.grant,
            "principal_file": str(self.identity.principal_file),
            "ca": str(self.ca),
        }


@dataclass
class Ran:
    """One run of a client that ended as it should: what it printed."""

    results: list[Result] = field(default_factory=list)


@dataclass
class Starter:
    """Starts a client's command.

    Args:
        command: with placeholders in braces, split as a shell would.
        folder: an empty folder of its own, for key files.
        spawn: what starts it.
        timeout: seconds in which it has to send or print something; for its start it gets `START` times as long.
    """

    command: str
    folder: Path
    spawn: Spawn = execute
    timeout: float = 10.0
    _made: int = 0

    def check(self) -> None:
        """Raise UsageError for a command that cannot be started, or that is not told where the service is."""
        words = fill_command(self.command, {})
        if shutil.which(words[0]) is None:
            raise UsageError(f"--command: there is no program {words[0]!r}")
        missing = [name for name in NEEDED if not self.uses(name)]
        if missing:
            raise UsageError(f"--command needs {{{missing[0]}}} in it: where the played service is")

    def uses(self, name: str) -> bool:
        """Whether the command has a placeholder."""
        return "{" + name + "}" in self.command

    def identity(self, service: str, clock: Callable[[], float]) -> Identity:
        """Return a new agent, with a grant from a new principal that covers everything everywhere."""
        self._made += 1
        files = [self.folder / f"{self._made}-{name}.key" for name in ("agent", "principal")]
        seeds = [secrets.token_bytes(keyfiles.SEED_BYTES) for _ in files]
        for file, seed in zip(files, seeds, strict=True):
            keyfiles.write_seed(file, seed)
        agent, principal = Agent(KeyPair(seeds[0]), service, clock), Principal(KeyPair(seeds[1]), service, clock)
        return Identity(agent, principal, files[0], files[1], principal.grant(agent, svc=None))

    async def run(self, orders: "Orders", watch: "Watching") -> Ran:
        """Run the client once and return what it printed; raises TargetFault for one that hangs, floods or crashes.

        Args:
            orders: what it is told to do; it has to print a result for each job.
            watch: is told when it has begun, and tells of requests.
        """
        jobs = orders.times
        child = Child(fill_command(self.command, orders.values()), "the client", talks=True, spawn=self.spawn)
        await child.start()
        ran, limit = Ran(), Limit(self.timeout * START, self.timeout)
        watch.begin(child, limit, (jobs + 1) * REQUESTS_PER_JOB)
        try:
            child.writer.close()
            await self._read(child, ran, jobs, limit)
        finally:
            await child.stop(kill=True)
        return ran

    async def _read(self, child: Child, ran: Ran, jobs: int, limit: "Limit") -> None:
        size, rest = 0, b""
        try:
            async with limit:
                while len(ran.results) < jobs and (data := await child.reader.read(CHUNK)):
                    limit.renew()
                    size += len(data)
                    if size > MOST_OUTPUT:
                        raise TargetFault(f"the client printed more than {MOST_OUTPUT >> 20} MiB")
                    *lines, rest = (rest + data).split(b"\n")
                    ran.results += [made for line in lines if (made := results.read(line)) is not None]
                if len(ran.results) < jobs and (made := results.read(rest)) is not None:
                    ran.results.append(made)
                if len(ran.results) < jobs:
                    await self._ended_early(child, ran, jobs, limit)
        except TimeoutError:
            raise TargetFault(limit.why or f"the client hung: it did nothing for {limit.seconds:g} s") from None
        if not await child.finished(END_GRACE):
            return  # it has said everything, and is ended with its group
        del ran.results[jobs:]

    async def _ended_early(self, child: Child, ran: Ran, jobs: int, limit: "Limit") -> None:
        while child.ended() is None:
            await child.finished(limit.seconds)
        raise TargetFault(f"the client printed {len(ran.results)} of {jobs} results and {child.ended()}")


class Limit:
    """A time limit that is renewed by whatever the client does; an asynchronous context manager.

    Args:
        first: seconds until the first sign of it.
        seconds: seconds from each to the next.
    """

    def __init__(self, first: float, seconds: float) -> None:
        self.seconds, self._next, self.why = first, seconds, ""
        self._timeout = asyncio.timeout(first)
        self._inside = False

    async def __aenter__(self) -> None:
        await self._timeout.__aenter__()
        self._inside = True

    async def __aexit__(self, *problem: object) -> None:
        self._inside = False
        await self._timeout.__aexit__(*problem)  # type: ignore[arg-type] # as it came

    def renew(self) -> None:
        """Begin anew."""
        if self._inside and not self._timeout.expired() and not self.why:
            self.seconds = self._next
            self._timeout.reschedule(asyncio.get_running_loop().time() + self.seconds)

    def end(self, why: str) -> None:
        """Let it end now, for this reason."""
        if self._inside and not self._timeout.expired():
            self.why = self.why or why
            with contextlib.suppress(RuntimeError):
                self._timeout.reschedule(asyncio.get_running_loop().time())


class Watching:
    """The link between a play and the run of its client: each request renews the time, too many end the run."""

    def __init__(self) -> None:
        self.child: Child | None = None
        self._limit: Limit | None = None
        self._left = 0

    def begin(self, child: Child, limit: Limit, most: int) -> None:
        """The client has begun."""
        self.child, self._limit, self._left = child, limit, most

    def moved(self) -> None:
        """The client took a piece of a reply."""
        if self._limit is not None:
            self._limit.renew()

    def heard(self) -> None:
        """A request came."""
        if self._limit is None:
            return
        self._left -= 1
        self._limit.renew()
        if self._left < 0:
            self._limit.end("the client floods the service with requests")
