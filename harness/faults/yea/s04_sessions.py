"""YEA 3 and 4: services that carry something over from one request to the next."""

import dataclasses
from typing import Any

from harness.faults import fault
from reference.yea.errors import YeaError
from reference.yea.framing import Line, Oversize
from reference.yea.service import Body, Frame, Request, Service
from reference.yea.service.steps import Work
from reference.yea.service.store import OPEN, HandleRecord
from reference.yea.transports.streams import Connection

NO_PROOF = "yea/4.1/agent-stands-for-no-proof"
NO_HANDLE = "yea/4.1/agent-opens-no-handle"
ONCE = "yea/3/grants-and-proofs-count-once"
ANONYMOUS = "yea/4.2/anonymous-asks-follow-signed-ones"
AGAIN = "yea/4.2/ask-may-be-sent-again"
ALONE = "yea/4.2/ask-leaves-proposals-alone"
AUTO = "yea/4.3.1/auto-is-for-intents-alone"


class _Introduced(Service):
    """Remembers the keys that HELLOs named."""

    def hello(self, request: Request) -> Body:
        """Remember the key."""
        agent = request.frame.get("agent")
        if isinstance(agent, dict):
            self.named().add(str(agent.get("key")))
        return super().hello(request)

    def named(self) -> set[str]:
        """Return the keys."""
        keys: set[str] = self.__dict__.setdefault("keys", set())
        return keys

    def holders(self, request: Request) -> list[str]:
        """Return the holders of the grants that are presented."""
        return [grant.holder for grant in map(self.decode_grant, request.grants) if grant is not None]


@fault("yea/hello-proves-a-key", NO_PROOF)
class HelloProves(_Introduced):
    """Asks for no proof of a key that a HELLO named."""

    def check_proof(self, request: Request, target: str) -> None:
        """Take the grant's holder for the sender."""
        holder = next((key for key in self.holders(request) if key in self.named()), None)
        if request.proof is not None or holder is None:
            super().check_proof(request, target)
        else:
            request.key = holder


@fault("yea/agent-proves-a-key", NO_PROOF)
class AgentProves(Service):
    """Takes the key of `agent` for that of a proof that is missing."""

    def check_proof(self, request: Request, target: str) -> None:
        """Look for it."""
        agent = request.frame.get("agent")
        if request.proof is not None or not isinstance(agent, dict):
            super().check_proof(request, target)
        else:
            request.key = str(agent.get("key"))


@fault("yea/hello-opens-handles", NO_HANDLE)
class HelloOpens(_Introduced):
    """Opens a handle to anybody once a HELLO named its key."""

    def check_handle(self, request: Request, name: str, record: HandleRecord) -> None:
        """Look whether one did."""
        if request.proof is not None or record.key not in self.named():
            super().check_handle(request, name, record)


@fault("yea/grants-are-remembered-by-key", ONCE)
class RemembersGrants(Service):
    """Takes the grants that a key presented before where there are none."""

    def read_request(self, value: Any, raw: bytes, now: float) -> Request:
        """Remember them."""
        request = super().read_request(value, raw, now)
        known: dict[str, list[str]] = self.__dict__.setdefault("known", {})
        if request.proof is None:
            return request
        if request.grants:
            known[request.proof.key] = request.grants
        return dataclasses.replace(request, grants=request.grants or known.get(request.proof.key, []))


@fault("yea/proofs-are-remembered-by-key", ONCE)
class RemembersProofs(_Introduced):
    """Asks for no proof of a key that has proved itself before."""

    def check_proof(self, request: Request, target: str) -> None:
        """Take the grant's holder for the sender."""
        holder = next((key for key in self.holders(request) if key in self.named()), None)
        if request.proof is None and holder is not None:
            request.key = holder
            return
        super().check_proof(request, target)
        self.named().add(str(request.key))


class _Sticky(Connection):
    """Gives a request without grants those that came before over the connection."""

    grants: list[str] | None = None

    def take(self, item: Line | Oversize) -> None:
        """Tell the service which connection this is."""
        self.service.__dict__["connection"] = self
        super().take(item)


@fault("yea/grants-stick-to-a-connection", ANONYMOUS, transports=("tcp",))
class Sticky(Service):
    """Gives a request without grants those that came before over its connection."""

    CONNECTION = _Sticky

    def read_grants(self, frame: Frame) -> list[str]:
        """Remember them."""
        connection: Any = self.__dict__["connection"]
        connection.grants = super().read_grants(frame) or connection.grants
        return connection.grants or []


@fault("yea/asks-have-ids-of-their-own-for-ever", AGAIN, outcome="warned")
class AskOnce(Service):
    """Refuses an ASK whose id it has answered before."""

    def ask(self, request: Request) -> Body:
        """Remember the id."""
        answered: set[str] = self.__dict__.setdefault("answered", set())
        if request.id in answered:
            raise YeaError("conflict", "this was answered before")
        answered.add(request.id)
        return super().ask(request)


@fault("yea/asks-drop-proposals", ALONE)
class AsksDrop(Service):
    """Forgets what it proposed to an agent when that asks for something."""

    def ask(self, request: Request) -> Body:
        """Drop the proposals of its key."""
        body = super().ask(request)
        for name, record in self.store.proposals.items():
            if request.key is not None and record.key == request.key and record.state == OPEN:
                self.store.proposals.remove(name)
        return body


@fault("yea/auto-moves-the-target-of-asks", AUTO)
class AutoAsks(Service):
    """Wants the proof of an ASK over its id where it says auto."""

    def proof_target(self, request: Request, **names: str) -> str:
        """Look at `auto` alone."""
        if request.auto and request.verb == "ASK":
            return f"auto:{names['capability']}:{request.id}"
        return super().proof_target(request, **names)


@fault("yea/auto-on-commit-is-repeated", AUTO)
class AutoCommits(Service):
    """Says auto on the RECEIPT of a COMMIT that does."""

    def commit(self, request: Request) -> Work:
        """Repeat it."""
        body = yield from super().commit(request)
        return {**body, "auto": True} if isinstance(body, dict) and request.auto else body
