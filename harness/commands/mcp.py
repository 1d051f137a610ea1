"""`naysayer mcp`: the BYOB MCP bridge on standard input and output, or a broken one."""

import argparse
import asyncio
import os
import sys
from typing import Any

from harness import faults
from harness.errors import UsageError

PROTOCOL = "byob-bridge"


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "mcp",
        help="the BYOB MCP bridge, on standard input and output",
        description="A seat at a BYOB table as MCP tools (BYOB 10). It reads BYOB_URL, BYOB_TABLE and "
        "BYOB_OWNER_KEY_FILE from its environment, and where they are set BYOB_CARD_FILE, BYOB_SEAT with "
        "BYOB_SEAT_TOKEN, BYOB_DENY_FILE, and BYOB_OWNER for a key file that names nobody.",
    )
    parser.add_argument("--fault", metavar="ID", help="a broken bridge; `list` shows them all")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until the input ends."""
    if arguments.fault == "list":
        for name, entry in faults.load(PROTOCOL).items():
            sys.stdout.write(f"{name}  {entry.says}\n")
        return 0
    # Here, because the SDK takes a while to import.
    from reference.byob.bridge import settings
    from reference.byob.bridge.bridge import Bridge
    from reference.byob.bridge.server import mcp_server

    made: type[Any] = faults.find(PROTOCOL, arguments.fault).service if arguments.fault else Bridge
    try:
        told = settings.read(os.environ)
    except settings.SettingsError as problem:
        raise UsageError(str(problem)) from None
    asyncio.run(mcp_server(made(told)).run_stdio_async())
    return 0
