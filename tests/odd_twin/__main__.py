"""The twin on real sockets: `python -m tests.odd_twin --port 0 --http-port 0 [--set demands_grants=true …]`."""

import argparse
import asyncio
import json
import sys
import time
from dataclasses import fields, replace
from typing import Any

import uvicorn

from tests.odd_twin import Settings, Twin
from tests.odd_twin.settings import EXPECTED_CODES, ODD_CODES, OTHER_CODES

CODES = {"odd": ODD_CODES, "other": OTHER_CODES, "expected": EXPECTED_CODES}


def settings(pairs: list[str]) -> Settings:
    """Return the settings with NAME=VALUE pairs applied; values are JSON or plain words."""
    known = {entry.name for entry in fields(Settings)}
    changes: dict[str, Any] = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        if name not in known:
            raise SystemExit(f"no such setting: {name}; known are {', '.join(sorted(known))}")
        changes[name] = CODES[text] if name == "codes" else _value(text)
    return replace(Settings(), **changes)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


async def main(options: argparse.Namespace) -> None:
    """Serve until interrupted; the first line on stderr says where."""
    twin = Twin(settings(options.set))
    server = await asyncio.start_server(
        lambda reader, writer: twin.serve_stream(reader, writer, time.time), options.host, options.port
    )
    http = uvicorn.Server(
        uvicorn.Config(twin.app(time.time), host=options.host, port=options.http_port, log_level="error")
    )
    serving = asyncio.create_task(http.serve())
    while not http.started and not serving.done():  # noqa: ASYNC110 - uvicorn offers no event
        await asyncio.sleep(0.01)
    port = server.sockets[0].getsockname()[1]
    http_port = http.servers[0].sockets[0].getsockname()[1]
    where = {"tcp": f"yea://{options.host}:{port}", "http": f"http://{options.host}:{http_port}/yea"}
    sys.stderr.write(json.dumps(where) + "\n")
    sys.stderr.flush()
    await serving


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.odd_twin", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--http-port", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    asyncio.run(main(parser.parse_args()))
