"""A thing that no role of the profile shows is no gap: the row says which role would."""

import pytest

from harness.monitors import THINGS, Watch
from harness.monitors.needs import SHOWN_BY, missing
from harness.profile import ROLES
from reports.model import Outcome
from tests.harness.plans import MUST, make, monitor, passing, profile, run


def test_the_table_names_things_and_roles() -> None:
    assert set(SHOWN_BY) <= set(THINGS)
    assert {role for roles in SHOWN_BY.values() for role in roles} <= set(ROLES)


@pytest.mark.parametrize(
    ("thing", "offered", "why"),
    [
        ("CLARIFY", ["undoable"], "the profile offers no role clarify"),
        ("CLARIFY", ["clarify"], ""),
        ("RECEIPT", ["ask"], "the profile offers no role undoable or irreversible"),
        ("RECEIPT", ["doubt"], ""),
        ("cut", ["big-text"], ""),
        ("frame", [], ""),
        ("EVENT", [], ""),
    ],
)
def test_what_is_missing_is_named(thing: str, offered: list[str], why: str) -> None:
    assert missing(thing, offered) == why


def test_a_monitor_that_could_see_nothing_does_not_apply() -> None:
    watch = Watch([monitor("unseen", "CLARIFY", lambda thing, memory: None, MUST)])
    for given, outcome in ((profile("ask"), Outcome.NOT_APPLICABLE), (profile("clarify"), Outcome.UNTESTED)):
        rows = {row.id: row for row in run([make("c1", passing)], watch=watch, profile=given)}
        assert rows["yea/0/unseen"].outcome == outcome
