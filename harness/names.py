"""Every name there is, over all protocols: what a list that a person keeps may speak of, whatever this run selects."""

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec

from harness import check, checks, monitors
from harness.catalogue import catalogue
from vectors import load, suites


@cache
def protocols() -> tuple[str, ...]:
    """Return the protocols that there are checks for."""
    packages = [module.name for module in pkgutil.iter_modules(checks.__path__) if module.ispkg]
    return tuple(sorted(name.replace("_", "-") for name in packages))


@cache
def check_ids() -> frozenset[str]:
    """Return the ids of everything that can have a row: checks, monitors and vector cases."""
    return frozenset(_check_ids())


def _check_ids() -> Iterator[str]:
    for protocol in protocols():
        yield from check.load(protocol)
        if find_spec(f"{monitors.__name__}.{check.package_of(protocol)}") is not None:
            yield from monitors.load(protocol)
    for suite in suites():
        yield from (case.id for file in load(suite) for case in file.cases)


@cache
def clause_ids() -> frozenset[str]:
    """Return the ids of all clauses."""
    return frozenset(clause for protocol in protocols() for clause in catalogue(protocol).clauses)
