"""Doing no harm: requests go only to what the profile lists, and commits are counted."""

from typing import Any

import pytest

from harness.errors import Untested
from harness.guard import Guard, NotAllowed, limit_of
from harness.profile import Ask, Profile, Role

OFFERED = frozenset({"x.find", "x.read", "x.rooms", "x.book", "x.risk", "x.secret"})
ROLES = {
    "ask": Role("ask", "x.find", {}),
    "undoable": Role("undoable", "x.book", {}, {"room": Ask("x.rooms", {})}, Ask("x.read", {})),
    "risky": Role("risky", "x.risk", {}),
}


def guard(max_commits: int | None = None, **roles: Role) -> Guard:
    return Guard(Profile("p", roles=roles or ROLES, max_commits=max_commits), lambda: OFFERED)


def planned(capability: str, *ids: str) -> tuple[str, dict[str, Any]]:
    return capability, {"kind": "PROPOSALS", "proposals": [{"id": each} for each in ids]}


ALLOWED: list[dict[str, Any]] = [
    {"verb": "HELLO"},
    {"verb": "HELLO", "capability": "x.secret"},
    {"verb": "ASK", "capability": "x.find"},
    {"verb": "ASK", "capability": "x.rooms"},
    {"verb": "ASK", "capability": "x.read"},
    {"verb": "ASK", "capability": "nobody.has.this"},
    {"verb": "ASK", "capability": ["x.secret"]},
    {"verb": "ASK"},
    {"verb": "INTENT", "capability": "x.book"},
    {"verb": "INTENT", "capability": "x.book", "auto": True},
    {"verb": "INTENT", "capability": "x.find", "auto": True},
    {"verb": "INTENT", "capability": "nobody.has.this", "auto": True},
    {"verb": "COMMIT", "proposal": "unknown"},
    {"verb": "COMMIT", "proposal": ["p1"]},
    {"verb": "COMMIT", "proposal": {}},
    {"verb": "COMMIT"},
    {"verb": "UNDO", "receipt": "r"},
    {"verb": 5, "capability": "x.secret"},
    {"verb": ["ASK"], "capability": "x.secret"},
]


@pytest.mark.parametrize("frame", ALLOWED, ids=str)
def test_what_the_profile_covers_may_be_sent(frame: dict[str, Any]) -> None:
    guard().check(frame)


@pytest.mark.parametrize("verb", ["ASK", "INTENT"])
def test_a_capability_that_no_role_lists_is_not_touched(verb: str) -> None:
    with pytest.raises(NotAllowed) as caught:
        guard().check({"verb": verb, "capability": "x.secret"})
    assert str(caught.value) == f"{verb} to x.secret, which no role of the profile lists"


def test_without_a_profile_nothing_that_is_offered_is_touched() -> None:
    bare = Guard(Profile("none"), lambda: OFFERED)
    bare.check({"verb": "HELLO"})
    bare.check({"verb": "ASK", "capability": "nobody.has.this"})
    for capability in OFFERED:
        with pytest.raises(NotAllowed):
            bare.check({"verb": "ASK", "capability": capability})


def test_commits_are_counted_per_capability() -> None:
    watched = guard()
    watched.offered(*planned("x.book", "p1", "p2"))
    watched.offered(*planned("x.risk", "p3"))
    for proposal in ("p1", "p1", "p3", "unknown"):
        watched.check({"verb": "COMMIT", "proposal": proposal})
    watched.check({"verb": "INTENT", "capability": "x.book", "auto": True})
    watched.check({"verb": "INTENT", "capability": "x.book", "auto": "true"})
    watched.check({"verb": "INTENT", "capability": "x.find", "auto": True})
    assert dict(watched.commits) == {"x.book": 3, "x.risk": 1}


def test_past_max_commits_a_check_is_untested() -> None:
    watched = guard(max_commits=2)
    watched.offered(*planned("x.book", "p1"))
    watched.offered(*planned("x.risk", "p2"))
    watched.check({"verb": "COMMIT", "proposal": "p1"})
    watched.check({"verb": "INTENT", "capability": "x.book", "auto": True})
    for frame in ({"verb": "COMMIT", "proposal": "p1"}, {"verb": "INTENT", "capability": "x.book", "auto": True}):
        with pytest.raises(Untested) as caught:
            watched.check(frame)
        assert caught.value.why == "max_commits for x.book is used up (2)"
    watched.check({"verb": "COMMIT", "proposal": "p2"})
    assert dict(watched.commits) == {"x.book": 2, "x.risk": 1}


def test_no_commits_at_all_can_be_asked_for() -> None:
    watched = guard(max_commits=0)
    watched.offered(*planned("x.book", "p1"))
    with pytest.raises(Untested):
        watched.check({"verb": "COMMIT", "proposal": "p1"})


def test_the_smallest_limit_that_is_stated_holds() -> None:
    roles = {
        "undoable": Role("undoable", "x.book", {}, max_commits=1),
        "short-undo": Role("short-undo", "x.book", {}),
        "risky": Role("risky", "x.book", {}, max_commits=5),
        "uses": Role("uses", "x.risk", {}),
    }
    assert limit_of(Profile("p", roles=roles, max_commits=3), "x.book") == 1
    assert limit_of(Profile("p", roles=roles, max_commits=0), "x.book") == 0
    assert limit_of(Profile("p", roles=roles, max_commits=3), "x.risk") == 3
    assert limit_of(Profile("p", roles=roles), "x.risk") is None
    watched = guard(**roles)
    watched.offered(*planned("x.book", "p1", "p2"))
    watched.check({"verb": "COMMIT", "proposal": "p1"})
    with pytest.raises(Untested):
        watched.check({"verb": "COMMIT", "proposal": "p2"})


def test_a_proposal_of_an_unknown_name_is_not_committed() -> None:
    watched = guard()
    watched.offered(*planned("nobody.has.this", "p1"))
    with pytest.raises(NotAllowed) as caught:
        watched.check({"verb": "COMMIT", "proposal": "p1"})
    assert str(caught.value) == "COMMIT of a proposal of nobody.has.this, which no role of the profile lists"


@pytest.mark.parametrize("proposals", [None, 5, True, "p1", {"id": "p1"}, [None, 5, [], {}, {"id": ["p1"]}]])
def test_proposals_of_any_shape_do_no_harm(proposals: Any) -> None:
    watched = guard()
    watched.offered("x.book", {"proposals": proposals})
    watched.check({"verb": "COMMIT", "proposal": "p1"})
    assert dict(watched.commits) == {}
