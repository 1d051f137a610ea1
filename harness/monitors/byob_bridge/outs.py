"""What leaves a bridge: messages alone on standard output, and nowhere the owner's key (BYOB 2, 10)."""

from harness.bridges.things import Out
from harness.monitors import Memory, monitor


@monitor("byob-bridge/2/standard-output-has-messages-alone", "BYOB-2-22", "line")
def messages_alone(out: Out, memory: Memory) -> str | None:
    """Each line of a bridge's standard output is a JSON-RPC message, so that it is an MCP server there."""
    return out.problem or None


@monitor("byob-bridge/10/the-key-never-leaves", "BYOB-10-25", "out")
def key_stays(out: Out, memory: Memory) -> str | None:
    """The owner's private key is in no line of standard output or error, and in no request to the host."""
    shown = any(trace in out.text for trace in out.traces)
    return f"the owner's private key is in {out.where}" if shown else None
