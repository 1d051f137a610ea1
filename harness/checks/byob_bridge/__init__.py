"""Checks of MCP bridges, by section of the BYOB spec."""
