"""Which transports still answer: one that died takes only its own rows with it, a dead process takes them all."""

import asyncio

import httpx

from harness.clock import run_virtual
from harness.context import Context
from harness.errors import TargetGone
from harness.presence import MOST_MUTE, Presence
from harness.runner import Runner
from harness.targets.base import Connection, Target, Watcher
from reports.model import Row
from tests.harness.peers import answering, bridge, brief, line, saying, target
from tests.harness.plans import MUST, make, plan

GONE = "no connection to tcp://peer: connection refused"
HTTP_GONE = "no connection to http://peer.invalid/yea: connection refused"


def web(request: httpx.Request) -> httpx.Response:
    """Answer any request with a BRIEF."""
    return httpx.Response(200, content=line({"yea": 1, "id": "s", "re": "x", **brief({})}))


def mortal(lives: int) -> Target:
    """Return a TCP target that answers HELLO on so many connections, and then refuses them."""
    at = target(answering(brief))
    accept, left = at.connect, [lives]

    async def connect(watcher: Watcher, name: str) -> Connection:
        if left[0] == 0:
            raise TargetGone(GONE)
        left[0] -= 1
        return await accept(watcher, name)

    at.connect = connect
    return at


async def hello(t: Context) -> None:
    t.expect_kind(MUST, await t.hello(), "BRIEF")


async def elsewhere(t: Context) -> None:
    """Say HELLO here and, when it is a check over HTTP, over TCP too."""
    await hello(t)
    if "tcp" in t.others and t.transport == "http":
        await t.hello(await t.connect("tcp"))


def rows(targets: list[Target], checks: int = 3) -> tuple[dict[str, list[tuple[str, str]]], dict[str, str]]:
    """Return outcome and why of the rows by transport, sorted, and what was gone in the end."""

    async def main() -> tuple[list[Row], dict[str, str]]:
        made: list[Row] = []
        runner = Runner(plan([make(f"c{n}", elsewhere) for n in range(checks)], targets, jobs=1, sink=made.append))
        await runner.run()
        return made, runner.presence.gone

    made, gone = run_virtual(main())
    names = sorted({str(row.transport) for row in made})
    return {n: sorted((r.outcome.value, r.why) for r in made if r.transport == n) for n in names}, gone


def test_a_port_that_died_takes_only_its_own_rows_with_it() -> None:
    found, gone = rows([mortal(0), bridge(web)])
    assert gone == {"tcp": GONE}
    assert {outcome for outcome, _ in found["http"]} <= {"passed", "untested"}
    assert [why for outcome, why in found["http"] if outcome == "untested"] in ([], [f"target gone: {GONE}"])
    assert [outcome for outcome, _ in found["tcp"]] in (["failed", "untested", "untested"], ["untested"] * 3)
    assert {why for outcome, why in found["tcp"] if outcome == "untested"} == {f"target gone: {GONE}"}


def test_a_check_that_missed_a_transport_which_died_could_not_be_set_up() -> None:
    found, gone = rows([mortal(0), bridge(web)], checks=40)
    assert len([why for outcome, why in found["http"] if outcome == "untested"]) <= 1
    assert "failed" not in {outcome for outcome, _ in found["http"]}
    assert gone == {"tcp": GONE}


def test_a_process_that_died_takes_all_rows_with_it() -> None:
    alive = [True]

    def handler(request: httpx.Request) -> httpx.Response:
        if not alive[0]:
            raise httpx.ConnectError("All connection attempts failed") from ConnectionRefusedError(111, "x")
        return web(request)

    async def dying(t: Context) -> None:
        alive[0] = False
        await t.hello(await t.connect())

    async def main() -> tuple[dict[str, str], list[str]]:
        made: list[Row] = []
        checks = [make("dying", dying, transports=("tcp",), waits=True), make("hello", hello)]
        runner = Runner(plan(checks, [mortal(0), bridge(handler)], jobs=1, sink=made.append))
        await runner.run()
        return runner.presence.gone, [f"{row.id}@{row.transport} {row.outcome}" for row in made]

    gone, outcomes = run_virtual(main())
    assert gone == {"tcp": GONE, "http": HTTP_GONE}
    assert sorted(outcomes) == ["yea/0/dying@tcp failed", "yea/0/hello@http untested", "yea/0/hello@tcp untested"]


def looked(targets: list[Target], *transports: str) -> tuple[dict[str, str], str]:
    async def main() -> tuple[dict[str, str], str]:
        presence = Presence({each.transport: each for each in targets})
        for name in transports:
            await presence.look(name)
        for name in presence.gone:
            await presence.wait(name, 86400)
        assert asyncio.get_running_loop().time() < 3600
        return presence.gone, str(presence)

    return run_virtual(main())


def test_a_transport_that_does_not_answer_is_left_after_a_few_times() -> None:
    mute = f"{MOST_MUTE} times in a row it did not even answer HELLO over tcp"
    assert looked([target(saying(b"")), bridge(web)], *["tcp"] * (MOST_MUTE - 1)) == ({}, "")
    assert looked([target(saying(b"")), bridge(web)], *["tcp"] * MOST_MUTE) == ({"tcp": mute}, mute)


def test_being_mute_counts_only_where_an_answer_was_missed() -> None:
    gone, _ = looked([mortal(0), bridge(lambda request: httpx.Response(500))], "tcp", "tcp", "tcp", "tcp")
    assert gone == {"tcp": GONE}


def test_what_is_gone_is_said_once_for_all_transports() -> None:
    def refused(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("All connection attempts failed") from ConnectionRefusedError(111, "x")

    gone, words = looked([mortal(0), bridge(refused)], "http")
    assert gone == {"http": HTTP_GONE, "tcp": GONE}
    assert words == f"{HTTP_GONE}; {GONE}"
