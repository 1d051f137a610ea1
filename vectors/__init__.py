"""The specifications as data: cases, one JSON Schema per kind, and a small loader."""
