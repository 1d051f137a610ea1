"""The tables of BYOB: the reference and the model see and read what they say, and the judge knows wrong projections."""

import copy
import json
import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from fuzz.models import visibility as model
from reference.byob.projection import prefix_hash, project
from reference.byob.state import State
from reference.byob.topologies import POLICIES
from reference.byob.types import GOVERNANCE, Seat
from reference.byob.visibility import visible
from tests.vectors.generators import TABLES
from vectors import VectorError, tables
from vectors.lint import lint_tables
from vectors.projecting import problems
from vectors.tables import Read, View
from vectors.writing import render_table

VIEWS = tables.visibility()
READS = tables.projections()
CLAUSES = {c["id"] for c in tomllib.loads((files("harness.catalogue") / "byob.toml").read_text("utf-8"))["clause"]}
QUESTIONS = {
    q["id"] for q in tomllib.loads((files("harness.catalogue") / "byob-questions.toml").read_text("utf-8"))["question"]
}
WORDS = {True: "visible", False: "hidden", None: "open"}


def seats(view: View) -> dict[str, Seat]:
    """The seats of a table as the reference has them."""
    card = {"bot": "x", "capabilities": []}
    return {name: Seat(name, "tao", "bot", card, role) for name, role in view.roles.items()}


def by_the_reference(view: View) -> str:
    policy = POLICIES[view.config["topology"]["kind"]]
    return WORDS[visible(view.config, policy, view.seat, dict(view.entry), seats(view))]


def by_the_model(view: View) -> str:
    return WORDS[model.sees(view.config, view.seat, view.entry, view.roles)]


def unlike(answer: Any) -> list[tuple[str, str, str]]:
    """The views that are answered otherwise, but for those that are open."""
    return [
        (view.id, view.seat, found) for view in VIEWS if view.word != "open" and (found := answer(view)) != view.word
    ]


def test_the_reference_sees_what_the_table_says() -> None:
    assert unlike(by_the_reference) == []


def test_the_model_sees_what_the_table_says() -> None:
    assert unlike(by_the_model) == []


def test_what_is_open_in_the_model_is_open_in_the_table() -> None:
    assert [view.id for view in VIEWS if by_the_model(view) == "open" and view.word != "open"] == []


def test_every_topology_shows_and_hides_each_kind_that_a_policy_decides() -> None:
    found: dict[str, set[tuple[str, str]]] = {}
    for view in VIEWS:
        if "visibility" not in view.config and view.entry["kind"] not in GOVERNANCE:
            found.setdefault(view.config["topology"]["kind"], set()).add((view.entry["kind"], view.word))
    both = {(kind, word) for kind in ("say", "pass", "raise_hand") for word in ("visible", "hidden")}
    assert {kind: both - seen for kind, seen in found.items() if both - seen} == {
        "broadcast": {(kind, word) for kind, word in both if word == "hidden"}
    }
    assert found.keys() == POLICIES.keys()


def test_every_clause_of_visibility_is_shown() -> None:
    defaults = {*range(3, 14), 18, *range(23, 26), *range(29, 32), *range(38, 42), *range(47, 51)}
    assert {f"BYOB-7-{number:02}" for number in defaults} <= {view.why for view in VIEWS}


def test_reasons_are_clauses_and_questions_of_the_catalogue() -> None:
    reasons = {view.why for view in VIEWS} | {clause for read in READS for clause in read.clauses}
    assert sorted(reasons - CLAUSES - QUESTIONS) == []


def test_an_override_decides_in_every_topology() -> None:
    kinds = Counter(view.config["topology"]["kind"] for view in VIEWS if view.seat in view.config.get("visibility", {}))
    assert kinds.keys() == POLICIES.keys()


def state_of(read: Read) -> State:
    """The reference's state after a ledger."""
    state = State()
    for entry in read.ledger:
        state.apply(dict(entry))
    return state


def by_projecting(read: Read) -> dict[str, Any]:
    """What the reference answers to a read."""
    state = state_of(read)

    def sees(entry: dict[str, Any]) -> bool:
        return visible(state.config, state.policy, read.seat, entry, state.seats)

    made: dict[str, Any] = json.loads(json.dumps(project(state, read.seat, read.since, sees)))
    return made


@pytest.mark.parametrize("read", READS, ids=[read.id for read in READS])
def test_the_reference_reads_what_the_table_says(read: Read) -> None:
    assert problems(read, by_projecting(read)) == []
    assert by_projecting(read)["prefix"] == read.prefix
    assert prefix_hash(read.prefix) == read.prefix_hash


@pytest.mark.parametrize("read", READS, ids=[read.id for read in READS])
def test_the_model_of_visibility_agrees_with_every_tail(read: Read) -> None:
    roles = {entry["joined"]: entry.get("role") for entry in read.ledger if entry.get("event") == "seat_joined"}
    new = [entry for entry in read.ledger if entry["seq"] > read.since]
    found = {entry["seq"]: model.sees(read.config, read.seat, entry, roles) for entry in new}
    assert [seq for seq, sees in found.items() if sees is True and seq not in read.open] == list(read.tail)


ODD: dict[str, Any] = {
    "further members": lambda made: {**made, "hint": 1, "prefix": made["prefix"]},
    "seats in another order": lambda made: _rehashed(made, seats=made["prefix"]["seats"][::-1]),
    "null roles": lambda made: _rehashed(made, seats=[{"role": None, **seat} for seat in made["prefix"]["seats"]]),
    "an early cursor": lambda made: {**made, "cursor": made["tail"][-1]["seq"] if made["tail"] else made["cursor"]},
    "no floor while nobody has it": lambda made: {**made, "floor": made["floor"] if made["floor"]["holder"] else None},
    "a mark where a body is cut": lambda made: {
        **made,
        "tail": [
            {**entry, "body": entry["body"][:-1] + "…"} if f"entry:{entry['seq']}" in entry.get("refs", ()) else entry
            for entry in made["tail"]
        ],
    },
}


def _rehashed(made: dict[str, Any], **members: Any) -> dict[str, Any]:
    changed = {**made["prefix"], **members}
    return {**made, "prefix": changed, "prefix_hash": prefix_hash(changed)}


@pytest.mark.parametrize("freedom", ODD)
def test_a_freedom_is_no_problem(freedom: str) -> None:
    assert [(read.id, problems(read, ODD[freedom](by_projecting(read)))) for read in READS] == [
        (read.id, []) for read in READS
    ]


def _cut(made: dict[str, Any]) -> dict[str, Any]:
    """The first entry of a tail whose body is cut."""
    found: dict[str, Any] = next(e for e in made["tail"] if f"entry:{e['seq']}" in e.get("refs", ()))
    return found


WRONG: dict[str, tuple[str, Any]] = {
    "another protocol": ("BYOB-6-01", lambda made: made.update(protocol="byob/0.2")),
    "another seat": ("BYOB-6-01", lambda made: made.update(seat="z")),
    "another topic": ("BYOB-6-02", lambda made: made["prefix"].update(topic="x")),
    "no rules": ("BYOB-6-03", lambda made: made["prefix"].update(rules={})),
    "a seat less": ("BYOB-6-04", lambda made: made["prefix"]["seats"].pop()),
    "a card changed": ("BYOB-6-04", lambda made: made["prefix"]["seats"][0].update(proxy=True)),
    "a seat too many": ("BYOB-6-04", lambda made: made["prefix"]["seats"].append({"seat": "ghost"})),
    "no decision": ("BYOB-6-05", lambda made: made["prefix"].update(decisions=[])),
    "another hash": ("BYOB-6-09", lambda made: made.update(prefix_hash="0" * 64)),
    "an old entry": ("BYOB-6-12", lambda made: made["tail"].insert(0, {"seq": 1})),
    "an entry less": ("BYOB-6-13", lambda made: made["tail"].pop(0)),
    "a hidden entry": ("BYOB-6-14", lambda made: made["tail"].append({"seq": 99})),
    "an entry changed": ("BYOB-6-15", lambda made: made["tail"][-1].update(kind="say")),
    "no entries": ("BYOB-6-15", lambda made: made.update(tail=[1])),
    "the newest first": ("BYOB-6-16", lambda made: made["tail"].reverse()),
    "a cursor beyond the end": ("BYOB-6-18", lambda made: made.update(cursor=99)),
    "a time": ("BYOB-6-23", lambda made: made["tail"][0].update(ts="2026-11-03T12:00:00.000Z")),
    "a whole body": ("BYOB-6-25", lambda made: _cut(made).update(body="The first hundred characters are enough. " * 3)),
    "a body lost": ("BYOB-6-25", lambda made: _cut(made).update(body="")),
    "no reference": ("BYOB-6-26", lambda made: _cut(made).update(refs=[])),
    "a short body cut": ("BYOB-6-27", lambda made: made["tail"][-2].update(body="p")),
    "another holder": ("BYOB-6-29", lambda made: made["floor"].update(holder="p")),
    "a status": ("BYOB-6-31", lambda made: made.update(status="open")),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_projection_is_one(wrong: str) -> None:
    [read] = [read for read in READS if read.id == "projections/debate-c-of-14-since-5"]
    clause, change = WRONG[wrong]
    made = copy.deepcopy(by_projecting(read))
    change(made)
    assert clause in {found for found, _ in problems(read, made)}


def test_wrong_floors_and_tasks_are_found() -> None:
    [read] = [read for read in READS if read.id == "projections/hub-spoke-y-of-15-since-0"]
    for clause, members in (("BYOB-6-32", {"my_tasks": []}), ("BYOB-6-30", {"floor": {"holder": "h", "grant_seq": 1}})):
        assert {found for found, _ in problems(read, {**by_projecting(read), **members})} == {clause}
    [read] = [read for read in READS if read.id == "projections/hub-spoke-o-of-16-since-14"]
    listed = {"my_tasks": [{"id": "task-9", "state": "reported"}]}
    assert {found for found, _ in problems(read, {**by_projecting(read), **listed})} == {"BYOB-6-32"}


def test_what_is_no_projection_is_a_problem() -> None:
    for got in (None, [], "x", {}, {"prefix": 1, "tail": 2, "floor": 3, "my_tasks": 4}):
        assert problems(READS[0], got)


# The files


@pytest.mark.parametrize("name", TABLES)
def test_the_stored_table_is_what_its_generator_writes(name: str) -> None:
    same = (tables.FOLDER / f"{name}.json").read_text("utf-8") == render_table(TABLES[name]())
    assert same, f"{name}: run `python -m tests.vectors.generators`, and look at what changed"


def test_the_stored_tables_have_no_problems() -> None:
    counts, found = lint_tables()
    assert (sorted(counts), found) == (list(tables.NAMES), [])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda made: made["groups"][0]["cases"][0].update(why="x"), "'why' was unexpected"),
        (lambda made: made["groups"][0]["cases"].append(made["groups"][0]["cases"][0]), "stands more than once"),
        (lambda made: made["groups"][0]["cases"][0]["views"].popitem(), "its views are not those of all seats"),
    ],
)
def test_a_broken_table_is_named(change: Any, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    made = TABLES["visibility"]()
    change(made)
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    monkeypatch.setattr(tables, "NAMES", ("visibility",))
    (tmp_path / "visibility.json").write_text(render_table(made), "utf-8")
    [problem] = lint_tables()[1]
    assert problem.startswith(f"{tmp_path.name}/visibility.json") and said in problem


def test_a_table_in_another_spelling_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    monkeypatch.setattr(tables, "NAMES", ("visibility",))
    (tmp_path / "visibility.json").write_text(json.dumps(TABLES["visibility"]()), "utf-8")
    [problem] = lint_tables()[1]
    assert "one spelling" in problem


def test_a_table_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    with pytest.raises(VectorError, match="cannot be read"):
        tables.table("visibility")
