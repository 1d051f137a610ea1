"""Certifying MCP bridges: a table host of ours, the bridge as a child, and an agent that calls its tools (BYOB 10).

| module | has |
| --- | --- |
| `room` | the table host, with every request that the bridge sends to it |
| `keys` | the owner's key, as the files that a bridge may want, and as texts in which it could leak |
| `starting` | the bridge's environment, and how it is started, as a child or in this process |
| `wire` | what it prints, bounded, as the streams of the MCP SDK |
| `calling` | one conversation with it: its tools, their results, the owner's answers |
| `arguments` | what a tool calls its arguments (BYOB-Q109) |
| `person` | the owner, as an elicitation finds them (BYOB-Q110) |
| `context` | the context `t` of the checks |
| `session` | a run: what the bridge takes, learned once |
"""
