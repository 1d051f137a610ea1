"""Monitors of a YEA client."""
