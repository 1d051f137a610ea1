"""The client that an agent uses: six verbs, and the rules that the spec puts on clients (YEA 2 to 9)."""

import asyncio
import os
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import cast

from reference.yea import proofs
from reference.yea.client import consent, replies
from reference.yea.client.errors import NoReply, Unsendable
from reference.yea.client.frames import Frame, FrameIds, encode, short
from reference.yea.client.joining import Assembly
from reference.yea.client.links import Link, OnEvent
from reference.yea.client.multiplex import Received
from reference.yea.client.opening import open_link
from reference.yea.client.proposals import Proposal
from reference.yea.client.replies import Answer, Brief, Clarify, ConsentRequired, Proposals, Receipt, Refused, Reply
from reference.yea.client.signing import Wallet
from reference.yea.framing import MAX_FRAME
from reference.yea.jsontext import has_lone_surrogate
from reference.yea.keys import KeyPair
from reference.yea.types import as_integer

TIMEOUT = 30.0
"""Seconds that a final reply may take."""


def _ignore(_: Frame) -> None:
    return None


class Client:
    """A connection to one service, for one agent.

    Any number of requests may run at once. Every method raises a `ClientError`: `Refused` when the service answered
    with an ERROR, `BadReply` when it broke a rule, `NoReply` and `ConnectionLost` when no answer came, and a `Misuse`
    when nothing was sent at all. After a lost reply ASK, COMMIT and UNDO may be sent again; an auto INTENT must not be,
    for the commit may have happened: look first.
    """

    def __init__(
        self,
        link: Link,
        *,
        key: KeyPair | None = None,
        grants: Iterable[str] = (),
        name: str = "yea client",
        budget: int | None = None,
        timeout: float = TIMEOUT,
        on_event: OnEvent = _ignore,
        clock: Callable[[], float] = time.time,
        random_bytes: Callable[[int], bytes] = os.urandom,
    ) -> None:
        """link: closed with this. key: the agent's; without one nothing is signed. grants: tokens of grants to it.

        name: what HELLO calls the agent. budget: estimated tokens a reply may take, the service's default if None.
        timeout: seconds a final reply may take. on_event: gets every EVENT frame. clock: unix seconds.
        Raises GrantError for a token that is no grant to this key, ValueError for a budget below 1.
        """
        self._link = link
        self._wallet = Wallet(key, grants, clock)
        self._name, self._budget, self._timeout, self._on_event = name, _checked(budget), timeout, on_event
        self._ids = FrameIds(random_bytes)

    @property
    def service_id(self) -> str | None:
        """The service's id, once a HELLO has succeeded."""
        return self._wallet.audience

    def hold(self, token: str) -> None:
        """One grant more, to present from now on. Raises GrantError for a token that is no grant to this key."""
        self._wallet.hold(token)

    # --- verbs ---------------------------------------------------------------------------------

    async def hello(self, *, budget: int | None = None) -> Brief:
        """HELLO: what the service can do, and its id, without which nothing is signed (YEA 4.1, 6.5)."""
        key = self._wallet.key
        agent = {"name": self._name, **({"key": key.public} if key is not None else {})}
        brief = cast(Brief, await self._request("HELLO", {"agent": agent}, budget))
        self._wallet.learn(brief.service_id)
        return brief

    async def ask(self, capability: str, params: Frame | None = None, *, budget: int | None = None) -> Answer:
        """ASK: read, without side effects (YEA 4.2). With grants only where the agent holds some for this service."""
        members: Frame = {"capability": capability, "params": params or {}}
        return cast(Answer, await self._request("ASK", members, budget, tokens=self._wallet.usable()))

    async def intent(
        self,
        capability: str,
        params: Frame | None = None,
        *,
        goal: str | None = None,
        auto: bool = False,
        budget: int | None = None,
    ) -> Proposals | Clarify | Receipt:
        """INTENT: say what is wanted (YEA 4.3). A Receipt comes only for `auto`, where policy allows it (YEA 4.3.1)."""
        members: Frame = {"capability": capability, "params": params or {}}
        members |= {"goal": goal} if goal is not None else {}
        members |= {"auto": True} if auto else {}
        reply = await self._request("INTENT", members, budget, tokens=self._wallet.usable())
        return cast(Proposals | Clarify | Receipt, reply)

    async def commit(self, proposal: Proposal, *, consent: str | None = None, budget: int | None = None) -> Receipt:
        """COMMIT a proposal, exactly as it was read (YEA 4.4). consent: the token of a principal's approval.

        Raises BadProposal when it is not what its hash says, NoGrant without a grant, and ConsentRequired when a
        principal has to approve first.
        """
        # YEA 5.1: the hash binds what was seen, so it is recomputed from that.
        proposal.check()
        tokens = self._wallet.need(self._wallet.usable([consent] if consent is not None else []), "COMMIT")
        members: Frame = {"proposal": proposal.id, "hash": proposal.hash}
        try:
            return cast(Receipt, await self._request("COMMIT", members, budget, tokens=tokens))
        except Refused as refusal:
            raise self._with_consent(refusal, proposal) from None

    async def undo(self, receipt: Receipt | str, *, budget: int | None = None) -> Receipt:
        """UNDO a receipt, given itself or by its id (YEA 4.5). Raises NoGrant without a grant."""
        name = receipt.id if isinstance(receipt, Receipt) else receipt
        tokens = self._wallet.need(self._wallet.usable(), "UNDO")
        return cast(Receipt, await self._request("UNDO", {"receipt": name}, budget, tokens=tokens))

    async def expand(self, handle: str, *, budget: int | None = None) -> Answer:
        """EXPAND: the next slice of what was left out (YEA 4.6). Signed, if the agent has a key: handles are bound."""
        return cast(Answer, await self._request("EXPAND", {"handle": handle}, budget, signed=True))

    async def whole(self, reply: Reply, *, budget: int | None = None) -> Reply:
        """The reply with everything that was left out put back, by as many EXPANDs as it takes (YEA 4.6, 8).

        Raises BadReply when the parts do not fit, and when there are more than 1,000 or they hold over 64 MiB.
        """
        parts = Assembly(reply.frame)
        while (handle := parts.next_handle) is not None:
            part = await self.expand(handle, budget=budget)
            parts.add(part.frame, part.size)
        return replies.read_again(parts.frame, reply)

    async def close(self) -> None:
        """Ends the connection. What waits has lost it."""
        await self._link.close()

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # --- requests ------------------------------------------------------------------------------

    async def _request(
        self, verb: str, members: Frame, budget: int | None, *, tokens: list[str] | None = None, signed: bool = False
    ) -> Reply:
        """Sends a request, signed when it has grants to present or `signed` says so, and reads its reply."""
        auto = "auto" in members
        name = self._ids.new(auto=auto)
        chosen = self._budget if budget is None else _checked(budget)
        frame: Frame = {"yea": 1, "id": name, "verb": verb, **members}
        frame |= {"budget": chosen} if chosen is not None else {}
        # YEA 10: a service has to refuse it, and nothing with a lone surrogate can be signed
        if has_lone_surrogate(frame):
            raise Unsendable("the request holds a lone surrogate, so it is no frame")
        if tokens or signed:
            names = {part: members.get(part) for part in ("capability", "hash", "receipt", "handle")}
            target = proofs.target(verb, auto=auto, frame_id=name, **names)
            frame = self._wallet.signed(frame, target, tokens or [])
        received = await self._exchange(name, _line(frame), verb)
        return replies.read(received, f"auto {verb}" if auto else verb)

    async def _exchange(self, name: str, line: bytes, verb: str) -> Received:
        try:
            async with asyncio.timeout(self._timeout):
                return await self._link.exchange(name, line, self._on_event)
        except TimeoutError:
            raise NoReply(f"no reply to {verb} within {self._timeout:g} s{self._link.hint()}") from None

    def _with_consent(self, refusal: Refused, proposal: Proposal) -> Refused:
        """A refusal that a principal can lift, with what the principal may be shown; else the refusal itself.

        Raises BadConsent for a request that does not match, BadProposal for a proposal that may not be shown.
        """
        key, service = self._wallet.key, self._wallet.audience
        if refusal.code != "consent_required" or key is None or service is None:
            return refusal
        asked = refusal.reply.frame.get("consent")
        return ConsentRequired(refusal.reply, consent.match(asked, proposal, service=service, agent=key.public))


async def connect(
    address: str,
    *,
    key: KeyPair | None = None,
    grants: Iterable[str] = (),
    budget: int | None = None,
    timeout: float = TIMEOUT,
    on_event: OnEvent = _ignore,
) -> Client:
    """A client of the service at an address (YEA 2.3), over the system's TLS authorities. See `Client`.

    It has not sent HELLO. For other authorities, headers and a child's standard error see `opening.open_link`.
    """
    link = await open_link(address)
    return Client(link, key=key, grants=grants, budget=budget, timeout=timeout, on_event=on_event)


def _line(frame: Frame) -> bytes:
    """The bytes of a request. YEA 2.1: a frame MUST NOT exceed 1 MiB."""
    line = encode(frame)
    if len(line) > MAX_FRAME:
        raise Unsendable(f"the request has {len(line):,} bytes, and a frame at most {MAX_FRAME:,}")
    return line


def _checked(budget: int | None) -> int | None:
    """YEA 3.1: a budget that is no whole number above 0 would count as none."""
    if budget is not None and (as_integer(budget) is None or budget < 1):
        raise ValueError(f"a budget is a whole number above 0, not {short(budget)}")
    return budget
