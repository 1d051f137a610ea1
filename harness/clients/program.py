"""The reference client as a program that can be certified (docs/client-contract.md): jobs in, one JSON line each."""

import json
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.clients.results import DONE, FAILED, UNSUPPORTED
from harness.targets.tls import trusting
from reference.yea.client import (
    Clarify,
    Client,
    ClientError,
    ConsentRequest,
    ConsentRequired,
    Proposals,
    Receipt,
    Reply,
    open_link,
)
from reference.yea.client.links import Link
from reference.yea.client.principal import sign_consent
from reference.yea.keys import KeyPair

Frame = dict[str, Any]
Said = dict[str, str]


@dataclass(frozen=True)
class Order:
    """What the command line asks for: where, which jobs, and who acts. `principal` is the key of who approves."""

    url: str
    jobs: tuple[str, ...]
    capability: str
    params: Frame
    key: KeyPair | None = None
    grants: tuple[str, ...] = ()
    principal: KeyPair | None = None
    ca: Path | None = None


class Program:
    """Does the jobs of an order, one after the other, over one connection."""

    def __init__(self, order: Order) -> None:
        self.order = order

    async def run(self, say: Callable[[str], None]) -> None:
        """Do all jobs; `say` gets the line of each as soon as it is done."""
        try:
            link = await self.link()
        except ClientError as problem:
            for _ in self.order.jobs:
                say(json.dumps(failed(problem)))
            return
        async with self.client(link) as client:
            for job in self.order.jobs:
                say(json.dumps(await self.result(client, job)))

    async def link(self) -> Link:
        """Open the connection."""
        ca = self.order.ca
        return await open_link(self.order.url, context=trusting(ca) if ca is not None else None)

    def client(self, link: Link) -> Client:
        """Return the client on a connection."""
        return Client(link, key=self.order.key, grants=self.order.grants, name="naysayer client")

    async def result(self, client: Client, job: str) -> Said:
        """Do one job and return what to say of it."""
        if job not in JOBS:
            return {"outcome": UNSUPPORTED, "why": f"there is no job {job[:40]!r}"}
        try:
            if client.service_id is None:
                await self.hello(client)
            return await JOBS[job](self, client)
        except ConsentRequired as problem:
            return {**failed(problem), "consent": self.consent(problem.request)}
        except ClientError as problem:
            return failed(problem)

    async def hello(self, client: Client) -> None:
        """Learn who the service is."""
        await client.hello()

    async def ask(self, client: Client) -> Said:
        """ASK, and show the model the answer."""
        return self.done(await client.ask(self.order.capability, self.order.params))

    async def auto(self, client: Client) -> Said:
        """INTENT with auto."""
        reply = await client.intent(self.order.capability, self.order.params, auto=True)
        if not isinstance(reply, Receipt):
            return {"outcome": FAILED, "why": f"it was not committed, but answered by {reply.frame.get('kind')}"}
        return self.done(reply)

    async def commit(self, client: Client, *, approved: bool = False) -> Said:
        """INTENT, the first option of a CLARIFY, and COMMIT of the first sound proposal.

        approved: whether a person stands by who approves what is shown.
        """
        reply = await client.intent(self.order.capability, self.order.params)
        if isinstance(reply, Clarify):
            reply = await client.intent(self.order.capability, reply.picked(1, self.order.params))
        if not isinstance(reply, Proposals):
            return {"outcome": FAILED, "why": f"INTENT was answered by {reply.frame.get('kind')}"}
        try:
            return self.done(await client.commit(reply.proposals[0]))
        except ConsentRequired as problem:
            if not approved or self.order.principal is None:
                raise
            token = self.approve(self.order.principal, problem.request)
            receipt = await client.commit(reply.proposals[0], consent=token)
            return {**self.done(receipt), "consent": self.consent(problem.request)}

    async def approved(self, client: Client) -> Said:
        """The same, with a person who approves what is shown."""
        return await self.commit(client, approved=True)

    def approve(self, key: KeyPair, request: ConsentRequest) -> str:
        """The principal's side: sign what a person has approved."""
        return sign_consent(key, request, iat=int(time.time()), nonce=secrets.token_urlsafe(12))

    def done(self, reply: Reply) -> Said:
        """Say that a job is done, and what the model is shown."""
        return {"outcome": DONE, "shown": self.shown(reply)}

    def shown(self, reply: Reply) -> str:
        """What the model is shown of a reply (YEA 9)."""
        return reply.lens

    def consent(self, request: ConsentRequest) -> str:
        """What a person is shown who is asked to approve (YEA 6.6)."""
        return request.text()


JOBS: dict[str, Callable[[Program, Client], Awaitable[Said]]] = {
    "ask": lambda program, client: program.ask(client),
    "commit": lambda program, client: program.commit(client),
    "auto": lambda program, client: program.auto(client),
    "approve": lambda program, client: program.approved(client),
}


def failed(problem: Exception) -> Said:
    """What is said of a job that failed."""
    return {"outcome": FAILED, "why": f"{type(problem).__name__}: {problem}"[:1000]}
