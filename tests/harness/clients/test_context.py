"""A check on a client: cases are told apart, controls decide what a run proves, a breakdown names its case."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from harness.bench import Bench
from harness.catalogue import catalogue
from harness.clients.context import ASK, AUTO, COMMIT, Case, ClientContext, ClientTarget, Job
from harness.clients.plays import Frame
from harness.clients.results import Result
from harness.clients.session import CA, CHAIN, made_ready
from harness.clients.starting import Starter
from harness.errors import NotApplicable, TargetFault, Untested
from harness.transcript import Transcript
from tests.harness.plans import MUST, make

T = TypeVar("T")
ANSWER: Frame = {"kind": "ANSWER", "data": "lunch"}

HEAD = """
import json, socket, sys
url, do = sys.argv[1:3]
host, _, port = url.partition("://")[2].partition(":")
stream = socket.create_connection((host, int(port))).makefile("rwb")
number = 0
def ask(verb, **members):
    global number
    number += 1
    frame = {"yea": 1, "id": str(number), "verb": verb, **members}
    stream.write(json.dumps(frame).encode() + b"\\n")
    stream.flush()
    return json.loads(stream.readline())
def say(outcome, **members):
    print(json.dumps({"outcome": outcome, **members}), flush=True)
"""
ASKS = HEAD + "for _ in do.split(','):\n  say('done' if ask('ASK')['kind'] == 'ANSWER' else 'failed', why='bad luck')"
ASKS_TWICE = (
    HEAD + "for _ in do.split(','):\n  ask('ASK')\n  say('done' if ask('ASK')['kind'] == 'ANSWER' else 'failed')"
)
COMMITS = HEAD + (
    "for _ in do.split(','):\n"
    "  offer = ask('INTENT')['proposals'][0]\n"
    "  reply = ask('COMMIT', proposal=offer['id'], hash=offer['hash'])\n"
    "  say('done' if reply['kind'] == 'RECEIPT' else 'failed')"
)
LAZY = HEAD + "for _ in do.split(','):\n  ask('INTENT')\n  say('done')"
LACKS = 'print(\'{"outcome": "unsupported", "why": "no such job"}\')'
FAINTS = HEAD + "for _ in do.split(','):\n  if ask('ASK')['data'] != 'lunch': sys.exit('faint')\n  say('done')"


def context(folder: Path, code: str, do: str = "{do}") -> ClientContext:
    (folder / "client.py").write_text(code)
    command = f"'{sys.executable}' '{folder}/client.py' {{url}} {do}"
    target = made_ready(Starter(command, folder, timeout=20.0), ["tcp"], "a client").targets["tcp"]

    async def pause(seconds: float) -> None:
        raise AssertionError("nothing here waits for the clock")

    transcript = Transcript(time.monotonic, lambda *_: None, str, "tcp", "check")
    check = make("client", lambda t: None)  # type: ignore[arg-type,return-value] # it never runs
    return ClientContext(Bench(check, target, catalogue("yea-client"), transcript, "run", 0, pause))


def run(folder: Path, code: str, script: Callable[[ClientContext], Awaitable[T]], do: str = "{do}") -> T:
    async def main() -> T:
        return await script(context(folder, code, do))

    return asyncio.run(main())


def told(jobs: list[Job]) -> list[tuple[str, str, list[str]]]:
    return [(job.case.name, job.result.outcome, [asked.verb for asked in job.requests]) for job in jobs]


def answers(*names: str, control: bool = True) -> list[Case]:
    return [Case(name, (ANSWER,), control=control) for name in names]


def test_a_job_has_the_requests_and_the_result_of_its_case(tmp_path: Path) -> None:
    async def script(t: ClientContext) -> list[Job]:
        return await t.jobs(COMMIT, [t.good(), t.offers("another", t.proposal(id="p2"))])

    sent = ["INTENT", "COMMIT"]
    assert told(run(tmp_path, COMMITS, script)) == [("a sound proposal", "done", sent), ("another", "done", sent)]


def test_where_jobs_cannot_be_told_apart_each_is_a_run_of_its_own(tmp_path: Path) -> None:
    async def script(t: ClientContext) -> list[Job]:
        return await t.jobs(ASK, answers("one", "two"))

    found = told(run(tmp_path, ASKS_TWICE, script))
    assert found == [("one", "done", ["ASK", "ASK"]), ("two", "done", ["ASK", "ASK"])]


def test_without_do_each_job_is_a_run_of_its_own(tmp_path: Path) -> None:
    async def script(t: ClientContext) -> tuple[list[Job], int]:
        jobs = await t.around(COMMIT, t.good, [t.offers("one", t.proposal()), t.offers("two", t.proposal())])
        return jobs, t._runs

    jobs, runs = run(tmp_path, COMMITS, script, do="commit")
    assert ([job.case.name for job in jobs], runs) == (["one", "two"], 4)


def test_in_one_run_each_case_stands_between_two_controls(tmp_path: Path) -> None:
    async def script(t: ClientContext) -> tuple[list[str], int]:
        jobs = await t.around(ASK, lambda: answers("control")[0], answers("one", "two", control=False))
        return [job.case.name for job in jobs], t._runs

    assert run(tmp_path, ASKS, script) == (["one", "two"], 1)


@pytest.mark.parametrize(
    ("code", "do"), [(ASKS, ASK), (LAZY, COMMIT)], ids=["it fails", "it only says that it is done"]
)
def test_a_control_that_does_not_succeed_proves_nothing(tmp_path: Path, code: str, do: str) -> None:
    async def script(t: ClientContext) -> list[Job]:
        refused: Frame = {"kind": "ERROR", "code": "unavailable", "message": "no"}
        return await t.jobs(do, [Case("refused", (refused,), control=True) if do == ASK else t.good()])

    with pytest.raises(Untested) as raised:
        run(tmp_path, code, script)
    assert raised.value.why.startswith("the control (") and "did not succeed: it sent" in raised.value.why


def test_a_job_that_the_client_lacks_is_not_applicable(tmp_path: Path) -> None:
    with pytest.raises(NotApplicable, match="the client says that it lacks this: no such job"):
        run(tmp_path, LACKS, lambda t: t.jobs(AUTO, answers("one")))


def test_a_job_that_the_command_cannot_be_told_is_not_applicable(tmp_path: Path) -> None:
    with pytest.raises(NotApplicable, match=r"the command does not take \{do\}"):
        run(tmp_path, ASKS, lambda t: t.jobs(ASK, answers("one")), do="ask")


def test_a_crash_names_the_case_that_it_met(tmp_path: Path) -> None:
    async def script(t: ClientContext) -> list[Job]:
        strange = Case("a strange answer", ({"kind": "ANSWER", "data": "?"},))
        return await t.jobs(ASK, [*answers("one"), strange, *answers("two")])

    with pytest.raises(TargetFault) as raised:
        run(tmp_path, FAINTS, script)
    assert raised.value.why == (
        "the client printed 1 of 3 results and ended with exit code 1; it said: faint; it met: a strange answer"
    )


def test_what_passed_is_in_the_transcript_but_for_controls_after_the_first(tmp_path: Path) -> None:
    async def script(t: ClientContext) -> list[tuple[str, str]]:
        await t.jobs(ASK, [*answers("one", "two"), *answers("three", control=False), *answers("four")])
        return [(str(event.dir), event.text.partition(" at yea://")[0][:40]) for event in t.transcript.events]

    first, third = '{"yea": 1, "id": "1", "verb": "ASK"}', '{"yea": 1, "id": "3", "verb": "ASK"}'
    found = run(tmp_path, ASKS, script)
    assert [event for event in found if event[0] != "sent"] == [
        ("note", "a client is started to do 4 times ask"),
        ("received", first),
        ("received", third),
        ("note", "three: it sent ASK and said done: bad luck"[:40]),
    ]
    assert [event[0] for event in found].count("sent") == 2


def test_a_proposal_has_the_hash_of_what_it_says(tmp_path: Path) -> None:
    async def script(t: ClientContext) -> Any:
        right, other = t.proposal(), t.proposal(risk=...)
        return right["hash"] != other["hash"], "risk" in other, t.proposal(hash="x")["hash"]

    assert run(tmp_path, ASKS, script) == (True, False, "x")


def test_a_finding_names_what_was_seen(tmp_path: Path) -> None:
    async def script(t: ClientContext) -> list[str]:
        job = Job(answers("one")[0], (), Result("failed", "no"))
        t.expect(MUST, False, wanted="more", got=job)
        return [finding.got for finding in t.findings]

    assert run(tmp_path, ASKS, script) == ["it sent no request and said failed: no"]


def test_the_target_has_a_certificate_for_its_address(tmp_path: Path) -> None:
    target = context(tmp_path, ASKS).target
    assert isinstance(target, ClientTarget)
    assert (target.ca, target.chain) == (tmp_path / CA, tmp_path / CHAIN)
    assert target.host.startswith("127.")
