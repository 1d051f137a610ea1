"""The runner: runs checks over a target's transports in one event loop, and gives a row for each.

At most `jobs` checks run at once. A check that waits for the clock gives its slot back, and such checks start first,
so waiting overlaps the rest. Checks that need the target for themselves run one by one at the end. The runner knows
nothing of reports but the row; where rows go is the caller's business.
"""

import asyncio
import contextlib
import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from harness.catalogue import Catalogue
from harness.check import Check
from harness.context import Context
from harness.errors import NotApplicable, TargetFault, TargetGone, Untested, Verdict
from harness.facts import Facts
from harness.guard import Guard
from harness.monitors import Tally, Watch
from harness.outcomes import Ending, early, monitor_row, row
from harness.patience import Patience
from harness.profile import Profile
from harness.slots import Slots
from harness.targets.base import Target
from harness.targets.http import HttpConnection
from harness.transcript import Transcript
from reports.masking import Masker
from reports.model import Row
from reports.transcript import Event, Recorder


@dataclass
class Plan:
    """What a run is to do.

    `targets` are the transports by name, `replay` returns the command that runs one row again, `masker` removes
    secrets from text, `sink` takes each row as it is made, `selected` says that checks were picked by hand, `only` is
    the one id that is reported where others run to make traffic for it.
    """

    checks: list[Check]
    watch: Watch
    targets: dict[str, Target]
    facts: Facts
    profile: Profile
    catalogue: Catalogue
    sink: Callable[[Row], None]
    replay: Callable[[str, str], str]
    seed: int = 0
    jobs: int = 8
    slow: bool = False
    selected: bool = False
    only: str | None = None
    masker: Masker = field(default_factory=Masker)
    run_id: str = field(default_factory=lambda: secrets.token_hex(5))


class Runner:
    """Runs a plan once."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.gone = ""
        self.lacking: dict[str, str] = {}
        self.guard = Guard(plan.profile, lambda: frozenset(plan.facts.capabilities))
        self.guard.commits.update(plan.facts.committed)
        self._slots = Slots(plan.jobs)
        self._crowds = {name: Slots(target.at_once or plan.jobs) for name, target in plan.targets.items()}
        self._died = asyncio.Event()
        self._done: set[tuple[str, str]] = set()

    async def run(self) -> None:
        """Run every check over every transport and close the monitors. On cancellation, call `abandon` after it."""
        together, alone = self._order()
        async with asyncio.TaskGroup() as group:
            for check, transport in together:
                group.create_task(self._slot(check, transport))
        for check, transport in alone:
            await self._slot(check, transport)
        self._close_monitors()

    def abandon(self, why: str) -> None:
        """Give a row to everything that has none yet: untested, for this reason."""
        for check, transport in (item for group in self._order() for item in group):
            self._put(
                check,
                transport,
                early(check, transport, Untested(why), self.plan.catalogue, self._replay(check.id, transport)),
            )
        self._close_monitors()

    def _order(self) -> tuple[list[tuple[Check, str]], list[tuple[Check, str]]]:
        """Return what may run together, waiting checks first and the rest in an order of the seed, and what may not."""
        items = [(c, t) for c in self.plan.checks for t in c.over(self.plan.targets)]
        items.sort(key=lambda item: (item[0].id, item[1]))
        random.Random(self.plan.seed).shuffle(items)
        items.sort(key=lambda item: not item[0].waits)
        alone = [item for item in items if self._runs_alone(item[0])]
        # A restart leaves commits in doubt, which stop auto-commits for a while: the order of the ids heeds that.
        alone.sort(key=lambda item: (item[0].restarts, item[0].id if item[0].restarts else ""))
        return [item for item in items if item not in alone], alone

    def _runs_alone(self, check: Check) -> bool:
        roles = (self.plan.profile.roles.get(name) for name in (*check.needs, *check.also))
        return check.alone or check.restarts or any(role is not None and role.shared for role in roles)

    async def _slot(self, check: Check, transport: str) -> None:
        async with self._crowds[transport], self._slots:
            if (check.id, transport) in self._done:
                return
            verdict = self._refusal(check, transport)
            if verdict is None:
                await self._check(check, transport)
            else:
                self._put(
                    check,
                    transport,
                    early(check, transport, verdict, self.plan.catalogue, self._replay(check.id, transport)),
                )

    def _refusal(self, check: Check, transport: str) -> NotApplicable | Untested | None:
        """Return why a check cannot start, or None."""
        if self.gone:
            return Untested(f"target gone: {self.gone}")
        missing = [name for name in check.needs if name not in self.plan.profile.roles]
        if missing:
            return NotApplicable(f"the profile offers no role {', '.join(missing)}")
        if check.principals > len(self.plan.profile.seeds):
            have = len(self.plan.profile.seeds)
            return NotApplicable(f"needs {check.principals} trusted principals, the profile has {have}")
        target = self.plan.targets[transport]
        if check.stress and not (target.loopback or target.managed or self.plan.profile.stress):
            return NotApplicable("floods and oversize need stress = true in the profile")
        if check.slow and not self.plan.slow:
            return NotApplicable("needs --slow")
        return None

    async def _check(self, check: Check, transport: str) -> None:
        plan = self.plan
        loop = asyncio.get_running_loop()
        begun = loop.time()
        transcript = Transcript(
            loop.time, plan.watch.observe, plan.masker, transport, check.id, sending=plan.watch.sent
        )
        patience = Patience(check.deadline)

        async def pause(seconds: float) -> None:
            outside = self._crowds[transport].step_aside(self._wait(seconds))
            await patience.aside(self._slots.step_aside(outside))  # back in the order in which it came in

        others = {name: target for name, target in plan.targets.items() if name != transport}
        context = Context(
            check, plan.targets[transport], others, plan.facts, plan.profile, self.guard, plan.catalogue,
            transcript, plan.run_id, plan.seed, pause, patience.answered, patience.aside,
        )  # fmt: skip
        problem: BaseException | None = None
        try:
            async with patience:
                await check.body(context)
        except TimeoutError as timeout:
            problem = patience.verdict() if patience.over else timeout
        except Exception as raised:  # whatever a check raises belongs in its row
            problem = raised
        finally:
            await context.close()
        if isinstance(problem, TargetFault) or (check.restarts and isinstance(problem, Untested)):
            await self._probe(transport, problem)
        self.lacking.update(context.lacking)
        ending = Ending(tuple(context.findings), problem, loop.time() - begun, transcript.events, dict(context.lacking))
        self._put(check, transport, row(check, transport, ending, plan.catalogue, self._replay(check.id, transport)))

    async def _wait(self, seconds: float) -> None:
        """Wait for the clock, but no longer for a target that is gone."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._died.wait()
        if self.gone:
            raise Untested(f"target gone: {self.gone}")

    async def _probe(self, transport: str, problem: Verdict) -> None:
        """After an answer that never came, or a restart, see whether the target is still there at all."""
        if self.gone:
            return
        silent = Transcript(lambda: 0.0, lambda *_: None, str, transport, "probe")
        try:
            connection = await self.plan.targets[transport].connect(silent, "probe")
            try:
                if isinstance(connection, HttpConnection):
                    await connection.get()
            finally:
                await connection.close()
        except TargetGone as gone:
            self.gone = gone.why
            self._died.set()
            problem.why = f"{problem.why}; the target died during this check ({gone.why})"
        except TargetFault:
            return  # it is there, and answers badly

    def _close_monitors(self) -> None:
        for entry in self.plan.watch.monitors:
            for transport in (name for name in self.plan.targets if name in entry.transports):
                tally = self.plan.watch.tallies.get((entry.id, transport), Tally())

                def recorded(tally: Tally = tally) -> tuple[Event, ...]:
                    recorder = Recorder(lambda: 0.0, mask=self.plan.masker)
                    recorder.received(tally.where, tally.excerpt)
                    return recorder.events

                key = (entry.id, transport)
                if key not in self._done:
                    self._done.add(key)
                    self.plan.sink(
                        monitor_row(entry, transport, tally, self.plan.catalogue, self._replay(*key), recorded)
                    )

    def _replay(self, check_id: str, transport: str) -> str:
        return self.plan.replay(check_id, transport)

    def _put(self, check: Check, transport: str, made: Row) -> None:
        if (check.id, transport) not in self._done:
            self._done.add((check.id, transport))
            self.plan.sink(made)
