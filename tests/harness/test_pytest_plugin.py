"""pytest as a front end: a row is an item, and what naysayer starts it can restart."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import harness
from tests.harness.peers import answering, brief
from tests.harness.servers import listening

SOURCE = str(Path(harness.__file__).parent.parent)
SERVE = [sys.executable, "-m", "harness.cli", "serve", "yea"]
VERB = "unknown-verb-is-bad-frame"
DOUBT = "interrupted-commit-counts-for-limits"


TWO = ("--pyargs", "harness.checks.yea", "-k", f"{VERB} or {DOUBT}")


def run(tmp_path: Path, *words: str, wanted: tuple[str, ...] = TWO) -> tuple[int, list[str]]:
    """Run pytest with the plugin, over two checks of services if not told otherwise; returns its code and its lines."""
    command = [sys.executable, "-m", "pytest", "-p", "harness.pytest_plugin", "-p", "no:cacheprovider", "-rs", "-v"]
    done = subprocess.run(
        [*command, *wanted, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )
    return done.returncode, done.stdout.splitlines()


def test_the_checks_of_a_table_host_are_items_too(tmp_path: Path) -> None:
    command = shlex.join([*SERVE[:-1], "byob", "--port", "{port}"])
    words = ["--pyargs", "harness.checks.byob", "-k", "http-and-json", "--naysayer-command", command]
    code, lines = run(tmp_path, *words, wanted=())
    assert (code, "PASSED" in said(lines, "http-and-json")) == (0, True), lines


def said(lines: list[str], name: str) -> str:
    return next((line for line in lines if f"{name}@" in line and "[" in line), "")


def test_what_was_started_is_restarted(tmp_path: Path) -> None:
    command = shlex.join([*SERVE, "--port", "{port}", "--data", "{data}"])
    code, lines = run(tmp_path, "--naysayer-command", command)
    assert (code, "PASSED" in said(lines, VERB), "PASSED" in said(lines, DOUBT)) == (0, True, True), lines


def test_a_target_that_runs_already_is_not_and_the_item_says_why(tmp_path: Path) -> None:
    command = [*SERVE, "--port", "0"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": SOURCE}
    ) as server:
        assert server.stderr is not None
        try:
            address = server.stderr.readline().partition('"tcp": "')[2].partition('"')[0]
            code, lines = run(tmp_path, "--naysayer", address)
        finally:
            server.kill()
    assert (code, "PASSED" in said(lines, VERB), "SKIPPED" in said(lines, DOUBT)) == (0, True, True), lines
    assert "naysayer did not start this target" in "\n".join(lines)


def test_a_breach_is_a_failed_item_with_its_clause(tmp_path: Path) -> None:
    with listening(answering(brief)) as port:
        code, lines = run(tmp_path, "--naysayer", f"yea://127.0.0.1:{port}")
    assert (code, "FAILED" in said(lines, VERB)) == (1, True), lines
    assert any("YEA-2.1-14 (MUST): wanted ERROR bad_frame" in line for line in lines)


@pytest.mark.parametrize("words", [(), ("--naysayer-command", "serve it")])
def test_without_a_target_it_is_wrong_usage(tmp_path: Path, words: tuple[str, ...]) -> None:
    code, lines = run(tmp_path, *words)
    assert (code, "give a --naysayer TARGET" in "\n".join(lines)) == (2, True), lines
