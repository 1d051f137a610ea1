"""Faults of EXPAND and of handles (YEA 4.6)."""

from harness.faults import Fault, add, fault
from reference.yea.errors import YeaError
from reference.yea.fitting import Cut
from reference.yea.service import Body, Frame, Request, Service
from reference.yea.service.store import HandleRecord
from reference.yea.types import Json

GOES_ON = "yea/4.6/expand-goes-on-where-it-stopped"
WHOLE = "yea/4.6/slices-make-the-whole"
BOUND = "yea/4.6/bound-handle-needs-its-key"


@fault("yea/expand-skips-one", GOES_ON, WHOLE)
class ExpandSkips(Service):
    """Leaves out the first item, or character, of the rest."""

    def slice(self, record: HandleRecord) -> Json:
        return super().slice(HandleRecord(record.kind, record.rest[1:], record.key, record.until))


@fault("yea/expand-is-backwards", GOES_ON, WHOLE)
class ExpandBackwards(Service):
    """Gives the rest in reverse."""

    def slice(self, record: HandleRecord) -> Json:
        return super().slice(HandleRecord(record.kind, record.rest[::-1], record.key, record.until))


@fault("yea/expand-loses-letters", GOES_ON, WHOLE)
class ExpandLosesLetters(Service):
    """Leaves out the first character of the rest of a string."""

    def slice(self, record: HandleRecord) -> Json:
        rest = record.rest[1:] if isinstance(record.rest, str) else record.rest
        return super().slice(HandleRecord(record.kind, rest, record.key, record.until))


@fault("yea/expand-gets-a-clarify", GOES_ON)
class ExpandGetsClarify(Service):
    """Answers EXPAND by another kind than ANSWER."""

    def expand(self, request: Request) -> Body:
        return {**super().expand(request), "kind": "CLARIFY", "question": "Which part?", "options": []}


@fault("yea/handles-work-once", GOES_ON, outcome="warned")
class HandlesWorkOnce(Service):
    """Forgets a handle once it was expanded."""

    def expand(self, request: Request) -> Body:
        body = super().expand(request)
        self.store.handles.remove(str(request.frame["handle"]))
        return body


@fault("yea/handles-live-5-s", "yea/4.6/handles-live", outcome="warned")
class HandlesLive5(Service):
    """Forgets a handle after 5 seconds."""

    HANDLE_LIFE = 5.0


@fault("yea/handles-live-300-s", "yea/4.6/handles-live-ten-minutes", outcome="warned")
class HandlesLive300(Service):
    """Forgets a handle after 300 seconds."""

    HANDLE_LIFE = 300.0


@fault("yea/bound-handles-need-no-proof", BOUND, "yea/4.6/handles-of-an-intent-are-bound")
class BoundNeedNoProof(Service):
    """Expands a bound handle without a proof."""

    def check_handle(self, request: Request, name: str, record: HandleRecord) -> None:
        if request.proof is not None:
            super().check_handle(request, name, record)


@fault("yea/bound-handles-take-any-key", BOUND, "yea/4.6/further-handles-are-bound-too")
class BoundTakeAnyKey(Service):
    """Expands a bound handle with a proof of any key."""

    def check_handle(self, request: Request, name: str, record: HandleRecord) -> None:
        if record.key is not None:
            self.check_proof(request, self.proof_target(request, handle=name))


@fault("yea/handle-proofs-are-not-verified", BOUND)
class HandleProofsUnverified(Service):
    """Looks only at the key that an EXPAND's proof names."""

    def check_handle(self, request: Request, name: str, record: HandleRecord) -> None:
        if record.key is not None and (request.proof is None or request.proof.key != record.key):
            raise YeaError("unauthorized", "the handle is bound to another key")


@fault("yea/bound-handles-are-nobodys", BOUND)
class BoundAreNobodys(Service):
    """Expands a bound handle for nobody, not even for the key that it is bound to."""

    def check_handle(self, request: Request, name: str, record: HandleRecord) -> None:
        if record.key is not None:
            raise YeaError("unauthorized", "the handle belongs to somebody")


@fault("yea/expand-needs-grants", BOUND)
class ExpandNeedsGrants(Service):
    """Asks for a grant to expand a bound handle."""

    def check_handle(self, request: Request, name: str, record: HandleRecord) -> None:
        super().check_handle(request, name, record)
        if record.key is not None and not request.frame.get("grants"):
            raise YeaError("unauthorized", "EXPAND needs a grant")


@fault("yea/unbound-handles-need-a-proof", "yea/4.6/unbound-handle-needs-no-proof")
class UnboundNeedProof(Service):
    """Asks for a proof to expand any handle."""

    def check_handle(self, request: Request, name: str, record: HandleRecord) -> None:
        self.check_proof(request, self.proof_target(request, handle=name))
        super().check_handle(request, name, record)


# Handles that are bound to no key: (id, the verb whose handles they are, what is wrong, the check that sees it).
UNBOUND: tuple[tuple[str, str, str, str], ...] = (
    ("ask", "ASK", "Binds the handles of an ANSWER to no key.", BOUND),
    ("intent", "INTENT", "Binds the handles of PROPOSALS to no key.", "yea/4.6/handles-of-an-intent-are-bound"),
    ("expand", "EXPAND", "Binds the handles that EXPAND gives to no key.", "yea/4.6/further-handles-are-bound-too"),
)


def _unbound(verb: str) -> type[Service]:
    class Unbound(Service):
        def bind_handle(self, cut: Cut, request: Request) -> str:
            name = super().bind_handle(cut, request)
            record = self.store.handles.get(name)
            if request.verb == verb and record is not None:
                self.store.handles.put(name, HandleRecord(record.kind, record.rest, None, record.until))
            return name

    return Unbound


for _name, _verb, _says, _check in UNBOUND:
    add(Fault(f"yea/handles-of-{_name}-are-unbound", _says, (_check,), _unbound(_verb)))


@fault("yea/expand-turns-budgets-round", "yea/4.6/expand-has-a-budget-of-its-own")
class ExpandTurnsBudgets(Service):
    """Gives less of the rest under a larger budget."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        return super().elide(frame, 2_000_000 // budget if request.verb == "EXPAND" else budget, request)


@fault("yea/expand-has-no-budget", "yea/4.6/expand-has-a-budget-of-its-own", outcome="warned")
class ExpandHasNoBudget(Service):
    """Gives all of the rest, whatever the budget."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        return super().elide(frame, 10**9 if request.verb == "EXPAND" else budget, request)
