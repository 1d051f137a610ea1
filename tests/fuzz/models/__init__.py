"""The models of a BYOB table."""
