"""Services that use one freedom which a check once overlooked: no row may fail for it, nor be left untested."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from harness import laboratory
from harness.profile import Ask, built_in
from harness.selection import compile_selection
from reference.yea.caveats import Context
from reference.yea.conformance import conformance_service
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.quantities import value as exact
from reference.yea.service import Body, Frame, Intent, Plan, Request, Service
from reference.yea.service.capability import Capability
from reference.yea.service.steps import Pause, Steps, Work
from reference.yea.service.store import ProposalRecord, ReceiptRecord
from reports.model import Outcome

FAIR = (Outcome.PASSED, Outcome.WARNED, Outcome.NOT_APPLICABLE)
Made = Callable[[], Service]


def served(service_class: type[Service]) -> Made:
    """Return what makes a conformance service of a class."""
    return lambda: conformance_service(service_class=service_class)


def replanned(capability: str, **changes: Callable[[Plan], Any]) -> Made:
    """Return what makes a service whose plans of one capability ("" for all) have other members."""

    class Replanned(Service):
        """Plans otherwise."""

        def propose(self, plan: Plan, request: Request, intent: Intent, principal: str | None) -> ProposalRecord:
            if capability in ("", intent.name):
                plan = replace(plan, **{name: change(plan) for name, change in changes.items()})
            return super().propose(plan, request, intent, principal)

    return served(Replanned)


def irreversible(capability: str) -> Made:
    """Return what makes a service that cannot undo what one capability does."""
    return replanned(capability, undo=lambda plan: None)


def rising() -> Callable[[Plan], Any]:
    """Return a change of `uses` after which each plan uses one step more than the last one."""
    count = itertools.count(100)
    return lambda plan: {"spend": {"amount": next(count), "scale": 2, "unit": "USD"}}


def shrinking() -> Callable[[Plan], Any]:
    """Return a change of `summary` after which each is the beginning of the one before."""
    count = itertools.count()
    return lambda plan: plan.summary + "!" * (2000 - next(count))


class CountsTwice(Service):
    """Counts a commit twice against a total that stands twice in a block (YEA-Q69)."""

    def commit_context(self, record: ProposalRecord, request: Request, grant: Grant) -> Context:
        context = super().commit_context(record, request, grant)
        used = {block: dict(measures) for block, measures in context.used.items()}
        uses = record.proposal.get("uses")
        for block, caveats in zip(grant.block_ids, grant.caveats, strict=True):
            items: list[Any] = [*caveats]
            totals = [item["total"] for item in items if isinstance(item.get("total"), dict)]
            for measure in {str(total["of"]) for total in totals}:
                often = sum(total.get("of") == measure for total in totals)
                if often > 1 and isinstance(uses, dict) and measure in uses:
                    before = exact(used.get(block, {}).get(measure, {"amount": 0}))
                    more = exact(uses[measure]) * (often - 1)
                    used.setdefault(block, {})[measure] = {"amount": before + more, "scale": 18}
        return replace(context, used=used)


class FlagsTwice(Service):
    """Says auto and replay inside the receipt as well as beside it."""

    def receipt_body(self, receipt: Frame, *, replay: bool = False, auto: bool = False) -> Body:
        more = {name: True for name, said in (("replay", replay), ("auto", auto)) if said}
        return super().receipt_body({**receipt, **more}, replay=replay, auto=auto)


class TerseReceipts(Service):
    """Shortens the summary of a receipt, whatever the budget."""

    def receipt(self, record: ProposalRecord, request: Request, result: Any) -> Frame:
        receipt = super().receipt(record, request, result)
        return {**receipt, "summary": str(receipt["summary"])[:4]}


class CallsReceiptsAsProposals(Service):
    """Gives a receipt the id of its proposal."""

    def receipt(self, record: ProposalRecord, request: Request, result: Any) -> Frame:
        return {**super().receipt(record, request, result), "id": record.proposal["id"]}


class Shallow(Service):
    """Reads no JSON of more than 64 levels, as RFC 8259 allows in section 9."""

    def check_text(self, frame: Frame, raw: bytes) -> None:
        level: list[Any] = [frame]
        for _ in range(64):
            level = [
                inner
                for each in level
                if isinstance(each, (dict, list))
                for inner in (each.values() if isinstance(each, dict) else each)
            ]
        if any(isinstance(each, (dict, list)) for each in level):
            raise YeaError("bad_frame", "nested too deep")
        super().check_text(frame, raw)


class CountsByReply(Service):
    """Counts the ids of its frames from 1 for each request, as a bridge may that keeps nothing between POSTs."""

    def envelope(self, re: str, body: Body) -> Frame:
        sent = self.__dict__.setdefault("sent", {})
        sent[re] = sent.get(re, 0) + 1
        frame = {**super().envelope(re, body), "id": f"s_{sent[re]}"}
        if body["kind"] != "EVENT":
            del sent[re]
        return frame


class OtherPlans(Service):
    """Makes three suggestions and two in turn."""

    turns = 0

    def plan(self, request: Request, capability: Intent, principal: str | None) -> Body | list[ProposalRecord]:
        planned = super().plan(request, capability, principal)
        if capability.name != "calendar.suggest" or not isinstance(planned, list):
            return planned
        self.turns += 1
        return planned[: 2 + self.turns % 2]


class Together(Service):
    """Answers UNDOs of one moment alike, all without replay (YEA-Q39)."""

    moment = 0.0

    def undo(self, request: Request) -> Work:
        self.moment = request.now
        return (yield from super().undo(request))

    def reversal(self, record: ReceiptRecord, request: Request, result: Any) -> Frame:
        return {**super().reversal(record, request, result), "moment": str(request.now)}

    def undo_replay(self, record: ReceiptRecord) -> Frame:
        body = super().undo_replay(record)
        receipt = body["receipt"]
        alike = isinstance(receipt, dict) and receipt["moment"] == str(self.moment)
        return {name: value for name, value in body.items() if name != "replay"} if alike else body


class NeedsOneOfTwo(Service):
    """Needs one of two optional params, which its schema cannot say."""

    def fit_params(self, capability: Capability, request: Request) -> Frame:
        if capability.name == "calendar.book" and not {"title", "start"} & request.params.keys():
            raise YeaError(
                "invalid_params", "a title or a start is needed", fix=[{"say": "x", "params": {"title": "x"}}]
            )
        if capability.name == "shop.order" and "amount" not in request.params:
            raise YeaError("invalid_params", "an amount or a weight is needed", fix=[{"say": "x"}])
        return super().fit_params(capability, request)


class NeverCuts(Service):
    """Cuts nothing, whatever the budget; a SHOULD says otherwise."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        return frame


class NoProofTwice(Service):
    """Takes no proof of an UNDO a second time (YEA-Q72)."""

    def undo(self, request: Request) -> Work:
        seen = self.__dict__.setdefault("seen", set())
        sig = request.proof.sig if request.proof else ""
        if sig in seen:
            raise YeaError("unauthorized", "this proof was used before")
        seen.add(sig)
        return (yield from super().undo(request))


class OddKeys(Service):
    """Answers with keys that paths use letters of, and writes them as they are (YEA-Q77)."""

    def ask(self, request: Request) -> Body:
        body = super().ask(request)
        data = body["data"]
        odd = {f"{key} [all.of it]": value for key, value in data.items()} if isinstance(data, dict) else data
        return {**body, "data": odd} if request.frame.get("capability") in ("shop.menu", "shop.terms") else body


class QuotedKeys(OddKeys):
    """Quotes such keys in the paths of `more`."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        fitted = super().elide(frame, budget, request)
        more = fitted.get("more")
        for entry in more if isinstance(more, list) else []:
            if isinstance(entry, dict):
                entry["path"] = (
                    str(entry["path"]).replace("items [all.of it]", '"items"').replace("text [all", '"text"')
                )
        return fitted


class FewAtOnce(Service):
    """Takes eight requests of a connection at a time, and answers further ones by limit."""

    IN_FLIGHT = 8

    def handle(self, raw: bytes, now: float) -> Steps:
        """Take a moment for each, so that they pile up."""
        now = yield Pause(0.01)
        yield from super().handle(raw, now)


def short_ids() -> Service:
    """Return a service whose ids are small numbers."""
    count: Iterator[int] = itertools.count(1)
    return conformance_service(ids=lambda prefix: str(next(count)))


def without_letters() -> Service:
    """Return a service whose id has no letters."""
    service = conformance_service()
    service.id = "10.0.0.1:7447"
    return service


@dataclass(frozen=True)
class Oddity:
    """What makes the service, and which rows are looked at, as for `-k`."""

    make: Made
    only: str


ODDITIES: dict[str, Oddity] = {
    "several proposals that cannot be undone": Oddity(
        irreversible("calendar.suggest"), "yea/4.3.1 or yea/4.5 or yea/5.2"
    ),
    "a slow commit that cannot be undone": Oddity(irreversible("shop.deliver"), "yea/4.5"),
    "a failing commit that cannot be undone": Oddity(irreversible("shop.flaky"), "yea/4.3.1"),
    "a failing commit that uses nothing": Oddity(replanned("shop.flaky", uses=lambda plan: None), "yea/6.3"),
    "a total that stands twice counts twice": Oddity(served(CountsTwice), "yea/6.3/limits-at-the-quantity-let-it-pass"),
    "flags inside the receipt too": Oddity(served(FlagsTwice), "yea/4.3.1 or yea/5/flags-stand-beside-the-receipt"),
    "receipts with short summaries": Oddity(served(TerseReceipts), "yea/8/receipts-keep-all-but-their-result"),
    "receipts with the ids of their proposals": Oddity(
        served(CallsReceiptsAsProposals), "yea/4.4 or yea/4.5 or yea/6.5 or yea/6.1"
    ),
    "64 levels of JSON": Oddity(served(Shallow), "yea/2.1 or yea/3.1 or yea/10"),
    "another number of plans each time": Oddity(served(OtherPlans), "yea/8"),
    "another summary each time": Oddity(replanned("", summary=shrinking()), "yea/8"),
    "eight requests at a time": Oddity(served(FewAtOnce), "yea/2.2 or yea/2.3"),
    "ids of a letter or two": Oddity(short_ids, "yea/4.4"),
    "simultaneous UNDOs without replay": Oddity(served(Together), "yea/4.5/simultaneous-undos-reverse-once"),
    "another price each time": Oddity(replanned("shop.order", uses=rising()), "yea/6.3 or yea/4.4 or yea/4.3.1"),
    "an id without letters": Oddity(without_letters, "yea/6.3"),
    "one of two optional params": Oddity(served(NeedsOneOfTwo), "yea/4.1.1"),
    "nothing is ever cut": Oddity(served(NeverCuts), "yea"),
    "no proof twice": Oddity(served(NoProofTwice), "yea/4.3.1/first-grant-names-the-principal"),
    "keys with brackets and dots": Oddity(served(OddKeys), "yea/8 or yea/4.6"),
    "such keys in quotes": Oddity(served(QuotedKeys), "yea/8 or yea/4.6"),
}


@pytest.mark.parametrize("name", ODDITIES)
def test_no_row_fails_or_stays_untested_for_an_oddity(name: str) -> None:
    oddity = ODDITIES[name]
    rows = laboratory.examine(oddity.make, compile_selection(oddity.only))
    assert rows
    assert [f"{row.id}@{row.transport} {row.outcome}: {row.why}" for row in rows if row.outcome not in FAIR] == []


def test_each_answer_of_the_bridge_may_count_its_ids_from_one() -> None:
    rows = laboratory.examine(
        served(CountsByReply), compile_selection("yea/2 or yea/4.3.1 or yea/4.4"), transports=("http",)
    )
    assert rows
    assert [f"{row.id} {row.outcome}: {row.why}" for row in rows if row.outcome not in FAIR] == []


def test_a_service_that_never_cuts_is_warned_and_told_why_the_rest_does_not_apply() -> None:
    rows = {row.id: row for row in laboratory.examine(served(NeverCuts), compile_selection("yea/8 or yea/4.6"))}
    assert rows["yea/8/answers-fit-their-budget"].outcome == Outcome.WARNED
    assert rows["yea/4.6/slices-make-the-whole"].outcome == Outcome.NOT_APPLICABLE
    assert "cut nothing at budget 200" in rows["yea/4.6/slices-make-the-whole"].why


def test_a_failing_commit_that_is_never_executed_by_an_auto_intent_proves_nothing() -> None:
    make, claim = irreversible("shop.flaky"), "yea/4.3.1/failed-auto-commits-at-most-once"
    assert {row.outcome for row in laboratory.examine(make, claim.__eq__)} == {Outcome.NOT_APPLICABLE}


def test_a_state_that_is_no_number_does_not_tell_how_often_a_commit_in_doubt_happened() -> None:
    known = built_in("conformance")
    state = replace(known.roles["doubt"].state or Ask("", {}, ""), path="")
    given = replace(known, roles={**known.roles, "doubt": replace(known.roles["doubt"], state=state)})
    (row,) = laboratory.examine(
        conformance_service, "yea/4.4/interrupted-commit-is-never-applied-again".__eq__, profile=given
    )
    assert (row.outcome, row.findings) == (Outcome.NOT_APPLICABLE, ())
    assert row.why.startswith("what the state ask of the role doubt reads is no number")
