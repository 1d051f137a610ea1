"""No expected answer rests on the reference alone: a second method agrees with every one of them."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.vectors import oracle
from vectors import Case, answers, load

FILES = {file.op: file for file in load("yea")}
EXPRESSION = re.compile(r"[A-Za-z]+|[0-9]{1,3}|\n {2,}|[^ \t\n\r\f\vA-Za-z0-9]")
NODE = shutil.which("node")


def disagreeing(op: str, answer: Any) -> list[str]:
    """The cases of an operation that an independent answer is not right for."""
    return [case.id for case in FILES[op].cases if not answers.is_right(case, answer(case))]


def test_the_oracle_decides_every_grant_as_the_vectors_do() -> None:
    def decide(case: Case) -> dict[str, Any]:
        asked = case.input
        context = json.loads(asked["context"])
        word = oracle.decision(asked["token"], asked["trusted"], asked["proof_key"], context)
        return {"ok": {"decision": word}}

    assert disagreeing("grant.check", decide) == []


def test_the_oracle_verifies_every_proof_as_the_vectors_do() -> None:
    assert disagreeing("proof.verify", lambda case: {"ok": {"valid": oracle.proof_is_right(dict(case.input))}}) == []


def test_the_oracle_finds_the_ids_of_the_vectors() -> None:
    def identify(case: Case) -> dict[str, Any]:
        try:
            return {"ok": {"ids": oracle.block_ids(case.input["token"])}}
        except oracle.Refused:
            return {"error": {}}

    assert disagreeing("grant.block_ids", identify) == []


@pytest.mark.parametrize("op", ["grant.issue", "grant.delegate"])
def test_every_token_that_is_made_is_one_that_the_oracle_verifies(op: str) -> None:
    tokens = [answer["ok"]["token"] for case in FILES[op].cases for answer in case.expected if "ok" in answer]
    assert len(tokens) >= 10
    for token in tokens:
        oracle.verified(token)


def test_every_proof_that_is_signed_is_one_that_the_oracle_verifies() -> None:
    for case in FILES["proof.sign"].cases:
        assert oracle.proof_is_right({**case.input, **case.expected[0]["ok"]}), case.id


def test_the_spec_s_own_expression_counts_as_the_vectors_do() -> None:
    def count(case: Case) -> dict[str, Any]:
        return {"ok": {"count": len(EXPRESSION.findall(case.input["text"]))}}

    assert disagreeing("est", count) == []


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
@pytest.mark.parametrize("op", ["canonical", "hash", "est", "uses.valid", "quantity", "undo.effects"])
def test_ecmascript_answers_as_the_vectors_do(op: str) -> None:
    cases = list(FILES[op].cases)
    calls = json.dumps([{"op": op, **case.input} for case in cases])
    script = Path(__file__).parent / "plain.mjs"
    run = subprocess.run([str(NODE), str(script)], input=calls, capture_output=True, text=True, timeout=60, check=True)
    answered = {
        case.id: {"error": {}} if result is None else {"ok": result}
        for case, result in zip(cases, json.loads(run.stdout), strict=True)
    }
    assert disagreeing(op, lambda case: answered[case.id]) == []
