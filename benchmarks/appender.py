"""A bare Starlette app that appends each body to a file: `python -m benchmarks.appender` prints its address and serves.

It also tells whoever listens, one line of an event stream a body. `--sync` waits for the disk, once a request.
"""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from reference.yea.transports.tcp import authority, listen


def app(path: Path, *, sync: bool) -> Starlette:
    """Return the application: POST /append and GET /events."""
    file = path.open("ab")
    queues: list[asyncio.Queue[bytes]] = []

    async def append(request: Request) -> JSONResponse:
        body = await request.json()
        file.write(json.dumps(body).encode() + b"\n")
        file.flush()
        if sync:
            os.fsync(file.fileno())
        for queue in queues:
            queue.put_nowait(b"event: entry\ndata: {}\n\n")
        return JSONResponse(body)

    async def events(request: Request) -> StreamingResponse:
        return StreamingResponse(stream(), media_type="text/event-stream")

    async def stream() -> AsyncIterator[bytes]:
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        queues.append(queue)
        yield b"event: hello\ndata: {}\n\n"
        while True:
            yield await queue.get()

    return Starlette(routes=[Route("/append", append, methods=["POST"]), Route("/events", events)])


async def serve(*, sync: bool) -> None:
    """Serve on a free port until killed."""
    with listen("127.0.0.1", 0) as bound, tempfile.TemporaryDirectory() as folder:
        application = app(Path(folder) / "lines", sync=sync)
        config = uvicorn.Config(
            application, http="h11", ws="none", lifespan="off", log_level="critical", access_log=False
        )
        sys.stderr.write(json.dumps({"http": f"http://{authority(bound)}"}) + "\n")
        sys.stderr.flush()
        await uvicorn.Server(config).serve(sockets=[bound])


if __name__ == "__main__":
    asyncio.run(serve(sync="--sync" in sys.argv[1:]))
