"""BYOB 1: ledgers with entries too many or too few, and seats that change."""

from typing import Any

from harness.faults import fault
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.table import Table
from reference.byob.types import Entry

WRITES, TOGETHER = "byob/1/only-accepted-requests-write", "byob/1/seqs-of-posts-at-once"
REFUSALS, STAYS = "byob/1/refusals-use-no-seq", "byob/1/a-seat-stays-what-it-was"


@fault("byob/hands-are-not-written", WRITES)
class HandsNotWritten(Table):
    """Answers a raised hand and writes nothing of it."""

    def post(self, seat: str, body: Any, now: int) -> Entry:
        """Answer only."""
        if body.get("kind") != "raise_hand":
            return super().post(seat, body, now)
        return {"seq": len(self.state.entries), "table": self.id, "seat": seat, "kind": "raise_hand"}


@fault("byob/hands-for-the-silent", WRITES, REFUSALS)
class HandsForSilent(Host):
    """Raises the hand of a seat whose post it refuses."""

    def post(self, table: str, token: str | None, body: Any, now: float) -> Entry:
        """Raise it."""
        try:
            return super().post(table, token, body, now)
        except ByobError:
            super().post(table, token, {"kind": "raise_hand"}, now)
            raise


@fault("byob/hands-share-a-seq", TOGETHER)
class HandsShareSeq(Table):
    """Answers every raised hand with the seq of the last grant."""

    def post(self, seat: str, body: Any, now: int) -> Entry:
        """Answer with another seq."""
        entry = super().post(seat, body, now)
        return {**entry, "seq": self.state.grant_seq or 1} if body.get("kind") == "raise_hand" else entry


@fault("byob/posts-change-cards", STAYS)
class PostsChangeCards(Host):
    """Lets a post with a card change what its seat may do."""

    cards: dict[str, Any] = {}

    def post(self, table: str, token: str | None, body: Any, now: float) -> Entry:
        """Take the card."""
        entry = super().post(table, token, body, now)
        if "card" in body:
            self.cards = {**self.cards, f"{table} {entry['seat']}": body["card"]["capabilities"] or ["all"]}
        return entry

    def projection(self, table: str, token: str | None, since: str | None, now: float) -> dict[str, Any]:
        """Show the last one."""
        made = super().projection(table, token, since, now)
        seats = made["prefix"]["seats"]
        changed = [
            {**seat, "capabilities": self.cards.get(f"{table} {seat['seat']}", seat["capabilities"])} for seat in seats
        ]
        return {**made, "prefix": {**made["prefix"], "seats": changed}}


@fault("byob/memory-is-for-the-topology", "byob/1/every-seat-reads-the-memory")
class MemoryForTopology(Host):
    """Shows the memory only to seats that the topology names."""

    def memory(self, table: str, token: str | None, now: float) -> dict[str, Any]:
        """Ask who reads."""
        config = self.tables[table].state.config
        if self.seat_of(table, token) not in str(config["topology"]):
            raise ByobError("E_NOT_FOUND", "there is no memory for this seat")
        return super().memory(table, token, now)
