"""Who takes part in a check: principals that sign grants, and agents that hold them and sign proofs.

Agents are made fresh for every check, so that no two share a proposal, a handle or an auto frame id.
"""

import secrets
from collections.abc import Callable
from typing import Any

from harness.errors import Untested
from reference.yea import grants, proofs
from reference.yea.canonical import CanonicalError
from reference.yea.keys import KeyPair

HOUR = 3600


def new_key() -> KeyPair:
    """Return a fresh key pair from the system's randomness."""
    return KeyPair(secrets.token_bytes(32))


class Agent:
    """The client's side of a key: it signs proofs for one service.

    Args:
        key: its key pair.
        aud: the service's id.
        clock: the target's time in unix seconds.
    """

    def __init__(self, key: KeyPair, aud: str, clock: Callable[[], float]) -> None:
        self.key, self._aud, self._clock = key, aud, clock

    @property
    def public(self) -> str:
        """The public key, as `ed25519:…`."""
        return self.key.public

    def proof(self, verb: str, target: str, *, ts: int | None = None, aud: str | None = None) -> dict[str, Any]:
        """Return a proof over verb and target (YEA 6.5); `ts` defaults to the target's now, `aud` to its id."""
        when = int(self._clock()) if ts is None else ts
        try:
            return dict(proofs.sign(self.key, aud=self._aud if aud is None else aud, verb=verb, target=target, ts=when))
        except CanonicalError as problem:
            raise Untested(f"no proof can be over what the target sent: {problem}") from None


class Principal:
    """A party that signs grants (YEA 6.2).

    Args:
        key: its key pair.
        service: the id that grants are scoped to by default.
        clock: the target's time in unix seconds.
    """

    def __init__(self, key: KeyPair, service: str, clock: Callable[[], float]) -> None:
        self.key, self._service, self._clock = key, service, clock

    @property
    def public(self) -> str:
        """The public key, as `ed25519:…`."""
        return self.key.public

    def grant(self, to: Agent | str, *more: dict[str, Any], **caveats: Any) -> str:
        """Return a root grant's token.

        By default its caveats are `svc` for this service and `exp` in an hour. Keywords add or replace caveats by
        name (`verbs=["COMMIT"]`, `exp=…`; None leaves one out); `more` are caveats appended as they are.
        """
        listed = {"svc": [self._service], "exp": int(self._clock()) + HOUR, **caveats}
        made = [{name: value} for name, value in listed.items() if value is not None]
        return self.sign(to, [*made, *more])

    def sign(self, to: Agent | str, caveats: list[Any]) -> str:
        """Return a root grant with exactly these caveats."""
        nonce = secrets.token_urlsafe(12)
        try:
            return grants.issue(self.key, sub=_public(to), caveats=caveats, iat=int(self._clock()), nonce=nonce)
        except grants.GrantError as problem:
            raise Untested(f"no grant can hold what the target sent: {problem}") from None

    def consent(self, to: Agent | str, proposal: dict[str, Any]) -> str:
        """Return the consent grant to a proposal: the five caveats of YEA 6.6 and nothing else.

        Raises Untested for a proposal without the members that it is bound to.
        """
        missing = [name for name in ("capability", "hash", "expires") if name not in proposal]
        if missing:
            raise Untested(f"nobody can consent to a proposal without {', '.join(missing)}")
        return self.sign(to, consent_caveats(self._service, proposal))


def consent_caveats(service: str, proposal: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a consent's caveats, written out here so that the harness does not lean on the code under test."""
    return [
        {"svc": [service]},
        {"verbs": ["COMMIT"]},
        {"can": [proposal["capability"]]},
        {"only": proposal["hash"]},
        {"exp": proposal["expires"]},
    ]


def delegate(token: str, by: Agent, to: Agent | str, *caveats: dict[str, Any], iat: int) -> str:
    """Return the grant with one more block: `by` delegates to `to` under further caveats (YEA 6.2)."""
    return grants.delegate(token, by.key, sub=_public(to), caveats=list(caveats), iat=iat)


def _public(who: Agent | str) -> str:
    return who if isinstance(who, str) else who.public
