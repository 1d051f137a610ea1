"""Monitors of everything that leaves an MCP bridge."""
