"""In which order the checks of a run begin, and what has to wait for what.

The transports of a target lead to one state, so they are one world: what must be alone waits for everything else over
them, and a restart ends them all. A transport whose every connection has a state of its own is a world apart, where
nothing has to be waited for, and from which nothing looks at the others.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.check import Check
from harness.profile import Profile
from harness.targets.base import Target

Item = tuple[Check, str]


@dataclass
class World:
    """Transports that lead to one state, and what runs over them: some together, then some one by one.

    `apart` says that there is no state to share, a connection's own being all that it has.
    """

    transports: frozenset[str]
    apart: bool = False
    together: list[Item] = field(default_factory=list)
    alone: list[Item] = field(default_factory=list)


@dataclass(frozen=True)
class Order:
    """The order of a run: `together` is what runs together in all worlds, in the order in which it begins."""

    together: list[Item]
    worlds: list[World]

    def world_of(self, transport: str) -> World:
        """Return the world that a transport belongs to."""
        return next(world for world in self.worlds if transport in world.transports)

    @property
    def items(self) -> list[Item]:
        """Everything, what runs alone last."""
        return self.together + [item for world in self.worlds for item in world.alone]


def order(checks: Sequence[Check], targets: dict[str, Target], profile: Profile, seed: int) -> Order:
    """Return the order: checks that wait begin first, the rest as the seed has it.

    What restarts the target comes last, in the order of the ids: it leaves commits in doubt, and those stop
    auto-commits for a while (YEA 4.3.1).
    """
    restartable = [name for name, target in targets.items() if target.restart is not None]
    items = [(check, name) for check in checks for name in check.over(targets, restartable)]
    items.sort(key=lambda item: (item[0].id, item[1]))
    random.Random(seed).shuffle(items)
    items.sort(key=lambda item: not item[0].waits)
    made = Order([item for item in items if not _alone(item[0], profile)], worlds(targets, profile))
    for item in made.together:
        made.world_of(item[1]).together.append(item)
    for item in items:
        if _alone(item[0], profile):
            made.world_of(item[1]).alone.append(item)
    for world in made.worlds:
        world.alone.sort(key=lambda item: (item[0].restarts, item[0].id if item[0].restarts else ""))
    return made


def worlds(targets: dict[str, Target], profile: Profile) -> list[World]:
    """Return the worlds of a target's transports, without anything that runs over them."""
    apart = [name for name in targets if name == "stdio" and profile.stdio_state != "shared"]
    shared = [name for name in targets if name not in apart]
    return [World(frozenset(names), names is apart) for names in (shared, apart) if names]


def _alone(check: Check, profile: Profile) -> bool:
    roles = (profile.roles.get(name) for name in (*check.needs, *check.also))
    return check.alone or check.restarts or any(role is not None and role.shared for role in roles)
