"""Who checks the checks: a fault is killed, survives or is broken, and a failed control voids the run."""

import contextlib
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from harness import check, cli, faults, fuzz_trials, monitors, selftest
from harness.adapters import trials as adapter_trials
from harness.check import Check
from harness.context import Context
from harness.faults import Fault
from harness.matrix import Tripped
from harness.monitors import Monitor
from harness.selftest import NONSENSE, SOUND, UNLOADABLE, Nonsense, passed, summary
from harness.trial import Trial
from harness.workers import Submit
from reference.yea.conformance import conformance_service
from reference.yea.service import Service
from tests.harness.plans import MUST, SHOULD, make, monitor, passing


async def unknown_verb(t: Context) -> None:
    t.expect_error(MUST, await t.send({**t.frame("HELLO"), "verb": "PING"}), "bad_frame")


async def recommended(t: Context) -> None:
    exchange = await t.send({**t.frame("HELLO"), "verb": "PING"})
    t.expect(SHOULD, exchange.kind == "ERROR", wanted="ERROR", got=exchange)


async def wishful(t: Context) -> None:
    t.expect(MUST, False, wanted="more", got="less")


def no_brief(frame: Any, memory: Any) -> str | None:
    return None if frame.kind in ("BRIEF", "ERROR") else f"kind {frame.kind}"


VERB = make("verb", unknown_verb)
STREAM_VERB = make("stream-verb", unknown_verb, transports=("tcp",))
WANTED = make("wanted", recommended)
SAME = make("same-verb", unknown_verb)
KINDS = monitor("kinds", "frame", no_brief)


class AnyVerb(Service):
    """Takes any verb for HELLO."""

    def read_verb(self, frame: Any) -> str:
        return "HELLO"


class Explosive(Service):
    """Cannot be made."""

    def __init__(self, **options: Any) -> None:
        raise LookupError("no such table")


@contextlib.contextmanager
def threads(count: int, prepare: Callable[[], None]) -> Iterator[Submit]:
    """Stand in for workers, where `prepare` would silence this process for good."""
    with ThreadPoolExecutor(count) as pool:
        yield pool.submit


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, dict[str, Any]]]:
    """Replace all registered checks, monitors and faults by what a test puts into these tables."""
    kept: dict[str, dict[str, Any]] = {"checks": {}, "monitors": {}, "faults": {}}
    monkeypatch.setattr(check, "load", lambda protocol: kept["checks"])
    monkeypatch.setattr(monitors, "load", lambda protocol: kept["monitors"])
    monkeypatch.setattr(faults, "load", lambda protocol: kept["faults"])
    monkeypatch.setattr(selftest, "workers", threads)
    monkeypatch.setattr(adapter_trials, "operations", lambda protocol: ())
    monkeypatch.setattr(fuzz_trials, "jobs", list)
    yield kept


def put(tables: dict[str, dict[str, Any]], *entries: Check | Monitor | Fault) -> None:
    kinds = {Check: "checks", Monitor: "monitors", Fault: "faults"}
    for entry in entries:
        tables[kinds[type(entry)]][entry.id] = entry


def trials(tables: dict[str, dict[str, Any]], *entries: Check | Monitor | Fault, matrix: bool = False) -> list[Trial]:
    put(tables, *entries)
    return selftest.run("yea", matrix=matrix)


def trial(tables: dict[str, dict[str, Any]], fault: Fault, *entries: Check | Monitor, matrix: bool = False) -> Trial:
    return trials(tables, *entries, fault, matrix=matrix)[-1]


BROKEN_VERB = ((VERB.id, MUST),)
CONTROLS = [
    Trial(SOUND, "passed", ("4 rows",)),
    Trial(NONSENSE, "passed", ("2 of 2 rows failed",)),
    Trial(UNLOADABLE, "passed", why="RuntimeError: made to fail"),
]


def test_a_fault_that_its_claims_fail_on_is_killed(tables: dict[str, dict[str, Any]]) -> None:
    fault = Fault("yea/any-verb", "says", (VERB.id,), AnyVerb)
    assert trials(tables, VERB, fault) == [*CONTROLS, Trial("yea/any-verb", "killed", (VERB.id,), broke=BROKEN_VERB)]


SURVIVORS: dict[str, tuple[Fault, str]] = {
    "it breaks nothing": (
        Fault("yea/x", "says", (VERB.id,), Service, transports=("http",)),
        f"{VERB.id}@http passed",
    ),
    "one claim does not see it": (
        Fault("yea/x", "says", (VERB.id, "yea/0/blind"), AnyVerb, transports=("tcp",)),
        "yea/0/blind@tcp passed",
    ),
    "a claim fails where it should warn": (
        Fault("yea/x", "says", (VERB.id,), AnyVerb, transports=("tcp",), outcome="warned"),
        f"{VERB.id}@tcp failed {MUST} (MUST): wanted ERROR bad_frame; got BRIEF",
    ),
    "a claim warns where it should fail": (
        Fault("yea/x", "says", (WANTED.id,), AnyVerb, transports=("tcp",)),
        f"{WANTED.id}@tcp warned {SHOULD} (SHOULD): wanted ERROR; got BRIEF",
    ),
    "its claim does not run there": (
        Fault("yea/x", "says", (STREAM_VERB.id,), AnyVerb, transports=("http",)),
        f"{STREAM_VERB.id} does not run over http",
    ),
    "its claim is an error": (
        Fault("yea/x", "says", ("yea/0/empty",), AnyVerb, transports=("tcp",)),
        "yea/0/empty@tcp error the check evaluated nothing",
    ),
}


async def empty(t: Context) -> None:
    return


@pytest.mark.parametrize("name", SURVIVORS)
def test_a_fault_survives_when(tables: dict[str, dict[str, Any]], name: str) -> None:
    fault, why = SURVIVORS[name]
    checks = (VERB, STREAM_VERB, WANTED, make("blind", passing), make("empty", empty))
    assert trial(tables, fault, *checks) == Trial("yea/x", "survived", fault.kills, why)


BROKEN: dict[str, tuple[Fault, str]] = {
    "it cannot be made": (Fault("yea/x", "says", (VERB.id,), Explosive), "LookupError: no such table"),
    "it claims what is not there": (
        Fault("yea/x", "says", (VERB.id, "yea/0/gone", "yea/9/gone"), AnyVerb),
        "claims unknown checks: yea/0/gone, yea/9/gone",
    ),
    "its traffic is malformed": (
        Fault("yea/x", "says", (KINDS.id,), AnyVerb, traffic="and"),
        "UsageError: -k 'and': a check id is missing",
    ),
    "it answers no HELLO": (
        Fault("yea/x", "says", (VERB.id,), type("Mute", (Service,), {"hello": lambda self, request: {}})),
        "TargetError: in-process: does not speak YEA: HELLO got a frame without kind instead of a BRIEF",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_fault_is_broken_when(tables: dict[str, dict[str, Any]], name: str) -> None:
    fault, why = BROKEN[name]
    assert trial(tables, fault, VERB, KINDS) == Trial("yea/x", "broken", fault.kills, why)


def test_a_monitors_fault_gets_the_traffic_it_needs(tables: dict[str, dict[str, Any]]) -> None:
    class Odd(Service):
        """Answers an unknown verb with a kind of its own."""

        def read_verb(self, frame: Any) -> str:
            return str(frame["verb"]) if frame["verb"] == "HELLO" else "HELLO"

        def hello(self, request: Any) -> Any:
            return super().hello(request) if request.id == "naysayer-hello" else {"kind": "ODD"}

    quiet = make("quiet", passing)
    whole = Fault("yea/whole", "says", (KINDS.id,), Odd)
    some = Fault("yea/some", "says", (KINDS.id,), Odd, traffic="yea/0/verb")
    none = Fault("yea/none", "says", (KINDS.id,), Odd, traffic="yea/0/quiet")
    found = trials(tables, VERB, quiet, KINDS, whole, some, none)
    unseen = "untested the run saw no frame on this transport"
    assert found[3:] == [
        Trial("yea/whole", "killed", (KINDS.id,), broke=((KINDS.id, KINDS.clause),)),
        Trial("yea/some", "killed", (KINDS.id,), broke=((KINDS.id, KINDS.clause),)),
        Trial("yea/none", "survived", (KINDS.id,), f"{KINDS.id}@tcp {unseen}; {KINDS.id}@http {unseen}"),
    ]


def test_the_matrix_shows_what_else_a_fault_trips(tables: dict[str, dict[str, Any]]) -> None:
    fault = Fault("yea/any-verb", "says", (VERB.id,), AnyVerb)
    others = (VERB, WANTED, SAME, make("blind", passing))
    same = Tripped(SAME.id, MUST, "clause", f"both find {MUST} broken")
    found = trial(tables, fault, *others, matrix=True)
    wanted = Trial(fault.id, "killed", (VERB.id,), broke=BROKEN_VERB, also=(same, Tripped(WANTED.id, SHOULD, "", "")))
    assert found == wanted
    assert found.unexplained == (Tripped(WANTED.id, SHOULD, "", ""),)
    assert not found.good
    assert trial(tables, fault, *others).also == ()


def test_a_fault_whose_claims_hold_alone_is_killed_whatever_happens_to_them_among_others(
    tables: dict[str, dict[str, Any]],
) -> None:
    class OnlyOnce(Service):
        """Answers one PING in all as it must."""

        pings = 0

        def read_verb(self, frame: Any) -> str:
            self.pings += frame.get("verb") == "PING"
            return "HELLO" if self.pings == 1 else super().read_verb(frame)

    fault = Fault("yea/once", "says", (VERB.id,), OnlyOnce, transports=("tcp",))
    found = trial(tables, fault, VERB, SAME, matrix=True)
    assert (found.result, found.good) == ("killed", True)
    assert trial(tables, fault, VERB, SAME).result == "killed"


def test_who_waits_for_the_matrix_is_told_of_each_fault(
    tables: dict[str, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    put(tables, VERB, WANTED, SAME, Fault("yea/any-verb", "says", (VERB.id,), AnyVerb))
    assert cli.main(["selftest", "--matrix", "--verbose"]) == 1
    out, err = capsys.readouterr()
    assert f"killed: yea/any-verb: also trips 2; without an explanation: {WANTED.id} ({SHOULD})\n" in err
    assert f"unexplained: yea/any-verb: also trips {WANTED.id} ({SHOULD})\n" in out
    counts = "1 by the same clause, 0 by one of the same section, 0 by one that says the same rule again, "
    counts += "0 because the fault reaches that far, 1 without an explanation"
    assert out.endswith(f"beside their claims the faults trip 2 checks: {counts}\n")
    del tables["checks"][WANTED.id]
    assert cli.main(["selftest", "--matrix", "--verbose"]) == 0
    assert f"yea/any-verb also trips (both find {MUST} broken) {SAME.id}\n" in capsys.readouterr().out


# Controls


def test_a_sound_reference_that_fails_voids_the_run(tables: dict[str, dict[str, Any]]) -> None:
    sound, *rest = trials(tables, VERB, make("wishful", wishful, transports=("tcp",)))
    why = f"yea/0/wishful@tcp failed: {MUST} (MUST): wanted more; got less"
    assert sound == Trial(SOUND, "failed", why=why)
    assert [each.result for each in rest] == ["passed", "passed"]
    assert not passed([sound, *rest])
    assert (
        summary([sound, *rest]) == "0 faults: 0 killed, 0 survived, 0 broken; 2 of 3 controls passed; the run is void"
    )


def test_a_check_that_passes_on_nonsense_voids_the_run(tables: dict[str, dict[str, Any]]) -> None:
    _, nonsense, _ = trials(tables, VERB, make("blind", passing, transports=("tcp",)))
    assert nonsense == Trial(NONSENSE, "failed", why="yea/0/blind@tcp passed")
    del tables["checks"]["yea/0/verb"]
    tables["checks"]["yea/0/blind"] = make("blind", empty, transports=("http",))
    assert trials(tables)[1].why == "yea/0/blind@http error"


def test_nonsense_that_nothing_fails_on_voids_the_run(tables: dict[str, dict[str, Any]]) -> None:
    put(tables, make("elsewhere", passing, principals=3))
    assert selftest.run("yea")[1] == Trial(NONSENSE, "failed", why="none failed")


def test_nonsense_answers_the_first_hello_and_nothing_after_it() -> None:
    service = conformance_service(service_class=Nonsense)
    said = [service.envelope(re, {"kind": "BRIEF"})["kind"] for re in ("naysayer-hello", "1")]
    assert said == ["BRIEF", "NONSENSE"]


def test_an_empty_selftest_has_not_passed() -> None:
    assert not passed([])
    assert passed([Trial("a", "killed"), Trial("control: x", "passed")])
    assert not passed([Trial("a", "killed"), Trial("b", "survived")])
    assert not passed([Trial("a", "killed"), Trial("b", "broken")])


def test_the_summary_counts_what_became_of_the_faults() -> None:
    made = [Trial("control: a", "passed"), Trial("x", "killed"), Trial("y", "survived"), Trial("z", "killed")]
    assert summary(made) == "3 faults: 2 killed, 1 survived, 0 broken; 1 of 1 controls passed"


# The command


def test_the_command_prints_a_table_and_its_exit_code_tells(
    tables: dict[str, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    put(tables, VERB, Fault("yea/any-verb", "says", (VERB.id,), AnyVerb))
    assert cli.main(["selftest"]) == 0
    out = capsys.readouterr().out
    assert "yea/any-verb" not in out
    assert " clauses in reach: 1 with a fault that breaks them, " in out
    assert cli.main(["selftest", "--verbose"]) == 0
    out = capsys.readouterr().out
    assert "killed    yea/any-verb" in out
    assert f"{MUST:<13} MUST       {VERB.id}  yea/any-verb breaks it\n" in out
    assert out.endswith("1 faults: 1 killed, 0 survived, 0 broken; 3 of 3 controls passed\n")
    put(tables, Fault("yea/nothing", "says", (VERB.id,), Service, transports=("tcp",)))
    assert cli.main(["selftest"]) == 1
    assert f"survived: yea/nothing: {VERB.id}@tcp passed\n" in capsys.readouterr().out


def test_the_command_gives_json(tables: dict[str, dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    put(tables, VERB, Fault("yea/any-verb", "says", (VERB.id,), AnyVerb))
    assert cli.main(["selftest", "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["passed"] is True
    assert [each["name"] for each in made["trials"]] == [SOUND, NONSENSE, UNLOADABLE, "yea/any-verb"]
    assert made["trials"][-1] == {
        "name": "yea/any-verb",
        "result": "killed",
        "claims": [VERB.id],
        "why": "",
        "broke": [list(pair) for pair in BROKEN_VERB],
        "also": [],
    }
    assert {"clause": MUST, "level": "MUST", "own": True, "by": [{"check": VERB.id, "fault": "yea/any-verb"}]} in (
        made["clauses"]
    )
