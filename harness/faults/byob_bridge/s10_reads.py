"""Bridges that keep from the agent what it should read, or that a call has failed."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from harness.faults import Fault, add, fault
from reference.byob.bridge.bridge import Bridge, Result
from reference.byob.seat.errors import Misuse, Refused, SeatError

PROJECTION = "byob-bridge/10/read-projection-gives-the-projection"
OWN = "byob-bridge/10/reads-as-its-own-seat"
MEMORY = "byob-bridge/10/memory-gives-the-memory"
REFUSALS = "byob-bridge/10/refusals-are-failures-of-the-tool"
OUT_OF_TURN = "byob-bridge/10/a-say-out-of-turn-fails"


@fault("byob-bridge/reads-the-prefix-alone", PROJECTION)
class PrefixAlone(Bridge):
    """Its byob_read_projection gives the prefix, without the entries."""

    async def read_projection(self, since: int | None = None) -> Result:
        """Read the table."""
        return {"prefix": (await super().read_projection(since))["prefix"]}


@fault("byob-bridge/reads-once", PROJECTION)
class ReadsOnce(Bridge):
    """Its byob_read_projection gives for ever what it read first."""

    kept: Result | None = None

    async def read_projection(self, since: int | None = None) -> Result:
        """Read the table."""
        if self.kept is None:
            self.kept = await super().read_projection(since)
        return self.kept


@fault("byob-bridge/hides-what-was-addressed", OWN)
class HidesWhatWasAddressed(Bridge):
    """Its byob_read_projection leaves out what was not said to everybody."""

    async def read_projection(self, since: int | None = None) -> Result:
        """Read the table."""
        whole = await super().read_projection(since)
        return {**whole, "tail": [each for each in whole["tail"] if each.get("to", ["*"]) == ["*"]]}


@fault("byob-bridge/memory-without-decisions", MEMORY)
class WithoutDecisions(Bridge):
    """Its byob_memory leaves out the decisions."""

    async def memory(self) -> Result:
        """Read the memory."""
        return {name: value for name, value in (await super().memory()).items() if name != "decisions"}


@fault("byob-bridge/memory-without-tokens", MEMORY)
class WithoutTokens(Bridge):
    """Its byob_memory leaves out how many tokens were used."""

    async def memory(self) -> Result:
        """Read the memory."""
        return {name: value for name, value in (await super().memory()).items() if name != "tokens_used"}


def _changing(tool: str, change: Callable[[Callable[[], Awaitable[Any]]], Awaitable[Any]]) -> type[Bridge]:
    """Return a bridge that does something else around the call of one tool."""
    right: Callable[..., Awaitable[Any]] = getattr(Bridge, tool)

    async def changed(self: Bridge, *given: Any, **named: Any) -> Any:
        return await change(lambda: right(self, *given, **named))

    _, *own = inspect.signature(right).parameters.values()
    changed.__signature__ = inspect.Signature(own)  # type: ignore[attr-defined] # what the SDK makes the schema from
    changed.__annotations__, changed.__doc__ = right.__annotations__, right.__doc__
    return type("Changing", (Bridge,), {tool: changed, "question": _question})


async def _question(self: Bridge, task: str, decision: str, reason: str) -> str:
    """Ask without reading the task, so that the approval itself is what is refused."""
    return f"{decision} {task}?"


async def _swallow(call: Callable[[], Awaitable[Any]]) -> Any:
    try:
        return await call()
    except Refused:
        return {"done": True}


async def _hide_code(call: Callable[[], Awaitable[Any]]) -> Any:
    try:
        return await call()
    except Refused:
        raise Misuse("it did not work out") from None


async def _say_without_failing(call: Callable[[], Awaitable[Any]]) -> Any:
    try:
        return await call()
    except SeatError as problem:
        return {"problem": str(problem)}


for _tool in Bridge.TOOLS:
    _name = _tool.rstrip("_").replace("_", "-")
    _claims = (REFUSALS, OUT_OF_TURN) if _tool == "say" else (REFUSALS,)
    add(
        Fault(
            f"byob-bridge/{_name}-succeeds-when-it-is-refused",
            f"Its byob_{_tool.rstrip('_')} succeeds, though the host has refused it.",
            _claims,
            _changing(_tool, _swallow),
        )
    )
add(
    Fault(
        "byob-bridge/hides-the-code-of-a-refusal",
        "Its byob_say does not tell the code of a refusal.",
        (REFUSALS, OUT_OF_TURN),
        _changing("say", _hide_code),
        outcome="warned",
    )
)
add(
    Fault(
        "byob-bridge/tells-a-refusal-as-a-result",
        "Its byob_say tells a refusal in the text of a result that is a success.",
        (REFUSALS, OUT_OF_TURN),
        _changing("say", _say_without_failing),
        outcome="warned",
    )
)
