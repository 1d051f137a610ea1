"""Tests of `harness.bridges`."""
