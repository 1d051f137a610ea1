"""What bodies must look like, as far as the text tells: a table of members, walked by one function."""

from typing import Any

Rule = tuple[type | tuple[type, ...], bool]
TEXT, NEEDED = (str, True), True

CONFIG: dict[str, Rule] = {
    "id": TEXT,
    "topic": TEXT,
    "owners": (dict, True),
    "topology": (dict, True),
    "visibility": (dict, False),
    "floor": (dict, False),
    "termination": (dict, False),
    "projection": (dict, False),
    "watchdog": (dict, False),
    "parent": (str, False),
}
JOIN: dict[str, Rule] = {
    "protocol": TEXT,
    "seat": TEXT,
    "owner": TEXT,
    "kind": TEXT,
    "role": (str, False),
    "transport": (str, False),
    "card": (dict, True),
    "nonce": TEXT,
    "signature": TEXT,
}
CARD: dict[str, Rule] = {
    "bot": TEXT,
    "description": (str, False),
    "proxy": (bool, False),
    "capabilities": (list, True),
}
CAPABILITY: dict[str, Rule] = {
    "resource": TEXT,
    "actions": (list, True),
    "requires_approval": (bool, False),
    "auto_approve": (bool, False),
}
COMMON: dict[str, Rule] = {
    "kind": TEXT,
    "to": (list, False),
    "body": (str, False),
    "reply_to": (int, False),
    "refs": (list, False),
    "budget": (dict, False),
    "effects": (list, False),
}
POSTS: dict[str, dict[str, Rule]] = {
    "say": {"body": TEXT},
    "pass": {},
    "raise_hand": {},
    "proposal": {"body": TEXT, "effects": (list, True)},
    "decision": {"body": TEXT},
    "status": {"task": TEXT, "state": TEXT},
    "receipt": {"task": TEXT, "artifact": (object, True)},
    "verify": {"task": TEXT, "result": TEXT},
}
EFFECT: dict[str, Rule] = {"owner": TEXT, "resource": TEXT, "action": TEXT, "args": (dict, False)}
DECISION: dict[str, Rule] = {
    "table": (str, False),
    "owner": TEXT,
    "task": TEXT,
    "decision": TEXT,
    "reason": (str, False),
    "nonce": TEXT,
    "signature": TEXT,
}
CORE = ("seq", "table", "seat", "ts", "truncated")
CHOICES = {"state": ("running", "failed"), "result": ("pass", "fail")}


def fits(body: Any, rules: dict[str, Rule], strict: bool, more: tuple[str, ...] = ()) -> bool:
    """Return whether a body has the members that it needs, each of its type, and with `strict` no others."""
    if not isinstance(body, dict):
        return False
    for name, (kind, needed) in rules.items():
        if name not in body:
            if needed:
                return False
        elif not isinstance(body[name], kind) or (kind is int and isinstance(body[name], bool)) or body[name] == "":
            return False
    return not strict or set(body) <= {*rules, *more}


def post_fits(body: Any, strict: bool) -> bool:
    """Return whether a post-request fits."""
    if not isinstance(body, dict) or body.get("kind") not in POSTS:
        return False
    if not fits(body, {**COMMON, **POSTS[body["kind"]]}, strict):
        return False
    texts = [*(body.get("to") or []), *(body.get("refs") or [])]
    tokens = (body.get("budget") or {}).get("tokens_used", 0)
    right = all(isinstance(each, str) for each in texts) and isinstance(tokens, int) and tokens >= 0
    right = right and all(fits(effect, EFFECT, strict) for effect in body.get("effects") or [])
    if body["kind"] == "proposal" and not body["effects"]:
        return False
    return right and all(body[name] in CHOICES[name] for name in CHOICES if name in POSTS[body["kind"]])


def card_fits(card: dict[str, Any], strict: bool) -> bool:
    """Return whether a capability card fits."""
    return fits(card, CARD, strict) and all(
        fits(each, CAPABILITY, strict) and all(isinstance(action, str) for action in each["actions"])
        for each in card["capabilities"]
    )
