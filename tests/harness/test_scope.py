"""The scope: which clauses a run could have shown, and the reason for each that it did not."""

from typing import Any

import httpx
import pytest

from harness.catalogue import catalogue
from harness.monitors import Watch
from harness.runner import Plan
from harness.scope import NO_CHECK, PERMISSION, WIRE_PLANES, in_scope, notes, unreached, vectors_version
from reports.model import Basis, Finding, Level, Outcome, Row
from tests.harness.peers import answering, bridge, brief, target
from tests.harness.plans import MAY, MUST, RULE, SHOULD, make, monitor, passing, plan

KNOWN = catalogue("yea")
STREAM_CLAUSE, HTTP_CLAUSE, TLS_CLAUSE = "YEA-2.1-20", "YEA-2.1-21", "YEA-2.3-06"
CHECKS = (
    make("one", passing, MUST, RULE),
    make("two", passing, MUST, SHOULD),
    make("three", passing, MAY),
    make("four", passing, HTTP_CLAUSE, "YEA-10-02", transports=("http",)),
)


def planned(*transports: str, checks: Any = CHECKS, **options: Any) -> Plan:
    made = {"tcp": target(answering(brief)), "http": bridge(lambda request: httpx.Response(200))}
    return plan(checks, [made[name] for name in transports or ("tcp",)], selected=True, **options)


def ids(made: Plan) -> set[str]:
    return {clause.id for clause in in_scope(made)}


def row(name: str, *clauses: str, outcome: Outcome = Outcome.PASSED, why: str = "", saw: tuple[str, ...] = ()) -> Row:
    findings = tuple(Finding(clause, Level.MUST, True, "w", "g", Outcome.PASSED) for clause in saw)
    return Row(
        f"yea/0/{name}", name, clauses, Level.MUST, Basis.TEXT, "tcp", outcome, why, "", 0.0, "0", findings=findings
    )


# What is in scope


def test_all_that_shows_on_the_wire_is_in_scope() -> None:
    whole = plan(CHECKS, [target(answering(brief))])
    reach = {clause.id for clause in KNOWN.in_reach(WIRE_PLANES)}
    elsewhere = {c for c in reach if KNOWN.clause(c).transports and "tcp" not in KNOWN.clause(c).transports}
    assert ids(whole) == reach - elsewhere
    assert {HTTP_CLAUSE, TLS_CLAUSE} <= elsewhere
    assert STREAM_CLAUSE in ids(whole)


def test_a_clause_of_another_transport_is_out_of_scope() -> None:
    assert HTTP_CLAUSE not in ids(planned("tcp"))
    assert HTTP_CLAUSE in ids(planned("tcp", "http"))
    http = plan((), [bridge(lambda request: httpx.Response(200))])
    assert STREAM_CLAUSE not in ids(http) and HTTP_CLAUSE in ids(http)


def test_a_selection_narrows_the_scope_to_what_it_names() -> None:
    assert ids(planned(checks=CHECKS[:1])) == {MUST, RULE}
    watched = Watch([monitor("watch", "frame", lambda thing, memory: None, "YEA-2.1-05")])
    assert ids(planned(checks=CHECKS[:1], watch=watched)) == {MUST, RULE, "YEA-2.1-05"}


def test_a_row_that_is_reported_alone_is_a_scope_of_its_own() -> None:
    watched = Watch([monitor("watch", "frame", lambda thing, memory: None, "YEA-2.1-05")])
    assert ids(planned(watch=watched, only="yea/0/watch")) == {"YEA-2.1-05"}
    assert ids(planned(watch=watched, only="yea/0/one")) == {MUST, RULE}


# Why a clause was not reached

NOT_APPLICABLE, UNTESTED, ERROR = Outcome.NOT_APPLICABLE, Outcome.UNTESTED, Outcome.ERROR
REASONS: dict[str, tuple[list[Row], dict[str, str], dict[str, tuple[str, bool]]]] = {
    "everything was evaluated": (
        [row("one", MUST, RULE, saw=(MUST, RULE)), row("two", SHOULD, saw=(SHOULD,)), row("three", MAY, saw=(MAY,))],
        {},
        {},
    ),
    "a failure counts as evaluated": (
        [row("one", MUST, RULE, outcome=Outcome.FAILED, why="x", saw=(MUST, RULE, SHOULD, MAY))],
        {},
        {},
    ),
    "the target lacks it": (
        [
            row("one", MUST, RULE, outcome=NOT_APPLICABLE, why="no role"),
            row("two", SHOULD, MAY, saw=(MUST, SHOULD, MAY)),
        ],
        {},
        {RULE: ("no role", True)},
    ),
    "one of its checks could not be prepared": (
        [
            row("one", MUST, RULE, outcome=NOT_APPLICABLE, why="no role"),
            row("two", MUST, SHOULD, outcome=UNTESTED, why="no offer"),
            row("three", MAY, outcome=UNTESTED, why="no offer"),
        ],
        {},
        {
            MUST: ("yea/0/two was untested: no offer", False),
            RULE: ("no role", True),
            SHOULD: ("yea/0/two was untested: no offer", False),
            MAY: ("a permission that the target did not use", True),
        },
    ),
    "an error of ours": (
        [
            row("one", MUST, RULE, outcome=ERROR, why="KeyError", saw=(MUST,)),
            row("two", SHOULD, MAY, saw=(SHOULD, MAY)),
        ],
        {},
        {RULE: ("yea/0/one was error: KeyError", False)},
    ),
    "a check ended before it": (
        [row("one", MUST, RULE, outcome=Outcome.FAILED, saw=(MUST,)), row("two", SHOULD, MAY, saw=(SHOULD, MAY))],
        {},
        {RULE: ("yea/0/one ended before it got there", False)},
    ),
    "a check said what was lacking": (
        [row("one", MUST, RULE, saw=(MUST,)), row("two", SHOULD, MAY, saw=(SHOULD, MAY))],
        {RULE: "no state ask", MUST: "not asked"},
        {RULE: ("no state ask", True)},
    ),
    "a permission": (
        [row("one", MUST, RULE, SHOULD, saw=(MUST, RULE, SHOULD)), row("three", MAY)],
        {},
        {MAY: ("a permission that the target did not use", True)},
    ),
}


@pytest.mark.parametrize("name", REASONS)
def test_each_clause_that_was_not_reached_has_a_reason(name: str) -> None:
    rows, lacking, wanted = REASONS[name]
    found = {clause: (why, declared) for clause, why, declared in unreached(planned(checks=CHECKS[:3]), rows, lacking)}
    assert found == wanted


def test_a_clause_whose_checks_need_another_transport_says_so() -> None:
    found = {clause: (why, declared) for clause, why, declared in unreached(planned(checks=CHECKS[3:]), [], {})}
    assert found == {"YEA-10-02": ("its checks run over http only", True)}


def test_a_clause_without_a_check_says_so() -> None:
    whole = plan(CHECKS[:1], [target(answering(brief))])
    found = {clause: (why, declared) for clause, why, declared in unreached(whole, [], {})}
    assert found["YEA-10-02"] == (NO_CHECK, True)
    assert found[MAY] == (PERMISSION, True)


# What is said of the scope


def test_notes_say_what_was_left_out() -> None:
    first, *rest = notes(planned("tcp", "http"), bare=True)
    assert first.startswith("Out of scope, transports not offered: ")
    assert TLS_CLAUSE in first and HTTP_CLAUSE not in first and STREAM_CLAUSE not in first
    assert rest == [
        "Out of scope: client rules (--protocol yea-client) and pure functions (--adapter).",
        "Only a selection of the checks was run (-k or --replay).",
        "No profile: only HELLO, unknown names and framing were run. `naysayer init TARGET` writes one.",
    ]
    assert len(list(notes(plan(CHECKS), bare=False))) == 2


def test_the_vectors_have_a_version() -> None:
    assert vectors_version()
