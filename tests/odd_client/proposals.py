"""What makes a proposal one that may be committed, and a value one that may be hashed."""

import hashlib
import json
import re
from base64 import urlsafe_b64encode

NAME, UNIT = re.compile(r"[a-z][a-z0-9_.-]{0,63}"), re.compile(r"[A-Za-z0-9_./%-]{1,32}")
MOST = 2**53 - 1


def b64(data):
    """base64url without padding."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def canonical(value):
    """Canonical JSON, for values whose keys are ASCII and whose numbers are integers."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def number(value, low, high):
    """Whether a value is an integer in a range."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def quantity(value):
    """Whether a value is a quantity."""
    if not isinstance(value, dict) or not number(value.get("amount"), 0, MOST):
        return False
    unit = value.get("unit", "USD")
    return number(value.get("scale", 0), 0, 18) and isinstance(unit, str) and bool(UNIT.fullmatch(unit))


def sound(proposal):
    """Whether a proposal may be committed. The hash is taken as it was sent."""
    uses = proposal.get("uses", {})
    measured = isinstance(uses, dict) and all(NAME.fullmatch(name) and quantity(q) for name, q in uses.items())
    risk = proposal.get("risk")
    return measured and isinstance(risk, str) and risk in ("low", "medium", "high")


def hashable(value):
    """Whether a value has no number but integers that may be hashed."""
    if isinstance(value, (dict, list)):
        return all(map(hashable, value.values() if isinstance(value, dict) else value))
    return value is None or isinstance(value, (str, bool)) or number(value, -MOST, MOST)


def honest(proposal):
    """Whether the hash is that of the content, which can have one."""
    kept = {name: value for name, value in proposal.items() if name not in ("hash", "data")}
    return hashable(kept) and b64(hashlib.sha256(canonical(kept)).digest()) == proposal["hash"]


def levels(value):
    """How many levels of objects and arrays a value has."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max(map(levels, inner), default=0) + 1 if isinstance(value, (dict, list)) else 0


def merged(target, change):
    """A merge patch applied."""
    if not isinstance(change, dict):
        return change
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in change.items():
        result.pop(name, None)
        if value is not None:
            result[name] = merged(target.get(name) if isinstance(target, dict) else None, value)
    return result
