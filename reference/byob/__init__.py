"""The BYOB table protocol, byob/0.1: a minimal, correct table host and seat, pure at its core."""
