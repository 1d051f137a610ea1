"""`naysayer serve yea`: the reference service, or a broken one, for people to try naysayer on."""

import argparse
import asyncio
import sys
from typing import Any

from harness import faults
from harness.errors import UsageError
from reference.yea.conformance import conformance_service
from reference.yea.transports.serve import ServeOptions, TrustError, serve

TCP_PORT, HTTP_PORT = 7447, 8080


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "serve",
        help="serve the reference, or a broken variant of it",
        description="Serves the reference's conformance service. The first line on standard error is one JSON "
        "object that says what was bound. Port 0 takes a free one.",
    )
    parser.add_argument("protocol", choices=("yea",))
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="address to bind (default 127.0.0.1)")
    parser.add_argument("--port", type=_port, default=TCP_PORT, metavar="N", help=f"TCP port (default {TCP_PORT})")
    parser.add_argument("--http", action="store_true", help="serve the HTTP bridge too")
    parser.add_argument("--http-port", type=_port, default=HTTP_PORT, metavar="N", help=f"its port ({HTTP_PORT})")
    parser.add_argument("--trust", nargs="+", action="extend", default=[], metavar="KEY", help="principals to trust")
    parser.add_argument("--fault", metavar="ID", help="serve a broken variant; `list` shows them all")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C; returns the exit code."""
    if arguments.fault == "list":
        return _list(arguments.protocol)
    made: Any = conformance_service
    if arguments.fault:
        made = faults.find(arguments.protocol, arguments.fault).make
    options = ServeOptions(
        host=arguments.host,
        tcp_port=arguments.port,
        http_port=arguments.http_port if arguments.http else None,
        trust=tuple(arguments.trust),
        service_factory=made,
    )
    try:
        asyncio.run(serve(options))
    except OSError as problem:
        raise UsageError(problem.strerror or str(problem)) from None
    except TrustError as problem:
        raise UsageError(f"--trust {problem}") from None
    return 0


def _list(protocol: str) -> int:
    known = faults.load(protocol)
    width = max(map(len, known), default=0)
    for name, entry in known.items():
        sys.stdout.write(f"{name:<{width}}  {entry.says}\n")
    return 0


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError("must be a number from 0 to 65535")
    return int(text)
