"""Client faults around YEA 2.1: the envelope of requests, and replies that are too large."""

from collections.abc import Callable
from typing import Any

from harness.faults.yea_client import ClientFault, add, client_fault, patch
from reference.yea.client import client, frames, links, multiplex, opening
from reference.yea.client.errors import ReplyTooLarge
from reference.yea.client.multiplex import Multiplexer
from reference.yea.framing import FrameSplitter, Line, Oversize

ENVELOPE = "yea-client/2.1/requests-have-yea-and-a-new-id"
REJECTED = "yea-client/2.1/oversize-reply-is-rejected"
NOT_HELD = "yea-client/2.1/oversize-reply-is-not-held"
TRAFFIC = "yea-client/6.5/proofs-are-for-the-service"

Frame = dict[str, Any]

ENVELOPES: dict[str, tuple[str, Callable[[Frame], Frame]]] = {
    "no-yea": ("Leaves `yea` out of its requests.", lambda frame: {k: v for k, v in frame.items() if k != "yea"}),
    "yea-is-a-string": ("Writes `yea` as a string.", lambda frame: {**frame, "yea": "1"}),
    "yea-is-two": ("Says that it speaks version 2.", lambda frame: {**frame, "yea": 2}),
    "id-is-a-number": ("Writes ids as numbers.", lambda frame: {**frame, "id": int(frame["id"])}),
}


def _envelope(wrong: Callable[[Frame], Frame]) -> Callable[[], None]:
    def change() -> None:
        right = client._line
        patch(client, "_line", lambda frame: right(wrong(frame)))

    return change


for _name, (_says, _wrong) in ENVELOPES.items():
    add(ClientFault(f"yea-client/{_name}", _says, (ENVELOPE,), _envelope(_wrong), traffic=TRAFFIC))


@client_fault("yea-client/one-id-for-all", ENVELOPE, traffic=TRAFFIC)
def one_id() -> None:
    """Gives every request the same id."""
    patch(frames.FrameIds, "new", lambda self, *, auto=False: "1")


@client_fault("yea-client/takes-an-oversize-reply", REJECTED)
def takes_oversize() -> None:
    """Has no limit for replies."""
    patch(links, "Multiplexer", lambda: Multiplexer(1 << 40))


@client_fault("yea-client/hangs-up-on-an-oversize-reply", REJECTED)
def hangs_up() -> None:
    """Closes the connection when a reply is too large."""
    right = Multiplexer.feed

    def feed(self: Multiplexer, data: bytes) -> list[multiplex.Delivery]:
        found = right(self, data)
        if any(isinstance(item, ReplyTooLarge) for _, item in found):
            raise ConnectionAbortedError(0, "a reply was too large")
        return found

    patch(Multiplexer, "feed", feed)


@client_fault("yea-client/reconnects-after-an-oversize-reply", REJECTED)
def reconnects() -> None:
    """Gives the connection up when a reply is too large, and opens another one for the next request."""
    hangs_up()
    right = client.Client._exchange

    async def exchange(self: client.Client, name: str, line: bytes, verb: str) -> multiplex.Received:
        link = self._link
        if isinstance(link, links.StreamLink) and link._lost:
            host, port = link._writer.get_extra_info("peername")[:2]
            self._link = await opening.open_link(f"yea://{host}:{port}")
        return await right(self, name, line, verb)

    patch(client.Client, "_exchange", exchange)


class _Holding(FrameSplitter):
    """Keeps what is too long until its line ends."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self._kept: list[bytes] = []

    def feed(self, data: bytes) -> list[Line | Oversize]:
        """Keep the data."""
        self._kept = [] if b"\n" in data else [*self._kept, data]
        return super().feed(data)


@client_fault("yea-client/holds-an-oversize-reply", NOT_HELD)
def holds() -> None:
    """Rejects a reply that is too large, but holds all of it first."""
    patch(multiplex, "FrameSplitter", _Holding)
