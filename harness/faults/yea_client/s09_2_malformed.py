"""Client faults around YEA 9: replies that break the client which renders them."""

import json
from typing import Any

from harness.clients.program import Program
from harness.faults.yea_client import client_fault, patch, program_fault
from reference.yea.client import Reply, replies
from reference.yea.lens import depth

MALFORMED = "yea-client/9.2/malformed-replies-break-nothing"
DEEP = "yea-client/9.1/deep-values-break-nothing"


@client_fault("yea-client/takes-replies-for-well-formed", MALFORMED)
def takes_for_well_formed() -> None:
    """Takes every reply for well-formed, and ends where it is not."""
    patch(replies, "known_kind", lambda frame: frame.get("kind"))
    patch(replies.Reply, "lens", property(lambda self: json.dumps(self.frame)))


@client_fault("yea-client/knows-the-kinds-alone", MALFORMED)
def knows_the_kinds() -> None:
    """Ends at a reply of a kind that it does not know."""
    right = replies.read

    def read(received: Any, verb: str) -> Reply:
        if received.frame.get("kind") not in replies.READERS:
            raise KeyError(received.frame.get("kind"))
        return right(received, verb)

    patch(replies, "read", read)


@program_fault("yea-client/renders-by-recursion", DEEP)
class RendersByRecursion(Program):
    """Renders what it shows its model level by level, one call a level, with no end."""

    def shown(self, reply: Reply) -> str:
        """Go down."""
        return _down(reply.frame)


def _down(value: Any) -> str:
    inner = "\n".join(f"{name}: {_down(item)}" for name, item in value.items()) if isinstance(value, dict) else value
    return str(inner)


@client_fault("yea-client/cuts-at-100-levels", DEEP)
def cuts_late() -> None:
    """Cuts what it shows its model 100 levels down, and not 64."""
    patch(depth, "LEVELS", 100)
