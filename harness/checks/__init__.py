"""Checks, one package per protocol, one module per section of its spec."""
