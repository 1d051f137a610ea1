"""The opening of a table, its end, and what it reports as a sub-table (BYOB 3, 7)."""

from typing import Any

import pytest

from reference.byob.table import Table
from reference.byob.topologies import POLICIES
from reference.byob.topologies.broadcast import Broadcast
from tests.reference.byob.playing import Play, code, config

NOW = 1_790_000_000_000


def _opened(**members: Any) -> Table:
    table = Table("t")
    body = config(**members)
    table.check_config(body)
    table.open(body, "secret", NOW)
    return table


def test_a_table_opens_with_its_config_and_without_what_is_none() -> None:
    [entry] = _opened(mood="good").state.entries
    assert (entry["event"], entry["config"]) == ("table_opened", config())


def test_checking_a_config_writes_nothing() -> None:
    table = Table("t")
    table.check_config(config())
    assert code(table.check_config, config(termination={})) == "E_NO_TERMINATION"
    assert (table.state.entries, table.take()) == ([], None)


def test_a_result_is_taken_once() -> None:
    table = _opened()
    result = {"subtable": "sub", "decisions": [], "refs": []}
    entry = table.take_result(result, NOW)
    assert entry is not None
    assert {name: entry[name] for name in result} == result
    assert (table.take_result(result, NOW), len(table.state.entries)) == (None, 2)


@pytest.mark.parametrize("parent", [None, "above"])
def test_a_sub_table_names_its_parent(parent: str | None) -> None:
    assert _opened(**({} if parent is None else {"parent": parent})).parent() == parent


class Ring(Broadcast):
    """A topology of this test's own."""

    kind = "broadcast"

    def deciders(self, config: Any) -> tuple[str, ...]:
        return ("a",)


class Ringed(Table):
    """A table with one rule changed."""

    policies = {**POLICIES, "broadcast": Ring()}


def test_a_subclass_changes_one_rule_and_keeps_it_over_a_restart() -> None:
    play = Play(table_class=Ringed).create().bots("a")
    for _ in range(2):
        play.post("a", "decision", body="Mine.")
        play.restart()
    assert len(play.memory()["decisions"]) == 2
