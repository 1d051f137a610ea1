"""The end of a run: every table that the checks have left behind is read once more, for the monitors."""

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from harness.byob import folding, reading
from harness.byob.facts import SILENT, HostFacts, Left
from harness.byob.things import LeftTable
from harness.errors import Verdict
from harness.targets.hosts import Answer, HostConnection
from harness.transcript import Transcript

if TYPE_CHECKING:
    from harness.runner import Plan

AT_ONCE = 8
READ = ("ledger", "projection", "memory")
WHERE = "byob/5/left-behind"


async def read_all(plan: "Plan") -> None:
    """Read every table of the run: its ledger as the admin, and what one of its seats gets to see.

    What cannot be read is no finding here: the check that made the table has met the same. Nothing is read where one of
    the endpoints has fallen silent.
    """
    facts: HostFacts = plan.facts
    if any(facts.silent[name] >= SILENT for name in READ):
        return
    (transport, target), *_ = plan.targets.items()
    transcript = Transcript(time.monotonic, plan.watch.observe, plan.masker, transport, WHERE)
    connection: HostConnection = await target.connect(transcript, "http1")
    connection.learn, connection.mask, connection.about = facts.tokens.learn, facts.tokens.mask, facts
    room = asyncio.Semaphore(AT_ONCE)
    try:
        async with asyncio.TaskGroup() as group:
            for number, (table, left) in enumerate(list(facts.left.items())):
                group.create_task(_read(connection, transcript.received, table, left, facts, room, number))
    finally:
        await connection.close()


async def _read(
    connection: HostConnection,
    show: Callable[[str, LeftTable], None],
    table: str,
    left: Left,
    facts: HostFacts,
    room: asyncio.Semaphore,
    number: int,
) -> None:
    """Read one table, as a seat that is another one from table to table."""
    async with room:
        try:
            ledger = await _get(connection, table, "/ledger", left.admin)
            entries = reading.entries_of(ledger)
            seats = sorted(left.tokens)
            if entries is None or not ledger.ok or not seats:
                return
            seat = seats[number % len(seats)]
            projection = await _get(connection, table, "/projection?since=0", left.tokens[seat])
            memory = await _get(connection, table, "/memory", left.tokens[seat])
            again = await _get(connection, table, "/ledger", left.admin)
        except Verdict:
            return
    if reading.entries_of(again) != entries:
        return  # a watchdog is still at it
    folded = folding.fold(entries, left.config, left.places, facts.dialect)
    total = reading.total_of(memory.value) if facts.dialect.total is None else None
    if facts.dialect.total is not None:
        found = reading.at(memory.value, facts.dialect.total)
        total = found if isinstance(found, int) and not isinstance(found, bool) else None
    show(
        "http1",
        LeftTable(
            table,
            left.config,
            left.places,
            facts.dialect,
            entries,
            folded,
            seat,
            projection.members if projection.ok else {},
            memory.members if memory.ok else {},
            total,
            ledger.start,
        ),
    )


async def _get(connection: HostConnection, table: str, path: str, token: str) -> Answer:
    headers = {"Authorization": f"Bearer {token}"}
    return await connection.call("GET", f"/tables/{table}{path}", headers=headers, who="the one who left it")
