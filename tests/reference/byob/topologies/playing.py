"""Plays a topology turn after turn, from its opening."""

import json
from collections.abc import Iterable
from typing import Any

from reference.byob.topologies import POLICIES, Turn

PASS = "pass"
"""A move that passes; any other is a say with addresses separated by blanks, or with none."""


def holders(config: dict[str, Any], moves: Iterable[str | tuple[str, tuple[str, ...]]]) -> list[str | None]:
    """Who has the floor at the beginning and after each move; ends at None, when no turns remain.

    A move is a string, or a string and the hands that are up when it is made. The state goes through JSON each time,
    as it does in a ledger.
    """
    policy = POLICIES[config["topology"]["kind"]]
    grant = policy.opening(config)
    found = [None if grant is None else grant.holder]
    for move in moves:
        assert grant is not None, f"no turn is left for {move!r} after {found}"
        words, hands = (move, ()) if isinstance(move, str) else move
        turn = (
            Turn(grant.holder, "pass", (), hands)
            if words == PASS
            else Turn(grant.holder, "say", (*words.split(),), hands)
        )
        grant = policy.after(config, json.loads(json.dumps(grant.state)), turn)
        found.append(None if grant is None else grant.holder)
    return found
