"""What a service offers: ask and intent capabilities, and the plans that an intent makes (YEA 1, 4.2, 4.3).

A capability never sees a frame, a grant or a proof. A plan's `job` is a JSON value that says all that
`apply` and `revert` need, so that a store may keep it on disk.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

from reference.yea.errors import YeaError
from reference.yea.service.steps import Job
from reference.yea.types import Json

DEFAULT_LIFETIME = 600
DEFAULT_WINDOW = 3600


class ApplyError(YeaError):
    """An apply or revert failed and nothing took effect, so that it may be tried again (YEA 4.4)."""


@dataclass(frozen=True, slots=True)
class Call:
    """The request as a capability sees it.

    now: the time, in unix seconds. principal: whom the request acts for, or None. goal: the request's goal.
    proposal: in an apply or revert, the id of the proposal.
    """

    now: float
    principal: str | None = None
    goal: str | None = None
    proposal: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to achieve an intent: a proposal before it has an id, an expiry and a hash (YEA 5.1).

    undo: the undo window in seconds; None or 0 when the action is irreversible.
    lifetime: seconds until the proposal expires; rounded up to a whole minute if `whole_minute`.
    job: what `apply` and `revert` get.
    """

    summary: str
    effects: list[dict[str, Json]]
    job: dict[str, Json]
    uses: dict[str, Json] | None = None
    risk: str = "low"
    undo: int | None = DEFAULT_WINDOW
    lifetime: float = DEFAULT_LIFETIME
    whole_minute: bool = True
    data: Json = None


@dataclass(frozen=True, slots=True)
class Clarify:
    """The intent is ambiguous (YEA 4.3). options: (label, merge patch for the params)."""

    question: str
    options: list[tuple[str, dict[str, Json]]] = field(default_factory=list)


class Capability(ABC):
    """A named operation (YEA 1). `params` is a compact schema (YEA 4.1.1)."""

    kind: ClassVar[str]
    name: str
    summary: str
    params: dict[str, Json]
    risk: str | None = None

    def entry(self) -> dict[str, Json]:
        """The capability's entry in a BRIEF (YEA 4.1)."""
        entry: dict[str, Json] = {"name": self.name, "kind": self.kind, "summary": self.summary}
        if self.params:
            entry["params"] = self.params
        if self.risk is not None:
            entry["risk"] = self.risk
        return entry


class Ask(Capability):
    """A capability that only reads (YEA 4.2)."""

    kind = "ask"

    @abstractmethod
    def answer(self, params: dict[str, Json], call: Call) -> Json:
        """The data of the ANSWER. `params` fit the schema. May raise YeaError."""


class Intent(Capability):
    """A capability that plans, and changes the world only when a plan is applied (YEA 4.3, 4.4)."""

    kind = "intent"

    @abstractmethod
    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        """One plan or more, the best first, or a question. Changes nothing. May raise YeaError."""

    @abstractmethod
    def apply(self, job: dict[str, Json], call: Call) -> Job:
        """Does what the plan declared and returns the result, or None.

        A generator: it may yield `Event` and `Pause`; a Pause gives the new time back.
        Raises ApplyError, or anything else, only if nothing took effect (YEA 4.4).
        """

    @abstractmethod
    def revert(self, job: dict[str, Json], call: Call) -> Job:
        """Reverses an applied plan. A generator like `apply`, with the same rule for failures (YEA 4.5)."""
