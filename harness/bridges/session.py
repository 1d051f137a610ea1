"""A run against a bridge: where it is seated, how it is started, and what kind of key file and URL it takes."""

import asyncio
import contextlib
import secrets
import shlex
import shutil
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from harness.bench import Bench
from harness.bridges import keys
from harness.bridges.calling import Silent
from harness.bridges.context import BASE, BridgeContext, BridgeFacts, BridgeTarget, contexts
from harness.bridges.links import ChildLink, Launch, Link, SpawnWith, execute_with
from harness.bridges.room import Room
from harness.byob import session as tables
from harness.byob.facts import HostFacts
from harness.byob.learning import LEARN
from harness.byob.tokens import Tokens
from harness.catalogue import catalogue
from harness.errors import TargetError, TargetFault, Untested, UsageError
from harness.managed import fill_command
from harness.profile import EMPTY, Profile
from harness.session import Prepared
from harness.targets.base import Clock, Watcher
from harness.targets.hosts import app_target
from harness.transcript import Transcript
from harness.warm import PREFIX, Warm

MCP = "mcp"
PROTOCOL = "byob-bridge"
AT_ONCE = 6
REFERENCE = "the reference bridge"
MODULES = ("harness.commands.mcp", "reference.byob.bridge.server", "reference.byob.bridge.settings")


def reference_command(*options: str) -> str:
    """Return the command of the reference bridge."""
    return shlex.join([*PREFIX, "mcp", *options])


def launcher(command: str, spawn_with: SpawnWith = execute_with) -> Launch:
    """Return what starts a command as a bridge; raises UsageError for one that cannot be split or started."""
    words = fill_command(command, {})
    if shutil.which(words[0]) is None:
        raise UsageError(f"--command: there is no program {words[0]!r}")

    def launch(given: Mapping[str, str]) -> Link:
        return ChildLink(words, given, spawn_with)

    return launch


@contextlib.asynccontextmanager
async def spawning(own: bool) -> AsyncIterator[SpawnWith]:
    """Yield what starts the bridge: the reference is forked from a process that has made its imports."""
    if not own:
        yield execute_with
        return
    warm = Warm(*MODULES)
    await warm.start()
    try:
        yield warm.spawn_with
    finally:
        await warm.stop()


@contextlib.asynccontextmanager
async def prepared(
    command: str | None, transports: list[str] | None, given: Profile | None, folder: Path, timeout: float
) -> AsyncIterator[Prepared]:
    """Prepare a run; yields what the plan is made from.

    Args:
        command: of `--command`; None for the reference bridge.
        transports: of `--transport`; None or mcp.
        given: the profile, whose `[bridge]` says what the bridge takes.
        folder: an empty folder for key files and cards.
        timeout: seconds in which a tool has to return.

    Raises UsageError for a command that cannot be started so, TargetError for one that is no bridge.
    """
    if transports not in (None, [MCP]):
        raise UsageError("a bridge is certified over mcp only, on its standard input and output")
    profile = given or EMPTY
    async with spawning(command is None) as spawn_with:
        launch = launcher(reference_command() if command is None else command, spawn_with)
        tokens = Tokens()
        room = Room(time.time, tokens)
        async with room.serving() as origin:
            target = make_target(launch, room, origin, folder, timeout, time.time, command or REFERENCE)
            facts = await learn(target, profile, tokens)
            notes = tuple(lines(facts))
            yield Prepared({MCP: target}, facts, profile, target.address, contexts, notes=notes)


def make_target(
    launch: Launch, room: Room, origin: str, folder: Path, seconds: float, clock: Clock, name: str
) -> BridgeTarget:
    """Return the bridge as a target; its connections are those of the harness to the host."""
    host = app_target(room.app, clock, timeout=seconds)
    return BridgeTarget(
        MCP, name, host.connect, clock, loopback=True, managed=True, at_once=AT_ONCE, alive=_not_asked,
        launch=launch, room=room, origin=origin, folder=folder, seconds=seconds,
    )  # fmt: skip


async def _not_asked(watcher: Watcher) -> None:
    """A bridge is started anew for each check, so nobody is asked whether it is still there."""


async def learn(target: BridgeTarget, profile: Profile, tokens: Tokens) -> BridgeFacts:
    """Return what a bridge takes: it is started with each kind of key file and URL until it takes a seat.

    Where none lets it, the first kind with which it can be greeted stands, and the checks say what is wrong. Raises
    TargetError when it can be greeted with none.
    """
    host: HostFacts = await tables.learn(target, profile)
    facts = BridgeFacts(dialect=host.dialect, tokens=tokens, naming=profile.bridge.naming)
    template = profile.bridge.key_file
    forms = [keys.template_form(template)] if template is not None else list(keys.FORMS.values())
    greeted: list[tuple[keys.Form, str]] = []
    why = ""
    for form in forms:
        for base in ("", BASE):
            facts.key, facts.base = form, base
            try:
                if await _joins(target, facts, profile):
                    return facts
                greeted.append((form, base))
            except Silent as problem:
                raise TargetError(target.address, problem.why) from None
            except TargetFault as problem:
                why = why or problem.why
    if not greeted:
        raise TargetError(target.address, why)
    facts.key, facts.base = greeted[0]
    return facts


async def _joins(target: BridgeTarget, facts: BridgeFacts, profile: Profile) -> bool:
    """Whether a bridge takes a seat, or takes its time; raises TargetFault when it cannot be greeted."""
    silent = Transcript(time.monotonic, lambda *_: None, str, MCP, "setup")
    bench = Bench(LEARN, target, catalogue(PROTOCOL), silent, secrets.token_hex(5), 0, asyncio.sleep)
    t = BridgeContext(bench, facts, profile)
    try:
        async with t.at() as agent:
            try:
                await agent.joins()
            except Silent:
                return True  # no other file will make it talk; the checks say the rest
            except (Untested, TargetFault):
                return False
            return True
    finally:
        await t.close()


def lines(facts: BridgeFacts) -> list[str]:
    """Return what was learned, in plain sentences."""
    form = next((name for name, made in keys.FORMS.items() if made is facts.key), "as the profile's template says")
    return [
        f"The bridge was given BYOB_URL {'with' if facts.base else 'without'} {BASE}, and a key file {_kind(form)}."
    ]


def _kind(form: str) -> str:
    return {"json": "in JSON", "pem": "in PEM"}.get(form, form)
