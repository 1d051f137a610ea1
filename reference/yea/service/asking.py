"""HELLO, ASK and EXPAND: the verbs that change nothing (YEA 4.1, 4.2, 4.6)."""

import difflib

from reference.yea.errors import YeaError
from reference.yea.fitting import expand
from reference.yea.service.authority import Authority
from reference.yea.service.capability import Ask, Call, Capability, Intent
from reference.yea.service.params import read_params
from reference.yea.service.reading import SHOWN, Request, shown
from reference.yea.service.steps import Body, Frame, Reply
from reference.yea.service.store import HandleRecord, is_past
from reference.yea.types import Json


class Asking(Authority):
    """The verbs that only read."""

    # --- HELLO ---------------------------------------------------------------------------------

    def hello(self, request: Request) -> Body:
        """YEA 4.1: HELLO is answered by a BRIEF, whoever asks."""
        return self.brief()

    def brief(self) -> Body:
        """The whole BRIEF."""
        service: Frame = {"id": self.id, "name": self.name, "summary": self.summary}
        entries: list[Json] = [self.entry(capability) for capability in self.capabilities.values()]
        return {"kind": "BRIEF", "service": service, "capabilities": entries}

    def entry(self, capability: Capability) -> dict[str, Json]:
        """A capability as the BRIEF lists it (YEA 4.1)."""
        return capability.entry()

    def discover(self, now: float) -> Reply:
        """YEA 2.4: the BRIEF that a default HELLO gets."""
        hello: Frame = {"yea": 1, "id": "discover", "verb": "HELLO"}
        return self.finish(self.read_request(hello, b"", now), self.brief())

    # --- ASK -----------------------------------------------------------------------------------

    def ask(self, request: Request) -> Body:
        """YEA 4.2: ASK is answered by an ANSWER and changes nothing."""
        capability = self.find_ask(request)
        principal = self.acting_for(request, capability.name)
        params = self.fit_params(capability, request)
        data = capability.answer(params, Call(request.now, principal, request.goal))
        return {"kind": "ANSWER", "data": data}

    def find_ask(self, request: Request) -> Ask:
        """The ask capability that the request names. Raises `unknown_capability`."""
        capability = self.find_capability(request)
        if not isinstance(capability, Ask):
            raise self.wrong_kind(capability, "INTENT")
        return capability

    def find_intent(self, request: Request) -> Intent:
        """The intent capability that the request names. Raises `unknown_capability`."""
        capability = self.find_capability(request)
        if not isinstance(capability, Intent):
            raise self.wrong_kind(capability, "ASK")
        return capability

    def find_capability(self, request: Request) -> Capability:
        """The capability that the request names. Raises `unknown_capability` (YEA 3.1)."""
        name = self.read_name(request, "capability")
        capability = self.capabilities.get(name) if name is not None else None
        if capability is None:
            fix = self.suggest(name)
            raise YeaError("unknown_capability", f"there is no capability {shown(name)}", fix=[{"say": fix}])
        return capability

    def wrong_kind(self, capability: Capability, verb: str) -> YeaError:
        """YEA 4.2, 4.3: ASK is for ask capabilities, INTENT for intent capabilities."""
        message = f"{capability.name} is an {capability.kind} capability"
        return YeaError("unknown_capability", message, fix=[{"say": f"send {verb} instead"}])

    def suggest(self, name: str | None) -> str:
        """What to try in place of an unknown name. The work is bounded, however long the name is."""
        near = difflib.get_close_matches((name or "")[:SHOWN], self.capabilities, n=1)
        return f"use {near[0]}" if near else f"send HELLO for the {len(self.capabilities)} capabilities"

    def fit_params(self, capability: Capability, request: Request) -> dict[str, Json]:
        """The params by the capability's schema (YEA 4.1.1). Raises `invalid_params` with a fix."""
        return read_params(capability.params, request.params)

    # --- EXPAND --------------------------------------------------------------------------------

    def expand(self, request: Request) -> Body:
        """YEA 4.6: EXPAND is answered by the rest of the elided value."""
        name, record = self.find_handle(request)
        self.check_handle(request, name, record)
        request.expanding = record.kind
        return {"kind": "ANSWER", "data": self.slice(record)}

    def find_handle(self, request: Request) -> tuple[str, HandleRecord]:
        """The handle that the request names. Raises `expired` for an unknown or old one (YEA 3.1)."""
        name = self.read_name(request, "handle")
        record = self.store.handles.get(name) if name is not None else None
        if name is None or record is None or is_past(record, request.now):
            raise YeaError("expired", f"the handle {shown(name)} is unknown or has expired")
        return name, record

    def check_handle(self, request: Request, name: str, record: HandleRecord) -> None:
        """YEA 4.6: a bound handle needs a proof over the handle, by the same key."""
        if record.key is None:
            return
        self.check_proof(request, self.proof_target(request, handle=name))
        if request.key != record.key:
            raise YeaError("unauthorized", "the handle is bound to another key than that of the proof")

    def slice(self, record: HandleRecord) -> Json:
        """YEA 8: {"items": [...]} of an array, {"text": "..."} of a string."""
        return expand(record.rest)
