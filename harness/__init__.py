"""Targets, the clause catalogue, checks and their runner, faults and the command line."""
