"""Broken YEA services, one module per section of the spec."""
