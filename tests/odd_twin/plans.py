"""What a capability of the twin is, and what an intent plans."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

Params = dict[str, Any]
Tell = Callable[[str, float | None], Awaitable[None]]
Apply = Callable[[Tell], Awaitable[Any]]

EXPIRY = 17 * 60
WINDOW = 3600


@dataclass
class Plan:
    """One way to do what an intent asks: what is shown, and how it is done and undone.

    `stale` says whether the world changed since the plan was made, `races` that it then no longer holds; `ttl` is
    exact, else the expiry is coarse.
    """

    summary: str
    effects: list[dict[str, Any]]
    apply: Apply
    revert: Callable[[], None]
    risk: str = "low"
    window: int | None = WINDOW
    uses: dict[str, Any] | None = None
    ttl: int | None = None
    data: Any = None
    stale: Callable[[], bool] = lambda: False
    races: bool = False


@dataclass
class Choice:
    """An ambiguous intent: a question, and options each with a label and a merge patch."""

    question: str
    options: list[tuple[str, Params]]


@dataclass(frozen=True)
class Capability:
    """An entry of the BRIEF with what stands behind it."""

    name: str
    kind: str
    summary: str
    run: Callable[[Params], Any]
    params: dict[str, Any] = field(default_factory=dict)
    risk: str | None = None
