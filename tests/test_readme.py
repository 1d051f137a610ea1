"""The commands that the README and the docs show are the ones that work."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness import command_line, profile
from harness.bridges import keys
from harness.bridges.arguments import SYNONYMS
from harness.byob import dialects
from harness.byob.dialect import PLACES

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
NAYSAYER = [sys.executable, "-m", "harness.cli"]


def commands(page: Path) -> list[str]:
    return [line for block in BLOCK.findall(page.read_text("utf-8")) for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_naysayer_command_in_the_docs_is_understood(page: Path) -> None:
    for line in commands(page):
        if line.startswith("naysayer "):
            command_line.parser().parse_args(shlex.split(line)[1:])


def test_ci_runs_the_two_set_up_commands_of_the_readme() -> None:
    script = ROOT / ".ci" / "run"
    shown = [line for line in commands(ROOT / "README.md") if line.startswith("python3 -m venv")]
    assert len(shown) == 2
    assert [line for line in shown if line not in script.read_text("utf-8").splitlines()] == []


@contextmanager
def served(*options: str) -> Iterator[str]:
    arguments = [*NAYSAYER, "serve", "yea", "--port", "0", *options]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            yield json.loads(server.stderr.readline())["tcp"]
        finally:
            server.terminate()


def certify(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    arguments = [*NAYSAYER, "certify", *words, "--report", str(tmp_path / "report")]
    return subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=False)


def test_the_readmes_broken_service_fails_the_check_that_it_names(tmp_path: Path) -> None:
    lines = commands(ROOT / "README.md")
    fault = next(line.split("--fault ")[1] for line in lines if "--fault " in line)
    replay = next(line.split("--replay ")[1] for line in lines if "--replay " in line)
    with served("--fault", fault) as address:
        done = certify(tmp_path, address, "--replay", replay)
    assert done.returncode == 1
    assert "YEA-4.4-03" in done.stdout
    assert f"--replay {replay}" in done.stdout


def test_a_sound_service_started_by_hand_passes_the_same_check(tmp_path: Path) -> None:
    replay = next(line.split("--replay ")[1] for line in commands(ROOT / "README.md") if "--replay " in line)
    with served() as address:
        done = certify(tmp_path, address, "--replay", replay)
    assert (done.returncode, "CONFORMING" in done.stdout) == (0, True)


def test_the_profile_page_names_every_member_of_a_host_and_a_bridge() -> None:
    page = (ROOT / "docs" / "profiles.md").read_text("utf-8")
    named = (*profile.TARGET_MEMBERS, *dialects.MEMBERS, *SYNONYMS, *(f"{{{name}}}" for name in keys.PLACEHOLDERS))
    assert [name for name in named if f"`{name}`" not in page] == []
    events = {name.partition(".")[0] for name in PLACES}
    last = {name.partition(".")[2] for name in PLACES}
    assert [name for name in events if f"`{name}." not in page] == []
    assert [name for name in last if f".{name}`" not in page] == []


def test_the_profiles_of_a_host_and_a_bridge_on_the_page_are_read(tmp_path: Path) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "profiles.md").read_text("utf-8"), re.DOTALL)
    read = []
    for block in (block for block in blocks if "[principals]" not in block):
        (tmp_path / "naysayer.toml").write_text(block.replace("…", "secret"), "utf-8")
        read.append(profile.load(tmp_path / "naysayer.toml"))
    assert [(sorted(each.dialect), each.bridge.key_file is not None) for each in read] == [
        (["decisions", "places", "total"], False),
        ([], True),
    ]
