"""Hypothesis strategies: plural nouns, the full legal range by default, illegal variants named so."""
