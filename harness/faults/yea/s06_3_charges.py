"""YEA 6.3: totals that are charged for what was not done, or in the wrong place, or not exactly."""

from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.yea.s06_3_caveats import EACH, TOTAL, ruled
from harness.faults.yea.s06_3_limits import CHAIN, FAILED, KeyedOtherwise
from reference.yea.caveats import CAVEATS, Context
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.quantities import value as exact
from reference.yea.service import Request, Service
from reference.yea.service.authority import Judged
from reference.yea.service.executing import Authorized
from reference.yea.service.limits import Reservation
from reference.yea.service.steps import Work
from reference.yea.service.store import ProposalRecord
from reference.yea.types import Json

EXACT = "yea/6.3/a-total-is-exact-to-the-last-digit"
OWN = "yea/6.3/measures-have-totals-of-their-own"
ONE_SIDED = "yea/6.3/a-unit-on-one-side-is-a-mismatch"
SPANS = "yea/6.3/a-total-spans-capabilities"
REFUSED = "yea/6.3/a-refused-commit-uses-nothing-up"
HELD_BACK = "yea/6.3/an-auto-that-is-held-back-uses-nothing-up"
STEP = 10**18  # the unit in which totals are kept


def _uses(record: ProposalRecord) -> dict[str, Any]:
    uses = record.proposal.get("uses")
    return uses if isinstance(uses, dict) else {}


@fault("yea/refused-commits-are-charged", REFUSED)
class RefusedCharged(Service):
    """Charges the totals of a COMMIT before it looks at the other caveats."""

    def check_limits(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
        """Charge, and give back only where nothing fails."""
        try:
            return super().check_limits(record, judged)
        except YeaError:
            for grant, _ in judged:
                self.reserve(grant, _uses(record))
            raise


@fault("yea/every-presented-grant-is-charged", REFUSED)
class EveryGrantCharged(Service):
    """Charges the totals of every grant that came with a COMMIT, not of the one that authorizes it."""

    def check_limits(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
        """Charge the others too."""
        authorized = super().check_limits(record, judged)
        for grant, _ in judged:
            if grant is not authorized.grant:
                self.reserve(grant, _uses(record))
        return authorized


@fault("yea/held-back-autos-are-charged", HELD_BACK)
class HeldBackCharged(Service):
    """Charges an auto INTENT that gets PROPOSALS."""

    def auto_conditions(self, request: Request, record: ProposalRecord) -> Authorized | None:
        """Charge first."""
        authorized = super().auto_conditions(request, record)
        if authorized is None:
            for grant in self.valid_grants(request):
                self.reserve(grant, _uses(record))
        return authorized


@fault("yea/failed-commits-empty-their-totals", FAILED)
class FailedEmpty(Service):
    """Sets a total to nothing when a commit under it fails."""

    def release(self, reserved: Reservation) -> None:
        """Forget them."""
        for name, _ in reserved:
            self.store.totals.remove(name)


@fault("yea/totals-by-root", CHAIN)
class TotalsByRoot(KeyedOtherwise):
    """Keeps the totals of delegations under the id of their root."""

    def key(self, grant: Grant, block_id: str) -> str:
        """The root's, but for the place in the chain."""
        return f"{grant.id} {grant.block_ids.index(block_id)}"


@fault("yea/totals-by-capability", SPANS)
class TotalsByCapability(KeyedOtherwise):
    """Keeps a total for each capability."""

    capability = ""

    def execute(self, record: ProposalRecord, request: Request, authorized: Authorized, *, auto: bool = False) -> Work:
        """Note which one it is."""
        self.capability = str(record.proposal["capability"])
        return (yield from super().execute(record, request, authorized, auto=auto))

    def commit_context(self, record: ProposalRecord, request: Request, grant: Grant) -> Context:
        """Note which one it is."""
        self.capability = str(record.proposal["capability"])
        return super().commit_context(record, request, grant)

    def key(self, grant: Grant, block_id: str) -> str:
        """Block and capability."""
        return f"{block_id} {self.capability}"


@fault("yea/totals-without-their-measure", OWN)
class OneTotalForAll(Service):
    """Adds up all measures of a block."""

    def used(self, grant: Grant) -> dict[str, dict[str, Json]]:
        """The sum, for each of them."""
        found = super().used(grant)
        sums = {block: sum(exact(quantity) for quantity in used.values()) for block, used in found.items()}
        return {
            block: {measure: {"amount": sums[block], "scale": 18} for measure in used} for block, used in found.items()
        }


@fault("yea/only-the-first-measure-is-charged", OWN)
class FirstMeasure(Service):
    """Charges the first measure of a proposal alone."""

    def reserve(self, grant: Grant, uses: dict[str, Json]) -> Reservation:
        """Drop the rest."""
        return super().reserve(grant, dict(list(uses.items())[:1]))


def _changed(name: str, satisfied: Any, kills: tuple[str, ...], fault_id: str, says: str) -> None:
    """Register a service by which limits that are well-formed and reported hold whenever this says so."""

    def outcome(limit: Any, context: Context, block_id: str) -> Any:
        uses = (context.proposal or {}).get("uses")
        quantity = uses.get(limit["of"]) if isinstance(uses, dict) else None
        if not isinstance(quantity, dict):
            return CAVEATS[name].outcome(limit, context, block_id)
        before = context.used.get(block_id, {}).get(limit["of"]) if name == "total" else None
        return "satisfied" if satisfied(limit, quantity, exact(before) if before is not None else 0) else "soft"

    rule = CAVEATS[name]
    changed = type(rule)(rule.well_formed, outcome, rule.commit_only)
    add(Fault(f"yea/{fault_id}", says, kills, ruled({**CAVEATS, name: changed})))


def _number(quantity: dict[str, Any], amount: str) -> float:
    return float(quantity[amount]) / float(10 ** int(quantity.get("scale", 0)))


def _same_unit(limit: dict[str, Any], quantity: dict[str, Any]) -> bool:
    return bool(limit.get("unit") == quantity.get("unit"))


def _in_floats(limit: dict[str, Any], quantity: dict[str, Any], before: int) -> bool:
    """The sum as it comes out when every commit adds a float to the last sum."""
    step, total = _number(quantity, "amount"), 0.0
    for _ in range(round(before / STEP / step) if step else 0):
        total += step
    return _same_unit(limit, quantity) and total + step <= _number(limit, "max")


def _nearly(limit: dict[str, Any], quantity: dict[str, Any], before: int) -> bool:
    return _same_unit(limit, quantity) and before / STEP + _number(quantity, "amount") <= _number(limit, "max") + 1e-9


def _unit_where_both_have_one(limit: dict[str, Any], quantity: dict[str, Any], before: int) -> bool:
    mismatch = "unit" in limit and "unit" in quantity and not _same_unit(limit, quantity)
    return not mismatch and before + exact(quantity) <= exact(limit, "max")


_changed("total", _in_floats, (EXACT,), "totals-add-up-in-floats", "Adds up totals in floating point.")
_changed("total", _nearly, (EXACT, TOTAL), "totals-within-a-billionth", "Lets a total be passed by a billionth.")
_changed("each", _nearly, (EACH,), "each-within-a-billionth", "Lets an each be passed by a billionth.")
for _name in ("each", "total"):
    _says = f"Compares the units of {_name} only where both sides have one."
    _changed(_name, _unit_where_both_have_one, (ONE_SIDED,), f"a-unit-on-one-side-of-{_name}-passes", _says)
