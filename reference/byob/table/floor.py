"""Who has the floor: grants, the end of turns, and the size of what is said (BYOB 7, 8)."""

from dataclasses import replace
from typing import Any

from reference.byob.errors import ByobError
from reference.byob.state import BOT_DEPTH
from reference.byob.table.depth import BotDepth
from reference.byob.topologies import Grant
from reference.byob.types import COUNTED, Seat


class FloorControl(BotDepth):
    """The floor goes on by itself: `settle` is called after whatever was written."""

    def settle(self, now: int) -> None:
        """Closes the table or grants the floor, as far as it is time for that (BYOB 8)."""
        while self.state.status == "open":
            reason = self.reason_to_close()
            if reason is not None:
                self.end(reason, now)
            elif not self.is_free() or not self.advance(now):
                return

    def is_free(self) -> bool:
        """Whether nobody has the floor, so that somebody should get it."""
        return self.state.holder is None

    def advance(self, now: int) -> bool:
        """Gives the free floor to whoever is next, or closes the table. False when the next seat has yet to join."""
        grant = self.next_grant()
        if grant is None:
            self.end(self.ROUNDS_EXHAUSTED, now)  # BYOB 8: even if it is not listed
        elif self.is_too_deep():
            self.interrupt(now)
        elif grant.holder in self.state.seats:
            self.grant(grant, now)
        else:
            return False
        return True

    def next_grant(self) -> Grant | None:
        """What the policy says: the opening, or the turn after the one that has ended. None: no turns remain."""
        state = self.state
        if state.position is None or state.turn is None:
            return state.policy.opening(state.config)
        return state.policy.after(state.config, state.position, replace(state.turn, hands=tuple(state.hands)))

    def grant(self, grant: Grant, now: int) -> None:
        """BYOB 8: a grant carries the policy state and the size budget."""
        self.system("floor_granted", {"holder": grant.holder, "policy": grant.state, **self.size_budget()}, now)

    def interrupt(self, now: int) -> None:
        """BYOB 8: a seated human gets the floor and the policy stays where it is; without one the table closes."""
        human = self.human_to_ask()
        if human is None:
            self.end(self.DEPTH_EXHAUSTED, now)
            return
        members = {"holder": human, "policy": self.state.position, **self.size_budget(), "reason": BOT_DEPTH}
        self.system("floor_granted", members, now)

    def max_chars(self) -> int | None:
        """floor.max_chars, None for no limit."""
        limit: int | None = self.state.config.get("floor", {}).get("max_chars")
        return limit

    def size_budget(self) -> dict[str, Any]:
        """The budget as a grant carries it (BYOB 8)."""
        limit = self.max_chars()
        return {} if limit is None else {"max_chars": limit}

    def truncated(self, kind: str, members: dict[str, Any]) -> dict[str, Any]:
        """BYOB 8: an over-long body is cut by the core, and flagged. Of the kinds that count tokens."""
        limit, body = self.max_chars(), members.get("body", "")
        if kind not in COUNTED or limit is None or len(body) <= limit:
            return members
        return {**members, "body": body[:limit], "truncated": True}

    def check_floor(self, seat: Seat, kind: str) -> None:
        """BYOB 8: only the holder writes floor-plane kinds; humans say at any time. Raises ByobError E_NOT_FLOOR."""
        if seat.id == self.state.holder or self.may_interject(seat, kind):
            return
        holder = self.state.holder or "nobody"
        raise ByobError("E_NOT_FLOOR", f"{seat.id} does not have the floor, {holder} has; raise_hand asks for it")

    def may_interject(self, seat: Seat, kind: str) -> bool:
        """BYOB 8: human seats may speak at any time."""
        return seat.kind == "human" and kind == "say"
