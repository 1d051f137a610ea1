"""Bot depth: after so many says of bots in a row a human has the floor (BYOB 8)."""

from reference.byob.table.termination import Termination
from reference.byob.types import MAX_BOT_DEPTH


class BotDepth(Termination):
    """The limit, and who is asked."""

    DEPTH_EXHAUSTED = "depth_exhausted"

    def max_bot_depth(self) -> int:
        """floor.max_bot_depth, 32 when it is not configured (BYOB 8)."""
        return int(self.state.config.get("floor", {}).get("max_bot_depth", MAX_BOT_DEPTH))

    def is_too_deep(self) -> bool:
        """Whether the count has reached the limit (BYOB 8)."""
        return self.state.depth >= self.max_bot_depth()

    def human_to_ask(self) -> str | None:
        """The human who gets the floor: the first that joined, or the next one after a human who passed."""
        humans = [seat.id for seat in self.state.seats.values() if seat.kind == "human"]
        if not humans:
            return None
        asked = self.state.asked
        return humans[(humans.index(asked) + 1) % len(humans)] if asked in humans else humans[0]
