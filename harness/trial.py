"""One trial of the selftest and how it ended."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Trial:
    """One trial's end.

    `result` is `passed` for a control, `killed`, `survived` or `broken` for a fault; `why` explains a bad one; `also`
    are the ids of further rows that a fault trips (with --matrix).
    """

    name: str
    result: str
    claims: tuple[str, ...] = ()
    why: str = ""
    also: tuple[str, ...] = field(default=())

    @property
    def good(self) -> bool:
        """Whether the trial ended as it must."""
        return self.result in ("passed", "killed")

    def as_json(self) -> dict[str, Any]:
        """Return the trial as plain data."""
        return asdict(self)
