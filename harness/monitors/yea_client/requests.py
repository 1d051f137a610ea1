"""What every request of a client has (YEA 2.1)."""

from harness.encoding import exact
from harness.monitors import Memory, monitor
from harness.targets.base import Frame


@monitor("yea-client/2.1/requests-have-yea-and-a-new-id", "YEA-2.1-08", "frame", remembers="connection")
def envelope(frame: Frame, memory: Memory) -> str | None:
    """Every request has `yea`: 1, and an id that is a string and new on its connection."""
    version, name = frame.value.get("yea"), frame.value.get("id")
    if isinstance(version, bool) or version != 1:
        return f"`yea` is {exact(version)[:80]}"
    if not isinstance(name, str):
        return f"`id` is {exact(name)[:80]}"
    # YEA 4.3.1: an auto INTENT whose reply was lost is sent again as it was, to get the original reply
    before = memory.setdefault(name, frame.value)
    if before is not frame.value and not (frame.value.get("auto") is True and before == frame.value):
        return f"the id {name[:80]!r} came before on this connection"
    return None
