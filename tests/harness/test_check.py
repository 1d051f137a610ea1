"""Registering checks: what a check must have, and in which order they are loaded."""

from collections.abc import Iterator
from typing import Any

import pytest

from harness import check as checks
from harness.check import Check, check, load, section_key
from harness.context import Context
from harness.errors import CatalogueError
from harness.targets.base import TRANSPORTS
from tests.harness.plans import MUST, RULE


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Check]]:
    fresh: dict[str, Check] = {}
    monkeypatch.setattr(checks, "_registry", fresh)
    yield fresh


async def body(t: Context) -> None:
    """The rule as it is tested.

    More about it.
    """


def test_a_check_is_registered_with_its_docstring_as_title(registry: dict[str, Check]) -> None:
    assert check("yea/2.1/a-rule", MUST, RULE, needs=("undoable",), commits=2, waits=True)(body) is body
    entry = Check(
        "yea/2.1/a-rule",
        "The rule as it is tested.",
        (MUST, RULE),
        body,
        needs=("undoable",),
        principals=1,
        commits=2,
        waits=True,
    )
    assert registry == {"yea/2.1/a-rule": entry}
    assert (entry.protocol, entry.section, entry.transports) == ("yea", "2.1", TRANSPORTS)


def test_what_commits_needs_a_principal_unless_it_says_otherwise(registry: dict[str, Check]) -> None:
    check("yea/1/none", MUST)(body)
    check("yea/1/one", MUST, commits=1)(body)
    check("yea/1/two", MUST, commits=1, principals=2)(body)
    assert [entry.principals for entry in registry.values()] == [0, 1, 2]


MALFORMED: dict[str, tuple[str, tuple[str, ...], dict[str, Any], str]] = {
    "capitals": ("yea/2.1/Rule", (MUST,), {}, "check yea/2.1/Rule: its id is malformed"),
    "no section": ("yea/rule", (MUST,), {}, "check yea/rule: its id is malformed"),
    "a number for words": ("yea/2.1/a_1", (MUST,), {}, "check yea/2.1/a_1: its id is malformed"),
    "a taken id": ("yea/1/taken", (MUST,), {}, "check yea/1/taken: its id is taken"),
    "no clause": ("yea/1/x", (), {}, "check yea/1/x: it names no clause"),
    "an unknown clause": ("yea/1/x", ("YEA-99-01",), {}, "no clause YEA-99-01 in the yea catalogue"),
    "an unknown role": ("yea/1/x", (MUST,), {"needs": ("undoble",)}, "check yea/1/x: it needs an unknown role"),
    "an unknown transport": (
        "yea/1/x",
        (MUST,),
        {"transports": ("udp",)},
        "check yea/1/x: it names an unknown transport",
    ),
    "an unknown basis": ("yea/1/x", (MUST,), {"basis": "hearsay"}, "check yea/1/x: its basis is unknown"),
    "two things": (
        "yea/1/x",
        (),
        {"basis": "hearsay"},
        "check yea/1/x: it names no clause; its basis is unknown",
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_check_is_refused(registry: dict[str, Check], name: str) -> None:
    check_id, clauses, options, problem = MALFORMED[name]
    check("yea/1/taken", MUST)(body)
    with pytest.raises(CatalogueError) as caught:
        check(check_id, *clauses, **options)(body)
    assert str(caught.value) == problem
    assert list(registry) == ["yea/1/taken"]


def test_a_check_without_a_docstring_is_refused(registry: dict[str, Check]) -> None:
    async def bare(t: Context) -> None:
        return

    with pytest.raises(CatalogueError) as caught:
        check("yea/1/x", MUST)(bare)
    assert str(caught.value) == "check yea/1/x: it has no docstring"


def test_sections_sort_by_number() -> None:
    sections = ["2.10", "10", "2.9", "2", "4.3.1", "4.3", "4.4"]
    assert sorted(sections, key=section_key) == ["2", "2.9", "2.10", "4.3", "4.3.1", "4.4", "10"]


def test_checks_are_loaded_in_the_order_of_the_spec() -> None:
    keys = [section_key(entry.section) for entry in load("yea").values()]
    assert keys == sorted(keys)
    assert len(keys) >= 60
    assert all(entry.protocol == "yea" for entry in load("yea").values())


def test_a_check_runs_over_its_transports_and_one_that_restarts_over_a_single_one() -> None:
    plain = Check("yea/1/x", "x", (MUST,), body, transports=("tcp", "stdio"))
    assert plain.over(["stdio", "http", "tcp"]) == ["stdio", "tcp"]
    restarting = Check("yea/1/x", "x", (MUST,), body, restarts=True)
    assert restarting.over(["http", "stdio", "tls"]) == ["tls"]
    assert restarting.over(["http", "stdio", "tls"], ["http"]) == ["http"]
    assert restarting.over([]) == []
