"""A minimal, correct implementation of the BYOB table protocol, v0.1."""
