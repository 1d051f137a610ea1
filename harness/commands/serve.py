"""`naysayer serve yea|byob`: the reference, or a broken variant of it, for people to try naysayer on."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import faults
from harness.errors import UsageError
from reference.yea.conformance import conformance_service
from reference.yea.transports.serve import ServeOptions, TrustError, serve
from reference.yea.transports.tcp import DEFAULT_PORT, DEFAULT_TLS_PORT

if TYPE_CHECKING:
    from reference.byob.serve import ServeOptions as TableOptions

HTTP_PORT = 8080
TABLE_PORT = 8700

YEA_ONLY = ("tls", "tls_port", "cert", "key", "stdio", "trust")
"""Options that mean nothing to a table host, which speaks plain HTTP and trusts the owners that each table names."""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "serve",
        help="serve the reference, or a broken variant of it",
        description="Serves the reference: the conformance service of YEA, or a BYOB table host. The first line on "
        "standard error is one JSON object that says what was bound. Port 0 takes a free one. With --stdio, TCP is "
        "served only if --port asks for it. A table host speaks plain HTTP only; for TLS, put a proxy in front.",
    )
    add = parser.add_argument
    add("protocol", choices=("yea", "byob"))
    add("--host", default="127.0.0.1", metavar="H", help="address to bind (default 127.0.0.1)")
    add("--port", type=_port, metavar="N", help=f"TCP port (default {DEFAULT_PORT}); byob: HTTP (default {TABLE_PORT})")
    add("--tls", action="store_true", help="serve TLS too")
    add("--tls-port", type=_port, metavar="N", help=f"its port (default {DEFAULT_TLS_PORT}); implies --tls")
    add("--cert", type=Path, metavar="F", help="certificate chain for TLS (PEM); made up at start if not given")
    add("--key", type=Path, metavar="F", help="its private key (PEM)")
    add("--http", action="store_true", help="serve the HTTP bridge too; byob always does")
    add("--http-port", type=_port, metavar="N", help=f"its port (default {HTTP_PORT}); implies --http")
    add("--stdio", action="store_true", help="serve standard input and output, until the input ends")
    add("--trust", nargs="+", action="extend", default=[], metavar="KEY", help="principals to trust")
    add("--data", type=Path, metavar="DIR", help="keep the state in this folder, across restarts")
    add("--fault", metavar="ID", help="serve a broken variant; `list` shows them all")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C; returns the exit code."""
    if arguments.fault == "list":
        return _list(arguments.protocol)
    try:
        asyncio.run(_serving(arguments))
    except OSError as problem:
        raise UsageError(_sentence(problem)) from None
    except TrustError as problem:
        raise UsageError(f"--trust {problem}") from None
    return 0


def _serving(arguments: argparse.Namespace) -> Coroutine[Any, Any, None]:
    """What serves the protocol."""
    if arguments.protocol == "yea":
        return serve(options(arguments))
    from reference.byob.serve import serve as serve_tables  # here, because a stdio service has to start fast

    return serve_tables(table_options(arguments))


def options(arguments: argparse.Namespace) -> ServeOptions:
    """Return what the command line asks to serve; raises UsageError for flags that do not go together."""
    tls = arguments.tls or arguments.tls_port is not None
    if (arguments.cert or arguments.key) and not tls:
        raise UsageError("--cert and --key are for TLS; add --tls")
    if (arguments.cert is None) != (arguments.key is None):
        raise UsageError("--cert and --key belong together: a certificate and its private key")
    return ServeOptions(
        host=arguments.host,
        tcp_port=_chosen(arguments.port, not arguments.stdio, DEFAULT_PORT),
        tls_port=_chosen(arguments.tls_port, tls, DEFAULT_TLS_PORT),
        http_port=_chosen(arguments.http_port, arguments.http, HTTP_PORT),
        stdio=arguments.stdio,
        cert=arguments.cert,
        key=arguments.key,
        trust=tuple(arguments.trust),
        data=arguments.data,
        service_factory=_broken(arguments) if arguments.fault else conformance_service,
    )


def table_options(arguments: argparse.Namespace) -> "TableOptions":
    """Return which table host the command line asks for; raises UsageError for flags that are none of its."""
    from reference.byob.host import Host
    from reference.byob.serve import ServeOptions as TableOptions

    for name in YEA_ONLY:
        if getattr(arguments, name):
            raise UsageError(f"--{name.replace('_', '-')} is for yea; a table host takes --host, --port and --data")
    if None not in (arguments.port, arguments.http_port):
        raise UsageError("--port and --http-port are the same for a table host; give one of them")
    port = arguments.http_port if arguments.port is None else arguments.port
    made = _broken(arguments) if arguments.fault else Host
    return TableOptions(arguments.host, TABLE_PORT if port is None else port, arguments.data, made)


def _broken(arguments: argparse.Namespace) -> Callable[..., Any]:
    """What makes a broken service or table host; raises UsageError for an unknown fault."""
    if arguments.fault.startswith("fuzz/"):
        from harness.faults import fuzz  # here, because a stdio service has to start fast

        return fuzz.find(arguments.protocol, arguments.fault).make
    return faults.find(arguments.protocol, arguments.fault).make


def _chosen(port: int | None, wanted: bool, default: int) -> int | None:
    """The port to serve on: the one that was named, else the default if it is wanted at all."""
    return port if port is not None or not wanted else default


def _sentence(problem: OSError) -> str:
    """What went wrong, with the file that it is about if the system names one."""
    text = problem.strerror or str(problem)
    return f"{problem.filename}: {text}" if problem.filename is not None else text


def _list(protocol: str) -> int:
    from harness.faults import fuzz

    known: dict[str, faults.Fault | fuzz.FuzzFault] = {**faults.load(protocol), **fuzz.served(protocol)}
    width = max(map(len, known))
    sys.stdout.writelines(f"{name:<{width}}  {entry.says}\n" for name, entry in known.items())
    return 0


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError("must be a number from 0 to 65535")
    return int(text)
