"""Faults of BYOB table hosts: the reference with one thing overridden, one module per section of the spec."""
