"""Proposals and CLARIFY (YEA 4.3, 5.1)."""

from typing import Any

import pytest

from reference.yea.proposals import proposal_hash
from reference.yea.service import Call, Clarify, Intent, Job, Plan, Service
from reference.yea.types import Json
from tests.reference.yea.service.driving import K1, NOW, A, Caller, code, grant


def test_a_proposal_has_its_members_and_a_hash_that_recomputes() -> None:
    caller = Caller()
    proposal = caller.propose("shop.order", {"order": "o"})
    assert list(proposal) == ["id", "capability", "summary", "effects", "uses", "risk", "undo", "expires", "hash"]
    assert proposal["hash"] == proposal_hash(proposal)


def test_data_is_beside_the_hash() -> None:
    caller = Caller()
    for proposal in caller.send(caller.intent("calendar.suggest", {"event": "e"}))["proposals"]:
        assert proposal["hash"] == proposal_hash({k: v for k, v in proposal.items() if k != "data"})


def test_expiry_is_a_whole_minute_rounded_up_unless_the_plan_says_otherwise() -> None:
    caller = Caller()
    assert caller.propose("calendar.book", {"event": "e"})["expires"] == (int(NOW) + 600 + 59) // 60 * 60
    assert caller.propose("calendar.hold", {"event": "e"})["expires"] == int(NOW) + 5


def test_a_clarify_option_resolves_the_ambiguity() -> None:
    caller = Caller()
    params = {"event": "e"}
    reply = caller.send(caller.intent("calendar.plan", params))
    assert (code(reply), reply["question"]) == ("CLARIFY", "Which Ana do you mean?")
    assert [option["label"] for option in reply["options"]] == ["Ana Ruiz", "Ana Li"]
    for option in reply["options"]:
        assert code(caller.send(caller.intent("calendar.plan", params | option["params"]))) == "PROPOSALS"


def test_an_intent_changes_nothing() -> None:
    caller = Caller()
    before = caller.event("e")
    for _ in range(3):
        caller.propose("calendar.book", {"event": "e"})
    assert caller.event("e") == before


@pytest.mark.parametrize("budget", [1, 200])
def test_a_small_budget_drops_whole_proposals_and_alters_none(budget: int) -> None:
    caller = Caller()
    reply = caller.send(caller.intent("calendar.suggest", {"event": "e"}, budget=budget))
    for proposal in reply["proposals"]:
        assert proposal["hash"] == proposal_hash(proposal)
    [more] = [entry for entry in reply["more"] if entry["path"] == "proposals"]
    rest = caller.send(caller.expand(more["handle"], K1, budget=100_000))["data"]["items"]
    assert len(reply["proposals"]) + len(rest) == 3
    assert code(caller.send(caller.commit(rest[-1]))) == "RECEIPT"


class Odd(Intent):
    """Makes the one plan it is given."""

    name, summary = "odd", "odd"
    params: dict[str, Json] = {}

    def __init__(self, *plans: Plan) -> None:
        self.plans = list(plans)

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        return self.plans

    def apply(self, job: dict[str, Json], call: Call) -> Job:
        yield from ()
        return None

    revert = apply


def odd(**members: Any) -> Plan:
    """A plan that is odd in one member."""
    return Plan(**({"summary": "s", "effects": [], "job": {}} | members))


@pytest.mark.parametrize(
    "plans",
    [
        [],
        [odd(risk="extreme")],
        [odd(uses={"Bad": {"amount": 1}})],
        [odd(undo=-5)],
        [odd(undo=2**52 + 1)],
        [odd(effects=[{"op": "update", "target": "t", "to": 1.5}])],
    ],
)
def test_a_plan_that_no_proposal_may_say_is_the_services_own_error(
    plans: list[Plan], caplog: pytest.LogCaptureFixture
) -> None:
    caller = Caller(Service(id="s", name="n", summary="s", capabilities=[Odd(*plans)]))
    reply = caller.send({"verb": "INTENT", "capability": "odd"})
    assert (code(reply), reply["message"]) == ("internal", "the service failed to answer this request")
    assert "Traceback" in caplog.text


def test_a_window_of_0_is_irreversible() -> None:
    caller = Caller(Service(id="s", name="n", summary="s", capabilities=[Odd(odd(undo=0))]))
    assert caller.send({"verb": "INTENT", "capability": "odd"})["proposals"][0]["undo"] is None


def test_drafts_are_bounded_and_proposals_refuse() -> None:
    caller = Caller()
    caller.service.ROOM = caller.service.ROOM | {"drafts": 10, "proposals": 2}
    first = caller.draft("calendar.book", {"event": "e"})
    for _ in range(10):
        last = caller.draft("calendar.book", {"event": "e"})
    assert len(caller.service.store.drafts) == 10
    token = grant(A, K1)
    assert code(caller.send(caller.commit(first, token))) == "not_found"
    assert code(caller.send(caller.commit(last, token))) == "consent_required"
    replies = [caller.send(caller.intent("calendar.book", {"event": "e"})) for _ in range(3)]
    assert [code(reply) for reply in replies] == ["PROPOSALS", "PROPOSALS", "limit"]
    caller.now += 3600
    assert code(caller.send(caller.intent("calendar.book", {"event": "e"}, grant(A, K1, base=False)))) == "PROPOSALS"
