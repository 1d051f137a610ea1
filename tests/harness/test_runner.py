"""The runner: how many checks run at once and in which order, and a row for each whatever happens."""

import asyncio
from typing import Any

import httpx
import pytest

from harness.check import Check
from harness.clock import run_virtual
from harness.context import Context
from harness.errors import NotApplicable, TargetGone, Untested
from harness.profile import Profile, Role
from harness.runner import Plan, Runner
from harness.targets.base import Connection, Watcher
from reports.model import Outcome, Row
from tests.harness.peers import answering, bridge, brief, target
from tests.harness.plans import (
    MUST,
    QUESTION,
    SHOULD,
    Times,
    make,
    passing,
    plan,
    profile,
    raising,
    rows_of,
    run,
    run_one,
    told,
)

# How many, and in which order


def test_at_most_so_many_checks_run_at_once() -> None:
    times = Times()

    async def main() -> float:
        await rows_of(plan([make(f"c{number}", times.lasting(1)) for number in range(20)], jobs=3))
        return asyncio.get_running_loop().time()

    assert (run_virtual(main()), times.most, len(times.began)) == (7.0, 3, 20)


def test_checks_that_wait_start_first_and_give_their_slot_back() -> None:
    times = Times()
    checks = [make(f"c{number}", times.lasting(1)) for number in range(4)]
    checks += [make(f"w{number}", times.lasting(0, until=100), waits=True) for number in range(3)]

    async def main() -> float:
        await rows_of(plan(checks, jobs=1))
        return asyncio.get_running_loop().time()

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


def test_what_restarts_the_target_runs_last_over_one_transport_in_the_order_of_the_ids() -> None:
    times = Times()

    async def restart() -> None:
        times.began.append(("restarted", asyncio.get_running_loop().time()))

    async def body(t: Context) -> None:
        await times.lasting(1)(t)
        await t.restart()

    targets = [target(answering(brief), name) for name in ("stdio", "tls", "tcp")]
    for each in targets[1:]:
        each.restart = restart
    checks = [
        make("b", body, restarts=True),
        make("alone", times.lasting(1), alone=True, transports=("tcp",)),
        make("a", body, restarts=True),
        make("c", times.lasting(1)),
    ]
    rows = run(checks, targets)
    assert [f"{row.id}@{row.transport}" for row in rows[3:]] == ["yea/0/alone@tcp", "yea/0/a@tcp", "yea/0/b@tcp"]
    assert times.began[4:] == [("a", 2.0), ("restarted", 3.0), ("b", 3.0), ("restarted", 4.0)]


def test_a_target_that_cannot_be_restarted_says_why() -> None:
    async def body(t: Context) -> None:
        await t.restart()

    at = target(answering(brief), "stdio")
    at.not_restarted = "it keeps nothing"
    (row,) = run([make("c", body, restarts=True)], [at])
    assert (row.transport, row.outcome, row.why) == ("stdio", "not_applicable", "it keeps nothing")


def test_a_restart_is_not_the_checks_time_and_its_failure_is_the_end_of_the_target() -> None:
    async def slow() -> None:
        await asyncio.sleep(100)

    async def failing() -> None:
        raise TargetGone("it did not come up again")

    async def refusing(watcher: Watcher, name: str) -> Connection:
        raise TargetGone("connection refused")

    async def body(t: Context) -> None:
        await t.restart()
        t.expect(MUST, True, wanted="w", got="g")

    at = target(answering(brief))
    at.restart = slow
    assert [row.outcome for row in run([make("c", body, restarts=True, deadline=5)], [at])] == [Outcome.PASSED]
    at.restart, at.connect = failing, refusing
    first, second = run([make(name, body, restarts=True) for name in "ab"], [at])
    died = "the target died during this check (connection refused)"
    assert (first.outcome, first.why) == (Outcome.UNTESTED, f"it did not come up again; {died}")
    assert (second.outcome, second.why) == (Outcome.UNTESTED, "target gone: connection refused")


def test_a_transport_may_have_a_bound_of_its_own() -> None:
    few, many = Times(), Times()
    narrow = target(answering(brief), "stdio")
    narrow.at_once = 2
    checks = [make(f"n{number}", few.lasting(1), transports=("stdio",)) for number in range(6)]
    checks += [make(f"w{number}", few.lasting(0, until=50), transports=("stdio",), waits=True) for number in range(4)]
    checks += [make(f"m{number}", many.lasting(1), transports=("tcp",)) for number in range(6)]

    async def main() -> float:
        await rows_of(plan(checks, [narrow, target(answering(brief))]))
        return asyncio.get_running_loop().time()

    assert (run_virtual(main()), few.most, many.most) == (50.0, 2, 6)


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
    async def body(t: Context) -> None:
        await t.send(t.frame("INTENT", capability="a.write", auto=True))

    made = plan([make("one", body)], profile=profile("undoable", max_commits=2))
    made.facts.committed["a.write"] = 2
    rows: list[Row] = []
    made.sink = rows.append
    run_virtual(Runner(made).run())
    assert [(row.outcome.value, row.why) for row in rows] == [
        ("untested", "max_commits for a.write is used up (2)"),
    ]


def test_a_capability_that_no_role_lists_is_an_error_of_ours() -> None:
    async def body(t: Context) -> None:
        await t.ask("a.read")

    made = run_one(body)
    assert (made.outcome, made.why) == ("error", "NotAllowed: ASK to a.read, which no role of the profile lists")
