"""What an agent signs and presents: its key, its grants, and proofs for one audience (YEA 6)."""

from collections.abc import Callable, Iterable

from reference.yea import proofs
from reference.yea.client.errors import BadReply, NoAudience, NoGrant
from reference.yea.client.frames import Frame, short
from reference.yea.grants import Grant, GrantError, decode
from reference.yea.keys import KeyPair


class Wallet:
    """One agent's key and grants, and the service that it has learned to talk to.

    audience: the service's id, or None before a HELLO has succeeded.
    """

    def __init__(self, key: KeyPair | None, tokens: Iterable[str], clock: Callable[[], float]) -> None:
        """key: None for an agent that signs nothing. clock: the time, in unix seconds.

        Raises GrantError for a token that is no grant to this key.
        """
        self.key = key
        self.audience: str | None = None
        self._clock = clock
        self._held: list[tuple[str, Grant]] = []
        for token in tokens:
            self.hold(token)

    def hold(self, token: str) -> None:
        """One grant more. Raises GrantError for a token that is no grant to this key."""
        self._held.append((token, self.read(token)))

    def read(self, token: str) -> Grant:
        """The grant of a token. Raises GrantError when it is none, or not to this key."""
        grant = decode(token)
        if self.key is None or grant.holder != self.key.public:
            own = self.key.public if self.key is not None else "no key"
            raise GrantError(f"the grant is to {grant.holder}, and this agent has {own}")
        return grant

    def learn(self, service: str) -> None:
        """A HELLO has succeeded. Raises BadReply when the id is not what it was (YEA 4.1: it MUST be stable)."""
        if self.audience is not None and service != self.audience:
            raise BadReply(f"the service's id was {short(self.audience)} and is now {short(service)}")
        self.audience = service

    def usable(self, more: Iterable[str] = ()) -> list[str]:
        """The tokens to present to this service, `more` of them first. Raises NoAudience, and GrantError for `more`.

        One that a `svc` caveat keeps to other services is none of this one's business.
        """
        held = [*((token, self.read(token)) for token in more), *self._held]
        if not held:
            return []
        service = self.known_audience()
        return [token for token, grant in held if is_for(grant, service)]

    def known_audience(self) -> str:
        """YEA 6.5: a client that has not learned the service's id signs nothing. Raises NoAudience."""
        if self.audience is None:
            raise NoAudience("nothing is signed before a HELLO has told whom for (YEA 6.5); send HELLO first")
        return self.audience

    def signed(self, frame: Frame, target: str, tokens: list[str]) -> Frame:
        """The frame with grants, if there are any, and a proof over this target (YEA 6.5). Raises NoAudience."""
        if self.key is None:
            return frame
        aud, verb, ts = self.known_audience(), str(frame["verb"]), int(self._clock())
        proof = proofs.sign(self.key, aud=aud, verb=verb, target=target, ts=ts)
        return {**frame, **({"grants": tokens} if tokens else {}), "proof": proof}

    def need(self, tokens: list[str], verb: str) -> list[str]:
        """The tokens, of which there must be one (YEA 3). Raises NoGrant."""
        if not tokens:
            raise NoGrant(f"{verb} needs a grant for {short(self.known_audience())}, and this agent holds none")
        return tokens


def is_for(grant: Grant, service: str) -> bool:
    """Whether every `svc` caveat of a grant, in every block, lists the service (YEA 6.3)."""
    caveats = [caveat for block in grant.caveats for caveat in block if isinstance(caveat, dict)]
    named = [caveat["svc"] for caveat in caveats if "svc" in caveat]
    return all(isinstance(services, list) and service in services for services in named)
