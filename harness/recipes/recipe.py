"""One recipe: a grant with a name, and the word that a service answers it with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from harness.recipes.scene import Scene

WORDS = ("ok", "unauthorized", "forbidden", "consent_required")


@dataclass(frozen=True)
class Recipe:
    """One way to build a grant for a COMMIT of the scene's proposal by the scene's agent.

    Args:
        name: what is special about it, as it reads after "a COMMIT with".
        clause: the clause that decides the word.
        make: returns the token, and nothing but it: the proof is the right one of the agent.
        word: `ok`, or the ERROR code that the spec fixes (YEA 6.3, 6.4, 7).
        also: other codes that a fair reading allows on the wire.
    """

    name: str
    clause: str
    make: Callable[[Scene], str]
    word: str = "unauthorized"
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not {self.word, *self.also} <= set(WORDS):
            raise ValueError(f"recipe {self.name}: unknown word {self.word}")

    @property
    def codes(self) -> tuple[str, ...]:
        """Every code that is acceptable; for a recipe that is refused."""
        return (self.word, *self.also)


class Clausal(Protocol):
    """Anything that proves a clause."""

    @property
    def clause(self) -> str:
        """The clause's id."""


def clauses(*tables: Sequence[Clausal]) -> tuple[str, ...]:
    """Return the clauses that tables prove, each once, in their order."""
    return tuple(dict.fromkeys(recipe.clause for table in tables for recipe in table))
