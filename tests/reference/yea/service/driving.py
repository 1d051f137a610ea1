"""Driving the sans-IO service in tests: a clock that is moved by hand, keys, grants, and requests in parallel."""

import heapq
import itertools
import json
from collections.abc import Iterable
from typing import Any

from reference.yea import grants, proofs
from reference.yea.conformance import PRINCIPAL_A_SEED, PRINCIPAL_B_SEED, SERVICE_ID, conformance_service
from reference.yea.consent import consent_caveats
from reference.yea.keys import KeyPair
from reference.yea.service import Pause, Reply, Service, Steps, counted_ids

NOW = 1_790_000_000.0
A, B, X = KeyPair(PRINCIPAL_A_SEED), KeyPair(PRINCIPAL_B_SEED), KeyPair(b"X" * 32)
K1, K2, K3 = KeyPair(b"1" * 32), KeyPair(b"2" * 32), KeyPair(b"3" * 32)
"""Two trusted principals and one that is not; three agents."""

Frame = dict[str, Any]
_nonces = itertools.count()


def grant(principal: KeyPair = A, holder: KeyPair = K1, *caveats: Any, base: bool = True) -> str:
    """A root grant for this service, an hour long, with further caveats. base False: with these alone."""
    usual: list[Any] = [{"svc": [SERVICE_ID]}, {"exp": int(NOW) + 3600}] if base else []
    nonce = str(next(_nonces))
    return grants.issue(principal, sub=holder.public, caveats=[*usual, *caveats], iat=int(NOW), nonce=nonce)


def delegated(token: str, key: KeyPair, holder: KeyPair, *caveats: Any) -> str:
    """The grant, delegated by its holder."""
    return grants.delegate(token, key, sub=holder.public, caveats=list(caveats), iat=int(NOW))


def consent(proposal: Frame, principal: KeyPair = A, holder: KeyPair = K1) -> str:
    """A consent grant to this proposal."""
    return grant(principal, holder, *consent_to(proposal), base=False)


def consent_to(proposal: Frame) -> list[Any]:
    """The caveats of a consent to this proposal."""
    return consent_caveats(SERVICE_ID, proposal["capability"], proposal["hash"], proposal["expires"])


class Caller:
    """Agents that talk to one service."""

    def __init__(self, service: Service | None = None) -> None:
        self.service = service or conformance_service(ids=counted_ids())
        self.now = NOW
        self._ids = itertools.count(1)

    # --- requests ------------------------------------------------------------------------------

    def send(self, frame: Frame | bytes) -> Frame:
        """The final reply; a pause moves the clock."""
        return self.replies(frame)[-1]

    def replies(self, frame: Frame | bytes) -> list[Frame]:
        """Every reply to one request."""
        return self.together([frame])[0]

    def together(self, frames: Iterable[Frame | bytes]) -> list[list[Frame]]:
        """The replies to requests that all arrive now and run side by side."""
        running: list[tuple[float, int, Steps]] = []
        replies: list[list[Frame]] = []
        for number, frame in enumerate(frames):
            replies.append([])
            steps = self.begin(frame)
            self._advance(steps, None, number, running, replies)
        while running:
            at, number, steps = heapq.heappop(running)
            self.now = max(self.now, at)
            self._advance(steps, self.now, number, running, replies)
        return replies

    def begin(self, frame: Frame | bytes) -> Steps:
        """The steps of one request."""
        raw = frame if isinstance(frame, bytes) else json.dumps(self.framed(frame)).encode()
        return self.service.handle(raw, self.now)

    def framed(self, frame: Frame) -> Frame:
        """The frame with what every frame needs."""
        return {"yea": 1, "id": f"c{next(self._ids)}"} | frame

    def _advance(
        self,
        steps: Steps,
        now: float | None,
        number: int,
        running: list[tuple[float, int, Steps]],
        replies: list[list[Frame]],
    ) -> None:
        try:
            step = next(steps) if now is None else steps.send(now)
            while isinstance(step, Reply):
                assert step.line == self.service.encode(step.frame)
                replies[number].append(step.frame)
                step = steps.send(self.now)
        except StopIteration:
            return
        assert isinstance(step, Pause)
        heapq.heappush(running, (self.now + step.seconds, number, steps))

    # --- frames --------------------------------------------------------------------------------

    def proof(self, key: KeyPair, verb: str, target: str, ts: float | None = None) -> Frame:
        """A proof for this service, by default at its time."""
        at = int(self.now if ts is None else ts)
        return proofs.sign(key, aud=SERVICE_ID, verb=verb, target=target, ts=at)

    def ask(self, capability: str, params: Any = None, **members: Any) -> Frame:
        """An ASK frame."""
        return {"verb": "ASK", "capability": capability, "params": params} | members

    def signed(self, verb: str, target: str, key: KeyPair, tokens: list[str], **members: Any) -> Frame:
        """A frame with grants and a proof."""
        return {"verb": verb, "grants": tokens, "proof": self.proof(key, verb, target)} | members

    def intent(self, capability: str, params: Frame, *tokens: str, key: KeyPair = K1, **members: Any) -> Frame:
        """An INTENT frame, by default under a grant of A."""
        return self.signed(
            "INTENT", capability, key, [*tokens] or [grant(A, key)], capability=capability, params=params, **members
        )

    def auto(self, capability: str, params: Frame, *tokens: str, key: KeyPair = K1, name: str, **members: Any) -> Frame:
        """An auto INTENT frame with this frame id."""
        frame = self.signed("INTENT", f"auto:{capability}:{name}", key, [*tokens] or [grant(A, key)])
        return frame | {"id": name, "auto": True, "capability": capability, "params": params} | members

    def commit(self, proposal: Frame, *tokens: str, key: KeyPair = K1, **members: Any) -> Frame:
        """A COMMIT frame, by default under a grant of A."""
        tokens = tokens or (grant(A, key),)
        frame = self.signed("COMMIT", proposal["hash"], key, [*tokens])
        return frame | {"proposal": proposal["id"], "hash": proposal["hash"]} | members

    def undo(self, receipt: Frame, *tokens: str, key: KeyPair = K1, **members: Any) -> Frame:
        """An UNDO frame, by default under a grant of A."""
        return self.signed("UNDO", receipt["id"], key, [*tokens] or [grant(A, key)], receipt=receipt["id"], **members)

    def expand(self, handle: str, key: KeyPair | None = None, **members: Any) -> Frame:
        """An EXPAND frame, with a proof if there is a key."""
        proof = {"proof": self.proof(key, "EXPAND", handle)} if key is not None else {}
        return {"verb": "EXPAND", "handle": handle} | proof | members

    # --- exchanges -----------------------------------------------------------------------------

    def propose(self, capability: str, params: Frame, *tokens: str, key: KeyPair = K1) -> Frame:
        """The first proposal of an INTENT."""
        reply = self.send(self.intent(capability, params, *tokens, key=key))
        assert reply["kind"] == "PROPOSALS", reply
        proposal: Frame = reply["proposals"][0]
        return proposal

    def committed(self, capability: str, params: Frame, *tokens: str, key: KeyPair = K1) -> Frame:
        """The receipt of an INTENT and COMMIT."""
        proposal = self.propose(capability, params, *tokens, key=key)
        reply = self.send(self.commit(proposal, *tokens, key=key))
        assert reply["kind"] == "RECEIPT", reply
        receipt: Frame = reply["receipt"]
        return receipt

    def draft(self, capability: str, params: Frame, *, key: KeyPair = K1) -> Frame:
        """A proposal that has no principal: no grant of its INTENT authorized it."""
        return self.propose(capability, params, grant(A, key, {"verbs": ["COMMIT"]}), key=key)

    def event(self, name: str) -> Frame:
        """The state of an event."""
        data: Frame = self.send(self.ask("calendar.event", {"event": name}))["data"]
        return data

    def order(self, name: str) -> Frame:
        """The state of an order."""
        data: Frame = self.send(self.ask("shop.status", {"order": name}))["data"]
        return data


def code(reply: Frame) -> str:
    """An error's code, or the kind of any other reply."""
    return str(reply["code"] if reply["kind"] == "ERROR" else reply["kind"])


def spend(measure: str, most: int, name: str = "total", unit: str | None = "USD", **members: Any) -> Frame:
    """A limit caveat in whole units."""
    return {name: {"of": measure, "max": most, **({"unit": unit} if unit else {}), **members}}
