"""Registries fill themselves by importing a package, and a fault is found by its id."""

import sys
from pathlib import Path

import pytest

from harness.errors import UsageError
from harness.registering import fault_named, import_all

KNOWN = {"family/one": 1, "family/two": 2}


def test_every_module_of_a_package_is_imported_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "registering_these"
    package.mkdir()
    (package / "__init__.py").write_text("order = []\n")
    for name in ("b", "a"):
        (package / f"{name}.py").write_text("from registering_these import order\norder.append(__name__)\n")
    monkeypatch.syspath_prepend(tmp_path)
    import_all("registering_these")
    assert sys.modules["registering_these"].order == ["registering_these.a", "registering_these.b"]


def test_a_package_that_is_not_there_has_nothing_to_import() -> None:
    import_all("harness.faults.no_such_protocol")
    assert "harness.faults.no_such_protocol" not in sys.modules


@pytest.mark.parametrize("name", ["family/one", "one"])
def test_a_fault_is_found_with_or_without_its_prefix(name: str) -> None:
    assert fault_named(name, KNOWN, "family/", "serve yea") == 1


def test_an_unknown_fault_is_wrong_usage_that_names_the_command() -> None:
    with pytest.raises(UsageError) as caught:
        fault_named("three", KNOWN, "family/", "serve yea")
    assert str(caught.value) == "no fault 'three'; `naysayer serve yea --fault list` shows them all"
