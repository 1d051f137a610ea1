"""Strategies, properties and models for property-based fuzzing."""
