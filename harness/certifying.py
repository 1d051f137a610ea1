"""What is to be certified: which protocols, and for each of them a target that answers, ready for its checks.

Every protocol has one preparer here. It starts what has to be started, finds out what the target is, yields what a run
is planned from, and ends what it started.
"""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from harness import facts as facts_module
from harness import managed, profile, session
from harness.byob import closing
from harness.byob import session as tables
from harness.byob.context import contexts as table_contexts
from harness.errors import ProfileError, TargetError, TargetFault, UsageError
from harness.facts import Facts
from harness.profile import Profile
from harness.scope import YEA_CLIENT
from harness.session import Options, Prepared
from harness.starting import equip, start
from harness.targets.addresses import Address, parse
from harness.targets.hosts import BASE, host_target
from harness.targets.http import http_target
from harness.targets.tls import trusting
from harness.transcript import Transcript

BYOB, BRIDGE = "byob", "byob-bridge"
WEB = ("http://", "https://")
TELL = "say which it is with --protocol yea or --protocol byob"


@dataclass(frozen=True)
class Asked:
    """What the command line asks to certify: addresses, a command to start, a profile, and which transports."""

    targets: list[str]
    command: str | None
    given: Profile | None
    transports: list[str] | None

    @property
    def addresses(self) -> list[str]:
        """The addresses as given, from the profile where the command line names none."""
        return self.targets or (list(self.given.addresses) if self.given is not None else [])


Preparer = Callable[[Asked, Options, Path], AbstractAsyncContextManager[Prepared]]


async def protocols(asked: Asked, options: Options) -> list[str]:
    """Return what to certify where the command line names no protocol: both references, or what the target speaks.

    Raises UsageError when a web address may be either, and TargetError when nobody is there.
    """
    if asked.command is not None:
        return ["yea"]
    if not asked.addresses:
        return ["yea", BYOB]
    if not all(address.startswith(WEB) for address in asked.addresses):
        return ["yea"]
    return [await _probed(parse(asked.addresses[0]), asked.given or profile.EMPTY, options)]


async def _probed(address: Address, given: Profile, options: Options) -> str:
    """Ask a web address in both protocols, and return the one that it answers in."""
    verify = trusting(given.ca) if given.ca is not None else True
    headers, timeout = given.headers, options.timeout
    host = host_target(address, time.time, timeout=timeout, headers=headers, verify=verify)
    service = http_target(address, time.time, timeout=timeout, headers=headers, verify=verify)
    spoken, met = [], ""
    try:
        await tables.reach(host)
        spoken.append(BYOB)
    except TargetError as problem:
        met = f" (as a table host it {problem.problem})"  # or nobody is there, which the other will say
    try:
        await facts_module.discover(service, Transcript(time.monotonic, lambda *_: None, str, "http", "probe"), timeout)
        spoken.append("yea")
    except TargetError as problem:
        named = address.path not in ("/", BASE)  # the path of a bridge, it seems
        if not spoken and (named or "does not speak" not in problem.problem):
            raise
    if len(spoken) != 1:
        what = "both YEA and BYOB" if spoken else "neither YEA nor BYOB"
        raise UsageError(f"{address.text} answers in {what}{met}; {TELL}")
    return spoken[0]


@asynccontextmanager
async def service(asked: Asked, options: Options, folder: Path) -> AsyncIterator[Prepared]:
    """Prepare a YEA service, or the embedded one."""
    started = await start(asked.targets, asked.command, "yea", asked.given, folder)
    options.managed, options.ca = started.child is not None, started.ca
    options.spawn = started.warm.spawn if started.warm is not None else managed.execute
    try:
        parsed = _wanted([parse(address) for address in started.addresses], asked.transports)
        targets = session.make_targets(parsed, asked.given or profile.EMPTY, options)
        equip(targets, started, lambda some: session.reach(some, options))
        facts = await managed.until_ready(started.child, lambda: session.reach(targets, options), started.patience)
        chosen = session.recognise(facts, asked.given or profile.EMPTY)
        _check_roles(chosen, facts)
        yield Prepared(targets, facts, chosen, " ".join(address.text for address in parsed))
    finally:
        await started.stop()


@asynccontextmanager
async def client(asked: Asked, options: Options, folder: Path) -> AsyncIterator[Prepared]:
    """Prepare to play the service to a client."""
    from harness.clients.session import prepared  # here, because only this needs an HTTP server

    async with prepared(asked.command, asked.transports, folder, options.timeout) as made:
        yield made


@asynccontextmanager
async def host(asked: Asked, options: Options, folder: Path) -> AsyncIterator[Prepared]:
    """Prepare a BYOB table host, or the embedded one, and learn its dialect."""
    started = await start(asked.targets, asked.command, BYOB, asked.given, folder)
    given = asked.given or profile.EMPTY
    try:
        parsed = _wanted([parse(address) for address in started.addresses], asked.transports)
        if len(parsed) != 1 or parsed[0].transport != "http":
            raise UsageError("a table host has one address, http://HOST:PORT or https://…")
        verify = trusting(given.ca) if given.ca is not None else True
        target = host_target(
            parsed[0], time.time, timeout=options.timeout, headers=given.headers, verify=verify,
            managed=started.child is not None,
        )  # fmt: skip
        equip({"http": target}, started, lambda some: tables.reach(some["http"]))
        await managed.until_ready(started.child, lambda: tables.reach(target), started.patience)
        try:
            facts = await tables.learn(target, given)
        except TargetFault as problem:
            raise TargetError(target.address, problem.why) from None
        notes = tuple(facts.dialect.lines())
        yield Prepared(
            {"http": target}, facts, given, parsed[0].text, table_contexts, closing=closing.read_all, notes=notes
        )
    finally:
        await started.stop()


@asynccontextmanager
async def bridge(asked: Asked, options: Options, folder: Path) -> AsyncIterator[Prepared]:
    """Prepare an MCP bridge, or the reference's own, at a table host of ours."""
    from harness.bridges.session import prepared  # here, because the SDK takes a while to import

    async with prepared(asked.command, asked.transports, asked.given, folder, options.timeout) as made:
        yield made


PREPARERS: dict[str, Preparer] = {"yea": service, YEA_CLIENT: client, BYOB: host, BRIDGE: bridge}


def _wanted(addresses: list[Address], transports: list[str] | None) -> list[Address]:
    chosen = [address for address in addresses if transports is None or address.transport in transports]
    if not chosen:
        offered = ", ".join(sorted({address.transport for address in addresses})) or "none"
        raise UsageError(f"the target has no address over {', '.join(transports or [])} (it has: {offered})")
    return chosen


def _check_roles(chosen: Profile, facts: Facts) -> None:
    """Refuse a profile that names a capability which the target does not offer."""
    for role in chosen.roles.values():
        if role.capability not in facts.capabilities:
            offered = ", ".join(sorted(facts.capabilities)[:20]) or "none"
            raise ProfileError(
                chosen.name,
                f"roles.{role.name}.capability",
                f"the target offers no capability {role.capability!r}; it offers {offered}",
            )
