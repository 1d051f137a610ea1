"""Recipes: how to build every right and wrong grant and proof, and the word that answers it.

A recipe says who signs what and which single thing is changed; a scene says with which keys, for which service, at
which time. Checks run the recipes over a target's wire with fresh keys and its own clock; with fixed keys and a fixed
time the same recipes give finished tokens for an adapter. Nothing here sends anything.
"""

from harness.recipes.recipe import WORDS, Recipe
from harness.recipes.scene import Scene

__all__ = ["WORDS", "Recipe", "Scene"]
