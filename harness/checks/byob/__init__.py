"""Checks of BYOB table hosts, one module per section of the spec."""
