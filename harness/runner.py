"""The runner: runs checks over a target's transports in one event loop, and gives a row for each.

At most `jobs` checks run at once. A check that waits for the clock gives its slot back, and such checks start first,
so waiting overlaps the rest. Checks that need the target for themselves run one by one at the end (`harness.order`).
The runner knows nothing of reports but the row; where rows go is the caller's business.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from harness import context as yea
from harness.bench import BaseContext, Bench
from harness.catalogue import Catalogue
from harness.check import Check
from harness.errors import NotApplicable, TargetFault, Untested, Verdict
from harness.monitors import Tally, Watch
from harness.monitors.needs import missing
from harness.order import World, order
from harness.outcomes import Ending, early, monitor_row, row
from harness.patience import Patience
from harness.presence import Presence
from harness.profile import Profile
from harness.slots import Slots
from harness.targets.base import Target
from harness.transcript import Transcript
from reports.masking import Masker
from reports.model import Row
from reports.transcript import Event, Recorder


@dataclass
class Plan:
    """What a run is to do.

    `targets` are the transports by name, `replay` returns the command that runs one row again, `masker` removes
    secrets from text, `sink` takes each row as it is made, `selected` says that checks were picked by hand, `only` is
    the one id that is reported where others run to make traffic for it. `facts` are what is known of the target, of the
    kind that `contexts` wants, which makes the contexts of the checks. `closing` is awaited when all checks have ended,
    before the monitors close: it may show them what the run left behind.
    """

    checks: list[Check]
    watch: Watch
    targets: dict[str, Target]
    facts: Any
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
    contexts: "Contexts" = yea.contexts
    closing: Callable[["Plan"], Awaitable[None]] | None = None


Contexts = Callable[[Plan], Callable[[Bench], BaseContext]]


class Runner:
    """Runs a plan once."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.presence = Presence(plan.targets)
        self.lacking: dict[str, str] = {}
        self._context = plan.contexts(plan)
        self._order = order(plan.checks, plan.targets, plan.profile, plan.seed)
        self._slots = Slots(plan.jobs)
        self._crowds = {name: Slots(target.at_once or plan.jobs) for name, target in plan.targets.items()}
        self._done: set[tuple[str, str]] = set()

    async def run(self) -> None:
        """Run every check over every transport and close the monitors. On cancellation, call `abandon` after it."""
        async with asyncio.TaskGroup() as group:
            begun = {item: group.create_task(self._slot(*item)) for item in self._order.together}
            for world in self._order.worlds:
                group.create_task(self._alone(world, [begun[item] for item in world.together]))
        if self.plan.closing is not None and not self.presence.gone:
            await self.plan.closing(self.plan)
        self._close_monitors()

    async def _alone(self, world: World, begun: list[asyncio.Task[None]]) -> None:
        """Run what must be alone in its world, one by one, once everything else there has ended."""
        if world.alone and begun:
            await asyncio.wait(begun)
        for check, transport in world.alone:
            await self._slot(check, transport)

    def abandon(self, why: str) -> None:
        """Give a row to everything that has none yet: untested, for this reason."""
        for check, transport in self._order.items:
            self._put(
                check,
                transport,
                early(check, transport, Untested(why), self.plan.catalogue, self._replay(check.id, transport)),
            )
        self._close_monitors()

    async def _slot(self, check: Check, transport: str) -> None:
        # What has a bound of its own is few at a time, and would else come to its turn last.
        slots = self._slots if self.plan.targets[transport].at_once is None else self._slots.ahead()
        async with self._crowds[transport], slots:
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
        if transport in self.presence.gone:
            return Untested(f"target gone: {self.presence.gone[transport]}")
        absent = [name for name in check.needs if name not in self.plan.profile.roles]
        if absent:
            return NotApplicable(f"the profile offers no role {', '.join(absent)}")
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
            outside = self._crowds[transport].step_aside(self._wait(transport, seconds))
            await patience.aside(self._slots.step_aside(outside))  # back in the order in which it came in

        apart = self._order.world_of(transport).apart
        others = {} if apart else self.presence.others(transport)
        context = self._context(
            Bench(
                check, plan.targets[transport], plan.catalogue, transcript, plan.run_id, plan.seed, pause, others,
                patience.answered, patience.aside,
            )
        )  # fmt: skip
        problem: BaseException | None = None
        try:
            async with patience:
                await check.body(context)
            problem = Untested(context.untold) if context.untold else None
        except TimeoutError as timeout:
            problem = patience.verdict() if patience.over else timeout
        except Exception as raised:  # whatever a check raises belongs in its row
            problem = raised
        finally:
            await context.close()
            plan.watch.forget(transport, check.id)
        if isinstance(problem, TargetFault) or (check.restarts and isinstance(problem, Untested)):
            problem = await self._see_to(transport, context.used, problem)
        self.lacking.update(context.lacking)
        ending = Ending(tuple(context.findings), problem, loop.time() - begun, transcript.events, dict(context.lacking))
        self._put(check, transport, row(check, transport, ending, plan.catalogue, self._replay(check.id, transport)))

    async def _wait(self, transport: str, seconds: float) -> None:
        """Wait for the clock, but no longer for a target that is gone."""
        await self.presence.wait(transport, seconds)
        if transport in self.presence.gone:
            raise Untested(f"target gone: {self.presence.gone[transport]}")

    async def _see_to(self, transport: str, used: set[str], problem: Verdict) -> Verdict:
        """After an answer that never came, or a restart, see what of the target is still there, and say so.

        A check that only missed another transport, which has died, could not be set up.
        """
        known = transport in self.presence.gone
        for name in sorted(used | {transport}):
            await self.presence.look(name)
        gone = self.presence.gone
        lost = sorted(used & gone.keys())
        if transport not in gone and lost:
            return Untested(f"target gone: {gone[lost[0]]}")
        if transport in gone and not known:
            problem.why = f"{problem.why}; the target died during this check ({gone[transport]})"
        return problem

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
                    lacks = missing(entry.over, self.plan.profile.roles)
                    replay = self._replay(*key)
                    self.plan.sink(monitor_row(entry, transport, tally, self.plan.catalogue, replay, recorded, lacks))

    def _replay(self, check_id: str, transport: str) -> str:
        return self.plan.replay(check_id, transport)

    def _put(self, check: Check, transport: str, made: Row) -> None:
        if (check.id, transport) not in self._done:
            self._done.add((check.id, transport))
            self.plan.sink(made)
