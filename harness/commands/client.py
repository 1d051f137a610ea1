"""`naysayer client`: the reference client as a program that can be certified, or a broken one."""

import argparse
import asyncio
import sys
import time
from pathlib import Path
from typing import Any

from harness import keyfiles
from harness.clients.program import Order, Program
from harness.errors import UsageError
from reference.yea import jsontext
from reference.yea.client.signing import Wallet
from reference.yea.grants import GrantError
from reference.yea.keys import KeyPair
from reports.text import plain

NO_URL = "naysayer client needs the URL of a service"


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "client",
        help="the reference client, as `certify --protocol yea-client` starts it",
        description="Does the jobs that docs/client-contract.md describes, and prints one JSON object for each.",
    )
    add = parser.add_argument
    add("url", nargs="?", metavar="URL", help="yea://HOST:PORT, yeas://…, http(s)://…/yea or stdio:CMD")
    add("do", nargs="?", default="commit", metavar="DO", help="ask, commit, auto or approve; several with commas")
    add("capability", nargs="?", default="", metavar="CAPABILITY")
    add("params", nargs="?", default="{}", metavar="PARAMS", help="a JSON object")
    add("--key", type=Path, metavar="FILE", help="the agent's key file")
    add("--grant", action="append", default=[], metavar="TOKEN", help="a grant to the agent's key; may repeat")
    add("--principal", type=Path, metavar="FILE", help="the key file of who approves, for `approve`")
    add("--ca", type=Path, metavar="FILE", help="the authority to trust for TLS (PEM)")
    add("--fault", metavar="ID", help="be broken in one way; `list` shows what there is")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Do the jobs and print their lines; returns the exit code."""
    if arguments.fault == "list":
        return _list()
    kind = _broken(arguments.fault) if arguments.fault else Program
    if arguments.url is None:
        raise UsageError(NO_URL)
    order = _order(arguments)
    try:
        Wallet(order.key, order.grants, time.time)
    except GrantError as problem:
        raise UsageError(f"--grant: {problem}") from None
    asyncio.run(kind(order).run(_say))
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _order(arguments: argparse.Namespace) -> Order:
    return Order(
        arguments.url,
        tuple(arguments.do.split(",")),
        arguments.capability,
        _params(arguments.params),
        _key(arguments.key),
        tuple(arguments.grant),
        _key(arguments.principal),
        arguments.ca,
    )


def _params(text: str) -> dict[str, Any]:
    try:
        value = jsontext.loads(text)
    except jsontext.JsonError as problem:
        raise UsageError(f"PARAMS is no JSON: {problem}") from None
    if not isinstance(value, dict):
        raise UsageError("PARAMS is a JSON object")
    return value


def _key(path: Path | None) -> KeyPair | None:
    return KeyPair(keyfiles.read_seed(path)) if path is not None else None


def _broken(name: str) -> type[Program]:
    from harness.faults import yea_client

    return yea_client.find(name).program()


def _list() -> int:
    from harness.faults import yea_client

    for name, entry in yea_client.load().items():
        sys.stdout.write(f"{name}  {plain(entry.says)}\n")
    return 0
