"""What is learned of a target before the checks run: its BRIEF, its service id, its clock, what it demands."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from harness.errors import TargetError, TargetFault, TargetGone
from harness.targets.base import Target, Watcher

WIDE_BUDGET = 100_000


@dataclass
class Facts:
    """Facts about one target, shared by all checks.

    `brief` is the whole BRIEF, `skew` how many seconds its clock is ahead of ours, `demands_grants` and
    `intent_demands_grants` whether it refuses ASK and INTENT without grants, `committed` how often a capability was
    committed to find this out.
    """

    brief: dict[str, Any]
    skew: float = 0.0
    demands_grants: bool = False
    intent_demands_grants: bool = False
    committed: Counter[str] = field(default_factory=Counter)

    def demands(self, verb: str) -> bool:
        """Whether a right request of this verb, ASK or INTENT, needs grants."""
        return self.demands_grants or (self.intent_demands_grants and verb == "INTENT")

    @property
    def service_id(self) -> str:
        """The audience of proofs; empty when the BRIEF has none that is a string."""
        service = self.brief.get("service")
        identifier = service.get("id") if isinstance(service, dict) else None
        return identifier if isinstance(identifier, str) else ""

    @property
    def capabilities(self) -> dict[str, dict[str, Any]]:
        """The capability entries that have a name, by name."""
        entries = self.brief.get("capabilities")
        listed = entries if isinstance(entries, list) else []
        named = [entry for entry in listed if isinstance(entry, dict) and isinstance(entry.get("name"), str)]
        return {entry["name"]: entry for entry in named}


async def discover(target: Target, watcher: Watcher, timeout: float) -> Facts:
    """Say HELLO and return the facts; raises TargetError when nothing there speaks YEA."""
    hello = {"yea": 1, "id": "naysayer-hello", "verb": "HELLO", "budget": WIDE_BUDGET}
    try:
        connection = await target.connect(watcher, "hello")
    except TargetFault as problem:
        raise TargetError(target.address, _cause(problem, target)) from None
    try:
        exchange = await connection.request(hello, timeout)
    except TargetGone as problem:
        raise TargetError(target.address, _cause(problem, target)) from None
    except TargetFault as problem:
        raise TargetError(target.address, _what_it_is(problem.why, connection)) from None
    finally:
        await connection.close()
    if exchange.kind != "BRIEF":
        raise TargetError(target.address, f"does not speak YEA: HELLO got {exchange.seen()} instead of a BRIEF")
    return Facts(exchange.reply)


def _cause(problem: TargetFault, target: Target) -> str:
    """Return what happened without the address, which the message names anyway."""
    return problem.why.removeprefix(f"no connection to {target.address}: ")


def _what_it_is(why: str, connection: Any) -> str:
    junk = getattr(connection, "junk", [])
    start = junk[0].start[:60] if junk else b""
    if start.startswith(b"SSH-"):
        return "does not speak YEA: it looks like an SSH server"
    if start.upper().startswith((b"HTTP/", b"<!DOCTYPE HTML", b"<HTML")):
        return "does not speak YEA frames: it looks like an HTTP server; try http://HOST:PORT/yea"
    if "HTTP 4" in why or "HTTP 5" in why:
        return f"does not speak YEA: {why}; is this the path of the bridge, such as /yea?"
    shown = f"; it sent {start!r}" if start else ""
    return f"does not speak YEA: {why}{shown}"
