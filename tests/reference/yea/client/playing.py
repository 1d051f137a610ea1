"""A service that a test plays, good or hostile, and clients of it and of the reference, on virtual time."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from typing import Any

from harness.clock import run_virtual, virtual_now
from harness.targets.memory import stream_pair
from reference.yea.client import Client
from reference.yea.client.links import StreamLink
from reference.yea.conformance import SERVICE_ID
from reference.yea.proposals import proposal_hash
from reference.yea.service import Service
from reference.yea.transports.streams import serve_stream
from tests.reference.yea.service.driving import K1, NOW, grant

Frame = dict[str, Any]
Say = Frame | bytes | None
"""A reply frame without its envelope, bytes as they are, or None: hang up."""

Play = Callable[[Frame], Iterable[Say]]
"""What a played service says to a request."""

BRIEF: Frame = {"kind": "BRIEF", "service": {"id": SERVICE_ID, "name": "Played"}, "capabilities": []}


def run(test: Coroutine[Any, Any, None]) -> None:
    """Runs a test on virtual time, so that nothing is waited for; what hangs fails."""
    run_virtual(test)


def proposal(**members: Any) -> Frame:
    """A sound proposal, but for the members given; its hash is that of the rest."""
    body = {
        "id": "p1",
        "capability": "calendar.book",
        "summary": "Book it",
        "effects": [{"op": "create", "target": "event/e"}],
        "risk": "low",
        "undo": {"window": 3600},
        "expires": int(NOW) + 600,
        **members,
    }
    kept = {name: value for name, value in body.items() if value is not ...}
    return {**kept, "hash": proposal_hash(kept)} if "hash" not in members else kept


def proposals(*bodies: Frame) -> Frame:
    """A PROPOSALS reply."""
    return {"kind": "PROPOSALS", "proposals": list(bodies)}


def error(code: str, **members: Any) -> Frame:
    """An ERROR reply."""
    return {"kind": "ERROR", "code": code, "message": "no", **members}


def answered(frame: Frame, request: Frame) -> bytes:
    """A reply frame as a line, in the envelope that it lacks."""
    return json.dumps({"yea": 1, "id": f"s-{request['id']}", "re": request["id"], **frame}).encode() + b"\n"


@contextlib.asynccontextmanager
async def closing(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    """Closes a stream in the end, and waits until it is."""
    try:
        yield
    finally:
        writer.close()
        await writer.wait_closed()


class Played:
    """A service that says what a function tells it to. `requests` are those it got; HELLO gets `BRIEF`."""

    def __init__(self, play: Play | Mapping[str, Iterable[Say]]) -> None:
        self.requests: list[Frame] = []
        self.input_ended = asyncio.Event()
        self._play = play

    def says(self, request: Frame) -> Iterable[Say]:
        """What it says to one request."""
        if isinstance(self._play, Mapping):
            return self._play.get(request["verb"], [BRIEF] if request["verb"] == "HELLO" else [])
        return self._play(request)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one connection."""
        async with closing(writer):
            while line := await reader.readline():
                request: Frame = json.loads(line)
                self.requests.append(request)
                for say in self.says(request):
                    if say is None:
                        return
                    writer.write(say if isinstance(say, bytes) else answered(say, request))
            self.input_ended.set()


@contextlib.asynccontextmanager
async def played(play: Play | Mapping[str, Iterable[Say]], **options: Any) -> AsyncIterator[tuple[Client, Played]]:
    """A client of a played service; by default the agent K1 with a grant of A."""
    service = Played(play)
    (reader, writer), (their_reader, their_writer) = stream_pair()
    serving = asyncio.create_task(service.serve(their_reader, their_writer))
    async with client_on(reader, writer, **options) as client:
        yield client, service
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


@contextlib.asynccontextmanager
async def served(service: Service, **options: Any) -> AsyncIterator[Client]:
    """A client of the reference service, after HELLO; by default the agent K1 with a grant of A."""
    (reader, writer), (their_reader, their_writer) = stream_pair()
    serving = asyncio.create_task(serve_stream(their_reader, their_writer, service, virtual_now))
    async with client_on(reader, writer, **options) as client:
        await client.hello()
        yield client
    await serving


def client_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, **options: Any) -> Client:
    """A client on a stream, on the virtual clock."""
    if "key" not in options:
        options = {"key": K1, "grants": [grant()], **options}
    return Client(StreamLink(reader, writer), clock=virtual_now, **options)
