"""Totals: what commits under a grant have used up, exactly and at once (YEA 6.3)."""

from reference.yea.caveats import Context
from reference.yea.grants import Grant
from reference.yea.quantities import MAX_SCALE, is_limit
from reference.yea.quantities import value as exact
from reference.yea.service.planning import Planning
from reference.yea.service.reading import Request
from reference.yea.service.store import ProposalRecord, TotalRecord
from reference.yea.types import Json, as_integer

Reservation = list[tuple[str, int]]
"""What a commit has reserved: the name of each total, and how much of it in units of 10^-18."""


class Limits(Planning):
    """The totals of grants."""

    def commit_context(self, record: ProposalRecord, request: Request, grant: Grant) -> Context:
        """The COMMIT as the caveats of one grant see it, with what its blocks have used up (YEA 6.3)."""
        capability = str(record.proposal["capability"])
        used = self.used(grant)
        return self.context(request, "COMMIT", capability, proposal=record.proposal, used=used)

    def used(self, grant: Grant) -> dict[str, dict[str, Json]]:
        """What is committed or reserved under the blocks of a grant (YEA 6.3)."""
        used: dict[str, dict[str, Json]] = {}
        for block_id, measure, _ in self.totals_of(grant):
            total = self.store.totals.get(total_name(block_id, measure))
            if total is not None:
                used.setdefault(block_id, {})[measure] = {"amount": total.value, "scale": MAX_SCALE}
        return used

    def totals_of(self, grant: Grant) -> list[tuple[str, str, float | None]]:
        """Each block id and measure with a `total`, once, and the time from which nothing can use it.

        YEA 6.3: a total is kept by block id and measure, so a measure that stands twice in a block counts
        once. Every chain with the block has the blocks before it, so the earliest `exp` up to it ends it.
        """
        found: dict[tuple[str, str], float | None] = {}
        end: float | None = None
        for block_id, caveats in zip(grant.block_ids, grant.caveats, strict=True):
            named = [(name, value) for caveat in caveats if isinstance(caveat, dict) for name, value in caveat.items()]
            exps = [as_integer(value) for name, value in named if name == "exp"]
            end = min([value for value in [end, *exps] if value is not None], default=None)
            limits = [value for name, value in named if name == "total" and is_limit(value)]
            found.update({(block_id, str(limit["of"])): end for limit in limits if isinstance(limit, dict)})
        return [(block_id, measure, until) for (block_id, measure), until in found.items()]

    def reserve(self, grant: Grant, uses: dict[str, Json]) -> Reservation:
        """YEA 6.3: takes the quantities from every total of the authorizing grant, before anything is done."""
        reserved: Reservation = []
        for block_id, measure, until in self.totals_of(grant):
            if measure in uses:
                name, amount = total_name(block_id, measure), exact(uses[measure])
                before = self.store.totals.get(name)
                value = amount if before is None else before.value + amount
                self.store.totals.put(name, TotalRecord(value, until))
                reserved.append((name, amount))
        return reserved

    def release(self, reserved: Reservation) -> None:
        """YEA 6.3: a reservation is released if execution fails."""
        for name, amount in reserved:
            total = self.store.totals.get(name)
            if total is not None:
                self.store.totals.put(name, TotalRecord(total.value - amount, total.until))


def total_name(block_id: str, measure: str) -> str:
    """YEA 6.3: a total is kept by block id and measure."""
    return f"{block_id} {measure}"
