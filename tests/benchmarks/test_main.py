"""`python -m benchmarks`: which groups it measures, and what it says of them. What they measure is no matter here."""

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import benchmarks
from benchmarks.__main__ import GROUPS, main
from benchmarks.timing import Line


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let each group measure 2 where at least 1 is due, but for the tables, which miss; returns who was asked."""
    asked: list[str] = []

    def measuring(name: str) -> None:
        def lines() -> Iterator[Line]:
            asked.append(name)
            yield Line(name, 2.0, 3.0 if name == "tables" else 1.0, True, "x")

        monkeypatch.setattr(importlib.import_module(f"benchmarks.{name}"), "lines", lines)

    for name in GROUPS:
        measuring(name)
    return asked


def test_every_module_that_measures_is_a_group() -> None:
    modules = Path(benchmarks.__file__).parent.glob("*.py")
    assert {path.stem for path in modules if "def lines()" in path.read_text()} == {*GROUPS}


def test_without_a_name_everything_is_measured(measured: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 1
    assert measured == [*GROUPS]
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]] == ["met"] * 4 + ["MISSED"]


def test_groups_that_are_named_are_measured_alone_and_once(
    measured: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["service", "functions", "service"]) == 0
    assert measured == ["functions", "service"]
    assert capsys.readouterr().out.splitlines()[1:] == [
        "met        2.00 x  at least 1 x     functions",
        "met        2.00 x  at least 1 x     service",
    ]


def test_an_unknown_group_is_wrong_usage_that_lists_them(
    measured: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["speed"])
    said = capsys.readouterr().err
    assert (ended.value.code, measured) == (2, [])
    assert said.endswith(f"there is no group 'speed'; there are {', '.join(GROUPS)}\n")


def test_help_names_the_groups_and_measures_nothing(measured: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    said = capsys.readouterr().out
    assert (ended.value.code, measured) == (0, [])
    assert all(f"  {name:<10} {what}\n" in said for name, what in GROUPS.items())
