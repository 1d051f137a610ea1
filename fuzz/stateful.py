"""What the machines of stateful fuzzing share: the steps they have taken, and how they say what is wrong.

What a rule draws never depends on what the target answers: it draws numbers, which name the things of the session
round and round (`of`). So a target that answers otherwise the second time cannot confuse the search.
"""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine

from fuzz.stops import Unready

Found = Callable[[str, str, tuple[str, ...]], NoReturn]
"""Takes the session so far, what is wrong with it, and the clauses that are broken, and raises."""

Thing = TypeVar("Thing")
WHICH = st.integers(0, 11)
"""Names a thing, among few or many."""


class Machine(RuleBasedStateMachine):
    """A session with a target, told step by step.

    Args:
        target: who answers.
        found: is told of a failure.
    """

    def __init__(self, target: Any, found: Found) -> None:
        super().__init__()
        lacking = self.lacks(target)
        if lacking:
            raise Unready(lacking)
        self.target, self._found = target, found
        self._steps: list[str] = []

    def note(self, step: str) -> None:
        """Take note of a step before it is taken."""
        self._steps.append(step)

    def got(self, answer: str) -> None:
        """Take note of what the last step got."""
        self._steps[-1] += f" -> {answer}"

    def drop(self) -> None:
        """Take the last step back: it was no more than a look, and nothing came of it."""
        self._steps.pop()

    @property
    def told(self) -> str:
        """The session so far, a numbered line for each step."""
        return "".join(f"\n    {number}. {step}" for number, step in enumerate(self._steps, 1))

    @classmethod
    def lacks(cls, target: Any) -> str:
        """Return what a target needs before sessions can be played with it, one clause of a sentence, or ""."""
        return ""

    def wrong(self, problem: str, *clauses: str) -> NoReturn:
        """Say that a law is broken, and which clauses that breaks."""
        self._found(self.told, problem, clauses)


def of(things: Sequence[Thing], which: int) -> Thing | None:
    """Return the thing of that number, counted round and round; None when there is none."""
    return things[which % len(things)] if things else None
