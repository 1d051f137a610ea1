"""What the conformance service is about: objects that callers name, and what was done to each.

The state of an object is a fold over its changes, each marked with the commit that made it. An undo takes
its own change away, so the order of undos does not matter, and an object that nothing was done to reads as
zero and null without being kept.
"""

from collections.abc import MutableMapping
from typing import TypeAlias

from reference.yea.types import Json

Change: TypeAlias = dict[str, Json]
"""`by`: the id of the proposal that made it. The other members depend on what was done."""


class World:
    """The changes to each object. `objects` may be any mapping from a name to a list of changes."""

    def __init__(self, objects: MutableMapping[str, list[Change]] | None = None) -> None:
        self.objects: MutableMapping[str, list[Change]] = {} if objects is None else objects

    def changes(self, name: str) -> list[Change]:
        """What was done to an object, in order. The list is not to be changed."""
        return self.objects.get(name, [])

    def add(self, name: str, by: str | None, change: Change) -> None:
        """One more change to an object, by this proposal."""
        self.objects[name] = [*self.changes(name), {"by": by, **change}]

    def take_back(self, name: str, by: str | None) -> None:
        """Takes away the changes that this proposal made."""
        left = [change for change in self.changes(name) if change["by"] != by]
        if left:
            self.objects[name] = left
        else:
            self.objects.pop(name, None)

    def last(self, name: str, member: str) -> Json:
        """The member's latest value that is not null, or None."""
        values = [change.get(member) for change in self.changes(name)]
        return next((value for value in reversed(values) if value is not None), None)

    def count(self, name: str, member: str) -> int:
        """How many changes have a true value there."""
        return sum(1 for change in self.changes(name) if change.get(member))


class About:
    """A capability that is about a world."""

    def __init__(self, world: World) -> None:
        self.world = world
