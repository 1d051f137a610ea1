"""A run from its targets to its lines: what is planned, announced and written, however it ends."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness import check as checks
from harness import monitors, session
from harness.clock import run_virtual
from harness.context import Context
from harness.errors import HarnessError, TargetError, TargetGone, UsageError
from harness.facts import Facts
from harness.profile import EMPTY, Profile, Role, built_in
from harness.selection import compile_selection
from harness.session import Options, Prepared, commit_lines, make_targets, plan, prepare, recognise
from harness.targets.addresses import parse
from harness.targets.base import Connection, Target, Watcher
from reports.lines import LineWriter, read_lines
from reports.masking import MASK
from reports.model import ClauseInfo as ReportClause
from reports.model import Header, Level, Outcome, Run, Scope, Versions
from reports.verdict import Verdict, run_verdict
from tests.harness.peers import BRIEF, answering, bridge, brief, saying, target
from tests.harness.plans import MUST, RULE, make, monitor, passing, profile, services


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Replace all registered checks and monitors by what a test puts into these tables."""
    kept: dict[str, Any] = {"checks": {}, "monitors": {}}
    monkeypatch.setattr(checks, "load", lambda protocol: kept["checks"])
    monkeypatch.setattr(monitors, "load", lambda protocol: kept["monitors"])
    return kept


def put(tables: dict[str, Any], *entries: Any) -> None:
    for entry in entries:
        tables["checks" if isinstance(entry, checks.Check) else "monitors"][entry.id] = entry


def prepared(*targets: Target, given: Profile = EMPTY, name: str = "tcp://peer") -> Prepared:
    chosen = targets or (target(answering(brief)),)
    return Prepared({each.transport: each for each in chosen}, Facts(dict(BRIEF)), given, name)


# Targets


def test_each_address_becomes_a_target_of_its_transport() -> None:
    addresses = [parse(text) for text in ("yea://127.0.0.1:1", "yeas://h:2", "http://h.example/yea", "stdio:./x")]
    targets = make_targets(addresses, EMPTY, Options(managed=True))
    assert {name: (made.transport, made.address, made.loopback, made.managed) for name, made in targets.items()} == {
        "tcp": ("tcp", "yea://127.0.0.1:1", True, True),
        "tls": ("tls", "yeas://h:2", False, True),
        "stdio": ("stdio", "stdio:./x", True, True),
        "http": ("http", "http://h.example/yea", False, True),
    }


def test_two_addresses_of_one_transport_are_two_services() -> None:
    with pytest.raises(UsageError) as caught:
        make_targets([parse("http://h/yea"), parse("https://h/yea")], EMPTY, Options())
    assert str(caught.value) == "two targets over http: certify one service at a time"


def test_an_authority_that_is_none_is_said_before_anything_is_reached(tmp_path: Path) -> None:
    for address in ("yeas://h", "https://h/yea"):
        with pytest.raises(HarnessError) as caught:
            make_targets([parse(address)], Profile("p", ca=tmp_path / "ca.pem"), Options())
        assert str(caught.value).startswith(f"{tmp_path}/ca.pem cannot be used as a certificate authority: No such")


def test_every_transport_has_to_answer() -> None:
    async def main(*targets: Target) -> Facts:
        return await session.reach({each.transport: each for each in targets}, Options(timeout=1.0))

    assert run_virtual(main(target(answering(brief)))).service_id == "peer.example"
    with pytest.raises(TargetError):
        run_virtual(main(target(answering(brief)), bridge(lambda request: httpx.Response(404))))


def test_the_conformance_service_is_recognised_by_its_whole_brief() -> None:
    names = {role.capability for role in built_in("conformance").roles.values()}
    entries = [{"name": name} for name in sorted(names)]
    assert recognise(Facts({"capabilities": [*entries, {"name": "more"}]})) == built_in("conformance")
    assert recognise(Facts({"capabilities": entries[1:]})) == EMPTY
    assert recognise(Facts({})) == EMPTY


def test_a_profile_without_roles_gets_those_of_the_conformance_service() -> None:
    known = built_in("conformance")
    facts = Facts({"capabilities": [{"name": role.capability} for role in known.roles.values()]})
    reached = Profile(name="p.toml", ca=Path("ca.pem"), start_timeout=60.0)
    name = "p.toml, with the roles of the built-in profile conformance"
    assert recognise(facts, reached) == replace(reached, name=name, roles=known.roles, seeds=known.seeds)
    trusted = replace(reached, seeds={"a": bytes(32)})
    assert recognise(facts, trusted) == replace(trusted, name=name, roles=known.roles)
    own = replace(reached, roles={"ask": known.roles["ask"]})
    assert recognise(facts, own) is own
    assert recognise(Facts({}), reached) is reached
    empty = replace(EMPTY, name="p.toml")
    assert recognise(facts, empty) is empty


# Before the first check


def test_the_clock_is_measured_and_its_commit_counted() -> None:
    async def main() -> dict[str, Any]:
        (at,) = services("tcp")
        facts = Facts({"service": {"id": "conformance.naysayer.example"}, "capabilities": []})
        made = Prepared({"tcp": at}, facts, built_in("conformance"), "x")
        await prepare(made)
        return {"skew": facts.skew, "demands": facts.demands_grants, "committed": dict(facts.committed)}

    assert run_virtual(main()) == {"skew": 0.0, "demands": False, "committed": {"calendar.book": 1}}


def test_no_commit_is_sent_for_checks_that_sign_nothing(tables: dict[str, Any]) -> None:
    asked: list[str] = []

    def answer(frame: dict[str, Any]) -> dict[str, Any]:
        asked.append(frame["verb"])
        return {"kind": "ERROR", "code": "unauthorized"}

    put(tables, make("plain", passing))

    async def main() -> Facts:
        made = prepared(target(answering(answer)), given=profile("ask", "undoable"))
        await prepare(made, plan(made, Options(), lambda row: None))
        return made.facts

    facts = run_virtual(main())
    assert (asked, facts.demands_grants, dict(facts.committed)) == (["ASK", "INTENT"], True, {})


def test_a_target_that_is_silent_or_gone_by_then_is_left_to_the_checks() -> None:
    async def refuse(watcher: Watcher, name: str) -> Connection:
        raise TargetGone("no connection")

    async def main() -> None:
        gone = target(answering(brief))
        gone.connect = refuse
        await prepare(prepared(gone, given=profile("ask", "undoable")))
        await prepare(prepared(target(saying(b"")), given=profile("ask", "undoable")))

    run_virtual(main())


def test_commits_are_announced_by_role_with_their_bounds(tables: dict[str, Any]) -> None:
    roles = {
        "undoable": Role("undoable", "a.write", {}, max_commits=9),
        "risky": Role("risky", "a.risk", {}),
        "ask": Role("ask", "a.read", {}),
    }
    given = Profile("p", seeds={"a": bytes(32)}, roles=roles)
    put(
        tables,
        make("one", passing, needs=("undoable", "ask"), commits=3),
        make("two", passing, needs=("undoable", "risky"), commits=2, transports=("tcp",)),
        make("absent", passing, needs=("undoable", "multi"), commits=50),
        make("also", passing, needs=("ask",), also=("risky", "multi"), commits=4),
        make("reads", passing, needs=("undoable",)),
        make("http", passing, needs=("risky",), commits=7, transports=("http",)),
    )

    def announced(*targets: Target, given: Profile = given) -> list[str]:
        return list(commit_lines(plan(prepared(*targets, given=given), Options(), lambda row: None)))

    stream, web = target(answering(brief)), bridge(lambda request: httpx.Response(200))
    assert announced(stream) == [
        "up to 6 to a.risk (role risky)",
        "up to 6 to a.write (role undoable, bounded to 9)",
    ]
    assert announced(stream, web) == [
        "up to 17 to a.risk (role risky)",
        "up to 9 to a.write (role undoable, bounded to 9)",
    ]
    none = Profile("p", seeds={"a": bytes(32)}, roles={"risky": roles["risky"]}, max_commits=0)
    assert announced(web, given=none) == ["up to 7 to a.risk (role risky, bounded to 0)"]
    assert announced(stream, given=EMPTY) == []


# The plan


def test_a_plan_holds_what_the_selection_takes(tables: dict[str, Any]) -> None:
    put(tables, make("one", passing), make("two", passing), monitor("three", "frame", lambda thing, memory: None))

    def selected(text: str) -> tuple[list[str], list[str], bool]:
        made = plan(prepared(), Options(select=compile_selection(text)), lambda row: None)
        return [each.id for each in made.checks], [each.id for each in made.watch.monitors], made.selected

    assert selected("yea/0/one") == (["yea/0/one"], [], True)
    assert selected("yea/0/three") == ([], ["yea/0/three"], True)
    assert selected("not yea/0/two") == (["yea/0/one"], ["yea/0/three"], True)
    whole = plan(prepared(), Options(seed=5, jobs=3, slow=True), lambda row: None)
    assert (len(whole.checks), whole.selected, whole.seed, whole.jobs, whole.slow) == (2, False, 5, 3, True)
    assert whole.run_id != plan(prepared(), Options(), lambda row: None).run_id


def test_an_empty_selection_is_wrong_usage(tables: dict[str, Any]) -> None:
    put(tables, make("http", passing, transports=("http",)))
    for select in (compile_selection("yea/99"), compile_selection("yea/0/http")):
        with pytest.raises(UsageError) as caught:
            plan(prepared(), Options(select=select), lambda row: None)
        assert str(caught.value) == "the selection is empty: no check has such an id on these transports"


def test_an_empty_selection_names_the_ids_that_are_near(tables: dict[str, Any]) -> None:
    put(tables, make("one-rule", passing), monitor("one-watch", "frame", lambda thing, memory: None))
    with pytest.raises(UsageError) as caught:
        plan(prepared(), Options(select=compile_selection("yea/0/one")), lambda row: None)
    assert str(caught.value) == (
        "the selection is empty: no check has such an id on these transports; names match whole parts, and none is "
        "'yea/0/one': try yea/0/one-rule or yea/0/one-watch"
    )


# The run


def lines_of(
    tmp_path: Path, made: Prepared, options: Options, *, cancel_after: float | None = None
) -> tuple[Run, bool]:
    """Run what is planned and return the run as its lines have it, and whether it was interrupted."""

    async def main() -> bool:
        with LineWriter(tmp_path / "run.jsonl") as lines:
            planned = plan(made, options, lambda row: None)
            running = asyncio.ensure_future(session.run(planned, made, options, lines, seen.append))
            if cancel_after is not None:
                await asyncio.sleep(cancel_after)
                running.cancel()
            return await running

    seen: list[dict[Outcome, int]] = []
    interrupted = run_virtual(main())
    (run,) = read_lines(tmp_path / "run.jsonl").runs
    assert seen[-1] == run.counts
    return run, interrupted


async def failing(t: Context) -> None:
    t.expect(MUST, False, wanted="w", got="g")


async def endless(t: Context) -> None:
    await asyncio.Event().wait()


async def hello(t: Context) -> None:
    t.expect_kind(RULE, await t.hello(), "BRIEF")


def test_a_run_writes_what_it_set_out_to_do_found_and_left(tables: dict[str, Any], tmp_path: Path) -> None:
    put(tables, make("one", passing, MUST), make("two", failing, MUST, RULE))
    run, interrupted = lines_of(tmp_path, prepared(), Options(select=compile_selection("yea"), seed=42))
    versions = run.header.versions
    assert run.header == Header(
        target="tcp://peer",
        started=run.header.started,
        versions=Versions(versions.naysayer, "yea-1-draft-1.1", versions.vectors),
        scope=Scope("yea", "service", ("tcp",), False),
        seed=42,
        clauses=(ReportClause(MUST, Level.MUST, "2.1"), ReportClause(RULE, Level.RULE, "2.2")),
    )
    assert sorted((row.id, row.outcome.value, row.replay) for row in run.rows) == [
        ("yea/0/one", "passed", "yea/0/one@tcp"),
        ("yea/0/two", "failed", "yea/0/two@tcp"),
    ]
    assert run.footer is not None
    assert (interrupted, run.footer.complete, run.footer.interrupted) == (False, True, None)
    assert [(each.id, each.why, each.declared) for each in run.unreached] == [
        (RULE, "yea/0/two ended before it got there", False)
    ]
    assert run_verdict(run) == Verdict.NON_CONFORMING


def test_an_interrupted_run_leaves_a_whole_report(tables: dict[str, Any], tmp_path: Path) -> None:
    put(tables, make("one", passing), make("two", endless), make("three", passing, alone=True))
    run, interrupted = lines_of(tmp_path, prepared(), Options(), cancel_after=5.0)
    assert interrupted
    assert {(row.id, row.outcome.value, row.why) for row in run.rows} == {
        ("yea/0/one", "passed", ""),
        ("yea/0/two", "untested", "interrupted"),
        ("yea/0/three", "untested", "interrupted"),
    }
    assert run.footer is not None
    assert (run.complete, run.footer.complete, run.footer.interrupted) == (False, False, "interrupted")
    assert run_verdict(run) == Verdict.PARTIAL


def test_a_target_that_dies_leaves_a_whole_report(tables: dict[str, Any], tmp_path: Path) -> None:
    at = target(saying(b""))
    accept, left = at.connect, [1]

    async def connect(watcher: Watcher, name: str) -> Connection:
        if left[0] == 0:
            raise TargetGone("no connection to it")
        left[0] -= 1
        return await accept(watcher, name)

    at.connect = connect
    put(tables, *(make(f"c{number}", hello) for number in range(3)))
    run, interrupted = lines_of(tmp_path, prepared(at), Options(jobs=1))
    assert not interrupted
    assert [(row.outcome.value, row.why) for row in run.rows[1:]] == [
        ("untested", "target gone: no connection to it")
    ] * 2
    assert run.rows[0].outcome == Outcome.FAILED
    assert run.footer is not None
    assert (run.footer.complete, run.footer.interrupted) == (False, "target gone: no connection to it")


def test_a_monitors_replay_reports_that_row_alone(tables: dict[str, Any], tmp_path: Path) -> None:
    put(tables, make("one", hello), make("two", failing), monitor("seen", "frame", lambda thing, memory: None, RULE))
    run, _ = lines_of(tmp_path, prepared(), Options(report_only="yea/0/seen"))
    assert [(row.id, row.outcome.value) for row in run.rows] == [("yea/0/seen", "passed")]
    assert [clause.id for clause in run.header.clauses] == [RULE]
    assert run_verdict(run) == Verdict.CONFORMING


def test_secrets_stay_out_of_every_line(tables: dict[str, Any], tmp_path: Path) -> None:
    secret = "Bearer top-secret-token"
    leaking = {"kind": "ERROR", "code": "x", "message": f"you sent {secret}"}

    async def leaks(t: Context) -> None:
        exchange = await t.hello()
        t.expect(MUST, False, wanted=f"not {secret}", got=exchange.reply)

    put(tables, make("leaks", leaks))
    given = Profile("p", headers={"Authorization": secret}, seeds={"a": b"q" * 32})
    lines_of(
        tmp_path, prepared(target(answering(lambda frame: leaking)), given=given, name=f"tcp://{secret}"), Options()
    )
    text = (tmp_path / "run.jsonl").read_text()
    assert "top-secret" not in text
    assert text.count(MASK) >= 3
