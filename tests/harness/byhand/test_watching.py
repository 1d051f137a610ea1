"""A table as a person sees it, line by line or as a whole screen (BYOB 6)."""

import asyncio
import io

import pytest
from rich.console import Console
from rich.live import Live

from harness.byhand import watching
from harness.byhand.watching import Lines, Screen, head
from reference.byob.seat import reading
from tests.reference.byob.seat.sitting import CARD, EFFECT, TABLE, projection, room, run

PREFIX = {
    "topic": "What\nfirst?",
    "seats": [
        {"seat": "con", "owner": "jenny", "kind": "bot", "role": "critic", "proxy": True},
        {"seat": "pro", "owner": "tao", "kind": "human", "role": None, "proxy": False},
        "odd",
    ],
}
TASK = {"id": "task-3", "state": "approved", "effects": [EFFECT]}


def test_the_head_says_who_sits_there_who_has_the_floor_and_what_is_to_be_done() -> None:
    told = projection(prefix=PREFIX, floor={"holder": "con"}, my_tasks=[TASK])
    assert head(reading.projection(told)) == [
        "prio: What\\nfirst?",
        "*con (jenny, bot, critic, proxy)   pro (tao, human)",
        "open, the floor is with con",
        'task-3 approved: jenny taskboard:reorder {"order":["#461","#459"]}',
    ]
    assert head(reading.projection(projection(status="closed"))) == ["prio: T", "", "closed"]


def test_a_screen_shows_the_newest_entries_that_fit_and_obeys_none_of_them() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=60, height=9, color_system=None)
    tail = [{"seq": number, "seat": "pro", "kind": "say", "body": f"[bold]n{number}\x1b[7m"} for number in range(1, 9)]
    with Live(console=console, auto_refresh=False) as live:
        screen = Screen(live, lambda: 9)
        screen.show(reading.projection(projection(tail=tail[:4])))
        stream.truncate(0)
        screen.show(reading.projection(projection(tail=tail[4:])))
    shown = stream.getvalue()
    assert "[bold]n8\\x1b[7m" in shown and "n6" in shown and "n5" not in shown
    assert "\x1b[7m" not in shown


def test_without_a_terminal_each_entry_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    Lines().show(reading.projection(projection(tail=[{"seq": 7, "seat": "pro", "kind": "say", "body": "b"}])))
    assert capsys.readouterr().out == "   7  pro             say              b\n"


def test_a_table_is_watched_until_it_is_closed_and_its_tasks_are_done(capsys: pytest.CaptureFixture[str]) -> None:
    async def test() -> None:
        async with room() as table, table.owner() as host:
            pro, con = await table.join("pro", "tao"), await table.join("con", "jenny", card=CARD)
            watched = asyncio.create_task(watching.watch(con))
            await asyncio.sleep(1)
            await pro.pass_()
            task = f"task-{(await con.propose('reorder', [EFFECT]))['seq']}"
            await host.close_table(TABLE, table.admin, "enough")
            await asyncio.sleep(1)
            assert not watched.done()
            await con.status(task, "failed")
            await watched

    run(test())
    lines = [line.split()[1:3] for line in capsys.readouterr().out.splitlines()]
    assert lines[-1] == ["con", "status"]
