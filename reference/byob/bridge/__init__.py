"""The MCP bridge: a seat as tools for any MCP-capable agent, on the owner's machine (BYOB 10).

`settings` reads the environment, `bridge` has the twelve tools without MCP, `approving` what the owner is asked, and
`server` puts them on the official SDK.
"""
