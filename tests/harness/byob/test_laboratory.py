"""Checks against hosts in this process: the rows of a few, a restart, and the tables that are left."""

import asyncio
from typing import Any

import pytest

from harness import clock
from harness.byob import laboratory
from harness.byob.nonsense import NonsenseHost
from harness.selection import compile_selection
from reports.model import Outcome
from tests.harness.byob.hosts import reference
from tests.odd_table import OddHost


def outcomes(select: str, **options: object) -> dict[str, str]:
    rows = laboratory.examine(select=compile_selection(select), **options)
    return {row.id: row.outcome.value for row in rows}


def test_the_sound_reference_passes_checks_and_monitors() -> None:
    found = outcomes("byob/2/http-and-json or byob/2/a-seat-reads-its-projection or byob/6/prefix-hash-recomputes")
    assert found == {
        "byob/2/http-and-json": "passed",
        "byob/2/a-seat-reads-its-projection": "passed",
        "byob/6/prefix-hash-recomputes": "passed",
    }


def test_a_host_is_restarted_with_what_it_kept() -> None:
    assert outcomes("byob/5/tasks-outlast-a-restart") == {"byob/5/tasks-outlast-a-restart": "passed"}


def test_left_tables_are_read_at_the_end() -> None:
    found = outcomes("byob/2/a-post-is-answered-with-its-entry or byob/8/floor-entries-are-by-the-holder")
    assert found == {
        "byob/2/a-post-is-answered-with-its-entry": "passed",
        "byob/8/floor-entries-are-by-the-holder": "passed",
    }


def test_a_monitor_that_saw_nothing_is_untested() -> None:
    assert outcomes("byob/2/stream-has-the-protocol-header") == {"byob/2/stream-has-the-protocol-header": "untested"}


def test_nonsense_passes_nothing() -> None:
    rows = laboratory.examine(NonsenseHost, compile_selection("byob/2/http-and-json or byob/2/the-close-wants"))
    assert {row.outcome for row in rows} <= {Outcome.FAILED, Outcome.UNTESTED}


def test_any_application_can_be_examined() -> None:
    rows = laboratory.examine_app(
        lambda: OddHost(clock.virtual_now).app(), compile_selection("byob/2/http-and-json"), slow=False
    )
    assert [(row.id, row.outcome) for row in rows] == [("byob/2/http-and-json", Outcome.PASSED)]


async def _silent(scope: Any, receive: Any, send: Any) -> None:
    await asyncio.Event().wait()


async def _redirecting(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 302, "headers": [(b"location", b"/elsewhere")]})
    await send({"type": "http.response.body", "body": b""})


async def _cut(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": b"{", "more_body": True})
    raise OSError("gone")


HOSTILE = {"never answers": _silent, "redirects": _redirecting, "closes within the body": _cut}
LONGEST = 180  # seconds of the virtual clock


@pytest.mark.parametrize("name", HOSTILE)
def test_a_host_that_answers_only_one_endpoint_fails_in_time(name: str) -> None:
    ended: list[float] = []

    def make() -> Any:
        sound, loop = reference(), asyncio.get_running_loop()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            ended.append(loop.time())
            await (sound if scope["path"].endswith("/memory") else HOSTILE[name])(scope, receive, send)

        return app

    found = {row.outcome for row in laboratory.examine_app(make)}
    assert (Outcome.FAILED in found, Outcome.ERROR in found, max(ended) < LONGEST) == (True, False, True)
