"""A bot in a seat: it wakes up, reads, speaks when it has the floor, executes its tasks, and goes when all is done."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable
from typing import Final

from reference.byob.seat import asking, fixed
from reference.byob.seat.asking import Ask, BotError, Purpose
from reference.byob.seat.bots import SECONDS, Bot, reply
from reference.byob.seat.client import Seat
from reference.byob.seat.deciding import Action, Execute, Mind, Report, Speak, Verify, Yield
from reference.byob.seat.errors import Disclosure, Refused, SeatError, Unreachable, Unsendable
from reference.byob.seat.expanding import is_cut
from reference.byob.seat.following import delays, following, nap
from reference.byob.seat.posts import Post
from reference.byob.seat.reading import Entry, Projection, Task
from reference.yea.types import Json

HEARTBEAT_SECONDS: Final = 20.0
"""How often a task that is being executed is reported as running, for the table's watchdog (BYOB 9)."""

MOST_EXPANDED: Final = 16
PASSED: Final = frozenset(("E_NOT_FLOOR", "E_TABLE_CLOSED"))
"""The turn is over; there is nothing to put right."""

AGAIN: Final = "E_INTERNAL"
"""The host's own error: it may be tried again (BYOB 11)."""


class Runner:
    """Runs a bot in a seat until the table is closed and no task of its own is open.

    Posts that the owner's disclosure rules withhold are replaced by the fixed texts of BYOB 9. A lost connection is
    made again, and what was missed is read by the cursor.
    """

    def __init__(
        self,
        seat: Seat,
        bot: Bot,
        *,
        executes: bool = True,
        verifies: bool = False,
        bot_seconds: float = SECONDS,
        on_event: Callable[[str], None] = lambda _: None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """seat: not closed by this. executes, verifies: whether the bot executes tasks, and judges others' receipts.

        bot_seconds: what one reply may take. on_event: gets a line for the owner for whatever goes wrong.
        """
        self._seat, self._bot, self._bot_seconds = seat, bot, bot_seconds
        self._tell, self._chance = on_event, chance
        self._mind = Mind(seat.name, executes=executes, verifies=verifies)

    async def run(self) -> None:
        """Run. Raises Refused when the host no longer takes the seat's token, and BadAnswer when it is no host."""
        waits = delays(self._chance)
        async with following(self._seat, chance=self._chance, on_lost=self._tell) as awake:
            while True:
                awake.clear()
                try:
                    projection = await self._read()
                    actions = self._mind.decide(projection)
                    if actions:
                        await self._perform(actions[0])
                    elif await self._finished(projection):
                        return
                    waits = delays(self._chance)
                except Unreachable as problem:
                    await self._pause(str(problem), next(waits))
                    continue
                except Refused as problem:
                    if problem.code != AGAIN:
                        raise
                    await self._pause(str(problem), next(waits))
                    continue
                if not actions:
                    await nap(awake)

    async def _pause(self, why: str, seconds: float) -> None:
        self._tell(why)
        await asyncio.sleep(seconds)

    async def _read(self) -> Projection:
        """What is new, with the bodies that were cut made whole."""
        projection = await self._seat.projection(self._mind.cursor)
        cut = [entry["seq"] for entry in projection.tail if is_cut(entry)]
        whole = await self._seat.expand(cut, hops=1, most=MOST_EXPANDED)
        for entry in projection.tail:
            entry.update(whole.get(entry["seq"], {}))
        return projection

    async def _finished(self, projection: Projection) -> bool:
        memory = await self._seat.memory() if projection.closed and self._mind.verifies else None
        return self._mind.finished(projection, memory)

    async def _perform(self, action: Action) -> None:
        match action:
            case Speak(again):
                await self._speak(again)
            case Yield():
                await self._floor(fixed.no_answer())
            case Execute(task):
                await self._execute(task)
            case Report(task, post):
                await self._report(task, post)
            case Verify(receipt):
                await self._verify(receipt)

    # --- the floor ---------------------------------------------------------------------------------

    async def _speak(self, again: Post | None) -> None:
        post = again
        if post is None:
            try:
                post = asking.spoken(await self._ask("speak"))
            except BotError as problem:
                self._tell(str(problem))
                post = fixed.no_answer()
        await self._floor(post)

    async def _floor(self, post: Post) -> None:
        """Make a post with the floor; what a rule withholds becomes a pass."""
        self._mind.posting(post)
        try:
            await self._post(post)
        except Unsendable as problem:
            self._mind.not_taken(str(problem))
        except Refused as problem:
            if problem.code == AGAIN:
                raise
            self._tell(str(problem))
            self._mind.not_taken("" if problem.code in PASSED else str(problem))
        else:
            self._mind.taken()

    async def _post(self, post: Post) -> None:
        """Post, or post the fixed text in its place."""
        try:
            await self._seat.post(post)
        except Disclosure as withheld:
            self._tell(str(withheld))
            await self._seat.post_fixed(fixed.instead(post))

    # --- tasks -------------------------------------------------------------------------------------

    async def _execute(self, task: Task) -> None:
        self._mind.starting(task.id)
        if task.state != "running":
            try:
                await self._seat.post_fixed(fixed.running(task.id))
            except Refused as problem:
                self._give_up(task.id, problem)
                return
        self._mind.executing(task.id)
        async with self._heartbeats(task.id):
            post = await self._executed(task)
        await self._report(task, post)

    async def _executed(self, task: Task) -> Post:
        """The report on a task: a receipt, or that it failed."""
        try:
            return {"kind": "receipt", "task": task.id, "artifact": asking.executed(await self._ask("execute", task))}
        except BotError as problem:
            self._tell(str(problem))
            return fixed.failed(task.id, fixed.NOT_DONE)

    @contextlib.asynccontextmanager
    async def _heartbeats(self, task: str) -> AsyncIterator[None]:
        beating = asyncio.create_task(self._beat(task))
        try:
            yield
        finally:
            beating.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await beating

    async def _beat(self, task: str) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            try:
                await self._seat.post_fixed(fixed.running(task))
            except SeatError as problem:
                self._tell(str(problem))

    async def _report(self, task: Task, post: Post) -> None:
        """Make a report. A task that stalled meanwhile is resumed first, the one way out of that (BYOB 9)."""
        self._mind.reporting(task.id, post)
        try:
            try:
                await self._post(post)
            except Refused as problem:
                if problem.code != "E_TASK_STATE":
                    raise
                await self._seat.post_fixed(fixed.running(task.id))
                await self._post(post)
        except (Unsendable, Refused) as problem:
            if post["kind"] == "receipt" and (isinstance(problem, Unsendable) or problem.code == "E_SCHEMA"):
                self._tell(str(problem))
                await self._report(task, fixed.failed(task.id, fixed.NOT_DONE))
            else:
                self._give_up(task.id, problem)
        else:
            self._mind.settled(task.id)

    async def _verify(self, receipt: Entry) -> None:
        task = str(receipt["task"])
        try:
            verdict = asking.judged(await self._ask("verify", await self._seat.task(task), receipt))
            if verdict is not None:
                result, note = verdict
                more = {"body": note} if note is not None else {}
                await self._post({"kind": "verify", "task": task, "result": result, **more})
        except BotError as problem:
            self._tell(str(problem))
        except (Refused, Unsendable) as problem:
            self._give_up(task, problem)
        self._mind.settled(task)

    def _give_up(self, task: str, problem: SeatError) -> None:
        if isinstance(problem, Refused) and problem.code == AGAIN:
            raise problem
        self._tell(str(problem))
        self._mind.settled(task)

    async def _ask(self, purpose: Purpose, task: Task | None = None, receipt: Entry | None = None) -> Json:
        mind = self._mind
        ask = Ask(
            purpose,
            self._seat.table,
            self._seat.name,
            mind.prefix,
            tuple(mind.entries),
            mind.max_chars,
            task,
            receipt,
            mind.refused,
        )
        return await reply(self._bot, ask, self._bot_seconds)
