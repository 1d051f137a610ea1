"""Live services for `naysayer fuzz`: the embedded reference, or what the command line or a profile names."""

import asyncio
import contextlib
import ssl
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzz.targets import Host, Service, Wire
from harness import session
from harness.byob import session as byob_session
from harness.errors import UsageError
from harness.facts import Facts
from harness.fuzzed_hosts import local_host, opened
from harness.fuzzed_services import WIRES, ProfiledService, local_service
from harness.managed import restart, until_ready
from harness.profile import EMPTY, Profile
from harness.session import Options
from harness.starting import Started, equip, start
from harness.targets.addresses import Address, parse
from harness.targets.base import Target
from harness.targets.blocking import BlockingWire
from harness.targets.hosts import host_target
from harness.targets.local import local_wire
from harness.targets.tls import trusting
from reference.yea.conformance import conformance_service

Ask = Callable[[], Awaitable[object]]


@dataclass(frozen=True)
class Asked:
    """Which live target, of which kind its openers know.

    Args:
        address: from the command line; without it the profile's, and without those the embedded reference.
        given: the profile.
        timeout: seconds that a reply may take.
        command: starts the target, with placeholders, and again when it has ended or hangs; None for one that runs.
    """

    address: str | None
    given: Profile
    timeout: float
    command: str | None = None

    @property
    def addresses(self) -> list[str]:
        """Where the target is, as far as anybody said."""
        return [self.address] if self.address is not None else list(self.given.addresses)

    @property
    def embedded(self) -> bool:
        """Whether it is the reference in this process."""
        return self.command is None and not self.addresses


@dataclass(frozen=True)
class _Reached:
    """A YEA service that answers: its targets by address, its facts, the event loop, and what starts it again."""

    targets: dict[str, Target]
    facts: Facts
    runner: asyncio.Runner
    identify: Callable[[], Facts]
    revive: Callable[[], None] | None


@contextlib.contextmanager
def wires(asked: Asked) -> Iterator[dict[str, Wire]]:
    """Yield what speaks to a service, by its addresses; "" stands for the embedded reference, over TCP.

    Raises UsageError for addresses that make no sense, TargetError for a service that does not answer HELLO. Frames
    around 1 MiB go only to where the profile allows stress, to this machine, and to children of our own.
    """
    if asked.embedded:
        with local_wire(conformance_service(), asked.timeout) as wire:
            yield {"": wire}
        return
    with _reached(asked) as reached:
        made = {name: _wire(target, asked.given, asked.timeout, reached) for name, target in reached.targets.items()}
        try:
            yield dict(made)
        finally:
            for wire in made.values():
                wire.close()


@contextlib.contextmanager
def services(asked: Asked) -> Iterator[dict[str, Service]]:
    """Yield services that sessions are played with, by their addresses; "" stands for the embedded reference.

    Errors are those of `wires`. A service that offers the whole conformance service is used by its built-in profile, if
    none is given.
    """
    if asked.embedded:
        with local_service(conformance_service(), asked.timeout) as service:
            yield {"": service}
        return
    with _reached(asked) as reached:
        profile = session.recognise(reached.facts, asked.given)
        made: dict[str, Service] = {}
        wires: list[BlockingWire] = []
        for name, target in reached.targets.items():
            alone = target.transport == "stdio" and profile.stdio_state != "shared"
            mine = [_wire(target, profile, asked.timeout, reached) for _ in range(1 if alone else WIRES)]
            wires += mine
            made[name] = ProfiledService(reached.facts.service_id, mine, profile, lambda: reached.identify().service_id)
        try:
            yield made
        finally:
            for wire in wires:
                wire.close()


@contextlib.contextmanager
def hosts(asked: Asked) -> Iterator[dict[str, Host]]:
    """Yield the table host that sessions are played at, by its address; "" stands for the embedded reference.

    Errors are those of `wires`; the address is an HTTP one.
    """
    if asked.embedded:
        with local_host() as host:
            yield {"": host}
        return
    with asyncio.Runner() as runner, _started(asked, "byob", runner) as started:
        parsed = [parse(each) for each in started.addresses]
        if len(parsed) != 1 or parsed[0].transport != "http":
            raise UsageError("a table host is one http:// or https:// address")
        target = host_target(
            parsed[0],
            time.time,
            timeout=asked.timeout,
            headers=asked.given.headers,
            verify=_verify(asked.given),
            managed=started.child is not None,
        )
        equip({"http": target}, started, lambda some: byob_session.reach(some["http"]))
        runner.run(until_ready(started.child, lambda: byob_session.reach(target), started.patience))
        revive = _reviver(started, lambda: byob_session.reach(target))
        with opened(target, asked.given, runner, revive=revive) as host:
            yield {_name(asked, parsed[0]): host}


def _verify(given: Profile) -> ssl.SSLContext | bool:
    return trusting(given.ca) if given.ca is not None else True


def _name(asked: Asked, address: Address) -> str:
    """Return what tells a target from others: of one that we start the transport, as its port is another each time."""
    return address.text if asked.command is None else address.transport


def _wire(target: Target, given: Profile, timeout: float, reached: _Reached) -> BlockingWire:
    large = target.loopback or target.managed or given.stress
    return BlockingWire(target, timeout, reached.runner, large=large, revive=reached.revive)


@contextlib.contextmanager
def _started(asked: Asked, protocol: str, runner: asyncio.Runner) -> Iterator[Started]:
    """Start the target's command, if there is one, and end it afterwards."""
    given = asked.given if asked.given is not EMPTY else None
    with tempfile.TemporaryDirectory(prefix="naysayer-") as folder:
        started = runner.run(start(asked.addresses, asked.command, protocol, given, Path(folder)))
        try:
            yield started
        finally:
            runner.run(started.stop())


def _reviver(started: Started, ask: Ask) -> Callable[[], Coroutine[Any, Any, None]] | None:
    child = started.child
    if child is None:
        return None
    return lambda: restart(child, ask, started.patience)


@contextlib.contextmanager
def _reached(asked: Asked) -> Iterator[_Reached]:
    """Start and reach a YEA service, and yield it."""
    options = Options(timeout=asked.timeout, managed=asked.command is not None)
    with asyncio.Runner() as runner, _started(asked, "yea", runner) as started:
        parsed = {each.transport: each for each in map(parse, started.addresses)}
        if len(parsed) < len(started.addresses):
            raise UsageError("two targets over one transport: fuzz one service at a time")
        targets = session.make_targets(list(parsed.values()), asked.given, options)
        facts = runner.run(until_ready(started.child, lambda: session.reach(targets, options), started.patience))
        reviver = _reviver(started, lambda: session.reach(targets, options))
        yield _Reached(
            {_name(asked, parsed[transport]): target for transport, target in targets.items()},
            facts,
            runner,
            lambda: runner.run(session.reach(targets, options)),
            None if reviver is None else lambda: runner.run(reviver()),
        )
