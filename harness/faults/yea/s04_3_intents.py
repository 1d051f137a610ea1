"""Faults of INTENT without auto (YEA 4.3)."""

from typing import Any

from harness.faults import Fault, add, fault
from reference.yea.conformance.calendar import EventIntent
from reference.yea.errors import YeaError
from reference.yea.service import Body, Clarify, Request, Service
from reference.yea.service.steps import Work
from reference.yea.service.store import ProposalRecord

OPTIONS = "yea/4.3/clarify-options-have-label-and-params"
CLARIFY = "yea/4.3/clarify-options-resolve-it"


@fault("yea/goal-is-required", "yea/4.3/goal-is-optional")
class GoalRequired(Service):
    """Refuses an INTENT without a goal."""

    def intent(self, request: Request) -> Work:
        if request.goal is None:
            raise YeaError("invalid_params", "an INTENT says what it is for in `goal`")
        return (yield from super().intent(request))


@fault("yea/auto-is-the-default", "yea/4.3/intent-without-auto-only-proposes")
class AutoByDefault(Service):
    """Commits an INTENT without auto as well."""

    def auto_name(self, request: Request) -> str | None:
        return f"{request.key} {request.id}" if request.key is not None else None


@fault("yea/no-proposals", "yea/4.3/proposals-are-one-or-more", traffic="yea/4.3/intent-without-auto-only-proposes")
class NoProposals(Service):
    """Offers an empty list of proposals where there were three."""

    def offer(self, records: list[ProposalRecord]) -> Body:
        return super().offer(records[:1] if len(records) < 3 else [])


@fault("yea/question-is-an-object", "yea/4.3/clarify-has-a-question", traffic=CLARIFY)
class QuestionObject(Service):
    """Gives the question of a CLARIFY as an object."""

    def clarify(self, question: Clarify) -> Body:
        return {**super().clarify(question), "question": {"text": question.question}}


@fault("yea/options-resolve-nothing", "yea/4.3/clarify-options-resolve-it")
class OptionsResolveNothing(Service):
    """Offers options whose params leave the intent as ambiguous as it was."""

    def clarify(self, question: Clarify) -> Body:
        return super().clarify(Clarify(question.question, [(label, {"choice": 1}) for label, _ in question.options]))


@fault("yea/intent-changes-the-state", "yea/4.3/intent-changes-nothing", "yea/4.3/intent-without-auto-only-proposes")
class IntentChangesState(Service):
    """Applies what it only proposes."""

    def keep_proposal(self, record: ProposalRecord, now: float) -> None:
        super().keep_proposal(record, now)
        capability = self.capabilities[str(record.proposal["capability"])]
        change = record.job["change"]
        if isinstance(capability, EventIntent) and isinstance(change, dict):
            capability.world.add(str(record.job["object"]), "", change)


# Options that lack something: (id, what is wrong, the option in place of a right one).
BAD_OPTIONS: tuple[tuple[str, str, Any], ...] = (
    ("have-no-label", "Gives options of a CLARIFY without a label.", {"params": {"who": "ana.li"}}),
    ("have-no-params", "Gives options of a CLARIFY without params.", {"label": "Ana Li"}),
    ("have-params-in-a-list", "Gives the params of an option as a list.", {"label": "Ana Li", "params": ["ana.li"]}),
    ("are-strings", "Gives options of a CLARIFY as strings.", "Ana Li"),
)


def _with_options(option: Any) -> type[Service]:
    class OddOptions(Service):
        def clarify(self, question: Clarify) -> Body:
            return {**super().clarify(question), "options": [option]}

    return OddOptions


for _name, _says, _option in BAD_OPTIONS:
    add(Fault(f"yea/options-{_name}", _says, (OPTIONS,), _with_options(_option), traffic=CLARIFY))
