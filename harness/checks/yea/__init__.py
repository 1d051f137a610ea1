"""Checks of a YEA service."""
