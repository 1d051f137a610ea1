"""The text of a first profile: a guess for every role from what a BRIEF tells, all of it commented out."""

import json
from typing import Any

from harness.facts import Facts
from harness.profile import READ_ROLES, ROLES
from reports.text import plain

HEAD = """\
# A profile for naysayer, begun from the BRIEF of {target}.
# Every role below is commented out and holds a guess. Read each one before you uncomment it:
# COMMITs CHANGE REAL STATE. naysayer sends COMMIT and auto INTENT only to capabilities that stand under a role here.
# Give it a test account, a staging service, or objects that nobody will miss.
#
# In params: {{unique}} becomes a word that is new for every object; {{now+7d}} a datetime in a week,
# {{now+7d:date}} its date. `given` reads values first; `state` says where the change can be read back.

[target]
addresses = [{address}]
# ca = "ca.pem"              # whom to trust for yeas:// and https://
# headers = {{ Authorization = "…" }}   # sent over HTTP; never shown in a report
# stress = true              # allow floods and oversized frames (always allowed on loopback)
# max_commits = 200          # at most so many COMMITs for each role

[principals]
# The service has to trust these two public keys, as principals of a test account each:
# a: {a}
# b: {b}
a = {{ seed_file = {a_file} }}
b = {{ seed_file = {b_file} }}
"""
SAMPLES: dict[str, Any] = {
    "string": "{unique}",
    "int": 1,
    "number": 1,
    "bool": True,
    "date": "{now+7d:date}",
    "datetime": "{now+7d}",
    "any": "{unique}",
}
GUESS_BY_RISK = {"undoable": ("low", ""), "risky": ("medium", "high"), "irreversible": ("high", "medium", "low", "")}
MAX_DEPTH = 8
MAX_TEXT = 1000
MAX_PARAMS = 4000


def draft(target: str, facts: Facts, files: dict[str, str], publics: dict[str, str]) -> str:
    """Return the profile's TOML text.

    Args:
        target: the address as given.
        facts: with the BRIEF.
        files: principal name to the name of its seed file, beside the profile.
        publics: principal name to its public key.
    """
    head = HEAD.format(
        target=plain(target),
        address=_quoted(target),
        a=publics["a"],
        b=publics["b"],
        a_file=_quoted(files["a"]),
        b_file=_quoted(files["b"]),
    )
    offered = [_offer(name, entry) for name, entry in sorted(facts.capabilities.items())[:200]]
    roles = [_role(name, says, facts.capabilities) for name, says in ROLES.items()]
    return "\n".join([head, "# The service offers:", *offered, "", *roles])


def _offer(name: str, entry: dict[str, Any]) -> str:
    summary = entry.get("summary")
    words = f" - {plain(summary, 200)}" if isinstance(summary, str) else ""
    kind = entry.get("kind")
    return f"#   {plain(kind, 80) if isinstance(kind, str) else '?'} {plain(name, 200)}{words}"


def _role(role: str, says: str, capabilities: dict[str, dict[str, Any]]) -> str:
    name = _guess(role, capabilities)
    entry = capabilities.get(name, {})
    lines = ["", f"# {says}", f"#[roles.{role}]", f"#capability = {_quoted(name)}"]
    params = _sample(entry.get("params"), 0)
    if isinstance(params, dict) and params:
        text = _inline(params)
        lines.append(f"#params = {text}" if len(text) <= MAX_PARAMS else "#params = {} # too many to guess")
    if role == "state":
        lines.append('#path = "" # the dotted path, inside data, of the member that a commit changes')
    return "\n".join(lines)


def _guess(role: str, capabilities: dict[str, dict[str, Any]]) -> str:
    kind = "ask" if role in READ_ROLES else "intent"
    fitting = [name for name, entry in sorted(capabilities.items()) if entry.get("kind") == kind]
    for risk in GUESS_BY_RISK.get(role, ()):
        for name in fitting:
            if (capabilities[name].get("risk") or "") == risk:
                return name
    return fitting[0] if fitting else "?"


def _sample(schema: Any, depth: int) -> Any:
    """Return example params for a compact parameter schema (YEA 4.1.1), required members only."""
    if isinstance(schema, str):
        return _sample_of_type(schema)
    if depth > MAX_DEPTH:
        return "?"
    if isinstance(schema, list):
        return [_sample(element, depth + 1) for element in schema[:1]]
    if isinstance(schema, dict):
        needed = [(name, inner) for name, inner in list(schema.items())[:40] if not name.endswith("?")]
        return {name: _sample(inner, depth + 1) for name, inner in needed}
    return "?"


def _sample_of_type(text: str) -> Any:
    base = text.partition(" — ")[0].strip()
    listed = base.endswith("[]")
    base = base.removesuffix("[]")
    value = base.split("|")[0] if "|" in base else SAMPLES.get(base, "?")
    return [value] if listed else value


def _quoted(text: str) -> str:
    """Return a TOML basic string that means exactly the text, with all that nobody could see in it escaped.

    A lone surrogate, which TOML cannot hold, becomes U+FFFD. A text of more than MAX_TEXT characters is cut.
    """
    return '"' + "".join(map(_escaped, text[:MAX_TEXT])) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if "\ud800" <= char <= "\udfff":
        return "\ufffd"
    if plain(char) == char:
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        members = {_quoted(key): _inline(member) for key, member in value.items()}
        return "{ " + ", ".join(f"{key} = {member}" for key, member in members.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(element) for element in value) + "]"
    return json.dumps(value) if not isinstance(value, str) else _quoted(value)
