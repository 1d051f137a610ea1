"""The example profiles in `docs/profiles/`: each run against a small service of its kind says what it leaves out."""

import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness import facts, session
from harness.clock import run_virtual, virtual_now
from harness.keyfiles import write_seed
from harness.profile import ROLES, load
from harness.session import Options, Prepared
from harness.targets.memory import bridge_target, stream_target
from harness.transcript import Transcript
from reference.yea.keys import KeyPair
from reference.yea.service import Service
from reports.lines import LineWriter, read_lines
from reports.model import Outcome, Run
from reports.verdict import Verdict, run_verdict
from tests.services.billing import billing
from tests.services.calendar import calendar
from tests.services.shop import shop

FOLDER = Path(__file__).parent.parent.parent / "docs" / "profiles"
MISSING = "the profile offers no role "
SECOND = "needs 2 trusted principals, the profile has 1"


@dataclass(frozen=True)
class Example:
    """A profile's service, and the roles that it offers."""

    make: Callable[[Iterable[str]], Service]
    offers: frozenset[str]
    principals: int = 2


EXAMPLES = {
    "calendar": Example(calendar, frozenset({"ask", "state", "undoable", "clarify"}), 1),
    "shop": Example(shop, frozenset({"ask", "state", "big-ask", "undoable", "uses", "slow-commit", "irreversible"})),
    "billing": Example(billing, frozenset({"ask", "state", "undoable", "uses", "risky", "irreversible", "clarify"})),
}


def test_every_profile_is_an_example_here() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.toml")) == sorted(EXAMPLES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The profiles beside the keys that they name."""
    made = tmp_path_factory.mktemp("profiles")
    for path in FOLDER.glob("*.toml"):
        shutil.copy(path, made)
    for name in ("a", "b"):
        write_seed(made / f"naysayer-{name}.seed", name.encode() * 32)
    return made


RUNS: dict[str, Run] = {}


@pytest.fixture(params=EXAMPLES)
def named(request: pytest.FixtureRequest, folder: Path) -> tuple[str, Run]:
    """A profile's name and the run with it, made once."""
    name: str = request.param
    if name not in RUNS:
        RUNS[name] = run_virtual(certified(name, folder))
    return name, RUNS[name]


async def certified(name: str, folder: Path) -> Run:
    """Run everything against the example's service, over TCP and HTTP."""
    given = load(folder / f"{name}.toml")
    service = EXAMPLES[name].make([KeyPair(seed).public for seed in given.seeds.values()])
    makers = {"tcp": stream_target, "http": bridge_target}
    targets = {key: make(service, virtual_now, timeout=10.0) for key, make in makers.items()}
    silent = Transcript(virtual_now, lambda *_: None, str, "tcp", "hello")
    prepared = Prepared(targets, await facts.discover(targets["tcp"], silent, 10.0), given, name)
    options = Options()
    made = session.plan(prepared, options, lambda row: None)
    await session.prepare(prepared, made)
    with LineWriter(folder / f"{name}.jsonl") as lines:
        await session.run(made, prepared, options, lines, lambda counts: None)
    return read_lines(folder / f"{name}.jsonl").runs[0]


def test_a_profile_offers_what_it_shows(named: tuple[str, Run], folder: Path) -> None:
    given = load(folder / f"{named[0]}.toml")
    example = EXAMPLES[named[0]]
    assert (set(given.roles), len(given.seeds)) == (example.offers, example.principals)


def test_nothing_fails_and_the_verdict_is_partial(named: tuple[str, Run]) -> None:
    _, run = named
    bad = (Outcome.FAILED, Outcome.ERROR, Outcome.UNTESTED)
    rows = [f"{row.id}@{row.transport} {row.outcome}: {row.why}" for row in run.rows if row.outcome in bad]
    assert rows == []
    assert run_verdict(run) == Verdict.PARTIAL
    assert run.counts[Outcome.PASSED] > 300


def test_what_was_not_exercised_is_listed_with_the_role_that_would_allow_it(named: tuple[str, Run]) -> None:
    name, run = named
    absent = {row.why.removeprefix(MISSING) for row in run.rows if row.why.startswith(MISSING)}
    roles = {role for words in absent for role in re.split(r", | or ", words)}
    assert roles == set(ROLES) - EXAMPLES[name].offers - {"state", "big-text"}
    assert any(row.why == SECOND for row in run.rows) == (EXAMPLES[name].principals == 1)
    assert [each for each in run.unreached if each.why.startswith(MISSING)]
    assert all(each.declared for each in run.unreached)
