"""A service that others use at the same time: no row fails for what they did, and what cannot be told is untested."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from harness import laboratory
from harness.profile import Profile, built_in
from harness.selection import compile_selection, everything
from reference.yea.conformance import conformance_service
from reference.yea.service import Body, Request, Service, Steps
from reference.yea.service.store import ProposalRecord
from reports.model import Outcome, Row

COUNTS = ("orders", "bookings", "tips")
TOLD = (Outcome.PASSED, Outcome.NOT_APPLICABLE)
REFUSED, COMMITTED = "yea/4.4/hash-mismatch-conflicts", "yea/4.4/simultaneous-commits-execute-once"


class Crowded(Service):
    """Is used by somebody else between any two requests: lists and texts that all can read change."""

    others = 0

    def handle(self, raw: bytes, now: float) -> Steps:
        self.others += 1
        return super().handle(raw, now)

    def ask(self, request: Request) -> Body:
        body = super().ask(request)
        data = body["data"]
        return {**body, "data": self.changed(data)} if isinstance(data, dict) else body

    def changed(self, data: Body) -> Body:
        """The data as it reads by now."""
        if isinstance(data.get("items"), list):
            data = {**data, "items": [{"sku": f"x{n}", "name": "new"} for n in range(self.others % 7)] + data["items"]}
        if isinstance(data.get("events"), list):
            data = {**data, "events": data["events"][self.others % 3 :]}
        if isinstance(data.get("text"), str):
            data = {**data, "text": f"Edition {self.others}. {data['text']}"}
        return data


class Busy(Crowded):
    """Has one object, so to say: what somebody else orders and books counts into every reading."""

    def changed(self, data: Body) -> Body:
        counted = {name: count + self.others for name, count in data.items() if name in COUNTS}
        return {**super().changed(data), **counted}


class Wrong(Crowded):
    """Commits a proposal whatever the hash."""

    def check_hash(self, record: ProposalRecord, request: Request) -> None:
        return


class BusyAndWrong(Wrong, Busy):
    """The same, and busy."""


@cache
def shared_roles() -> Profile:
    """Return the built-in profile with roles that cannot be narrowed to one object."""
    known = built_in("conformance")
    return replace(known, roles={name: replace(role, shared=True) for name, role in known.roles.items()})


def rows(service: type[Service], profile: Profile, only: Callable[[str], bool] = everything) -> list[Row]:
    return laboratory.examine(
        lambda: conformance_service(service_class=service), only, profile=profile, transports=("tcp",)
    )


def bad(found: list[Row], *fair: Outcome) -> list[str]:
    return [f"{row.id} {row.outcome}: {row.why[:200]}" for row in found if row.outcome not in fair]


def test_nothing_fails_for_what_somebody_else_did_to_a_shared_object() -> None:
    found = rows(Busy, shared_roles())
    counts = Counter(row.outcome for row in found)
    assert bad(found, *TOLD, Outcome.UNTESTED) == []
    assert counts[Outcome.PASSED] > counts[Outcome.UNTESTED] > 50


def test_a_check_whose_own_object_nobody_else_touches_is_told() -> None:
    found = rows(Crowded, built_in("conformance"))
    assert bad(found, *TOLD, Outcome.UNTESTED) == []
    assert {row.id for row in found if row.outcome == Outcome.UNTESTED} <= {
        "yea/3/budget-is-2000-when-absent",
        "yea/3.1/bad-budgets-are-none",
        "yea/4.6/expand-goes-on-where-it-stopped",
        "yea/4.6/handles-live-side-by-side",
        "yea/4.6/slices-make-the-whole",
        "yea/8/what-is-left-out-is-announced",
    }


def test_it_is_said_what_could_not_be_told_apart() -> None:
    (row,) = rows(Busy, shared_roles(), REFUSED.__eq__)
    told = "the role undoable is shared, so it may be somebody else's doing: wanted state "
    assert (row.outcome, row.why.startswith(told)) == (Outcome.UNTESTED, True)


def test_a_quiet_shared_object_is_told() -> None:
    found = rows(Service, shared_roles(), compile_selection(f"{REFUSED} or {COMMITTED}"))
    assert [row.outcome for row in found] == [Outcome.PASSED] * 2


@pytest.mark.parametrize("at", [(BusyAndWrong, shared_roles()), (Wrong, built_in("conformance"))], ids=["busy", "own"])
def test_what_does_not_rest_on_a_reading_fails_all_the_same(at: tuple[type[Service], Profile]) -> None:
    (row,) = rows(*at, REFUSED.__eq__)
    assert row.outcome == Outcome.FAILED
    assert "got RECEIPT" in row.why
