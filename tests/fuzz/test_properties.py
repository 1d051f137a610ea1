"""Every property holds for sound implementations, and fails on adapters with faults that it is about."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from fuzz import campaign, properties
from harness.adapters.blocking import BlockingAdapter, OwnOperations
from harness.adapters.operations import OPERATIONS
from harness.catalogue import catalogue
from harness.faults import fuzz as faults
from tests.fuzz.targets import Always, Faulty, Telling, second_opinion

PROPERTIES = properties.load()
FOUND = {name: faults.load().get(name, ()) for name, entry in PROPERTIES.items() if entry.over == properties.OPERATIONS}
PAIRS = [(name, found[0].id) for name, found in FOUND.items() if found]
"""One fault for each property; the selftest runs them all."""
ENOUGH = 2000
SECOND = [
    name
    for name in FOUND
    if name.startswith(("canonical/", "caveats/", "tokens/", "est/", "byob/"))
    and (name not in ("byob/transition", "byob/signature"))
]
"""The properties of operations that were written a second time for these tests."""
SAME_FOR_ALL = ("lens/deterministic", "lens/total", "lens/linear", "canonical/key-order", "byob/key-order")
"""Laws that hold for whoever gives one text to everything."""


def run(name: str, target: Any, examples: int, *, shrink: bool = False) -> campaign.Outcome:
    entry = properties.load()[name]
    return campaign.run(entry, target, examples=examples, seconds=None, chosen=1, database=None, shrink=shrink)


def test_every_property_has_three_faults_and_one_that_nothing_else_catches() -> None:
    counted = {name: (len(found), sum(fault.unlisted for fault in found)) for name, found in faults.load().items()}
    assert counted.keys() == PROPERTIES.keys()
    assert {name: made for name, made in counted.items() if made[0] < 3 or made[1] < 1} == {}


@pytest.mark.parametrize(("name", "fault_id"), PAIRS)
def test_a_fault_is_found(name: str, fault_id: str) -> None:
    (fault,) = (each for each in FOUND[name] if each.id == fault_id)
    with fault.target() as target:
        assert run(name, target, ENOUGH).failure != ""


@pytest.mark.parametrize("name", FOUND)
def test_the_reference_holds(name: str) -> None:
    outcome = run(name, OwnOperations(), 150)
    assert (outcome.failure, outcome.flaky, outcome.examples) == ("", False, 150)


@pytest.mark.parametrize("name", SECOND)
def test_a_second_implementation_holds(name: str) -> None:
    """What the text leaves open is no breach."""
    assert run(name, Telling(second_opinion), 150).failure == ""


@pytest.mark.parametrize("name", FOUND)
def test_a_target_without_the_operation_has_not_passed(name: str) -> None:
    target = Always({"unsupported": True})
    outcome = run(name, target, 50)
    assert outcome.unsupported in OPERATIONS
    assert (outcome.failure, target.calls) == ("", 1)


@pytest.mark.parametrize("name", FOUND)
def test_a_target_that_dies_has_failed(name: str) -> None:
    outcome = run(name, Always({"broke": "it ended with exit code 1"}), 20)
    assert outcome.failure.endswith(": no answer: it ended with exit code 1")


JUNK = [
    {"ok": None}, {"ok": []}, {"ok": {}}, {"ok": {"text": None}}, {"ok": {"text": 5}}, {"ok": {"decision": []}},
    {"ok": 5}, {"ok": {"text": "\ud800{"}}, {"ok": {"text": "[" * 50_000}}, {"ok": {"decision": "perhaps"}},
    {"unsupported": False},
]  # fmt: skip


@pytest.mark.parametrize("made", JUNK, ids=range(len(JUNK)))
@pytest.mark.parametrize("name", [name for name in FOUND if name not in SAME_FOR_ALL])
def test_an_answer_of_another_shape_has_failed(name: str, made: Any) -> None:
    assert run(name, Always(made), 20).failure != ""


def test_a_refusal_where_there_is_an_answer_has_failed() -> None:
    failures = {name: run(name, Always({"error": {}}), 20).failure for name in FOUND if name != "lens/deterministic"}
    assert [name for name, failure in failures.items() if not failure] == []


SHRUNK = {
    ("canonical/agrees", "canonical/keys-by-utf-16-units"): 40,
    ("lens/value", "lens.value/null-is-no-scalar"): 40,
    ("lens/reply", "lens.reply/raw-sides"): 500,
    ("caveats/agrees", "grant.check/malformed-pass"): 1100,
}
"""How long the smallest input may be; a whole token is part of it."""


@pytest.mark.parametrize(("name", "fault"), SHRUNK)
def test_what_fails_is_shrunk(name: str, fault: str) -> None:
    outcome = run(name, Faulty(fault), ENOUGH, shrink=True)
    assert outcome.failure != ""
    assert len(outcome.smallest) <= SHRUNK[name, fault]


@pytest.mark.parametrize("name", FOUND)
def test_a_property_names_clauses_of_the_catalogue(name: str) -> None:
    entry = properties.load()[name]
    known, clauses = catalogue(entry.protocol), entry.clauses
    assert tuple(known.clause(clause).id for clause in clauses) == clauses != ()


def test_a_family_selects_its_properties() -> None:
    assert [entry.name for entry in properties.select("est")] == ["est/additive", "est/agrees"]
    assert [entry.name for entry in properties.select("lens/reply")] == ["lens/reply"]
    assert properties.select("len") == []


def test_a_repeated_property_is_refused() -> None:
    entry = properties.load()["lens/reply"]
    with pytest.raises(ValueError, match="repeated"):
        properties.prop(entry.name, examples=entry.examples)(entry.judge)


NODE = [name for name in FOUND if name.startswith("lens/") or name == "fit/whole"]


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
def test_a_second_lens_in_ecmascript_holds() -> None:
    script = Path(__file__).parents[1] / "vectors" / "lens.mjs"
    with BlockingAdapter(["node", str(script), "adapter"], 20.0, "yea") as adapter:
        assert {name: failure for name in NODE if (failure := run(name, adapter, 60).failure)} == {}
