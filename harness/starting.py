"""Starting what a run has to start: the embedded reference when no target is given, or the server of `--command`."""

import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from harness import embedded, managed, profile
from harness.errors import ProfileError, UsageError
from harness.managed import Child
from harness.profile import Profile
from harness.targets.base import Target
from harness.warm import Warm
from reference.yea.keys import KeyPair

PATIENCE = profile.EMPTY.start_timeout
NO_ADDRESSES = "target.addresses is missing; name a TARGET, a --command, or the addresses"
NO_PORT = "--command needs {port}, {tls_port} or {http_port} in it, or a target to talk to"
NO_DATA = "the command does not use {data}, so the service keeps no state that would outlast a restart"


@dataclass(frozen=True)
class Started:
    """What was started, if anything, and where the target is.

    `ca` is the authority of a certificate that was made for it. `patience` is how many seconds it may take to answer.
    `keeps_state` says that it finds its state again when it is killed and started again. `warm` starts its stdio
    children, where they can be started warm.
    """

    child: Child | None
    addresses: list[str]
    ca: Path | None = None
    patience: float = 0.0
    keeps_state: bool = False
    warm: Warm | None = None

    async def stop(self) -> None:
        """End what was started."""
        if self.child is not None:
            await self.child.stop()
        if self.warm is not None:
            await self.warm.stop()


async def start(targets: list[str], command: str | None, protocol: str, given: Profile | None, folder: Path) -> Started:
    """Start what has to be started.

    Args:
        targets: addresses from the command line; the profile's stand in for them.
        command: of `--command`, with placeholders, or None.
        protocol: `yea` or `byob`: what the target speaks, and which reference is embedded.
        given: the profile, if there is one.
        folder: an empty folder for data, which the caller removes.

    Raises TargetError when it cannot be started, UsageError for a command that cannot be split or names no port where
    nothing else says where the target is, and ProfileError for a profile without addresses where nothing else does.
    """
    addresses = targets or (list(given.addresses) if given else [])
    patience = given.start_timeout if given else PATIENCE
    if command is not None:
        return await _start_command(command, addresses, protocol, given, folder, patience)
    if addresses:
        return Started(None, addresses)
    if given is not None:
        raise ProfileError(given.name, "", NO_ADDRESSES)
    if protocol == "byob":
        hosted = await embedded.start(protocol, folder, patience)
        return Started(hosted.child, [*hosted.addresses.values()], keeps_state=True)
    warm = Warm()
    await warm.start()
    try:
        made = await embedded.start(protocol, folder, patience)
    except BaseException:  # a cancellation too
        await warm.stop()
        raise
    addresses = [*made.addresses.values(), embedded.stdio_address(protocol)]
    return Started(made.child, addresses, made.ca, keeps_state=True, warm=warm)


async def _start_command(
    command: str, addresses: list[str], protocol: str, given: Profile | None, folder: Path, patience: float
) -> Started:
    trusted = given if given is not None and (given.roles or given.seeds) else profile.built_in("conformance")
    values = managed.placeholders(folder, {name: KeyPair(seed).public for name, seed in trusted.seeds.items()})
    filled = [managed.fill_address(each, values) for each in addresses]
    words = managed.fill_command(command, values)
    if shutil.which(words[0]) is None:
        raise UsageError(f"--command: there is no program {words[0]!r}")
    filled = filled or managed.default_addresses(command, values, protocol)
    if not filled:
        raise UsageError(NO_PORT)
    child = Child(words, "the command")
    await child.start()
    keeps = "{data}" in command
    return Started(child, filled, None, patience, keeps)


def equip(targets: dict[str, Target], started: Started, ask: Callable[[dict[str, Target]], Awaitable[object]]) -> None:
    """Let targets be restarted and their memory be seen, as far as what was started allows it.

    `ask` raises TargetError unless these targets answer.
    """
    child = started.child
    if child is None:
        return
    served = {name: target for name, target in targets.items() if name != "stdio"}

    async def restart() -> None:
        await managed.restart(child, lambda: ask(served), started.patience or PATIENCE)

    for target in served.values():
        target.peak_memory = child.peak_memory
        if started.keeps_state:
            target.restart = restart
        else:
            target.not_restarted = NO_DATA
