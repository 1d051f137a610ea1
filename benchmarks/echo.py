"""A bare asyncio echo: each line is parsed and dumped again. `python -m benchmarks.echo` prints its port and serves."""

import asyncio
import json
import sys


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        writer.write(json.dumps(json.loads(line)).encode() + b"\n")
        await writer.drain()
    writer.close()


async def _serve() -> None:
    server = await asyncio.start_server(_echo, "127.0.0.1", 0)
    sys.stderr.write(json.dumps({"tcp": f"echo://127.0.0.1:{server.sockets[0].getsockname()[1]}"}) + "\n")
    sys.stderr.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
