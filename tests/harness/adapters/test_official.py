"""Folders in the format of the public repository: what is read of them, what is not, and what is broken in them."""

import copy
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.adapters import official
from harness.adapters.operations import answer
from harness.catalogue import catalogue
from harness.errors import HarnessError
from reference.yea import jsontext
from tests.harness.adapters import folders
from vectors import Case, answers

OPERATIONS = {
    "canonical": 3, "hash": 1, "key.public": 2, "proof.verify": 3, "proof.sign": 1, "grant.check": 2,
    "lens.value": 2, "lens.reply": 2, "quantity": 1, "uses.valid": 2, "est": 1,
}  # fmt: skip


def cases(tmp_path: Path, **changes: Any) -> dict[str, Case]:
    made = official.read(folders.write(tmp_path, **changes))
    return {case.id: case for case in made.cases}


def complaint(folder: Path) -> str:
    with pytest.raises(HarnessError) as caught:
        official.read(folder)
    return str(caught.value).removeprefix(f"{folder}/").removeprefix(str(folder))


def test_every_case_of_every_known_file_is_read(tmp_path: Path) -> None:
    made = cases(tmp_path)
    assert Counter(case.op for case in made.values()) == OPERATIONS
    assert {case.basis for case in made.values()} == {"public-vectors"}


def test_the_reference_answers_them_all_right(tmp_path: Path) -> None:
    wrong = [case.id for case in cases(tmp_path).values() if not answers.is_right(case, answer(case.op, case.input))]
    assert wrong == []


def test_nonsense_answers_none_of_them_right(tmp_path: Path) -> None:
    assert [case.id for case in cases(tmp_path).values() if answers.is_right(case, {"ok": {"x": 1}})] == []


def test_every_case_names_a_clause_of_the_catalogue(tmp_path: Path) -> None:
    known = catalogue("yea")
    named = {clause for case in cases(tmp_path).values() for clause in case.clauses}
    assert {known.clause(clause).id for clause in named} == named


def test_ids_come_from_names_or_places_and_are_unique(tmp_path: Path) -> None:
    assert sorted(cases(tmp_path)) == [
        "official/canonical/a-half",
        "official/canonical/half-a-pair",
        "official/canonical/two-keys",
        "official/estimate/1",
        "official/grants/at-garden-example",
        "official/grants/at-yard-example",
        "official/hash/plants",
        "official/keys/1",
        "official/keys/2",
        "official/lens/event",
        "official/lens/event-2",
        "official/lens/order",
        "official/lens/row",
        "official/proof/1-other-target",
        "official/proof/1-sign",
        "official/proof/1-verify",
        "official/proof/2-verify",
        "official/uses/1-quantity",
        "official/uses/no-amount",
        "official/uses/water",
    ]


def test_json_text_reaches_the_adapter_as_it_stands(tmp_path: Path) -> None:
    assert cases(tmp_path)["official/lens/order"].input == {"json": '{"b":1,"2":"x","1":null}'}


def test_the_order_of_members_and_lone_surrogates_are_kept(tmp_path: Path) -> None:
    made = cases(tmp_path)
    assert made["official/canonical/two-keys"].input == {"json": '{"b":[1,"é"],"a":null}'}
    assert made["official/canonical/half-a-pair"].input == {"json": '"\\ud83d"'}


def test_what_was_read_and_what_was_not_is_said(tmp_path: Path) -> None:
    folders.write(tmp_path, printable=[{"text": "x"}], approval={"seeds": {}}, hash=None)
    uses = {**folders.FILES["uses"], "limits": []}
    folders.write(tmp_path, uses=uses, hash=None)
    (tmp_path / "README.md").write_text("hello")
    (tmp_path / "old").mkdir()
    read, unread = official.read(tmp_path).notes
    files = ["canonical", "estimate", "grants", "keys", "lens", "proof", "uses"]
    assert [part.split()[0] for part in read.removeprefix("Read: ").split(", ")] == [f"{name}.json" for name in files]
    named = "README.md, approval.json, old, printable.json"
    sections = "grants.json: seeds, grants.json: rootTotalBlockId, grants.json: consentCode, uses.json: limits"
    assert unread == f"Not read, not known here: {named}, {sections}."


def test_another_version_of_a_file_shows_in_what_was_read(tmp_path: Path) -> None:
    first = official.read(folders.write(tmp_path)).notes[0]
    second = official.read(folders.write(tmp_path, estimate=[{"text": "three more words", "est": 3}])).notes[0]
    changed = [one for one, other in zip(first.split(", "), second.split(", "), strict=True) if one != other]
    assert [part.split()[0] for part in changed] == ["estimate.json"]


Change = Callable[[Any], object]
BROKEN: dict[str, tuple[str, Change, str]] = {
    "a member is missing": ("hash", lambda f: f[0].pop("hash"), ", case 1 'plants': hash is missing"),
    "a text is a number": (
        "canonical",
        lambda f: f[0].update(canonical=5),
        ", case 1 'two keys': canonical is no text",
    ),
    "a flag is a text": ("keys", lambda f: f[1].update(valid="false"), ", case 2: valid is no true or false"),
    "a proposal is a list": ("hash", lambda f: f[0].update(proposal=[]), ", case 1 'plants': proposal is no object"),
    "a time is a text": ("proof", lambda f: f[0].update(ts="now"), ", case 1: ts is no integer"),
    "a time is true": ("proof", lambda f: f[0].update(ts=True), ", case 1: ts is no integer"),
    "a case is a text": ("lens", lambda f: f.append("x"), ", case 5: it is no object"),
    "a file is an object": ("lens", lambda f: {"cases": f}, ": a list was expected"),
    "a file is a list": ("uses", lambda f: [f], ": an object was expected"),
    "a section is an object": ("grants", lambda f: f.update(cases={}), ": cases is no list"),
    "a code is unknown": (
        "grants",
        lambda f: f["cases"][1]["expect"].update(code="no"),
        ", cases, case 2 'at yard.example': unknown code 'no'",
    ),
    "a type is unknown": ("lens", lambda f: f[0].update(type="frame"), ", case 1 'row': unknown type 'frame'"),
    "keys are numbers": (
        "grants",
        lambda f: f["cases"][0].update(trusted=[1]),
        ", cases, case 1 'at garden.example': trusted is no list of texts",
    ),
    "json is a value": ("lens", lambda f: f[1].update(json={}), ", case 2 'order': json is no text"),
}


@pytest.mark.parametrize(("name", "change", "problem"), BROKEN.values(), ids=BROKEN.keys())
def test_what_is_broken_names_file_and_case_and_member(name: str, change: Change, problem: str, tmp_path: Path) -> None:
    value = copy.deepcopy(folders.FILES[name])
    made = change(value)
    replaced = made if "expected" in problem else value
    assert complaint(folders.write(tmp_path, **{name: replaced})) == f"{name}.json{problem}"


def test_a_file_that_is_no_json_is_named(tmp_path: Path) -> None:
    folders.write(tmp_path)
    (tmp_path / "lens.json").write_text("[{")
    assert complaint(tmp_path).startswith("lens.json: not JSON: ")


def test_a_file_that_is_too_large_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(official, "MOST_BYTES", 10)
    assert complaint(folders.write(tmp_path)) == "canonical.json is larger than 0 MiB"


def test_a_deep_case_is_read(tmp_path: Path) -> None:
    deep = "[" * 50_000 + "]" * 50_000
    folders.write(tmp_path)
    (tmp_path / "canonical.json").write_text(f'[{{"name": "deep", "input": {deep}, "canonical": "{deep}"}}]')
    made = {case.id: case for case in official.read(tmp_path).cases}
    assert made["official/canonical/deep"].input == {"json": deep}
    assert jsontext.loads(deep) is not None


def test_a_folder_without_a_known_file_is_none(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[]")
    assert complaint(tmp_path) == " holds no file that is known here; it is no conformance folder"


def test_a_folder_that_is_not_there_is_none(tmp_path: Path) -> None:
    assert complaint(tmp_path / "none") == " cannot be read: No such file or directory"


def test_a_folder_whose_file_is_a_folder_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "lens.json").mkdir()
    assert complaint(tmp_path) == "lens.json cannot be read: Is a directory"
