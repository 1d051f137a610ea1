"""Live services for `naysayer fuzz`: the embedded reference, or what the command line or a profile names."""

import asyncio
import contextlib
import ssl
import time
from collections.abc import Iterator

from fuzz.targets import Host, Service, Wire
from harness import session
from harness.byob import session as byob_session
from harness.errors import UsageError
from harness.facts import Facts
from harness.fuzzed_hosts import local_host, opened
from harness.fuzzed_services import WIRES, ProfiledService, local_service
from harness.profile import Profile
from harness.session import Options
from harness.targets.addresses import parse
from harness.targets.base import Target
from harness.targets.blocking import BlockingWire
from harness.targets.hosts import host_target
from harness.targets.local import local_wire
from harness.targets.tls import trusting
from reference.yea.conformance import conformance_service


@contextlib.contextmanager
def wires(address: str | None, given: Profile, timeout: float) -> Iterator[dict[str, Wire]]:
    """Yield what speaks to a service, by its addresses; "" stands for the embedded reference, over TCP.

    Args:
        address: from the command line; without it the profile's, and without those the embedded reference.
        given: the profile.
        timeout: seconds that a reply may take.

    Raises UsageError for addresses that make no sense, TargetError for a service that does not answer HELLO. Frames
    around 1 MiB go only to where the profile allows stress, to this machine, and to children of our own.
    """
    addresses = [address] if address is not None else list(given.addresses)
    if not addresses:
        with local_wire(conformance_service(), timeout) as wire:
            yield {"": wire}
        return
    with _reached(addresses, given, timeout) as (targets, _, runner):
        made = {address: _wire(target, given, timeout, runner) for address, target in targets.items()}
        try:
            yield dict(made)
        finally:
            for wire in made.values():
                wire.close()


@contextlib.contextmanager
def services(address: str | None, given: Profile, timeout: float) -> Iterator[dict[str, Service]]:
    """Yield services that sessions are played with, by their addresses; "" stands for the embedded reference.

    Args and errors are those of `wires`. A service that offers the whole conformance service is used by its built-in
    profile, if none is given.
    """
    addresses = [address] if address is not None else list(given.addresses)
    if not addresses:
        with local_service(conformance_service(), timeout) as service:
            yield {"": service}
        return
    with _reached(addresses, given, timeout) as (targets, facts, runner):
        profile = given if given.roles else session.recognise(facts)
        made: dict[str, Service] = {}
        wires: list[BlockingWire] = []
        for name, target in targets.items():
            alone = target.transport == "stdio" and profile.stdio_state != "shared"
            mine = [_wire(target, profile, timeout, runner) for _ in range(1 if alone else WIRES)]
            wires += mine
            made[name] = ProfiledService(facts.service_id, mine, profile)
        try:
            yield made
        finally:
            for wire in wires:
                wire.close()


@contextlib.contextmanager
def hosts(address: str | None, given: Profile, timeout: float) -> Iterator[dict[str, Host]]:
    """Yield the table host that sessions are played at, by its address; "" stands for the embedded reference.

    Args and errors are those of `wires`; the address is an HTTP one.
    """
    addresses = [address] if address is not None else list(given.addresses)
    if not addresses:
        with local_host() as host:
            yield {"": host}
        return
    parsed = [parse(each) for each in addresses]
    if len(parsed) != 1 or parsed[0].transport != "http":
        raise UsageError("a table host is one http:// or https:// address")
    with asyncio.Runner() as runner:
        target = host_target(parsed[0], time.time, timeout=timeout, headers=given.headers, verify=_verify(given))
        runner.run(byob_session.reach(target))
        with opened(target, given, runner) as host:
            yield {parsed[0].text: host}


def _verify(given: Profile) -> ssl.SSLContext | bool:
    return trusting(given.ca) if given.ca is not None else True


def _wire(target: Target, given: Profile, timeout: float, runner: asyncio.Runner) -> BlockingWire:
    return BlockingWire(target, timeout, runner, large=target.loopback or target.managed or given.stress)


@contextlib.contextmanager
def _reached(
    addresses: list[str], given: Profile, timeout: float
) -> Iterator[tuple[dict[str, Target], Facts, asyncio.Runner]]:
    """Yield the targets by their addresses, what is known of the first, and the event loop that they are on."""
    options = Options(timeout=timeout)
    parsed = {each.transport: each for each in map(parse, addresses)}
    if len(parsed) < len(addresses):
        raise UsageError("two targets over one transport: fuzz one service at a time")
    targets = session.make_targets(list(parsed.values()), given, options)
    with asyncio.Runner() as runner:
        facts = runner.run(session.reach(targets, options))
        yield {parsed[transport].text: target for transport, target in targets.items()}, facts, runner
