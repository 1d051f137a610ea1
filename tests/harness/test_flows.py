"""One flow over several transports: it ends alike everywhere, or the step that differs is named."""

import pytest

from harness import laboratory
from harness.flows import EXPECTED
from reference.yea.conformance import conformance_service
from reference.yea.errors import YeaError
from reference.yea.service import Request, Service
from reference.yea.service.steps import Work
from reports.model import Outcome, Row

BRIDGE = "yea/2.4/flow-is-the-same-as-on-a-stream"


class PlansNothing(Service):
    """Refuses every INTENT."""

    def intent(self, request: Request) -> Work:
        raise YeaError("unavailable", "not today")


class Undone(Service):
    """Refuses every UNDO."""

    def undo(self, request: Request) -> Work:
        raise YeaError("unavailable", "not today")


def row(service: type[Service], *transports: str) -> Row:
    (found,) = laboratory.examine(
        lambda: conformance_service(service_class=service), BRIDGE.__eq__, transports=transports
    )
    return found


@pytest.mark.parametrize("transports", [("http",), ("tcp", "http"), ("tcp", "tls", "http")])
def test_the_flow_is_compared_with_every_other_transport_or_with_what_must_be(transports: tuple[str, ...]) -> None:
    found = row(Service, *transports)
    assert found.outcome == Outcome.PASSED
    assert len(found.findings) == len(EXPECTED) * max(1, len(transports) - 1)


def test_a_flow_that_ends_early_everywhere_tells_nothing() -> None:
    found = row(PlansNothing, "tcp", "http")
    assert (found.outcome, found.why) == (
        Outcome.UNTESTED,
        "INTENT got ERROR unavailable, so the flow ends there",
    )


def test_a_step_that_must_not_fail_is_a_finding_where_there_is_nothing_to_compare_with() -> None:
    found = row(Undone, "http")
    assert found.outcome == Outcome.FAILED
    assert "wanted RECEIPT to UNDO, as over any transport; got ERROR unavailable" in found.why
