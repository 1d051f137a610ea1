"""The fixed texts for withheld posts (BYOB 9): what goes to the table in place of a post that a rule stopped.

Nothing of the withheld post is in them but the protocol's own words: which task it was on, and a verdict.
"""

from typing import Final

from reference.byob.seat.posts import FLOOR_KINDS, Post

WITHHELD: Final = "Withheld by the owner's disclosure rules."
WITHHELD_RESULT: Final = "The result is withheld by the owner's disclosure rules."
NO_ANSWER: Final = "No answer."
NOT_DONE: Final = "The task could not be executed."
INTERRUPTED: Final = "The execution was interrupted, and is not begun a second time."

TEXTS: Final = (WITHHELD, WITHHELD_RESULT, NO_ANSWER, NOT_DONE, INTERRUPTED)


def yielding() -> Post:
    """In place of a say, proposal or decision: a pass that yields the floor."""
    return {"kind": "pass", "body": WITHHELD}


def no_answer() -> Post:
    """For a bot that has no answer in its turn: a pass that yields the floor."""
    return {"kind": "pass", "body": NO_ANSWER}


def failed(task: str, text: str) -> Post:
    """In place of a receipt: a failed status. text: one of the above."""
    return {"kind": "status", "task": task, "state": "failed", "body": text}


def running(task: str) -> Post:
    """That a task is being executed."""
    return {"kind": "status", "task": task, "state": "running"}


def instead(post: Post) -> Post:
    """What to post in place of a withheld one: a pass, a failed status, or the same without its texts."""
    if post["kind"] in FLOOR_KINDS:
        return yielding()
    if post["kind"] == "receipt":
        return failed(post["task"], WITHHELD_RESULT)
    return {name: post[name] for name in BARE if name in post}


BARE: Final = ("kind", "task", "state", "result")
"""What is left of a verify without its note, and of a status without its text."""
