"""YEA 8: the `more` entries of every reply."""

from typing import Any

from harness.cuts import locate, more_of, more_problem, odd_keys
from harness.encoding import shown
from harness.monitors import Memory, monitor
from harness.targets.base import Frame


@monitor("yea/8/more-entries-are-whole", "YEA-8-11", "more", optional=True)
def entries_are_whole(entry: Any, _: Memory) -> str | None:
    """Each `more` entry has handle and path, which are strings, and remaining and est, which are integers."""
    return more_problem(entry)


@monitor("yea/8/more-paths-lead-to-what-was-cut", "YEA-8-12", "cut", optional=True)
def paths_lead_somewhere(frame: Frame, _: Memory) -> str | None:
    """The path of a `more` entry leads from the frame to a list or a string of it."""
    for entry in more_of(frame.value):
        spot = locate(frame.value, entry.path)
        if frame.kind == "BRIEF" and spot is None:
            continue  # YEA-Q29: how the params that a capability lost are named is not said
        if spot is None and odd_keys(frame.value):
            continue  # YEA-Q77: how the path to a key with . [ or ] is written is not said
        if spot is None or not isinstance(spot.value, (list, str)):
            return f"the path {shown(entry.path)} of a {frame.kind}, which leads to no list or string"
    return None


@monitor("yea/8/only-values-are-cut", "YEA-8-19", "cut", optional=True)
def only_values_are_cut(frame: Frame, _: Memory) -> str | None:
    """Only data, a proposal's data, a receipt's result, and the lists of proposals and capabilities are cut."""
    for entry in more_of(frame.value):
        parts = entry.path.replace("]", "").replace("[", ".").split(".")
        if not _may_be_cut(frame.kind, parts):
            return f"a {frame.kind} cut at {shown(entry.path)}"
    return None


def _may_be_cut(kind: str, parts: list[str]) -> bool:
    if kind == "ANSWER":
        return parts[0] == "data"
    if kind == "PROPOSALS":
        return parts[0] == "proposals" and (len(parts) == 1 or parts[2:3] == ["data"])
    if kind == "RECEIPT":
        return parts[:2] == ["receipt", "result"]
    return kind not in ("CLARIFY", "ERROR", "EVENT")  # BRIEF: YEA-Q29; other kinds are another rule's business
