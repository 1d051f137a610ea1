"""Checks of a YEA client."""
