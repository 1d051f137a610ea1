"""Requests to the conformance service as lines: ASKs, INTENTs, and COMMITs that are signed beforehand."""

import itertools
import json
import time
from dataclasses import dataclass
from typing import Any

from nacl.signing import VerifyKey

from reference.yea import b64url, grants, proofs
from reference.yea.canonical import canonical
from reference.yea.conformance import PRINCIPAL_A_SEED
from reference.yea.keys import KeyPair

PRINCIPAL = KeyPair(PRINCIPAL_A_SEED)
SERVICE = "conformance.naysayer.example"


def line(frame: dict[str, Any]) -> bytes:
    """Return a request as a line."""
    return json.dumps({"yea": 1, **frame}, separators=(",", ":")).encode() + b"\n"


def asks(count: int) -> list[bytes]:
    """Return ASKs for one object each."""
    return [
        line({"id": str(n), "verb": "ASK", "capability": "calendar.event", "params": {"event": f"e{n}"}})
        for n in range(count)
    ]


def intents(count: int) -> list[bytes]:
    """Return INTENTs that nobody signs: each leaves an open proposal."""
    return [
        line({"id": str(n), "verb": "INTENT", "capability": "calendar.book", "params": {"event": f"e{n}"}})
        for n in range(count)
    ]


@dataclass(frozen=True)
class Agent:
    """An agent with its key and grant, which asks for one object of its own.

    Args:
        number: new for each, of any agent that ever asks a service.
        key: its key.
        token: its grant.
    """

    number: int
    key: KeyPair
    token: str

    @classmethod
    def new(cls, number: int) -> "Agent":
        """Make the agent with this number."""
        key = KeyPair(number.to_bytes(32, "big"))
        caveats: list[Any] = [{"svc": [SERVICE]}, {"can": ["calendar.*"]}, {"exp": int(time.time()) + 3600}]
        token = grants.issue(PRINCIPAL, sub=key.public, caveats=caveats, iat=int(time.time()), nonce=f"n{number}")
        return cls(number, key, token)

    def _signed(self, frame: dict[str, Any], target: str) -> bytes:
        proof = proofs.sign(self.key, aud=SERVICE, verb=frame["verb"], target=target, ts=int(time.time()))
        return line({"id": str(self.number), **frame, "grants": [self.token], "proof": proof})

    def intent(self) -> bytes:
        """Return an INTENT for an object of this agent's own."""
        frame = {"verb": "INTENT", "capability": "calendar.book", "params": {"event": f"a{self.number}"}}
        return self._signed(frame, "calendar.book")

    def commit(self, proposals: bytes) -> bytes:
        """Return the COMMIT of the first proposal in a reply."""
        first = json.loads(proposals)["proposals"][0]
        return self._signed({"verb": "COMMIT", "proposal": first["id"], "hash": first["hash"]}, first["hash"])


_numbers = itertools.count(1)


def agents(count: int, *, own_grants: bool) -> list[Agent]:
    """Return agents, each with a key and a grant that no service has seen before, or all with the same one."""
    made = [Agent.new(next(_numbers)) for _ in range(count)]
    return made if own_grants else [Agent(each.number, made[0].key, made[0].token) for each in made]


Signed = tuple[bytes, bytes, bytes]
"""A public key, a message and its signature."""


def signatures(commit: bytes) -> tuple[Signed, Signed]:
    """Return the two signatures of a COMMIT, ready to verify: its proof's and its grant's."""
    frame = json.loads(commit)
    proof, (block,) = frame["proof"], grants.decode(frame["grants"][0]).blocks
    payload = block["p"]
    assert isinstance(payload, dict)  # noqa: S101 - decoded
    message = proofs.payload(SERVICE, "COMMIT", frame["hash"], proof["ts"])
    return (
        (_raw(proof["key"]), message, b64url.decode(proof["sig"])),
        (_raw(payload["iss"]), canonical(payload).encode(), b64url.decode(str(block["s"]))),
    )


def verify(signed: list[tuple[Signed, Signed]]) -> float:
    """Return the seconds that PyNaCl alone takes to verify the signatures of some COMMITs."""
    begun = time.perf_counter()
    for pair in signed:
        for public, message, signature in pair:
            VerifyKey(public).verify(message, signature)
    return time.perf_counter() - begun


def _raw(key: Any) -> bytes:
    return b64url.decode(str(key).removeprefix("ed25519:"))
