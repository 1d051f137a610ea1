"""Coverage-guided fuzzing of the reference itself, a developer's command (`tox -e deep`); not part of the wheel.

What it finds is a fault of ours, and becomes a vector or a test.
"""
