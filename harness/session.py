"""One certification run against live transports: find out what the target is, plan, run, and leave a report.

The rows go to disk as they are made, so that a run that is interrupted or whose target dies leaves what it did.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness import check as checks
from harness import context as yea
from harness import facts as facts_module
from harness import monitors, scope
from harness.catalogue import catalogue
from harness.errors import UsageError, Verdict
from harness.facts import Facts
from harness.guard import limit_of
from harness.managed import Spawn, execute
from harness.people import Agent, Principal, new_key
from harness.profile import EMPTY, READ_ROLES, Profile, Role, built_in
from harness.runner import Contexts, Plan, Runner
from harness.selection import Matcher, everything, hint
from harness.setup import measure_demands, measure_skew, skew_role
from harness.targets.addresses import Address
from harness.targets.base import Target
from harness.targets.http import http_target
from harness.targets.stdio import stdio_target
from harness.targets.tcp import tcp_target
from harness.targets.tls import tls_target, trusting
from harness.transcript import Transcript
from harness.version import VERSION
from reference.yea.keys import KeyPair
from reports.lines import LineWriter
from reports.masking import Masker
from reports.model import INTERRUPTED, Footer, Header, Level, Outcome, Row, Scope, Unreached, Versions
from reports.model import ClauseInfo as ReportClause


@dataclass
class Options:
    """What a run was asked for; see `naysayer certify --help`.

    `managed` says that naysayer started the target, `ca` is the authority of one that it made a certificate for,
    `spawn` starts its stdio children, `report_only` keeps one row of a whole run.
    """

    protocol: str = "yea"
    select: Matcher = everything
    report: Path = Path("naysayer-report")
    seed: int = 0
    jobs: int = 8
    timeout: float = 10.0
    slow: bool = False
    managed: bool = False
    ca: Path | None = None
    spawn: Spawn = execute
    report_only: str | None = None
    replay: Callable[[str, str], str] = field(default=lambda check_id, transport: f"{check_id}@{transport}")


@dataclass
class Prepared:
    """A target that was found to speak the protocol.

    `facts` are what is known of it, `contexts` makes the contexts of its checks, `closing` is awaited at the end of a
    run (see `Plan`), and `notes` are what the report says of the target.
    """

    targets: dict[str, Target]
    facts: Any
    profile: Profile
    name: str
    contexts: Contexts = yea.contexts
    closing: Callable[[Plan], Awaitable[None]] | None = None
    notes: tuple[str, ...] = ()


def make_targets(addresses: list[Address], profile: Profile, options: Options) -> dict[str, Target]:
    """Return one target per transport; raises UsageError for two of one transport or a command that cannot be split."""
    targets: dict[str, Target] = {}
    for address in addresses:
        if address.transport in targets:
            raise UsageError(f"two targets over {address.transport}: certify one service at a time")
        targets[address.transport] = MAKERS[address.transport](address, profile, options)
    return targets


def _tcp(address: Address, profile: Profile, options: Options) -> Target:
    return tcp_target(address, time.time, timeout=options.timeout, managed=options.managed)


def _tls(address: Address, profile: Profile, options: Options) -> Target:
    context = trusting(options.ca or profile.ca)
    return tls_target(address, time.time, timeout=options.timeout, context=context, managed=options.managed)


def _http(address: Address, profile: Profile, options: Options) -> Target:
    ca = options.ca or profile.ca
    verify = trusting(ca) if ca is not None else True
    headers, managed = profile.headers, options.managed
    return http_target(address, time.time, timeout=options.timeout, headers=headers, verify=verify, managed=managed)


def _stdio(address: Address, profile: Profile, options: Options) -> Target:
    patience, spawn = profile.start_timeout, options.spawn
    return stdio_target(address, time.time, timeout=options.timeout, start_timeout=patience, spawn=spawn)


MAKERS: dict[str, Callable[[Address, Profile, Options], Target]] = {
    "tcp": _tcp,
    "tls": _tls,
    "stdio": _stdio,
    "http": _http,
}


async def reach(targets: dict[str, Target], options: Options) -> Facts:
    """Say HELLO over every transport and return the facts of the first; raises TargetError when one does not answer."""
    found = []
    for transport, target in targets.items():
        found.append(await facts_module.discover(target, _silent(transport), options.timeout))
    return found[0]


def recognise(facts: Facts, given: Profile = EMPTY) -> Profile:
    """Return the profile to use.

    One that is given without roles, to tell how the target is reached or whom it trusts, gets those of the built-in
    profile when the BRIEF offers the whole conformance service, and its principals if it has none. An empty file tells
    nothing, and allows nothing.
    """
    known = built_in("conformance")
    wanted = {role.capability for role in known.roles.values()}
    says_nothing = given is not EMPTY and given == replace(EMPTY, name=given.name)
    if given.roles or says_nothing or not wanted <= set(facts.capabilities):
        return given
    name = known.name if given is EMPTY else f"{given.name}, with the roles of the {known.name}"
    return replace(given, name=name, roles=known.roles, seeds=given.seeds or known.seeds)


async def prepare(prepared: Prepared, made: Plan | None = None) -> None:
    """Learn what the checks need to know beforehand: whether grants are demanded, and the target's clock.

    The clock costs a COMMIT. With a plan it is only measured when one of the plan's checks signs something.
    """
    transport, target = next(iter(prepared.targets.items()))
    try:
        connection = await target.connect(_silent(transport), "setup")
    except Verdict:
        return  # so will the checks
    try:
        seeds = prepared.profile.seeds
        facts: Facts = prepared.facts

        def now() -> float:
            return target.clock() + facts.skew

        agent = Agent(new_key(), facts.service_id, now)
        principal = Principal(KeyPair(seeds["a"]), facts.service_id, now) if "a" in seeds else None
        facts.demands_grants = await measure_demands(connection, prepared.profile, now)
        facts.intent_demands_grants = await measure_demands(connection, prepared.profile, now, "INTENT")
        role = _clock_role(prepared.profile, made)
        if principal is not None and role is not None:
            facts.committed[role.capability] += 1
            facts.skew = await measure_skew(connection, prepared.profile, agent, principal, now)
    except Verdict:
        pass  # the checks will meet the same silence and say so
    finally:
        await connection.close()


def _clock_role(profile: Profile, made: Plan | None) -> Role | None:
    """Return the role by which the target's clock is to be measured, or None."""
    signs = made is None or any(check.needs or check.principals for check in made.checks)
    return skew_role(profile) if signs and "a" in profile.seeds else None


def plan(prepared: Prepared, options: Options, sink: Callable[[Row], None]) -> Plan:
    """Return the plan of a run; raises UsageError when the selection is empty."""
    known = catalogue(options.protocol)
    every, watching = checks.load(options.protocol), monitors.load(options.protocol)
    selected = [c for i, c in every.items() if options.select(i)]
    watched = [m for i, m in watching.items() if options.select(i)]
    here = set(prepared.targets)
    if not any(here & set(c.transports) for c in selected) and not any(here & set(m.transports) for m in watched):
        meant = hint(options.select, {*every, *watching})
        why = "the selection is empty: no check has such an id on these transports"
        raise UsageError(f"{why}; {meant}" if meant else why)
    given = prepared.profile
    secrets_kept: list[str | bytes] = [*given.seeds.values(), *given.headers.values(), *given.create_headers.values()]
    return Plan(
        checks=selected,
        watch=monitors.Watch(watched),
        targets=prepared.targets,
        facts=prepared.facts,
        profile=prepared.profile,
        catalogue=known,
        sink=sink,
        replay=options.replay,
        seed=options.seed,
        jobs=options.jobs,
        slow=options.slow,
        selected=options.select is not everything or options.report_only is not None,
        only=options.report_only,
        masker=Masker(secrets_kept),
        run_id=secrets.token_hex(5),
        contexts=prepared.contexts,
        closing=prepared.closing,
    )


def commit_lines(made: Plan) -> Iterator[str]:
    """Yield, per role, how many COMMITs the run may send to which capability."""
    totals: dict[str, int] = {}
    for check in made.checks:
        if not all(need in made.profile.roles for need in check.needs):
            continue
        times = len(check.over(made.targets))
        for need in (*check.needs, *(role for role in check.also if role in made.profile.roles)):
            if need not in READ_ROLES and check.commits:
                totals[need] = totals.get(need, 0) + check.commits * times
    measured = _clock_role(made.profile, made)
    if measured is not None:
        totals[measured.name] = totals.get(measured.name, 0) + 1
    for role, count in sorted(totals.items()):
        bound = limit_of(made.profile, made.profile.roles[role].capability)
        limit = f", bounded to {bound}" if bound is not None else ""
        yield f"up to {count} to {made.profile.roles[role].capability} (role {role}{limit})"


async def run(
    made: Plan,
    prepared: Prepared,
    options: Options,
    lines: LineWriter,
    progress: Callable[[dict[Outcome, int]], None],
) -> bool:
    """Run a plan and write its lines; an interruption ends it early, not badly. Returns whether it was interrupted."""
    counts = dict.fromkeys(Outcome, 0)
    rows: list[Row] = []

    def take(row: Row) -> None:
        if options.report_only not in (None, row.id):
            return
        masked = made.masker.row(row)
        lines.row(masked)
        rows.append(replace(masked, transcript=()))  # it is on disk by now, and would be held to the end of the run
        counts[row.outcome] += 1
        progress(counts)

    made.sink = take
    lines.header(made.masker.header(_header(made, prepared, options)))
    runner = Runner(made)
    interrupted = await _run_or_abandon(runner)
    unreached = scope.unreached(made, rows, runner.lacking)
    footer = Footer(
        complete=interrupted is None and not runner.presence.gone,
        interrupted=interrupted or (f"target gone: {runner.presence}" if runner.presence.gone else None),
        unreached=tuple(Unreached(clause, why, declared) for clause, why, declared in unreached),
        notes=(*scope.notes(made, prepared.profile.name == "none"), *prepared.notes),
    )
    lines.footer(made.masker.footer(footer))
    return interrupted is not None


async def _run_or_abandon(runner: Runner) -> str | None:
    """Run; on cancellation give the rest their rows. Returns why it was interrupted, or None."""
    try:
        await runner.run()
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        runner.abandon("interrupted")
        return INTERRUPTED
    return None


def _header(made: Plan, prepared: Prepared, options: Options) -> Header:
    known = made.catalogue
    return Header(
        target=prepared.name,
        started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        versions=Versions(VERSION, known.version, scope.vectors_version()),
        scope=Scope(options.protocol, scope.role(options.protocol), tuple(prepared.targets), options.slow),
        seed=options.seed,
        clauses=tuple(ReportClause(c.id, Level(c.level), c.section) for c in scope.in_scope(made)),
    )


def _silent(transport: str) -> Transcript:
    return Transcript(time.monotonic, lambda *_: None, str, transport, "setup")
