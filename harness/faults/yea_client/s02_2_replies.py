"""Client faults around YEA 2.2: EVENTs that end a request, and replies to somebody else."""

from harness.faults.yea_client import client_fault, patch
from reference.yea.client.multiplex import Multiplexer, Received

EVENTS = "yea-client/2.2/events-end-nothing"
STRAYS = "yea-client/2.2/replies-are-told-by-re"
BOTH = ("tcp", "http")


@client_fault("yea-client/takes-the-first-frame-for-the-reply", EVENTS, transports=BOTH)
def first_frame() -> None:
    """Takes an EVENT for the final reply."""
    patch(Received, "final", property(lambda self: True))


@client_fault("yea-client/takes-an-event-that-is-done-for-the-reply", EVENTS, transports=BOTH)
def done_event() -> None:
    """Takes an EVENT with a progress of 1 for the final reply."""
    patch(
        Received,
        "final",
        property(lambda self: self.frame.get("kind") != "EVENT" or self.frame.get("progress") == 1),
    )


@client_fault("yea-client/does-not-look-at-re", STRAYS)
def any_re() -> None:
    """Takes whatever comes next for the answer to its request."""
    patch(Multiplexer, "_addressee", lambda self, frame: self._only_one())
