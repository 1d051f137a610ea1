"""Strategies, properties and the campaign runner for property-based fuzzing.

A target is seen only through `fuzz.targets`: adapter operations. Strategies make inputs, a property says what must hold
of a target's answer, a campaign runs properties with Hypothesis, shrinks what fails and reports it.
"""
