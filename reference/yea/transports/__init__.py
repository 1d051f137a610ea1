"""The transports: thin drivers around the sans-IO service (YEA 2.3, 2.4)."""

ENDPOINT = "/yea"
"""The path of the HTTP bridge (YEA 2.4)."""
