"""The transports: thin drivers around the sans-IO service (YEA 2.3, 2.4)."""
