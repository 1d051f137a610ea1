"""A minimal, correct implementation of YEA v1, Draft 1."""
