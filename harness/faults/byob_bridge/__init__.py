"""Broken MCP bridges: each is the reference's `Bridge` with one thing overridden (BYOB 10)."""
