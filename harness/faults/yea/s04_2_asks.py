"""Faults of ASK (YEA 4.2)."""

from collections import Counter
from typing import Any

from harness.faults import fault
from reference.yea.conformance.calendar import EventIntent
from reference.yea.errors import YeaError
from reference.yea.jsontext import dumps
from reference.yea.service import Body, Call, Intent, Request, Service

AGENDA = "calendar.agenda"


@fault("yea/answer-without-data", "yea/4.2/ask-gets-an-answer")
class AnswerWithoutData(Service):
    """Puts the data of an ANSWER under another name."""

    def ask(self, request: Request) -> Body:
        body = super().ask(request)
        return {"kind": "ANSWER", "result": body["data"]} if request.frame.get("capability") == AGENDA else body


@fault("yea/ask-gets-a-question", "yea/4.2/ask-ends-in-answer-or-error")
class AskGetsClarify(Service):
    """Answers an ASK with bad params by CLARIFY."""

    def ask(self, request: Request) -> Body:
        try:
            return super().ask(request)
        except YeaError as error:
            if error.code != "invalid_params":
                raise
            return {"kind": "CLARIFY", "question": error.message, "options": [{"label": "again", "params": {}}]}


@fault("yea/ask-changes-the-state", "yea/4.2/ask-changes-nothing")
class AskBooks(Service):
    """Books every known event once more when the agenda is asked for."""

    def ask(self, request: Request) -> Body:
        body = super().ask(request)
        book = self.capabilities["calendar.book"]
        if request.frame.get("capability") == AGENDA and isinstance(book, EventIntent):
            for name in list(book.world.objects):
                book.world.add(name, "", {"booked": True})
        return body


@fault("yea/ask-only-once", "yea/4.2/ask-may-be-repeated", outcome="warned", transports=("tcp",))
class AskOnlyOnce(Service):
    """Answers the same ASK for the agenda only three times."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.asked: Counter[str] = Counter()

    def ask(self, request: Request) -> Body:
        if request.frame.get("capability") == AGENDA:
            self.asked[dumps(request.params)] += 1
            if self.asked[dumps(request.params)] > 3:
                raise YeaError("limit", "this was asked before")
        return super().ask(request)


@fault("yea/ask-runs-intents", "yea/4.2/ask-of-an-intent-changes-nothing")
class AskRunsIntents(Service):
    """Carries out an intent capability that an ASK names."""

    def ask(self, request: Request) -> Body:
        capability = self.find_capability(request)
        if not isinstance(capability, Intent):
            return super().ask(request)
        call = Call(request.now, proposal=self.new_id("p_"))
        plans = capability.plan(self.fit_params(capability, request), call)
        if not isinstance(plans, list):
            return self.clarify(plans)
        for _ in capability.apply(plans[0].job, call):
            pass
        return {"kind": "ANSWER", "data": {"done": plans[0].summary}}
