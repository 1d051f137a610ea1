"""`naysayer client`, and `naysayer certify --protocol yea-client`: what they take, and how they end."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import harness
from harness import cli
from harness.clients.program import JOBS
from harness.faults import yea_client as faults

SOURCE = Path(harness.__file__).parent.parent
CLIENT = ["certify", "--protocol", "yea-client"]
Capture = pytest.CaptureFixture[str]


def said(capsys: Capture, *words: str) -> tuple[int, str, str]:
    code = cli.main(words)
    out, err = capsys.readouterr()
    return code, out, err


def test_faults_are_listed(capsys: Capture) -> None:
    code, out, _ = said(capsys, "client", "--fault", "list")
    assert (code, [line.split()[0] for line in out.splitlines()]) == (0, list(faults.load()))


WRONG = {
    "no address": ([], "naysayer client needs the URL of a service"),
    "an unknown fault": (["--fault", "nope", "yea://127.0.0.1:1"], "no fault 'nope'"),
    "params that are no JSON": (["yea://127.0.0.1:1", "ask", "a", "{"], "PARAMS is no JSON"),
    "params that are no object": (["yea://127.0.0.1:1", "ask", "a", "[]"], "PARAMS is a JSON object"),
    "no such key": (["yea://127.0.0.1:1", "ask", "a", "{}", "--key", "no.key"], "no.key cannot be read"),
    "a grant that is none": (["yea://127.0.0.1:1", "ask", "a", "{}", "--grant", "pg1.x"], "--grant: "),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_usage_is_one_sentence(capsys: Capture, name: str) -> None:
    words, problem = WRONG[name]
    code, out, err = said(capsys, "client", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert problem in err


def test_a_service_that_is_not_there_fails_every_job(capsys: Capture) -> None:
    code, out, _ = said(capsys, "client", "yea://127.0.0.1:1", "ask,commit")
    lines = [json.loads(line) for line in out.splitlines()]
    assert (code, [line["outcome"] for line in lines]) == (0, ["failed", "failed"])
    assert all(line["why"].startswith("Unreachable: ") for line in lines)


def test_the_jobs_are_those_of_the_contract() -> None:
    text = (SOURCE / "docs" / "client-contract.md").read_text() if (SOURCE / "docs").is_dir() else ""
    assert set(JOBS) == {"ask", "commit", "auto", "approve"}
    assert not text or all(f"| `{job}` |" in text for job in JOBS)


REFUSED = {
    "a target": ["yea://127.0.0.1:1"],
    "an adapter": ["--adapter", "cat"],
    "a command without an address": ["--command", "echo"],
    "a program that is not there": ["--command", "naysayer-has-no-such-program {url}"],
    "a program that is no client": ["--command", f"'{sys.executable}' -c 'import sys' {{url}}"],
    "a transport that is not played over": ["--transport", "stdio"],
    "tls without an authority": ["--transport", "tls", "--command", "cat {url}"],
    "a check that is not there": ["-k", "yea/2.1"],
    "a replay of a service's check": ["--replay", "yea/2.1/oversize-frame-is-refused@tcp"],
}
PROBLEMS = {
    "a target": "--protocol yea-client takes no TARGET: the client is what --command starts",
    "an adapter": "--protocol yea-client takes no --adapter: the client is what --command starts",
    "a command without an address": "--command needs {url} in it: where the played service is",
    "a program that is not there": "--command: there is no program 'naysayer-has-no-such-program'",
    "a program that is no client": "--command: the client printed 0 of 1 results and ended with exit code 0, without a "
    "request to the service",
    "a transport that is not played over": "a client is played to over tcp, tls, http only (tls needs {ca} in "
    "--command)",
    "tls without an authority": "a client is played to over tcp, http only (tls needs {ca} in --command)",
    "a check that is not there": "the selection is empty: no check has such an id on these transports",
    "a replay of a service's check": "--replay: there is no check 'yea/2.1/oversize-frame-is-refused'; `naysayer "
    "clauses` names them all",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_certified_is_wrong_usage(capsys: Capture, tmp_path: Path, name: str) -> None:
    code, out, err = said(capsys, *CLIENT, *REFUSED[name], "--report", str(tmp_path / "report"))
    assert (code, out, err) == (2, "", f"naysayer: {PROBLEMS[name]}\n")


def report(tmp_path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((tmp_path / "report.json").read_text())
    return document


def test_the_reference_is_certified_when_no_command_is_given(capsys: Capture, tmp_path: Path) -> None:
    code, _, _ = said(capsys, *CLIENT, "--report", str(tmp_path), "-k", "not yea-client/2.1", "--seed", "7")
    document = report(tmp_path)
    assert (code, document["verdict"], document["target"]) == (0, "conforming", "the reference client")
    assert document["scope"] == {
        "protocol": "yea-client",
        "role": "client",
        "transports": ["tcp", "tls", "http"],
        "slow": False,
    }
    assert {row["outcome"] for row in document["checks"]} == {"passed"}


def test_a_broken_client_is_found_and_the_command_replays_it(capsys: Capture, tmp_path: Path) -> None:
    broken = f"'{sys.executable}' -m harness.cli client --fault takes-any-risk {{url}} {{do}} {{capability}} {{params}}"
    words = [*CLIENT, "--report", str(tmp_path), "--command", f"{broken} --key {{seed_file}} --grant {{grant}}"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(SOURCE))
        code, _, _ = said(capsys, *words, "-k", "yea-client/5.1", "--seed", "7")
    rows = {row["id"]: row for row in report(tmp_path)["checks"] if "5.1" in row["id"]}
    risk = rows["yea-client/5.1/malformed-risk-is-invalid"]
    assert (code, risk["outcome"], rows["yea-client/5.1/malformed-uses-is-invalid"]["outcome"]) == (
        1,
        "failed",
        "passed",
    )
    assert "YEA-5.1-24 (MUST): wanted no risk: the proposal is invalid, so it is not committed" in risk["why"]
    assert risk["replay"].startswith("naysayer certify --protocol yea-client --command ")
    assert risk["replay"].endswith(" --seed 7 --replay yea-client/5.1/malformed-risk-is-invalid@tcp")
    assert risk["transcript"]
