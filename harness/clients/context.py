"""The context `t` of a check on a client: it plays a service, starts the client, and returns what the client did.

A check gives a case for each job. Where the command takes `{do}`, one client does all jobs, one after the other; the
cases are then told apart by their proposals and by the order of the first requests. Where that order is not clear, and
where there is no `{do}`, each job is a run of its own.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.bench import BaseContext, Bench
from harness.clients import plays
from harness.clients.hosting import LOCAL, Hosted, hosted, listen
from harness.clients.plays import ASK, CHANGE, Asked, Case, Frame, Play, Say
from harness.clients.results import Result
from harness.clients.starting import Identity, Orders, Starter, Watching
from harness.errors import NotApplicable, TargetFault, Untested
from harness.targets.base import Target
from reference.yea.proposals import proposal_hash

COMMIT, AUTO, APPROVE = "commit", "auto", "approve"
COMMITTING = (COMMIT, APPROVE)


@dataclass
class ClientTarget(Target):
    """A transport over which clients are played to: how they are started, and the certificate for TLS and https."""

    starter: Starter = field(kw_only=True)
    chain: Path = field(kw_only=True)
    ca: Path = field(kw_only=True)
    host: str = field(kw_only=True)


@dataclass(frozen=True)
class Job:
    """What a client did in one job: the case that it met, its requests that belong to it, and what it said."""

    case: Case
    requests: tuple[Asked, ...]
    result: Result

    @property
    def commits(self) -> list[Frame]:
        """The COMMITs of the case's proposals, as sent."""
        return [asked.frame for asked in self.requests if asked.verb == "COMMIT"]

    @property
    def consent(self) -> str | None:
        """What a person was shown for approval; None for nothing."""
        return self.result.consent or None

    def seen(self) -> str:
        """What it did, in words."""
        sent = ", ".join(asked.verb for asked in self.requests) or "no request"
        return f"it sent {sent} and said {self.result.told()}"


@dataclass(frozen=True)
class Run:
    """One run of a client: its jobs, and the service as it was played."""

    jobs: tuple[Job, ...]
    where: Hosted
    identity: Identity

    @property
    def requests(self) -> list[Asked]:
        """All requests, in order."""
        return self.where.play.requests

    @property
    def signed(self) -> list[Asked]:
        """The requests that carry a proof."""
        return [asked for asked in self.requests if asked.signed]


class ClientContext(BaseContext):
    """What a check on a client may use, besides what every check may."""

    target: ClientTarget

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.service_id = f"{secrets.token_hex(6)}.played.naysayer.example"
        self._identity: Identity | None = None
        self._runs = 0

    @property
    def starter(self) -> Starter:
        """What starts the client."""
        return self.target.starter

    @property
    def identity(self) -> Identity:
        """Whom the client acts for, one for each check."""
        if self._identity is None:
            self._identity = self.starter.identity(self.service_id, self.target.clock)
        return self._identity

    def need(self, *placeholders: str) -> None:
        """Raise NotApplicable when the command does not take one of these placeholders."""
        missing = [name for name in placeholders if not self.starter.uses(name)]
        if missing:
            raise NotApplicable(f"the command does not take {{{'}, {'.join(missing)}}}")

    # What the service says

    def proposal(self, **members: Any) -> Frame:
        """Return a sound proposal but for these members, `...` for one left out; its hash is that of the rest."""
        body = {
            "id": f"p_{secrets.token_hex(6)}",
            "capability": CHANGE,
            "summary": "Book lunch",
            "effects": [
                {"op": "create", "target": "event/lunch", "field": "start", "to": "2026-09-24T12:00:00Z"},
                {"op": "send", "target": "ana@example.com", "detail": "invitation"},
            ],
            "uses": {"spend": {"amount": 2290, "scale": 2, "unit": "USD"}, "emails": {"amount": 1}},
            "risk": "low",
            "undo": {"window": 3600},
            "expires": (int(self.now()) // 60 + 60) * 60,
            **members,
        }
        kept = {name: value for name, value in body.items() if value is not ...}
        return {**kept, "hash": proposal_hash(kept)} if "hash" not in members else kept

    def offers(self, name: str, *proposals: Frame, **more: Any) -> Case:
        """Return a case whose INTENT is answered with these proposals."""
        return Case(name, (proposals_reply(*proposals),), **more)

    def good(self) -> Case:
        """Return a case that a client must commit, or the check proves nothing."""
        return self.offers("a sound proposal", self.proposal(), control=True)

    def answers(self, name: str, *said: Say, **more: Any) -> Case:
        """Return a case whose ASK is answered so."""
        return Case(name, said, **more)

    # What the client does

    async def around(self, do: str, control: Callable[[], Case], cases: Sequence[Case]) -> list[Job]:
        """Let the client do a job for each case, each between two controls; returns the jobs of the cases alone.

        Where each job is a run of its own, nothing passes from one to the next, so one control comes before all of them
        and one after. Raises what `jobs` does.
        """
        mixed = [control(), *(each for case in cases for each in (case, control()))]
        together = await self._together(do, mixed)
        if together is not None:
            return together[1::2]
        return (await self._apart(do, [control(), *cases, control()]))[1:-1]

    async def jobs(self, do: str, cases: Sequence[Case]) -> list[Job]:
        """Let the client do a job for each case; returns what it did.

        Raises NotApplicable when the command or the client says that it cannot do such jobs, Untested when a control
        does not succeed, TargetFault for a client that hangs, floods or crashes.
        """
        together = await self._together(do, cases)
        return together if together is not None else await self._apart(do, cases)

    async def _together(self, do: str, cases: Sequence[Case]) -> list[Job] | None:
        """Do all jobs in one run; None where there cannot be one, or where it does not show which job was which."""
        if do != COMMIT:
            self.need("do")
        if not self.starter.uses("do"):
            return None
        run = await self.run(do, cases)
        if in_order(run, cases) and all(succeeded(job, do) for job in run.jobs if job.case.control):
            return list(run.jobs)
        self.note("its jobs cannot be told apart, or a control failed: each job again, by a client of its own")
        return None

    async def _apart(self, do: str, cases: Sequence[Case]) -> list[Job]:
        """Do each job in a run of its own."""
        made = []
        for case in cases:
            made.append((await self.run(do, [case])).jobs[0])
            self.hold(made[-1], do)
        return made

    def hold(self, job: Job, do: str) -> None:
        """Raise NotApplicable or Untested unless a job succeeded, if it is a control."""
        if not job.case.control or succeeded(job, do):
            return
        if job.result.unsupported:
            raise NotApplicable(f"the client says that it lacks this: {job.result.why[:300]}")
        raise Untested(f"the control ({job.case.name}) did not succeed: {job.seen()}")

    async def run(
        self,
        do: str,
        cases: Sequence[Case],
        *,
        kind: str | None = None,
        host: str = LOCAL,
        port: int = 0,
        brief: tuple[Say, ...] = (),
        heard: Callable[[Asked, Watching], None] = lambda asked, watching: None,
    ) -> Run:
        """Start the client once against a service that plays these cases.

        Args:
            do: the job, done once a case.
            cases: what the service does, in order.
            kind: tcp, tls, http or https; by default the check's transport.
            host, port: where on loopback it is; a port that is given is not named in the address.
            brief: what answers HELLO instead of a good BRIEF.
            heard: told of each request.
        """
        watching = Watching()

        def hear(asked: Asked) -> None:
            # The first case is shown whole, and all that are no controls; the controls after it are the same again.
            self.transcript.recording = not asked.case or not cases[asked.case].control
            watching.heard()
            heard(asked, watching)

        play = Play(self.service_id, cases, brief, self.target.clock, hear, watching.moved)
        bound = listen(host, port)
        chosen = kind or self.transport
        async with hosted(play, chosen, _Named(self), self.target.chain, bound, port_in_url=not port) as where:
            times = f"{len(cases)} times " if len(cases) > 1 else ""
            self.note(f"a client is started to do {times}{do} at {where.url}")
            try:
                orders = Orders(where.url, do, len(cases), self.identity, self.target.ca)
                ran = await self.starter.run(orders, watching)
            except TargetFault as problem:
                at = min(max(play.began, 1), len(cases)) - 1
                raise TargetFault(f"{problem.why}; it met: {cases[at].name}") from None
        jobs = [
            Job(case, tuple(a for a in play.requests if a.case == number), ran.results[number])
            for number, case in enumerate(cases)
        ]
        self.transcript.recording = True
        for job in jobs:
            if not job.case.control:
                self.note(f"{job.case.name}: {job.seen()}")
        return Run(tuple(jobs), where, self.identity)


class _Named:
    """The transcript, with connections that no other run of the check has."""

    def __init__(self, t: ClientContext) -> None:
        t._runs += 1
        self._transcript, self._number = t.transcript, t._runs

    def _name(self, connection: str) -> str:
        kind = connection.rstrip("0123456789")
        return f"{kind}{self._number}.{connection.removeprefix(kind)}"

    def sent(self, connection: str, data: bytes) -> None:
        """See `Watcher`."""
        self._transcript.sent(self._name(connection), data)

    def received(self, connection: str, frame: Any) -> None:
        """See `Watcher`."""
        self._transcript.received(self._name(connection), frame)

    def spoiled(self, connection: str, junk: Any) -> None:
        """See `Watcher`."""
        self._transcript.spoiled(self._name(connection), junk)


def proposals_reply(*proposals: Frame) -> Frame:
    """Return a PROPOSALS reply."""
    return {"kind": "PROPOSALS", "proposals": list(proposals)}


def succeeded(job: Job, do: str) -> bool:
    """Whether a control did what it was for: it sent a request, a COMMIT where that is the job; or asked a person."""
    if job.case.refusal is not None and do == COMMIT:
        return job.consent is not None
    return job.result.done and bool(job.commits if do in COMMITTING else job.requests)


def in_order(run: Run, cases: Sequence[Case]) -> bool:
    """Whether a run's first requests were one a job, so that it is clear which job met which case."""
    play = run.where.play
    return play.began == len(cases) and play.resent == sum(case.again is not None for case in cases)


__all__ = ["APPROVE", "ASK", "AUTO", "COMMIT", "Case", "ClientContext", "Job", "Run", "plays"]
