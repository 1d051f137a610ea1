"""The runner: how many checks run at once and in which order, and a row for each whatever happens."""

import asyncio
from typing import Any

import httpx
import pytest

from harness.check import Check
from harness.clock import run_virtual
from harness.context import Context
from harness.errors import NotApplicable, TargetGone, Untested
from harness.monitors import Watch
from harness.profile import Profile, Role
from harness.runner import Plan, Runner
from harness.targets.base import Connection, Target, Watcher
from reports.masking import Masker
from reports.model import Outcome, Row
from tests.harness.peers import answering, bridge, brief, line, saying, target
from tests.harness.plans import (
    MUST,
    QUESTION,
    RULE,
    SHOULD,
    make,
    monitor,
    passing,
    plan,
    profile,
    rows_of,
    run,
    run_one,
)


def told(rows: list[Row]) -> dict[str, tuple[str, str]]:
    """Return outcome and why by id, with the transport where there is more than one."""
    many = len({row.transport for row in rows}) > 1
    return {f"{row.id}@{row.transport}" if many else row.id: (row.outcome.value, row.why) for row in rows}


class Times:
    """Bodies of checks that note when they began and how many ran at once."""

    def __init__(self) -> None:
        self.began: list[tuple[str, float]] = []
        self.running = self.most = 0

    def lasting(self, seconds: float, until: float | None = None) -> Any:
        async def body(t: Context) -> None:
            self.began.append((t.check.title, asyncio.get_running_loop().time()))
            self.running += 1
            self.most = max(self.most, self.running)
            await asyncio.sleep(seconds)
            self.running -= 1
            if until is not None:
                await t.until(t.now() + until)
            t.expect(MUST, True, wanted="w", got="g")

        return body

    def end(self) -> float:
        return asyncio.get_running_loop().time()


# How many, and in which order


def test_at_most_so_many_checks_run_at_once() -> None:
    times = Times()

    async def main() -> float:
        await rows_of(plan([make(f"c{number}", times.lasting(1)) for number in range(20)], jobs=3))
        return times.end()

    assert (run_virtual(main()), times.most, len(times.began)) == (7.0, 3, 20)


def test_checks_that_wait_start_first_and_give_their_slot_back() -> None:
    times = Times()
    checks = [make(f"c{number}", times.lasting(1)) for number in range(4)]
    checks += [make(f"w{number}", times.lasting(0, until=100), waits=True) for number in range(3)]

    async def main() -> float:
        await rows_of(plan(checks, jobs=1))
        return times.end()

    assert run_virtual(main()) == 100.0
    assert {name for name, _ in times.began[:3]} == {"w0", "w1", "w2"}
    assert [began for _, began in times.began] == [0, 0, 0, 0, 1, 2, 3]
    assert times.most == 1


def test_a_check_that_comes_back_goes_before_those_that_have_not_begun() -> None:
    async def waiting(t: Context) -> None:
        when = t.now() + 2.5
        await t.until(when)
        t.expect(MUST, t.now() - when < 1, wanted="back within a second", got=t.now() - when)

    times = Times()
    checks = [make("waiting", waiting, waits=True), *(make(f"c{n}", times.lasting(1)) for n in range(60))]
    assert {row.outcome for row in run(checks, jobs=1)} == {Outcome.PASSED}


def test_the_seed_decides_the_order_and_nothing_else_does() -> None:
    checks = [make(f"c{number}", passing) for number in range(30)]

    def order(seed: int, given: list[Check]) -> list[str]:
        return [row.id for row in run(given, seed=seed, jobs=1)]

    assert order(7, checks) == order(7, checks[::-1])
    assert order(7, checks) != order(8, checks)
    assert sorted(order(7, checks)) == sorted(order(8, checks)) == sorted(check.id for check in checks)


def test_the_seed_decides_a_checks_choices_and_never_its_identities() -> None:
    async def body(t: Context) -> None:
        chosen.append((t.rng.random(), t.unique(), t.frame_id(), t.agent().public))
        t.expect(MUST, True, wanted="w", got="g")

    chosen: list[tuple[float, str, str, str]] = []
    for seed, run_id in ((1, "r1"), (1, "r2"), (2, "r3")):
        run([make("one", body)], seed=seed, run_id=run_id)
    first, second, third = (each[0] for each in chosen)
    assert first == second != third
    for identities in zip(*(each[1:] for each in chosen), strict=True):
        assert len(set(identities)) == 3


def test_every_plan_has_a_run_id_of_its_own() -> None:
    defaults = [field.default_factory for field in Plan.__dataclass_fields__.values() if field.name == "run_id"]
    (new_id,) = defaults
    assert callable(new_id)
    assert len({new_id() for _ in range(100)}) == 100


def test_what_must_be_alone_runs_alone_at_the_end() -> None:
    times = Times()
    shared = Role("risky", "a.write", {}, shared=True)
    checks = [
        make("alone", times.lasting(1), alone=True),
        make("shared", times.lasting(1), needs=("risky",)),
        make("uses-shared", times.lasting(1), also=("risky", "multi")),
        *(make(f"c{number}", times.lasting(1)) for number in range(4)),
    ]
    run(checks, profile=Profile("p", roles={"risky": shared}))
    assert sorted(times.began[:4]) == [(f"c{number}", 0.0) for number in range(4)]
    assert sorted(name for name, _ in times.began[4:]) == ["alone", "shared", "uses-shared"]
    assert [began for _, began in times.began[4:]] == [1.0, 2.0, 3.0]


def test_a_check_runs_over_each_of_its_transports() -> None:
    targets = [target(answering(brief)), bridge(lambda request: httpx.Response(200))]
    checks = [
        make("both", passing),
        make("streams", passing, transports=("tcp", "tls")),
        make("tls", passing, transports=("tls",)),
    ]
    assert told(run(checks, targets)) == {
        "yea/0/both@tcp": ("passed", ""),
        "yea/0/both@http": ("passed", ""),
        "yea/0/streams@tcp": ("passed", ""),
    }


# What a check's end makes of its row


async def raising(t: Context) -> None:
    t.expect(MUST, True, wanted="w", got="g")
    raise KeyError("receipt")


async def silent(t: Context) -> None:
    return


async def undeclared(t: Context) -> None:
    t.expect("YEA-2.1-01", True, wanted="w", got="g")


async def timing_out(t: Context) -> None:
    raise TimeoutError


async def inapplicable(t: Context) -> None:
    raise NotApplicable("the BRIEF says no")


async def unprepared(t: Context) -> None:
    raise Untested("no control")


async def unknown_role(t: Context) -> None:
    await t.role("undoable")


async def broken_rules(t: Context) -> None:
    t.expect(SHOULD, False, wanted="w1", got="g1")
    t.expect(MUST, False, wanted="w2", got="g2", open_question=QUESTION)


async def lacking(t: Context) -> None:
    t.lacks(MUST, "no state ask")


ENDS: dict[str, tuple[Any, str, str]] = {
    "passes": (passing, "passed", ""),
    "raises": (raising, "error", "KeyError: 'receipt'"),
    "evaluates nothing": (silent, "error", "the check evaluated nothing"),
    "names a clause it does not declare": (undeclared, "error", "ValueError: yea/0/one does not declare YEA-2.1-01"),
    "times out by itself": (timing_out, "error", "TimeoutError: "),
    "is not applicable": (inapplicable, "not_applicable", "the BRIEF says no"),
    "is not prepared": (unprepared, "untested", "no control"),
    "asks for a role that is not there": (unknown_role, "not_applicable", "the profile offers no role undoable"),
    "can look at nothing": (lacking, "not_applicable", "no state ask"),
    "warns": (
        broken_rules,
        "warned",
        f"{SHOULD} (SHOULD): wanted w1; got g1\n{MUST} (MUST): wanted w2 (the text is open: {QUESTION}); got g2",
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_check_that(name: str) -> None:
    body, outcome, why = ENDS[name]
    made = run_one(body)
    assert (made.outcome, made.why, made.replay) == (outcome, why, "again yea/0/one@tcp")


def test_a_check_that_breaks_does_not_touch_the_others() -> None:
    checks = [make("bad", raising), *(make(f"c{number}", passing) for number in range(5))]
    outcomes = told(run(checks))
    assert outcomes.pop("yea/0/bad") == ("error", "KeyError: 'receipt'")
    assert set(outcomes.values()) == {("passed", "")}


REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], str, str]] = {
    "a role": ({"needs": ("undoable", "risky", "ask")}, {}, "not_applicable", "the profile offers no role risky, ask"),
    "a principal": (
        {"principals": 2},
        {"profile": profile("undoable", principals=1)},
        "not_applicable",
        "needs 2 trusted principals, the profile has 1",
    ),
    "--slow": ({"slow": True}, {}, "not_applicable", "needs --slow"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_check_without_what_it_needs_is_not_started(name: str) -> None:
    options, planned, outcome, why = REFUSED[name]
    started: list[Context] = []

    async def body(t: Context) -> None:
        started.append(t)

    (made,) = run([make("one", body, **options)], **{"profile": profile("undoable"), **planned})
    assert (made.outcome, made.why, started) == (outcome, why, [])


def test_slow_checks_run_when_asked_for() -> None:
    assert run_one(passing, slow=True).outcome == Outcome.NOT_APPLICABLE
    (made,) = run([make("one", passing, slow=True)], slow=True)
    assert made.outcome == Outcome.PASSED


def test_floods_go_only_where_they_are_allowed() -> None:
    def stressed(loopback: bool, managed: bool, allowed: bool) -> str:
        at = target(answering(brief))
        at.loopback, at.managed = loopback, managed
        return run_one(passing, stress=True, targets=[at], profile=profile(stress=allowed)).outcome.value

    assert stressed(False, False, False) == "not_applicable"
    assert [stressed(True, False, False), stressed(False, True, False), stressed(False, False, True)] == ["passed"] * 3


def test_what_a_check_lacks_is_kept_for_the_scope() -> None:
    async def main() -> dict[str, str]:
        runner = Runner(plan([make("one", lacking), make("two", passing)]))
        await runner.run()
        return runner.lacking

    assert run_virtual(main()) == {MUST: "no state ask"}


def test_past_max_commits_a_check_is_untested() -> None:
    async def body(t: Context) -> None:
        await t.send(t.frame("INTENT", capability="a.write", auto=True))
        t.expect(MUST, True, wanted="w", got="g")

    checks = [make(f"c{number}", body) for number in range(3)]
    rows = run(checks, profile=profile("undoable", max_commits=2), jobs=1)
    assert [(row.outcome.value, row.why) for row in rows] == [
        ("passed", ""),
        ("passed", ""),
        ("untested", "max_commits for a.write is used up (2)"),
    ]


def test_what_was_committed_before_the_run_counts() -> None:
    made = plan([make("one", passing)], profile=profile("undoable", max_commits=2))
    made.facts.committed["a.write"] = 2
    with pytest.raises(Untested):
        Runner(made).guard.check({"verb": "INTENT", "capability": "a.write", "auto": True})


def test_a_capability_that_no_role_lists_is_an_error_of_ours() -> None:
    async def body(t: Context) -> None:
        await t.ask("a.read")

    made = run_one(body)
    assert (made.outcome, made.why) == ("error", "NotAllowed: ASK to a.read, which no role of the profile lists")


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
            await t.until(t.now() + 3600)
        t.expect(MUST, True, wanted="w", got="g")

    made = run_one(body, deadline=1.0)
    assert (made.outcome, made.seconds) == (Outcome.PASSED, 10800.9)


def test_after_waiting_the_rest_of_the_time_is_left() -> None:
    async def body(t: Context) -> None:
        await asyncio.sleep(0.6)
        await t.until(t.now() + 3600)
        await endless(t)

    made = run_one(body, deadline=1.0)
    assert (made.outcome, made.seconds) == (Outcome.FAILED, 3601.0)


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
        await t.until(t.now() + 86400)
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
            make("waiting", times.lasting(0, until=900), waits=True),
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
    rows = run([make("c1", hello)], targets, watch=watch)
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
    assert [event.dir.value for event in made.transcript] == ["sent", "received"]
    assert '"verb":"HELLO"' in made.transcript[0].text
    assert '"code": "x"' in made.transcript[1].text
    assert run_one(hello).transcript == ()
