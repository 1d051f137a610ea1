"""Properties: what must hold of a target's answers, each tied to clauses, each with the strategy that feeds it."""

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

import hypothesis
from hypothesis import strategies as st

from fuzz.stateful import Machine
from fuzz.stops import Unsupported
from fuzz.targets import Operations

Judge = Callable[[Any, Any], str | None]

OPERATIONS, WIRE, SERVICE, HOST = "operations", "wire", "service", "host"
"""What a property is about: `Operations`, a `Wire`, a `Service` of YEA with its profile, or a BYOB `Host`."""

LIVE = frozenset({WIRE, SERVICE, HOST})


@dataclass(frozen=True)
class Property:
    """A property.

    Args:
        name: `canonical`, or `lens/reply`: a family and what it is about.
        title: the invariant, one sentence.
        clauses: ids of the clauses that it rests on.
        examples: the strategy.
        judge: (target, example) to None, or to what is wrong.
        show: an example in words, as a failure prints it.
        over: OPERATIONS, WIRE, SERVICE or HOST, the kind of target.
        machine: for a stateful property, what plays its sessions; it then has no examples and no judge.
        binding: whether a breach fails; one that rests on a SHOULD only warns.
    """

    name: str
    title: str
    clauses: tuple[str, ...]
    examples: st.SearchStrategy[Any]
    judge: Judge
    show: Callable[[Any], str] = repr
    over: str = OPERATIONS
    machine: type[Machine] | None = None
    binding: bool = True

    @property
    def protocol(self) -> str:
        """Whose clauses it rests on: `yea` or `byob`."""
        return self.clauses[0].partition("-")[0].lower() if self.clauses else "yea"


_seen: ContextVar[Counter[str]] = ContextVar("events seen by the running campaign")


def event(name: str) -> None:
    """Note what kind of example this is: for Hypothesis' own statistics and for the campaign's."""
    if hypothesis.currently_in_test_context():
        hypothesis.event(name)
    seen = _seen.get(None)
    if seen is not None:
        seen[name] += 1


@contextmanager
def counting(seen: Counter[str]) -> Iterator[None]:
    """Count the events of all that runs inside."""
    token = _seen.set(seen)
    try:
        yield
    finally:
        _seen.reset(token)


_registry: dict[str, Property] = {}


def prop(
    name: str,
    *clauses: str,
    examples: st.SearchStrategy[Any],
    show: Callable[[Any], str] = repr,
    over: str = OPERATIONS,
    binding: bool = True,
) -> Callable[[Judge], Judge]:
    """Register a property; its title is the docstring's first line. Raises ValueError for a repeated name."""

    def register(judge: Judge) -> Judge:
        if name in _registry or not judge.__doc__:
            raise ValueError(f"property {name}: repeated, or without a docstring")
        title = judge.__doc__.strip().split("\n")[0]
        _registry[name] = Property(name, title, clauses, examples, judge, show, over, binding=binding)
        return judge

    return register


def sessions(name: str, *clauses: str, over: str) -> Callable[[type[Machine]], type[Machine]]:
    """Register a machine as a property; its title is the docstring's first line. Raises ValueError as `prop` does."""

    def register(machine: type[Machine]) -> type[Machine]:
        title = (machine.__doc__ or "").strip().split("\n")[0]
        if name in _registry or not title:
            raise ValueError(f"property {name}: repeated, or without a docstring")
        _registry[name] = Property(name, title, clauses, st.nothing(), _unjudged, over=over, machine=machine)
        return machine

    return register


def _unjudged(target: Any, example: Any) -> str | None:
    raise TypeError("a stateful property has no judge")


@cache
def load() -> dict[str, Property]:
    """Import every property and return them by name."""
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{module}")
    return dict(sorted(_registry.items()))


def select(family: str) -> list[Property]:
    """Return the properties of that name, or of that family; an empty list for an unknown one."""
    return [entry for name, entry in load().items() if name == family or name.startswith(f"{family}/")]


def answer(target: Operations, operation: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the target's ok or error; raises Unsupported, and AssertionError for an answer that did not come."""
    made = dict(target.call(operation, arguments))
    if made.get("unsupported") is True:
        raise Unsupported(operation)
    if "broke" in made:
        raise AssertionError(f"{operation}: no answer: {made['broke']}")
    return made


def result(made: dict[str, Any], name: str) -> str | None:
    """Return a text of an ok; None when there is none, whatever the target answered."""
    ok = made.get("ok")
    value = ok.get(name) if isinstance(ok, dict) else None
    return value if isinstance(value, str) else None
