"""YEA 4.3: what PROPOSALS and CLARIFY hold."""

from typing import Any

from harness.cuts import more_of
from harness.encoding import shown
from harness.monitors import Memory, monitor


@monitor("yea/4.3/proposals-are-one-or-more", "YEA-4.3-03", "PROPOSALS")
def one_or_more(frame: dict[str, Any], _: Memory) -> str | None:
    """PROPOSALS offers at least one proposal, or says with a `more` that they were left out (YEA-Q35)."""
    listed = frame.get("proposals")
    if not isinstance(listed, list) or listed or any(entry.path == "proposals" for entry in more_of(frame)):
        return None
    return "PROPOSALS with an empty list and no more for it"


@monitor("yea/4.3/clarify-has-a-question", "YEA-4.3-04", "CLARIFY")
def has_a_question(frame: dict[str, Any], _: Memory) -> str | None:
    """CLARIFY carries a question that is a string."""
    question = frame.get("question")
    return None if isinstance(question, str) else f"CLARIFY with question {shown(question)}"


@monitor("yea/4.3/clarify-options-have-label-and-params", "YEA-4.3-05", "CLARIFY")
def options_are_whole(frame: dict[str, Any], _: Memory) -> str | None:
    """Each option of a CLARIFY has a label that is a string and params that are an object."""
    options = frame.get("options")
    for option in options if isinstance(options, list) else ():
        label, params = (option.get("label"), option.get("params")) if isinstance(option, dict) else (None, None)
        if not isinstance(label, str) or not isinstance(params, dict):
            return f"an option that is {shown(option)}"
    return None
