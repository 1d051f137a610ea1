"""Minimal, correct implementations of the two protocols."""
