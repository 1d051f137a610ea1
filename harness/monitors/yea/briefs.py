"""YEA 1, 4.1 and 9.2: what every BRIEF says of the service and its capabilities."""

from collections import Counter
from typing import Any

from harness.encoding import shown
from harness.monitors import Memory, monitor

KINDS = ("ask", "intent")
RISKS = ("low", "medium", "high")
TEXT = (str, type(None))


def _entries(brief: dict[str, Any]) -> list[Any]:
    listed = brief.get("capabilities")
    return listed if isinstance(listed, list) else []


def _name(entry: Any) -> str:
    return shown(entry.get("name") if isinstance(entry, dict) else entry, 80)


@monitor("yea/1/capabilities-are-ask-or-intent", "YEA-1-01", "capability")
def ask_or_intent(entry: Any, _: Memory) -> str | None:
    """Every capability is an ask or an intent."""
    kind = entry.get("kind") if isinstance(entry, dict) else None
    return None if kind in KINDS else f"kind {shown(kind)}" + f" of {_name(entry)}"


@monitor("yea/4.1/brief-says-who-it-is", "YEA-4.1-03", "BRIEF")
def service_is_named(brief: dict[str, Any], _: Memory) -> str | None:
    """The `service` of a BRIEF is an object with a string `id` and `name`, and a string `summary` if any."""
    service = brief.get("service")
    if not isinstance(service, dict):
        return f"service {shown(service)}"
    for name, wanted in (("id", str), ("name", str), ("summary", TEXT)):
        if not isinstance(service.get(name), wanted):
            return f"service.{name} {shown(service.get(name))}"
    return None


MEMBERS: dict[str, Any] = {"name": str, "kind": str, "summary": TEXT, "params": (dict, type(None)), "risk": TEXT}


@monitor("yea/4.1/capabilities-have-their-members", "YEA-4.1-04", "BRIEF")
def capabilities_are_entries(brief: dict[str, Any], _: Memory) -> str | None:
    """The `capabilities` of a BRIEF are objects with a string `name` and `kind`, and the others of their types."""
    if not isinstance(brief.get("capabilities"), list):
        return f"capabilities {shown(brief.get('capabilities'))}"
    for entry in _entries(brief):
        if not isinstance(entry, dict):
            return f"a capability {shown(entry)}"
        for name, wanted in MEMBERS.items():
            if not isinstance(entry.get(name), wanted):
                return f"{name} {shown(entry.get(name))}" + f" of {_name(entry)}"
    return None


@monitor("yea/4.1/capability-names-differ", "YEA-4.1-04", "BRIEF", open_question="YEA-Q31")
def names_differ(brief: dict[str, Any], _: Memory) -> str | None:
    """No two capabilities of a BRIEF have the same name."""
    entries = [entry for entry in _entries(brief) if isinstance(entry, dict)]
    counts = Counter(entry["name"] for entry in entries if isinstance(entry.get("name"), str))
    twice = [name for name, times in counts.items() if times > 1]
    return f"more than one capability named {shown(twice[0])}" if twice else None


@monitor("yea/4.1/capability-risk-is-a-level", "YEA-4.1-04", "capability", open_question="YEA-Q31")
def risk_is_a_level(entry: Any, _: Memory) -> str | None:
    """The `risk` of a capability, where there is one, is low, medium or high."""
    risk = entry.get("risk") if isinstance(entry, dict) else None
    return None if risk is None or risk in RISKS else f"risk {shown(risk)}" + f" of {_name(entry)}"


@monitor("yea/9.2/summaries-are-given", "YEA-9.2-30", "BRIEF")
def summaries_are_given(brief: dict[str, Any], _: Memory) -> str | None:
    """The service and each of its capabilities have a summary."""
    service = brief.get("service")
    if isinstance(service, dict) and not _some_text(service.get("summary")):
        return "the service has no summary"
    bare = [entry for entry in _entries(brief) if isinstance(entry, dict) and not _some_text(entry.get("summary"))]
    return f"no summary of {_name(bare[0])}" if bare else None


def _some_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
