"""What is kept of a failure are vector files that the loader reads and the lint accepts."""

import errno
import json
from pathlib import Path
from typing import Any

import pytest

from fuzz.calls import Call
from fuzz.campaign import Outcome
from harness.adapters.found import read_found
from harness.campaigns.judged import differences
from harness.campaigns.keeping import NotKept, keep
from harness.campaigns.orders import Job, Order, Result
from vectors.lint import lint

CLAUSES = ("YEA-10-01", "YEA-10-03")
WRONG = {"ok": {"text": "wrong"}}


def found(*calls: Call, name: str = "canonical/agrees") -> Result:
    outcome = Outcome(name, failure="wrong", smallest="'[1]'", calls=calls)
    return Result(Job(name), Order((name,), 10, None, 7, None, None, None, 1.0), outcome)


def kept(folder: Path, *calls: Call, name: str = "canonical/agrees") -> list[Path]:
    made = found(*calls, name=name)
    return keep(folder, made, differences(made.outcome.calls, CLAUSES))


def canonical(text: str) -> Call:
    return Call("canonical", {"json": text}, WRONG)


def test_a_failure_becomes_a_vector(tmp_path: Path) -> None:
    (path,) = kept(tmp_path, canonical("[1]"))
    assert path == tmp_path / "yea" / "canonical.json"
    (case,) = read_found(tmp_path)["yea"]
    assert (case.input, case.expected, case.clauses) == ({"json": "[1]"}, ({"ok": {"text": "[1]"}},), CLAUSES)
    assert lint([path])[1] == []


def test_the_failure_itself_is_kept_too(tmp_path: Path) -> None:
    kept(tmp_path, canonical("[1]"))
    assert json.loads((tmp_path / "canonical-agrees.json").read_text()) == {
        "property": "canonical/agrees",
        "smallest": "'[1]'",
        "problem": "wrong",
        "seed": 7,
        "examples": 10,
        "calls": [{"op": "canonical", "input": {"json": "[1]"}, "answer": WRONG}],
    }


def test_cases_add_up_and_none_is_kept_twice(tmp_path: Path) -> None:
    kept(tmp_path, canonical("[1]"))
    kept(tmp_path, canonical("[1]"), canonical("[ 2]"))
    (path,) = kept(tmp_path, canonical("[3]"), name="canonical/idempotent")
    cases = read_found(tmp_path)["yea"]
    assert [case.input["json"] for case in cases] == ["[1]", "[ 2]", "[3]"]
    assert lint([path])[1] == []


def test_every_protocol_has_a_folder(tmp_path: Path) -> None:
    kept(tmp_path, Call("byob.tokens", {"text": "漢字"}, {"ok": {"count": 1}}))
    assert [case.expected for case in read_found(tmp_path)["byob"]] == [({"ok": {"count": 2}},)]


@pytest.mark.parametrize(
    "call",
    [
        Call("canonical", {"json": "1.0"}, WRONG),
        Call("lens.value", {"json": "1e999"}, WRONG),
        Call("lens.reply", {"json": '{"kind":"ERROR","retry":0}'}, WRONG),
    ],
    ids=lambda call: str(call.operation),
)
def test_what_the_text_leaves_open_is_no_vector(tmp_path: Path, call: Call) -> None:
    assert kept(tmp_path, call) == []
    assert read_found(tmp_path) == {}


def test_what_no_vector_can_hold_is_kept_as_it_is(tmp_path: Path) -> None:
    assert kept(tmp_path, Call("est", {"text": 5}, WRONG)) == []


def test_a_file_of_somebody_else_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "yea").mkdir()
    (tmp_path / "yea" / "canonical.json").write_text("[]")
    with pytest.raises(NotKept, match="is no vector file"):
        kept(tmp_path, canonical("[1]"))
    assert (tmp_path / "yea" / "canonical.json").read_text() == "[]"


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(NotKept, match="No space left on device"):
        kept(tmp_path, canonical("[1]"))
