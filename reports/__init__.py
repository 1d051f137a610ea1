"""The report model and the views made from it."""
