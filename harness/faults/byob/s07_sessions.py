"""BYOB 7: policies that go wrong somewhere in a session: a skipped turn, a view that is too wide or too narrow."""

from collections.abc import Mapping
from typing import Any

from harness.faults import Fault, add
from reference.byob.table import Table
from reference.byob.topologies import Policy
from reference.byob.topologies.policy import Grant, Turn
from reference.byob.types import Config, Entry, Seat

RANDOM = {
    "broadcast": "byob/7/broadcast-random-session",
    "debate": "byob/7/debate-random-session",
    "pipeline": "byob/7/pipeline-random-session",
    "hub_spoke": "byob/7/hub-random-session",
    "delegation": "byob/7/tree-random-session",
}


def with_policy(kind: str, policy: Policy) -> type[Table]:
    """Return a Table with one policy replaced."""
    return type("WithPolicy", (Table,), {"policies": {**Table.policies, kind: policy}})


def skipping(kind: str) -> Policy:
    """Return a policy that skips every fourth turn of a say."""

    class Skipping(type(Table.policies[kind])):  # type: ignore[misc]
        """Skips turns."""

        turns = 0

        def after(self, config: Config, state: Mapping[str, Any], turn: Turn) -> Grant | None:
            """Skip the next one now and then."""
            grant: Grant | None = super().after(config, state, turn)
            self.turns += 1
            if grant is None or self.turns % 4:
                return grant
            skipped: Grant | None = super().after(config, grant.state, Turn(grant.holder, "say", (), ()))
            return skipped

    return Skipping()


def viewing(kind: str, seen: bool) -> Policy:
    """Return a policy by which every seat sees every entry of the others, or none."""

    class Viewing(type(Table.policies[kind])):  # type: ignore[misc]
        """Shows all or nothing."""

        def sees(self, config: Config, seat: str, entry: Entry, seats: Mapping[str, Seat]) -> bool:
            """Show it, or not."""
            return seen

    return Viewing()


for _kind in Table.policies:
    _check = RANDOM[_kind]
    _name = _kind.replace("_", "-")
    add(
        Fault(
            f"byob/{_name}-skips-turns",
            f"Skips every fourth turn of a {_kind}.",
            (_check,),
            with_policy(_kind, skipping(_kind)),
        )
    )
    for _seen in (True, False) if _kind != "broadcast" else (False,):
        add(
            Fault(
                f"byob/{_name}-shows-{'all' if _seen else 'nothing'}",
                f"Shows {'everything' if _seen else 'nothing of others'} to all seats of a {_kind}.",
                (_check,),
                with_policy(_kind, viewing(_kind, _seen)),
            )
        )
