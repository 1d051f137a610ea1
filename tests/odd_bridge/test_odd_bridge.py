"""No check may fail a bridge for a freedom that the spec leaves it."""

import sys
from pathlib import Path

import pytest

from harness.bridges import laboratory
from harness.selection import Matcher, compile_selection, everything

ODD = f"'{sys.executable}' -m tests.odd_bridge"
APPROVALS = "byob-bridge/10/a-confirmed-decision-is-signed or byob-bridge/10/a-declined-decision-is-not-signed"


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bridge is a module of the tests."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent.parent))


@pytest.mark.parametrize(
    ("more", "select"), [("", everything), ("--choice", compile_selection(APPROVALS))], ids=["a box", "a choice"]
)
def test_every_check_passes(more: str, select: Matcher) -> None:
    rows = laboratory.live(f"{ODD} {more}", select)
    assert [f"{row.id} {row.outcome} {row.why}" for row in rows if row.outcome != "passed"] == []
    assert rows
