"""Governance and own entries always, then the override, then the policy (BYOB 7)."""

from typing import Any

import pytest

from reference.byob.topologies import POLICIES
from reference.byob.types import GOVERNANCE, KINDS
from reference.byob.visibility import matches, visible
from tests.reference.byob.making import config, entry, seat

PIPELINE = {"kind": "pipeline", "stages": ["s1", "s2", "s3"]}
BROADCAST = {"kind": "broadcast", "order": ["s1", "s2", "s3"]}
AUTHORS = ("s1", "s2", "s3")
HIDEABLE = ("say", "pass", "raise_hand")
SEATS = {id: seat(id) for id in AUTHORS}


def seen(topology: dict[str, Any], reader: str, **visibility: list[str]) -> set[str]:
    """What a reader sees of what three authors say, pass and raise their hands for: `<author>.<kind>`."""
    made = config(topology, visibility=visibility)
    policy = POLICIES[topology["kind"]]
    entries = [entry(author, kind) for author in AUTHORS for kind in HIDEABLE]
    return {f"{e['seat']}.{e['kind']}" for e in entries if visible(made, policy, reader, e, SEATS)}


def of(*authors: str) -> set[str]:
    """All that these authors write."""
    return {f"{author}.{kind}" for author in authors for kind in HIDEABLE}


def test_without_an_override_the_policy_decides() -> None:
    assert seen(PIPELINE, "s3") == of("s2", "s3")
    assert seen(BROADCAST, "s3") == of("s1", "s2", "s3")


@pytest.mark.parametrize(
    ("patterns", "shown"),
    [
        ([], set()),
        (["s1.say"], {"s1.say"}),
        (["s1.say", "s2.pass"], {"s1.say", "s2.pass"}),
        (["*.say"], {"s1.say", "s2.say"}),
        (["s1.*"], of("s1")),
        (["*.*"], of("s1", "s2")),
        (["s4.*"], set()),
        (["s1.decision"], set()),
    ],
)
@pytest.mark.parametrize("topology", [PIPELINE, BROADCAST], ids=["pipeline", "broadcast"])
def test_an_override_takes_the_place_of_the_policy(
    topology: dict[str, Any], patterns: list[str], shown: set[str]
) -> None:
    assert seen(topology, "s3", s3=patterns) == shown | of("s3")


def test_an_override_concerns_only_the_seat_that_it_names() -> None:
    assert seen(BROADCAST, "s2", s3=[]) == of("s1", "s2", "s3")


@pytest.mark.parametrize("kind", KINDS)
def test_governance_is_seen_under_any_override(kind: str) -> None:
    made = config(PIPELINE, visibility={"s3": []})
    assert visible(made, POLICIES["pipeline"], "s3", entry("s1", kind), SEATS) is (kind in GOVERNANCE)


def test_own_entries_are_seen_under_any_override() -> None:
    assert seen(PIPELINE, "s1", s1=[]) == of("s1")
    assert seen(PIPELINE, "s1", s1=["s2.say"]) == of("s1") | {"s2.say"}


@pytest.mark.parametrize(
    ("pattern", "does"),
    [
        ("a.b.say", True),
        ("a.b.*", True),
        ("a.*", False),
        ("*.b.say", False),
        ("*.say", True),
        ("b.say", False),
        ("a.b.sa*", False),
        ("a*.say", False),
        ("say", False),
        ("*", False),
    ],
)
def test_a_pattern_names_whole_ids_and_ids_may_hold_dots(pattern: str, does: bool) -> None:
    assert matches(pattern, entry("a.b")) is does
