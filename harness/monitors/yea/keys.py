"""YEA 10: the keys of what is hashed."""

from typing import Any

from harness.encoding import shown
from harness.monitors import Memory, monitor


@monitor("yea/10/keys-of-proposals-are-ascii", "YEA-10-02", "proposal", optional=True)
def ascii_keys(proposal: dict[str, Any], _: Memory) -> str | None:
    """Every key of a proposal is ASCII, its `data` aside."""
    waiting: list[Any] = [value for name, value in proposal.items() if name != "data"]
    found = [name for name in proposal if not name.isascii()]
    while waiting and not found:
        value = waiting.pop()
        if isinstance(value, dict):
            found = [name for name in value if not name.isascii()]
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return f"the key {shown(found[0], 60)}" if found else None
