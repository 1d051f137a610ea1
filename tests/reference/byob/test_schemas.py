"""Every entry and every projection that a table produces fits its schema (BYOB 2)."""

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference.byob.projection import prefix_hash
from reference.byob.types import EVENTS, KINDS
from reference.byob.validating import validate
from tests.reference.byob.histories import History
from tests.reference.byob.playing import Play


def played(seed: int, steps: int) -> History:
    """A random history."""
    history = History(Play(), Random(seed))
    history.create()
    for _ in range(steps):
        history.step()
    return history


def hold(history: History) -> set[str]:
    """Hold all that a history can show against the schemas; returns the kinds and events that came up."""
    seen = set()
    for table in history.tables:
        for entry in history.play.ledger(table):
            validate("ledger-entry", entry)
            seen.add(entry.get("event", entry["kind"]))
        for seat in history.seated(table):
            for since in (0, None):
                shown = history.play.read(seat, since, table)
                validate("projection", shown)
                assert shown["prefix_hash"] == prefix_hash(shown["prefix"])
    return seen


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=20)
@given(st.integers(0, 2**32), st.integers(10, 80))
def test_all_that_a_random_history_writes_fits(seed: int, steps: int) -> None:
    hold(played(seed, steps))


def test_some_histories_together_have_every_kind_and_event_but_the_note() -> None:
    seen = set().union(*(hold(played(seed, 150)) for seed in range(8)))
    assert seen == {*KINDS, *EVENTS} - {"system", "note"}
