"""The [dialect] table of a profile, read strictly."""

from typing import Any

import pytest

from harness.byob import dialects
from harness.byob.session import dialect_of
from harness.errors import ProfileError
from harness.profile import EMPTY, Profile

GIVEN = {
    "spokes": False,
    "reports": "pairs",
    "decisions": ["yes", "no"],
    "heartbeat_ms": 250,
    "total": "budget.used",
    "places": {"floor_granted.holder": "data.who"},
    "refuses_extra": ["debate"],
}


def test_what_a_profile_sets_is_taken_and_not_learned() -> None:
    made = dialects.read("p.toml", GIVEN)
    dialect = dialect_of(Profile(name="p.toml", dialect=made))
    assert (dialect.spokes, dialect.reports, dialect.decisions) == (False, "pairs", ("yes", "no"))
    assert (dialect.heartbeat_ms, dialect.total, dialect.refuses_extra) == (250, ("budget", "used"), {"debate"})
    assert dialect.places == {"floor_granted.holder": ("data", "who")}
    assert dialect.fixed == set(GIVEN)
    assert dialect_of(EMPTY).fixed == frozenset()


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"spoke": True}, "dialect.spoke: is not a known member"),
    ({"spokes": "yes"}, "dialect.spokes: must be true or false, not a string"),
    ({"reports": "tree"}, "dialect.reports: must be one of map, pairs, list, parents"),
    ({"artifact": "file"}, "dialect.artifact: must be one of any, string"),
    ({"decisions": ["yes"]}, "dialect.decisions: must hold 2 strings that are not empty"),
    ({"decisions": ["yes", ""]}, "dialect.decisions: must hold 2 strings that are not empty"),
    ({"heartbeat_ms": 0}, "dialect.heartbeat_ms: must be 1 or more"),
    ({"refuses_extra": ["ring"]}, "dialect.refuses_extra: has 'ring', which is not one of broadcast"),
    ({"places": {"grant": "x"}}, "dialect.places: has 'grant', which is not one of floor_granted.holder"),
    ({"places": {"floor_granted.holder": 5}}, "dialect.places: must hold only strings that are not empty"),
]


@pytest.mark.parametrize(("given", "problem"), WRONG)
def test_what_is_wrong_is_said_with_file_and_field(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ProfileError) as caught:
        dialects.read("p.toml", given)
    assert str(caught.value).startswith(f"p.toml: {problem}")
