"""`naysayer adapter`: the reference's own, or one with a fault."""

import io
import sys
from types import SimpleNamespace

import pytest

from harness import cli
from harness.faults import adapter as faults

EST = b'{"id": 1, "op": "est", "text": "ab\\u00e9"}\n'
Capture = pytest.CaptureFixture[str]


def answers(monkeypatch: pytest.MonkeyPatch, *words: str) -> bytes:
    """Run the command over one request and return what it writes."""
    sink = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(EST)))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=sink))
    assert cli.main(["adapter", *words]) == 0
    return sink.getvalue()


def test_it_answers_until_its_input_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answers(monkeypatch) == b'{"id": 1, "ok": {"count": 2}}\n'


def test_a_fault_makes_it_answer_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [fault.id for fault in faults.load().values() if fault.op == "est"]
    assert any(answers(monkeypatch, "--fault", fault) != b'{"id": 1, "ok": {"count": 2}}\n' for fault in wrong)


def test_the_faults_are_listed(capsys: Capture) -> None:
    assert cli.main(["adapter", "--fault", "list"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [f"{fault.id}  {fault.says}" for fault in faults.load().values()]


def test_an_unknown_fault_is_wrong_usage(capsys: Capture) -> None:
    assert cli.main(["adapter", "--fault", "est/none"]) == 2
    assert capsys.readouterr().err.startswith("naysayer: no fault 'est/none'")
