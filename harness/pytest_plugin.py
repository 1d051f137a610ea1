"""pytest as a front end: `pytest --pyargs harness.checks.yea -p harness.pytest_plugin --naysayer TARGET`.

Shows every check of a run as an item, one per transport; those of table hosts are in `harness.checks.byob`. The runner
does the work, once, when the first item is due, so concurrency, deadlines and the order are those of `naysayer
certify`; pytest selects (`-k`, ids) and reports.

`--naysayer-command CMD` starts a server as `naysayer certify --command` does, and then checks can restart it. A target
that runs already cannot be restarted from here: what needs that is skipped, and says so.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness import check as checks
from harness import managed, profile, session
from harness.certifying import PREPARERS, Asked
from harness.check import Check
from harness.errors import HarnessError
from harness.profile import Profile
from harness.runner import Runner
from harness.session import Options
from harness.targets.addresses import parse
from reports.model import Outcome, Row
from reports.text import plain

SKIPPED = (Outcome.NOT_APPLICABLE, Outcome.UNTESTED)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("naysayer")
    group.addoption("--naysayer", action="append", default=[], metavar="TARGET", help="a target; may repeat")
    group.addoption("--naysayer-profile", metavar="F", help="a profile (TOML)")
    group.addoption("--naysayer-command", metavar="CMD", help="start a server, with {port}, {http_port}, {data}, …")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect the modules of checks, and nothing else."""
    folder = Path(checks.__file__).parent / "checks"
    if folder in file_path.parents and file_path.name.startswith("test_"):
        return CheckFile.from_parent(parent, path=file_path)
    return None


class CheckFile(pytest.File):
    """A module of checks."""

    def collect(self) -> Iterator["CheckItem"]:
        """Yield an item for each check and transport of the targets."""
        offered, restartable = _offered(self.config, self.path.parent.name)
        module = f"harness.checks.{self.path.parent.name}.{self.path.stem}"
        for check in checks.load(self.path.parent.name).values():
            if check.body.__module__ == module:
                for transport in check.over(offered, restartable):
                    yield CheckItem.from_parent(self, name=f"{check.id}@{transport}", check=check, transport=transport)


class CheckItem(pytest.Item):
    """One check over one transport."""

    def __init__(self, *, check: Check, transport: str, **options: Any) -> None:
        super().__init__(**options)
        self.check, self.transport = check, transport

    def runtest(self) -> None:
        """Report the runner's row; the first item to come makes the run."""
        row = _rows(self.session)[(self.check.id, self.transport)]
        if row.outcome in SKIPPED:
            pytest.skip(f"{row.outcome}: {row.why}")
        if row.outcome in (Outcome.FAILED, Outcome.ERROR):
            raise Breach(row)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        """Show a breach as the report does, without our own call stack."""
        if isinstance(excinfo.value, Breach):
            row = excinfo.value.row
            return plain(f"{row.outcome}: {row.title}\n{row.why}\nreplay: {row.replay}", 8000, lines=True)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, None, str]:
        """Name the item by its check."""
        return self.path, None, self.name


class Breach(Exception):
    """A row that failed."""

    def __init__(self, row: Row) -> None:
        super().__init__(row.why)
        self.row = row


RowsKey = pytest.StashKey[dict[tuple[str, str], Row]]()


def _rows(pytest_session: pytest.Session) -> dict[tuple[str, str], Row]:
    """Return the rows of the run over exactly the items that pytest selected, made at the first call."""
    if RowsKey not in pytest_session.stash:
        wanted = {(item.check.id, item.transport) for item in pytest_session.items if isinstance(item, CheckItem)}
        try:
            pytest_session.stash[RowsKey] = asyncio.run(_run(pytest_session.config, wanted))
        except HarnessError as problem:
            pytest.exit(f"naysayer: {problem}", returncode=2)
    return pytest_session.stash[RowsKey]


def _offered(config: pytest.Config, protocol: str) -> tuple[list[str], list[str]]:
    """Return the transports of the target, and over which of them it can be restarted; raises UsageError for none."""
    command: str | None = config.getoption("--naysayer-command")
    given = _profile(config)
    addresses: list[str] = config.getoption("--naysayer") or list(given.addresses if given else ())
    some = dict.fromkeys((*managed.PORTS, "data", "principal_a", "principal_b"), "1")
    filled = [managed.fill_address(text, some) for text in addresses]
    if command and not filled:
        filled = managed.default_addresses(command, some, protocol)
    if not filled:
        raise pytest.UsageError("give a --naysayer TARGET, for example --naysayer yea://127.0.0.1:7447")
    offered = [parse(text).transport for text in filled]
    return offered, [name for name in offered if name != "stdio"] if command and "{data}" in command else []


def _profile(config: pytest.Config) -> Profile | None:
    path = config.getoption("--naysayer-profile")
    return profile.load(Path(path)) if path else None


async def _run(config: pytest.Config, wanted: set[tuple[str, str]]) -> dict[tuple[str, str], Row]:
    targets, command = config.getoption("--naysayer"), config.getoption("--naysayer-command")
    asked = Asked(targets, command, _profile(config), None)
    rows: list[Row] = []
    for protocol in sorted({name.split("/")[0] for name, _ in wanted}):
        options = Options(protocol=protocol, select={name for name, _ in wanted}.__contains__)
        with tempfile.TemporaryDirectory(prefix="naysayer-") as folder:
            async with PREPARERS[protocol](asked, options, Path(folder)) as prepared:
                if prepared.profile.roles:
                    await session.prepare(prepared)
                await Runner(session.plan(prepared, options, rows.append)).run()
    return {(row.id, str(row.transport)): row for row in rows}
