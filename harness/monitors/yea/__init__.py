"""Monitors of a YEA service."""
