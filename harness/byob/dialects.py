"""The `[dialect]` table of a profile: what a table host calls the things that the spec does not name."""

from typing import Any

from harness.byob.dialect import PLACES, REPORTS
from harness.byob.recipes import TOPOLOGIES
from harness.errors import ProfileError
from harness.members import members

MEMBERS = {
    "spokes": bool,
    "reports": str,
    "decisions": list,
    "decision_names_table": bool,
    "artifact": str,
    "heartbeat_ms": int,
    "parent_token": bool,
    "total": str,
    "places": dict,
    "refuses_extra": list,
}
CHOICES = {"reports": tuple(REPORTS), "artifact": ("any", "string")}


def read(file: str, given: Any) -> dict[str, Any]:
    """Return the members of a Dialect that a profile sets; raises ProfileError naming the file and the member."""
    members(file, "dialect", given, MEMBERS)
    for name, allowed in CHOICES.items():
        if name in given and given[name] not in allowed:
            raise ProfileError(file, f"dialect.{name}", f"must be one of {', '.join(allowed)}")
    made: dict[str, Any] = dict(given)
    if "decisions" in made:
        made["decisions"] = tuple(_words(file, "decisions", made["decisions"], 2))
    if "refuses_extra" in made:
        made["refuses_extra"] = set(_words(file, "refuses_extra", made["refuses_extra"]))
        _known(file, "refuses_extra", made["refuses_extra"], TOPOLOGIES)
    if made.get("heartbeat_ms", 1) < 1:
        raise ProfileError(file, "dialect.heartbeat_ms", "must be 1 or more")
    if "total" in made:
        made["total"] = tuple(made["total"].split("."))
    if "places" in made:
        _known(file, "places", made["places"], PLACES)
        named = _words(file, "places", list(made["places"].values()))
        made["places"] = {name: tuple(path.split(".")) for name, path in zip(made["places"], named, strict=True)}
    return made


def _words(file: str, name: str, given: list[Any], count: int | None = None) -> list[str]:
    if not all(isinstance(each, str) and each for each in given) or count not in (None, len(given)):
        raise ProfileError(file, f"dialect.{name}", f"must hold {count or 'only'} strings that are not empty")
    return given


def _known(file: str, name: str, given: Any, known: Any) -> None:
    for each in given:
        if each not in known:
            raise ProfileError(file, f"dialect.{name}", f"has {each!r}, which is not one of {', '.join(known)}")
