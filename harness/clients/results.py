"""What a client prints: one JSON object a line for each job (docs/client-contract.md)."""

from dataclasses import dataclass

from reference.yea import jsontext
from reference.yea.types import Json

DONE, FAILED, UNSUPPORTED = OUTCOMES = ("done", "failed", "unsupported")


@dataclass(frozen=True)
class Result:
    """What a client says of one job.

    `outcome` is one of OUTCOMES, `why` its own words. `shown` is the text that its model gets to see, `consent` the
    text that a person was shown for approval; None where it says nothing of that.
    """

    outcome: str
    why: str = ""
    shown: str | None = None
    consent: str | None = None

    @property
    def done(self) -> bool:
        """Whether the job succeeded."""
        return self.outcome == DONE

    @property
    def unsupported(self) -> bool:
        """Whether the client says that it lacks what the job needs."""
        return self.outcome == UNSUPPORTED

    def told(self) -> str:
        """The outcome in words."""
        return f"{self.outcome}: {self.why[:200]}" if self.why else self.outcome


def read(line: bytes) -> Result | None:
    """Return the result in a line of standard output, or None for a line that is none: a log may go there too."""
    try:
        value = jsontext.loads(line)
    except jsontext.JsonError:
        return None
    if not isinstance(value, dict) or value.get("outcome") not in OUTCOMES:
        return None
    return Result(str(value["outcome"]), _text(value, "why") or "", _text(value, "shown"), _text(value, "consent"))


def _text(value: dict[str, Json], name: str) -> str | None:
    text = value.get(name)
    return text if isinstance(text, str) else None
