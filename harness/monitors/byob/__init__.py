"""Monitors of BYOB table hosts: what holds for everything that a host sends, and for every table that a run leaves."""
