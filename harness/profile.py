"""Profiles: what a target is, whom it trusts, and which capabilities naysayer may use there.

A profile is a TOML file. It is the only thing that lets a run change a target's state: COMMIT and auto INTENT go to
the capabilities it lists under a role and to no others. `docs/profiles.md` tells users what each member means.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from harness import keyfiles, templates
from harness.bridges import taken
from harness.bridges.taken import Taken
from harness.byob import dialects
from harness.errors import HarnessError, ProfileError, UsageError
from harness.members import members
from harness.targets.addresses import parse
from reference.yea import b64url

# Each role of a target, and what a capability has to do to play it.
ROLES: dict[str, str] = {
    "ask": "an ask capability with params that always work",
    "state": "an ask that reads what the intents change, one object at a time",
    "big-ask": "an ask whose answer is a list too big for 2000 tokens",
    "big-text": "an ask whose answer holds one string too big for 2000 tokens",
    "undoable": "an intent of low risk with an undo window of 60 s or more and one proposal",
    "irreversible": "an intent whose proposal has undo null",
    "uses": "an undoable intent whose proposal reports a measure in uses",
    "risky": "an undoable intent of risk medium or high",
    "multi": "an intent with two or more proposals",
    "clarify": "an intent with params that are ambiguous",
    "slow-commit": "an intent whose commit takes a second or more, or sends EVENTs",
    "failing-commit": "an intent whose commit fails once without effect",
    "short-undo": "an intent with an undo window of a few seconds",
    "short-ttl": "an intent whose proposals expire within seconds",
    "racing": "an intent with two proposals of which one goes stale when the other is committed",
    "doubt": "an intent whose commit takes a second or more, so that it can be cut off part way by a restart",
}
READ_ROLES = frozenset({"ask", "state", "big-ask", "big-text"})
INTENT_ROLES = tuple(role for role in ROLES if role not in READ_ROLES)
TARGET_MEMBERS = {
    "addresses": list,
    "ca": str,
    "headers": dict,
    "create_headers": dict,
    "start_timeout": (int, float),
    "stdio_state": str,
    "stress": bool,
    "max_commits": int,
}
ROLE_MEMBERS = {
    "capability": str,
    "params": dict,
    "path": str,
    "shared": bool,
    "given": dict,
    "state": dict,
    "max_commits": int,
}
GIVEN_MEMBERS = {"capability": str, "params": dict, "path": str}
STATE_MEMBERS = {"capability": str, "params": dict, "path": str}
PRINCIPALS = ("a", "b")
SECTIONS = {"target": dict, "principals": dict, "roles": dict, "dialect": dict, "bridge": dict}
MAX_BYTES = 1 << 20
MAX_START = 3600.0
GIVEN_NAME = re.compile(r"[a-z][a-z0-9_-]*")
HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110's token
SCHEMES = ("yea://", "yeas://", "http://", "https://", "stdio:")


@dataclass(frozen=True)
class Ask:
    """A read that a profile describes: a capability, its param templates and the dotted path of the value in data."""

    capability: str
    params: dict[str, Any]
    path: str = ""


@dataclass(frozen=True)
class Role:
    """A capability that plays a role.

    `given` are reads done first, whose values the params can name; `state` reads the object that a commit changes;
    `shared` says that this object cannot be narrowed to one check's own.
    """

    name: str
    capability: str
    params: dict[str, Any]
    given: dict[str, Ask] = field(default_factory=dict)
    state: Ask | None = None
    shared: bool = False
    max_commits: int | None = None


@dataclass(frozen=True)
class Profile:
    """A checked profile. Seeds are 32 bytes each and never shown by `repr`.

    Of a table host `create_headers` are sent with each creation of a table, and `dialect` is what it calls things, as
    `harness.byob.dialect` has it. `bridge` is what an MCP bridge takes.
    """

    name: str
    addresses: tuple[str, ...] = ()
    seeds: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    roles: Mapping[str, Role] = field(default_factory=dict)
    ca: Path | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    create_headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    dialect: Mapping[str, Any] = field(default_factory=dict)
    bridge: Taken = field(default_factory=Taken)
    start_timeout: float = 20.0
    stdio_state: str = "separate"
    stress: bool = False
    max_commits: int | None = None


EMPTY = Profile(name="none")


def load(path: Path) -> Profile:
    """Return the profile in a TOML file; raises ProfileError naming the file and the field that is wrong."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as problem:
        raise ProfileError(str(path), "", f"cannot be read: {problem.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise ProfileError(str(path), "", "is larger than 1 MiB; a profile is a short text file")
    return _parse(str(path), raw, path.parent)


def built_in(name: str) -> Profile:
    """Return a profile that ships with naysayer (`conformance`)."""
    raw = (files("harness.profiles") / f"{name}.toml").read_bytes()
    return _parse(f"built-in profile {name}", raw, Path())


def _parse(name: str, raw: bytes, folder: Path) -> Profile:
    try:
        data = tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ProfileError(name, "", f"is not TOML: {problem}") from None
    except RecursionError:
        raise ProfileError(name, "", "is not TOML that can be read: it is nested too deeply") from None
    members(name, "", data, SECTIONS)
    target = data.get("target", {})
    members(name, "target", target, TARGET_MEMBERS)
    return Profile(
        name=name,
        addresses=_addresses(name, target.get("addresses", [])),
        seeds=_seeds(name, data.get("principals", {}), folder),
        roles=_roles(name, data.get("roles", {})),
        ca=folder / target["ca"] if "ca" in target else None,
        headers=_headers(name, "headers", target.get("headers", {})),
        create_headers=_headers(name, "create_headers", target.get("create_headers", {})),
        dialect=dialects.read(name, data.get("dialect", {})),
        bridge=taken.read(name, data.get("bridge", {})),
        start_timeout=_seconds(name, "target.start_timeout", target.get("start_timeout", 20.0)),
        stdio_state=_choice(name, "target.stdio_state", target.get("stdio_state", "separate"), ("separate", "shared")),
        stress=target.get("stress", False),
        max_commits=_count(name, "target.max_commits", target.get("max_commits")),
    )


def _addresses(file: str, given: list[Any]) -> tuple[str, ...]:
    for index, address in enumerate(given):
        if not isinstance(address, str) or not address.startswith(SCHEMES):
            wanted = f"must start with one of {', '.join(SCHEMES)}"
            raise ProfileError(file, f"target.addresses[{index}]", wanted)
        try:
            parse(re.sub(r"\{[a-z_]+\}", "1", address))  # --command fills in ports later
        except UsageError as problem:
            raise ProfileError(file, f"target.addresses[{index}]", str(problem)) from None
    return tuple(given)


def _headers(file: str, member: str, given: dict[str, Any]) -> dict[str, str]:
    for key, value in given.items():
        if not isinstance(value, str):
            raise ProfileError(file, f"target.{member}.{key}", "must be a string")
        if not HEADER_NAME.fullmatch(key):
            raise ProfileError(file, f"target.{member}.{key}", "is no name that an HTTP header can have")
        if not (value.isascii() and value.isprintable()):
            raise ProfileError(file, f"target.{member}.{key}", "must be printable ASCII on one line")
    return dict(given)


def _seeds(file: str, given: dict[str, Any], folder: Path) -> dict[str, bytes]:
    members(file, "principals", given, dict.fromkeys(PRINCIPALS, dict))
    seeds = {}
    for name, entry in given.items():
        where = f"principals.{name}"
        members(file, where, entry, {"seed_file": str, "test_seed": str})
        if len(entry) != 1:
            raise ProfileError(file, where, 'needs exactly one member: seed_file = "FILE"')
        seeds[name] = _seed(file, where, entry, folder)
    if "b" in seeds and "a" not in seeds:
        raise ProfileError(file, "principals.b", "needs principals.a as well")
    return seeds


def _seed(file: str, where: str, entry: dict[str, str], folder: Path) -> bytes:
    if "test_seed" in entry:
        try:
            seed = b64url.decode(entry["test_seed"])
        except ValueError:
            seed = b""
        if len(seed) != 32:
            raise ProfileError(file, f"{where}.test_seed", "must be the base64url of 32 bytes")
        return seed
    try:
        return keyfiles.read_seed(folder / entry["seed_file"])
    except HarnessError as problem:
        raise ProfileError(file, f"{where}.seed_file", str(problem)) from None


def _roles(file: str, given: dict[str, Any]) -> dict[str, Role]:
    for name in given:
        if name not in ROLES:
            raise ProfileError(file, f"roles.{name}", f"is not a known role; known are {', '.join(ROLES)}")
    shared_state = _state_role(file, given.get("state"))
    return {name: _role(file, name, entry, shared_state) for name, entry in given.items()}


def _state_role(file: str, entry: Any) -> Ask | None:
    if entry is None:
        return None
    members(file, "roles.state", entry, ROLE_MEMBERS)
    return _ask(file, "roles.state", {k: entry[k] for k in STATE_MEMBERS if k in entry}, STATE_MEMBERS)


def _role(file: str, name: str, entry: Any, shared_state: Ask | None) -> Role:
    where = f"roles.{name}"
    members(file, where, entry, ROLE_MEMBERS)
    if "capability" not in entry:
        raise ProfileError(file, where, "needs a capability")
    given: dict[str, Ask] = {}
    for key, read in entry.get("given", {}).items():
        given[key] = _given(file, f"{where}.given.{key}", key, read, set(given))
    own = _ask(file, f"{where}.state", entry["state"], STATE_MEMBERS) if "state" in entry else None
    state = own or (None if name in READ_ROLES else shared_state)
    _placeholders(file, where, entry.get("params", {}), set(given))
    if state is not None:
        _placeholders(file, f"{where}.state" if own else "roles.state", state.params, set(given), f" of {where}")
    return Role(
        name=name,
        capability=entry["capability"],
        params=entry.get("params", {}),
        given=given,
        state=None if name in READ_ROLES else state,
        shared=entry.get("shared", False),
        max_commits=_count(file, f"{where}.max_commits", entry.get("max_commits")),
    )


def _given(file: str, where: str, name: str, entry: Any, before: set[str]) -> Ask:
    """Return a read whose value the params can name; it can itself name those before it."""
    if name in ("unique", "now") or not GIVEN_NAME.fullmatch(name):
        raise ProfileError(
            file, where, "needs a name of a-z, 0-9, _ and - that begins with a letter, not unique or now"
        )
    read = _ask(file, where, entry, GIVEN_MEMBERS)
    _placeholders(file, where, read.params, before)
    return read


def _ask(file: str, where: str, entry: Any, known: Mapping[str, Any]) -> Ask:
    members(file, where, entry, known)
    if "capability" not in entry:
        raise ProfileError(file, where, "needs a capability")
    return Ask(entry["capability"], entry.get("params", {}), entry.get("path", ""))


def _placeholders(file: str, where: str, params: Any, given: set[str], of: str = "") -> None:
    """Refuse params that cannot be filled, before anything is sent."""
    wrong = templates.problem(params)
    if wrong:
        raise ProfileError(file, f"{where}.params", wrong)
    unknown = templates.names(params) - {"unique", "now"} - given
    if unknown:
        known = ", ".join(["{unique}", "{now}", *(f"{{{name}}}" for name in sorted(given))])
        names = ", ".join(f"{{{name}}}" for name in sorted(unknown))
        raise ProfileError(file, f"{where}.params", f"{names} is not a known placeholder{of}; known are {known}")


def _choice(file: str, where: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise ProfileError(file, where, f"must be one of {', '.join(allowed)}")
    return value


def _seconds(file: str, where: str, value: float) -> float:
    if not 0 <= value <= MAX_START:
        raise ProfileError(file, where, f"must be from 0 to {MAX_START:g} seconds")
    return float(value)


def _count(file: str, where: str, value: int | None) -> int | None:
    if value is not None and value < 0:
        raise ProfileError(file, where, "must be 0 or more")
    return value
