"""YEA 6.3: limits that are compared, charged or given back in the wrong way."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.yea.s06_3_caveats import EACH, TOTAL, WITHIN, ruled
from reference.yea.caveats import CAVEATS, Context, Verdict
from reference.yea.grants import Grant
from reference.yea.quantities import value as exact
from reference.yea.service import Pause, Request, Service
from reference.yea.service.limits import Reservation
from reference.yea.service.steps import Work
from reference.yea.service.store import ProposalRecord, TotalRecord
from reference.yea.types import Json

ADDS = "yea/6.3/a-total-adds-up"
BURST = "yea/6.3/a-burst-stays-within-a-total"
SLOW = "yea/6.3/a-slow-commit-is-charged-before-it-ends"
CHAIN = "yea/6.3/every-total-of-the-chain-is-charged"
TWICE = "yea/6.3/a-total-said-twice-counts-once"
FAILED = "yea/6.3/a-failed-commit-gives-its-total-back"
UNDONE = "yea/6.3/undo-gives-nothing-back-to-a-total"
REPLAYED = "yea/6.3/a-replay-uses-nothing-up"
HARD = "yea/6.6/a-hard-failure-beats-a-soft-one"
NOTHING = "yea/5.1/nothing-used-passes-every-limit"

Compare = Callable[[dict[str, Any], dict[str, Any], int], str]
"""(limit, quantity, units of 10^-18 used before) to what comes out."""


def _compared(compare: Compare) -> type[Service]:
    """Return a service that compares the quantities it reports with limits in its own way."""

    def rule(name: str) -> Any:
        right = CAVEATS[name]

        def outcome(limit: Any, context: Context, block_id: str) -> Any:
            uses = (context.proposal or {}).get("uses")
            quantity = uses.get(limit["of"]) if isinstance(uses, dict) else None
            if not isinstance(quantity, dict):
                return right.outcome(limit, context, block_id)
            before = context.used.get(block_id, {}).get(limit["of"]) if name == "total" else None
            return compare(limit, quantity, exact(before) if before is not None else 0)

        return replace(right, outcome=outcome)

    return ruled({**CAVEATS, "each": rule("each"), "total": rule("total")})


def _soft_unless(holds: bool) -> str:
    return "satisfied" if holds else "soft"


def _unit(quantity: dict[str, Any], limit: dict[str, Any]) -> bool:
    return bool(quantity.get("unit") == limit.get("unit"))


def _within(limit: dict[str, Any], quantity: dict[str, Any], before: int) -> bool:
    return before + exact(quantity) <= exact(limit, "max")


def _amounts(limit: dict[str, Any], quantity: dict[str, Any]) -> bool:
    return bool(quantity["amount"] <= limit["max"])


# (id, what is wrong, what it is killed by, how quantities are compared).
COMPARED: tuple[tuple[str, str, tuple[str, ...], Compare], ...] = (
    (
        "limits-are-exclusive",
        "Refuses a quantity that is exactly at the limit.",
        (WITHIN,),
        lambda limit, q, used: _soft_unless(_unit(q, limit) and used + exact(q) < exact(limit, "max")),
    ),
    (
        "limits-ignore-units",
        "Compares quantities whatever their units.",
        (EACH, TOTAL),
        lambda limit, q, used: _soft_unless(_within(limit, q, used)),
    ),
    (
        "units-in-any-letters",
        "Does not tell usd from USD.",
        (EACH, TOTAL),
        lambda limit, q, used: _soft_unless(
            str(q.get("unit")).lower() == str(limit.get("unit")).lower() and _within(limit, q, used)
        ),
    ),
    (
        "limits-without-unit-fit-all",
        "Takes a limit without a unit for one in every unit.",
        (EACH, TOTAL),
        lambda limit, q, used: _soft_unless(("unit" not in limit or _unit(q, limit)) and _within(limit, q, used)),
    ),
    (
        "unit-mismatch-passes",
        "Lets a quantity in another unit pass.",
        (EACH, TOTAL),
        lambda limit, q, used: _soft_unless(not _unit(q, limit) or _within(limit, q, used)),
    ),
    (
        "unit-mismatch-is-hard",
        "Answers forbidden to a quantity in another unit.",
        (EACH, TOTAL),
        lambda limit, q, used: "hard" if not _unit(q, limit) else _soft_unless(_within(limit, q, used)),
    ),
    (
        "limits-ignore-scales",
        "Compares amounts whatever their scales.",
        (EACH, TOTAL),
        lambda limit, q, used: _soft_unless(_unit(q, limit) and _amounts(limit, q)),
    ),
    (
        "limits-of-the-same-scale-only",
        "Refuses a limit in another scale.",
        (WITHIN,),
        lambda limit, q, used: _soft_unless(
            limit.get("scale") == q.get("scale") and _unit(q, limit) and _within(limit, q, used)
        ),
    ),
    (
        "limits-round",
        "Compares whole units and drops the digits after the point.",
        (EACH, TOTAL),
        lambda limit, q, used: _soft_unless(
            _unit(q, limit) and (used + exact(q)) // 10**18 <= exact(limit, "max") // 10**18
        ),
    ),
)
for _id, _says, _kills, _compare in COMPARED:
    add(Fault(f"yea/{_id}", _says, _kills, _compared(_compare)))


def _on_every_measure(name: str) -> Any:
    right = CAVEATS[name]

    def outcome(limit: Any, context: Context, block_id: str) -> Any:
        uses = (context.proposal or {}).get("uses")
        reported = isinstance(uses, dict) and limit["of"] in uses
        return right.outcome(limit, context, block_id) if reported else "soft"

    return replace(right, outcome=outcome)


add(
    Fault(
        "yea/unreported-measures-fail",
        "Asks for consent when a limited measure is not reported.",
        (WITHIN, NOTHING, "yea/6.3/satisfied-caveats-let-a-commit-pass"),
        ruled({**CAVEATS, **{name: _on_every_measure(name) for name in ("each", "total")}}),
    )
)


@fault("yea/soft-beats-hard", HARD)
class SoftBeatsHard(Service):
    """Asks for consent when a limit fails, whatever else does."""

    def evaluate(self, grant: Grant, context: Context) -> Verdict:
        """Drop what failed hard when something failed softly."""
        verdict = super().evaluate(grant, context)
        return Verdict((), verdict.soft) if verdict.soft else verdict


@fault("yea/the-first-failure-decides", HARD)
class FirstFailure(Service):
    """Judges caveats up to the first that fails."""

    def evaluate(self, grant: Grant, context: Context) -> Verdict:
        """Look at one caveat at a time."""
        for at, level in enumerate(grant.caveats):
            for caveat in level:
                alone = tuple((caveat,) if n == at else () for n in range(len(grant.caveats)))
                single = Grant(grant.blocks, grant.issuer, grant.holder, grant.block_ids, alone)
                verdict = super().evaluate(single, context)
                if verdict.decision != "ok":
                    return verdict
        return Verdict()


@fault("yea/totals-are-never-charged", ADDS, BURST, SLOW, CHAIN, TWICE, UNDONE)
class NeverCharged(Service):
    """Judges each commit as if it were the first under its totals."""

    def reserve(self, grant: Grant, uses: dict[str, Json]) -> Reservation:
        """Take nothing."""
        return []


@fault("yea/totals-are-charged-after-the-effect", SLOW)
class ChargedAfter(Service):
    """Charges a commit's totals once it has happened."""

    def execute(self, record: ProposalRecord, request: Request, authorized: Any, *, auto: bool = False) -> Work:
        """Charge at the end."""
        uses = record.proposal.get("uses")
        body = yield from super().execute(record, request, authorized, auto=auto)
        super().reserve(authorized.grant, uses if isinstance(uses, dict) else {})
        return body

    def reserve(self, grant: Grant, uses: dict[str, Json]) -> Reservation:
        """Take nothing yet."""
        return []


@fault("yea/totals-are-checked-apart-from-charging", BURST, SLOW)
class CheckedApart(Service):
    """Lets a moment pass between judging a commit and charging it."""

    def execute(self, record: ProposalRecord, request: Request, authorized: Any, *, auto: bool = False) -> Work:
        """Wait first."""
        request.now = yield Pause(0.05)
        return (yield from super().execute(record, request, authorized, auto=auto))


class _Totals(Service):
    """Keeps totals under names of its own."""

    def named(self, grant: Grant, found: list[tuple[str, str, float | None]]) -> list[tuple[str, str, float | None]]:
        """The totals that count."""
        return found

    def totals_of(self, grant: Grant) -> list[tuple[str, str, float | None]]:
        """Name them."""
        return self.named(grant, super().totals_of(grant))


@fault("yea/only-root-totals-are-charged", CHAIN)
class OnlyRootTotals(_Totals):
    """Charges the totals of the root alone."""

    def named(self, grant: Grant, found: list[tuple[str, str, float | None]]) -> list[tuple[str, str, float | None]]:
        """Those of the root."""
        return [total for total in found if total[0] == grant.block_ids[0]]


@fault("yea/only-last-totals-are-charged", CHAIN)
class OnlyLastTotals(_Totals):
    """Charges the totals of the last block alone."""

    def named(self, grant: Grant, found: list[tuple[str, str, float | None]]) -> list[tuple[str, str, float | None]]:
        """Those of the last."""
        return [total for total in found if total[0] == grant.block_ids[-1]]


class KeyedOtherwise(Service):
    """Keeps what is used under a key made from the grant."""

    def key(self, grant: Grant, block_id: str) -> str:
        """The key in place of a block id."""
        return block_id

    def reserve(self, grant: Grant, uses: dict[str, Json]) -> Reservation:
        """Charge under the key."""
        return super().reserve(self._renamed(grant), uses)

    def used(self, grant: Grant) -> dict[str, dict[str, Json]]:
        """Look under the key."""
        found = super().used(self._renamed(grant))
        return {block_id: found.get(self.key(grant, block_id), {}) for block_id in grant.block_ids}

    def _renamed(self, grant: Grant) -> Grant:
        ids = tuple(self.key(grant, block_id) for block_id in grant.block_ids)
        return Grant(grant.blocks, grant.issuer, grant.holder, ids, grant.caveats)


@fault("yea/totals-by-holder", CHAIN)
class TotalsByHolder(KeyedOtherwise):
    """Keeps a total for each holder of a block."""

    def key(self, grant: Grant, block_id: str) -> str:
        """Block and holder."""
        return f"{block_id} {grant.holder}"


@fault("yea/totals-by-token", CHAIN)
class TotalsByToken(KeyedOtherwise):
    """Keeps a total for each token."""

    def key(self, grant: Grant, block_id: str) -> str:
        """Block and last block."""
        return f"{block_id} {grant.block_ids[-1]}"


@fault("yea/totals-by-principal", ADDS)
class TotalsByPrincipal(KeyedOtherwise):
    """Keeps one total for all grants of a principal to a holder."""

    def key(self, grant: Grant, block_id: str) -> str:
        """Issuer, holder and place in the chain."""
        return f"{grant.issuer} {grant.holder} {grant.block_ids.index(block_id)}"


@fault("yea/a-total-said-twice-is-charged-twice", TWICE, outcome="warned")
class ChargedTwice(Service):
    """Charges a total once for each time that the block says it."""

    def totals_of(self, grant: Grant) -> list[tuple[str, str, float | None]]:
        """Repeat them."""
        found = []
        for block_id, measure, until in super().totals_of(grant):
            level = grant.caveats[grant.block_ids.index(block_id)]
            said = [c["total"] for c in level if isinstance(c, dict) and "total" in c]
            found += [(block_id, measure, until)] * sum(isinstance(s, dict) and s.get("of") == measure for s in said)
        return found


@fault("yea/failed-commits-stay-charged", FAILED)
class StayCharged(Service):
    """Keeps what a failed commit reserved."""

    def release(self, reserved: Reservation) -> None:
        """Give nothing back."""


@fault("yea/failed-commits-give-back-twice", FAILED)
class GiveBackTwice(Service):
    """Gives back twice what a failed commit reserved."""

    def release(self, reserved: Reservation) -> None:
        """Once more."""
        super().release(reserved)
        super().release(reserved)


@fault("yea/undo-gives-totals-back", UNDONE)
class UndoGivesBack(Service):
    """Gives an undone commit's quantities back to its totals."""

    def reverse(self, record: Any, request: Request) -> Work:
        """Empty every total that the request's grants have."""
        body = yield from super().reverse(record, request)
        for grant in self.valid_grants(request):
            for block_id, measure, until in self.totals_of(grant):
                self.store.totals.put(f"{block_id} {measure}", TotalRecord(0, until))
        return body


@fault("yea/replays-are-charged", REPLAYED)
class ReplaysCharged(Service):
    """Charges a total for each replay."""

    def check_replay(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> None:
        """Charge as well."""
        super().check_replay(record, request, grants)
        uses = record.proposal.get("uses")
        self.reserve(grants[0], uses if isinstance(uses, dict) else {})
