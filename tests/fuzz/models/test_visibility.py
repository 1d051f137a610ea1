"""Who sees what, by the spec's table and its rules on overrides (BYOB 7)."""

from typing import Any

import pytest

from fuzz.models.visibility import GOVERNANCE, sees

BROADCAST = {"kind": "broadcast", "order": ["a", "b"], "rounds": 1}
DEBATE = {"kind": "debate", "pro": "p", "con": "c", "judge": "j", "rounds": 1}
PIPELINE = {"kind": "pipeline", "stages": ["s1", "s2", "s3"], "rounds": 1}
HUB = {"kind": "hub_spoke", "hub": "h", "spokes": ["x", "y"], "rounds": 1}
TREE = {"kind": "delegation", "hub": "r", "reports": {"r": ["m", "n"], "m": ["k"]}, "rounds": 1}


def entry(text: str) -> dict[str, Any]:
    """Return an entry from `seat kind` or `seat kind to`."""
    seat, kind, *to = text.split()
    return {"seat": seat, "kind": kind, **({"to": to} if to else {})}


# topology, viewer, entry, whether it is seen
VIEWS: list[tuple[dict[str, Any], str, str, bool | None]] = [
    (BROADCAST, "b", "a pass", True),
    (BROADCAST, "v", "a say @b", True),
    (DEBATE, "j", "p say *", True),
    (DEBATE, "j", "c say *", True),
    (DEBATE, "j", "p pass", False),
    (DEBATE, "j", "c raise_hand", False),
    (DEBATE, "j", "h say *", False),
    (DEBATE, "p", "j say *", True),
    (DEBATE, "c", "h say *", True),
    (DEBATE, "h", "p say *", None),
    (PIPELINE, "s2", "s1 say *", True),
    (PIPELINE, "s3", "s1 say *", False),
    (PIPELINE, "s1", "s2 say *", False),
    (PIPELINE, "s2", "v say *", False),
    (PIPELINE, "v", "s1 pass", True),
    ({**PIPELINE, "rounds": 2}, "s1", "s3 say *", None),
    (HUB, "h", "x pass", True),
    (HUB, "x", "h say @y", True),
    (HUB, "y", "x say @h", False),
    (HUB, "y", "x pass", False),
    (HUB, "y", "x say @y", True),
    (HUB, "y", "x say *", None),
    (HUB, "y", "x say role:critic", None),
    (HUB, "v", "x say @h", None),
    (HUB, "v", "h say *", None),
    (TREE, "m", "r say @n", True),
    (TREE, "r", "m say @k", True),
    (TREE, "m", "k pass", True),
    (TREE, "n", "m say @k", False),
    (TREE, "k", "r say @m", False),
    (TREE, "r", "k say @m", False),
    (TREE, "n", "k say @n", True),
]


@pytest.mark.parametrize(("topology", "viewer", "text", "seen"), VIEWS, ids=lambda value: str(value)[:30])
def test_the_default_view(topology: dict[str, Any], viewer: str, text: str, seen: bool | None) -> None:
    assert sees({"topology": topology}, viewer, entry(text), {"y": "critic"}) is seen


@pytest.mark.parametrize("kind", GOVERNANCE)
def test_governance_is_seen_by_all_under_any_override(kind: str) -> None:
    assert sees({"topology": PIPELINE, "visibility": {"s3": []}}, "s3", entry(f"s1 {kind}")) is True


def test_own_entries_are_always_seen() -> None:
    assert sees({"topology": PIPELINE, "visibility": {"s3": []}}, "s3", entry("s3 pass")) is True


# the patterns, an entry, whether it is seen
OVERRIDES: list[tuple[list[str], str, bool]] = [
    ([], "s2 say *", False),
    (["s1.say"], "s1 say *", True),
    (["s1.say"], "s1 pass", False),
    (["s1.say"], "s2 say *", False),
    (["*.say"], "s2 say *", True),
    (["*.say"], "s2 pass", False),
    (["s1.*"], "s1 raise_hand", True),
    (["s1.*"], "s2 raise_hand", False),
    (["*.*"], "s2 pass", True),
]


@pytest.mark.parametrize(("patterns", "text", "seen"), OVERRIDES)
def test_an_override_replaces_the_default(patterns: list[str], text: str, seen: bool) -> None:
    assert sees({"topology": PIPELINE, "visibility": {"s3": patterns}}, "s3", entry(text)) is seen


def test_an_override_concerns_its_own_seat_only() -> None:
    assert sees({"topology": BROADCAST, "visibility": {"b": []}}, "v", entry("a say *")) is True
