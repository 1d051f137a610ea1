"""How checks end in the runner: deadlines, a target that dies, an interruption, and monitors closed at the end."""

import asyncio
from typing import Any

import httpx
import pytest

from harness.clock import run_virtual
from harness.context import Context
from harness.errors import TargetGone
from harness.monitors import Watch
from harness.runner import Runner
from harness.targets.base import Connection, Target, Watcher
from reports.masking import Masker
from reports.model import Outcome, Row
from tests.harness.peers import answering, bridge, brief, line, saying, target
from tests.harness.plans import (
    MUST,
    RULE,
    Times,
    make,
    monitor,
    passing,
    plan,
    profile,
    raising,
    rows_of,
    run,
    run_one,
    told,
)

# Deadlines


async def endless(t: Context) -> None:
    await asyncio.Event().wait()


def test_a_check_that_does_not_end_is_ended() -> None:
    made = run_one(endless, deadline=60.0)
    assert (made.outcome, made.seconds) == (Outcome.FAILED, 60.0)
    assert made.why.endswith("; got the check did not end within 60 s")


def test_waiting_for_the_clock_is_not_the_checks_time() -> None:
    async def body(t: Context) -> None:
        for _ in range(3):
            await asyncio.sleep(0.3)
            await t.until(t.now() + 150)
        t.expect(MUST, True, wanted="w", got="g")

    made = run_one(body, deadline=1.0)
    assert (made.outcome, made.seconds) == (Outcome.PASSED, 450.9)


@pytest.mark.parametrize(("when", "away"), [(1e15, "1e+15"), (10**400, "1e+18")])
def test_no_check_waits_for_whatever_time_a_target_names(when: float, away: str) -> None:
    async def body(t: Context) -> None:
        await t.until(t.now() + 180)
        await t.until(when if isinstance(when, int) else t.now() + when)
        t.expect(MUST, True, wanted="w", got="g")

    made = run_one(body)
    assert (made.outcome, made.seconds) == (Outcome.UNTESTED, 180)
    assert made.why == f"what it would wait for is {away} s away, and a check waits 180 s at most"


def test_after_waiting_the_rest_of_the_time_is_left() -> None:
    async def body(t: Context) -> None:
        await asyncio.sleep(0.6)
        await t.until(t.now() + 150)
        await endless(t)

    made = run_one(body, deadline=1.0)
    assert (made.outcome, made.seconds) == (Outcome.FAILED, 151.0)


def test_waiting_for_a_slot_is_not_the_checks_time() -> None:
    async def waiting(t: Context) -> None:
        await t.until(t.now() + 1)
        t.expect(MUST, True, wanted="w", got="g")

    times = Times()
    checks = [make("waiting", waiting, waits=True, deadline=5.0), make("long", times.lasting(50))]
    rows = {row.id: row for row in run(checks, jobs=1)}
    assert (rows["yea/0/waiting"].outcome, rows["yea/0/waiting"].seconds) == (Outcome.PASSED, 50.0)


def test_a_moment_that_has_passed_is_not_waited_for() -> None:
    async def body(t: Context) -> None:
        await t.until(t.now() - 100)
        t.expect(MUST, True, wanted="w", got="g")

    assert (run_one(body).outcome, run_one(body).seconds) == (Outcome.PASSED, 0.0)


# Silence, and a target that dies


async def hello(t: Context) -> None:
    t.expect_kind(MUST, await t.hello(), "BRIEF")


def test_silence_has_failed_and_the_target_is_still_there() -> None:
    rows = run([make("c1", hello), make("c2", passing)], [target(saying(b""))])
    wanted = f"{RULE} (RULE): wanted exactly one final reply to each request; got HELLO got no reply (waited 10 s)"
    assert told(rows) == {"yea/0/c1": ("failed", wanted), "yea/0/c2": ("passed", "")}


def mortal(lives: int) -> Target:
    """Return a target that accepts so many connections and then refuses."""
    at = target(saying(b""))
    accept, left = at.connect, [lives]

    async def connect(watcher: Watcher, name: str) -> Connection:
        if left[0] == 0:
            raise TargetGone("no connection to tcp://peer: connection refused")
        left[0] -= 1
        return await accept(watcher, name)

    at.connect = connect
    return at


GONE = "no connection to tcp://peer: connection refused"


def test_the_check_during_which_the_target_died_has_failed_and_the_rest_are_untested() -> None:
    rows = run([make(f"c{number}", hello) for number in range(4)], [mortal(1)], jobs=1)
    first, *rest = rows
    died = f"HELLO got no reply (waited 10 s); the target died during this check ({GONE})"
    assert first.outcome == Outcome.FAILED
    assert first.findings[-1].got == died
    assert {(row.outcome.value, row.why) for row in rest} == {("untested", f"target gone: {GONE}")}
    assert len(rest) == 3


def test_a_check_that_cannot_connect_at_all_has_failed() -> None:
    rows = run([make("c1", hello)], [mortal(0)])
    assert [row.outcome for row in rows] == [Outcome.FAILED]
    assert rows[0].why.endswith(f"got {GONE}; the target died during this check ({GONE})")


def test_a_dead_target_is_not_waited_for() -> None:
    async def waiting(t: Context) -> None:
        await t.until(t.now() + 150)
        raise AssertionError("the target is gone")

    async def main() -> tuple[dict[str, tuple[str, str]], float]:
        checks = [make("waiting", waiting, waits=True), make("hello", hello)]
        rows = await rows_of(plan(checks, [mortal(1)]))
        return told(rows), asyncio.get_running_loop().time()

    rows, ended = run_virtual(main())
    assert rows["yea/0/waiting"] == ("untested", f"target gone: {GONE}")
    assert rows["yea/0/hello"][0] == "failed"
    assert ended == 10.0


def test_a_bridge_that_died_is_found_dead() -> None:
    calls: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        calls.append(request.method)
        if len(calls) > 1:
            raise httpx.ConnectError("All connection attempts failed") from ConnectionRefusedError(111, "x")
        return httpx.Response(500)

    rows = run([make("c1", hello), make("c2", hello)], [bridge(handler)], jobs=1)
    gone = "no connection to http://peer.invalid/yea: connection refused"
    assert [row.outcome.value for row in rows] == ["failed", "untested"]
    assert rows[0].why.endswith(f"got HELLO got HTTP 500; the target died during this check ({gone})")
    assert rows[1].why == f"target gone: {gone}"
    assert calls == ["POST", "GET"]


def test_a_bridge_that_answers_badly_is_not_dead() -> None:
    rows = run([make("c1", hello), make("c2", hello)], [bridge(lambda request: httpx.Response(500))])
    assert [row.outcome.value for row in rows] == ["failed", "failed"]


def test_connections_are_closed_with_their_check() -> None:
    async def body(t: Context) -> None:
        for _ in range(3):
            await t.hello(await t.connect())
        await raising(t)

    async def main() -> int:
        await rows_of(plan([make(f"c{number}", body) for number in range(5)]))
        return len(asyncio.all_tasks())

    assert run_virtual(main()) == 1


# An interruption


def test_an_interrupted_run_gives_everything_left_a_row() -> None:
    async def main() -> list[Row]:
        times = Times()
        watched = [monitor("seen", "frame", lambda thing, memory: None)]
        checks = [
            make("quick", hello, waits=True),
            make("running", endless, deadline=900.0),
            make("waiting", times.lasting(0, until=150), waits=True),
            make("alone", passing, alone=True),
            *(make(f"queued{number}", times.lasting(1000)) for number in range(5)),
        ]
        made = plan(checks, watch=Watch(watched), jobs=3)
        rows: list[Row] = []
        made.sink = rows.append
        runner = Runner(made)
        running = asyncio.ensure_future(runner.run())
        await asyncio.sleep(30)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        runner.abandon("interrupted")
        runner.abandon("again")
        assert len(asyncio.all_tasks()) == 1
        return rows

    rows = run_virtual(main())
    untested = ["running", "waiting", "alone", *(f"queued{number}" for number in range(5))]
    assert len(rows) == 10
    assert told(rows) == {
        "yea/0/quick": ("passed", ""),
        "yea/0/seen": ("passed", ""),
        **dict.fromkeys((f"yea/0/{name}" for name in untested), ("untested", "interrupted")),
    }


# Monitors


def test_monitors_are_closed_at_the_end_with_a_row_for_each_transport() -> None:
    def judge(thing: Any, memory: Any) -> str | None:
        return None if thing.value.get("kind") == "BRIEF" else "no BRIEF"

    watch = Watch(
        [
            monitor("watched", "frame", judge),
            monitor("streams", "frame", judge, transports=("tcp",)),
            monitor("unseen", "RECEIPT", judge),
            monitor("rare", "CLARIFY", judge, optional=True),
        ]
    )
    odd = {"yea": 1, "id": "s", "re": "?", "kind": "ANSWER"}
    targets = [target(answering(brief)), bridge(lambda request: httpx.Response(200, content=line(odd)))]
    rows = run([make("c1", hello)], targets, watch=watch, profile=profile("undoable", "clarify"))
    outcomes = told(rows)
    unseen = ("untested", "the run saw no RECEIPT on this transport")
    rare = ("not_applicable", "the run saw no CLARIFY on this transport")
    assert outcomes.pop("yea/0/watched@http")[0] == "failed"
    assert outcomes == {
        "yea/0/c1@tcp": ("passed", ""),
        "yea/0/c1@http": ("failed", f"{MUST} (MUST): wanted BRIEF; got ANSWER"),
        "yea/0/watched@tcp": ("passed", ""),
        "yea/0/streams@tcp": ("passed", ""),
        "yea/0/unseen@tcp": unseen,
        "yea/0/unseen@http": unseen,
        "yea/0/rare@tcp": rare,
        "yea/0/rare@http": rare,
    }
    (offended,) = [row for row in rows if row.key == ("yea/0/watched", "http")]
    assert [event.text for event in offended.transcript] == [line(odd).decode().rstrip("\n")]
    assert offended.findings[0].got == "no BRIEF (first of 1, in yea/0/c1 http1.1)"
    assert offended.replay == "again yea/0/watched@http"


def test_secrets_are_masked_in_transcripts_and_what_offends() -> None:
    leaking = {"kind": "ANSWER", "data": "the secret-token-123 is here"}
    watch = Watch([monitor("watched", "ANSWER", lambda thing, memory: "offends")])
    rows = run(
        [make("c1", hello)],
        [target(answering(lambda frame: leaking))],
        watch=watch,
        masker=Masker(["secret-token-123"]),
    )
    assert len(rows) == 2
    for row in rows:
        texts = " ".join(event.text for event in row.transcript)
        assert "[masked]" in texts
        assert "secret-token-123" not in texts


def test_a_failed_row_shows_what_was_sent_and_what_came() -> None:
    made = run_one(hello, targets=[target(answering(lambda frame: {"kind": "ERROR", "code": "x"}))])
    assert [event.dir.value for event in made.transcript] == ["sent", "received", "note"]
    assert '"verb":"HELLO"' in made.transcript[0].text
    assert '"code": "x"' in made.transcript[1].text
    assert run_one(hello).transcript == ()
