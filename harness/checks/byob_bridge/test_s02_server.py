"""The bridge is an MCP server (BYOB 2)."""

from harness.bridges.context import BridgeContext
from harness.check import check


@check("byob-bridge/2/is-an-mcp-server", "BYOB-2-22")
async def mcp_server(t: BridgeContext) -> None:
    """Over standard input and output the bridge answers the MCP handshake, and lists its tools."""
    async with t.at() as agent:
        listed = ", ".join(agent.talk.schemas)
        t.expect("BYOB-2-22", bool(listed), wanted="a list of tools after the handshake", got=listed or "none")
