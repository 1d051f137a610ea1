"""`naysayer byob`: make a table, sit at it and watch it by hand, with the reference's seat SDK."""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.byhand import entries, owners, tickets, watching
from harness.byhand.printing import ascii_json, say, say_line, whole
from harness.byhand.tickets import AdminTicket, SeatTicket
from harness.errors import HarnessError, UsageError
from reference.byob.seat import Disclosure, Misuse, Refused, Rules, Seat, SeatError, TableHost, Task, Unreachable
from reference.byob.seat.bots import SECONDS, command
from reference.byob.seat.joining import talk_only
from reference.byob.seat.runner import Runner

URL = "http://127.0.0.1:8700"
WORDS = {"approve": "approve", "reject": "reject"}
"""What a person types to decide."""

Parser = argparse.ArgumentParser
Run = Callable[[argparse.Namespace], int]


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "byob",
        help="make a BYOB table, sit at it and watch it by hand",
        description="Talks to any BYOB table host. Tokens are kept in files of mode 0600 that also say where the table "
        "is: `table create` and `join` make them, the other commands take them.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, (says, add, run) in PARSERS.items():
        action = actions.add_parser(name, help=says, description=f"{says[0].upper()}{says[1:]}.")
        add(action)
        action.set_defaults(run=_guarded(run))


def _guarded(run: Run) -> Run:
    """What goes wrong in a command: a refusal is its result, anything else is for a person to put right."""

    def guarded(arguments: argparse.Namespace) -> int:
        try:
            return run(arguments)
        except (Refused, Disclosure) as problem:
            say_line(f"naysayer: {problem}")
            return 1
        except (Misuse, Unreachable) as problem:
            raise HarnessError(str(problem)) from None
        except SeatError as problem:
            say_line(f"naysayer: {problem}")
            return 1

    return guarded


# --- keys and tables -------------------------------------------------------------------------------


def _keys(parser: Parser) -> None:
    actions = parser.add_subparsers(dest="what", required=True, metavar="ACTION")
    new = actions.add_parser("new", help="write a new key to FILE and print its public key")
    new.add_argument("file", type=Path, metavar="FILE")
    new.add_argument("--owner", required=True, metavar="ID", help="the owner's id, as the table config names it")


def keys(arguments: argparse.Namespace) -> int:
    """Write a new owner's key file and print its public key."""
    sys.stdout.write(f"{owners.new_key(arguments.file, arguments.owner).public_key}\n")
    return 0


def _table(parser: Parser) -> None:
    actions = parser.add_subparsers(dest="what", required=True, metavar="ACTION")
    create = actions.add_parser("create", help="make a table from a config, and keep its admin token in a file")
    create.add_argument("config", type=Path, metavar="CONFIG", help="a table config (BYOB 3) as TOML, or as FILE.json")
    create.add_argument("--file", type=Path, metavar="F", help="where to keep the token (default TABLE.admin.json)")
    _url(create)
    close = actions.add_parser("close", help="close a table")
    _admin(close)
    close.add_argument("--reason", default="closed by hand", metavar="TEXT")


def table(arguments: argparse.Namespace) -> int:
    """Make a table, or close one."""
    return asyncio.run(_create(arguments) if arguments.what == "create" else _close(arguments))


async def _create(arguments: argparse.Namespace) -> int:
    config = owners.document(arguments.config)
    path = arguments.file or tickets.default_path(str(config.get("id", "table")), "admin")
    with tickets.reserve(path) as file:
        async with TableHost(arguments.url) as host:
            name, token = await host.create(config)
        file.write(AdminTicket(arguments.url, name, token))
    sys.stdout.write(f"{whole(name)}\n")
    say_line(f"the admin token is in {path}")
    return 0


async def _close(arguments: argparse.Namespace) -> int:
    ticket = tickets.read(AdminTicket, arguments.admin)
    async with TableHost(ticket.url) as host:
        memory = await host.close_table(ticket.table, ticket.admin_token, arguments.reason)
    sys.stdout.write(f"{whole(ascii_json(memory.body))}\n")
    return 0


def _ledger(parser: Parser) -> None:
    _admin(parser)
    parser.add_argument("--json", action="store_true", help="one entry a line, as JSON")


def ledger(arguments: argparse.Namespace) -> int:
    """Print every entry of a table."""
    ticket = tickets.read(AdminTicket, arguments.admin)

    async def read() -> list[dict[str, Any]]:
        async with TableHost(ticket.url) as host:
            return await host.ledger(ticket.table, ticket.admin_token)

    found = asyncio.run(read())
    return _print_ledger(found, arguments.json)


def _print_ledger(found: list[dict[str, Any]], as_json: bool) -> int:
    sys.stdout.write("".join(f"{line}\n" for line in (map(ascii_json, found) if as_json else entries.lines(found))))
    return 0


# --- seats -----------------------------------------------------------------------------------------


def _join(parser: Parser) -> None:
    add = parser.add_argument
    add("table", metavar="TABLE", help="the table's id")
    add("seat", metavar="SEAT", help="the id to sit down as")
    _key(parser)
    add("--kind", choices=("human", "bot"), default="human", help="who sits there (default human)")
    add("--role", metavar="ROLE")
    add("--card", type=Path, metavar="F", help="a capability card (BYOB 4) as TOML or F.json; without it: talk only")
    add("--file", type=Path, metavar="F", help="where to keep the seat's token (default TABLE.SEAT.json)")
    _url(parser)


def join(arguments: argparse.Namespace) -> int:
    """Take a seat and keep its token in a file."""
    owner, key = owners.key(arguments.key, arguments.owner)
    card = owners.document(arguments.card) if arguments.card else talk_only(f"naysayer byob ({arguments.kind})")
    path = arguments.file or tickets.default_path(arguments.table, arguments.seat)

    async def sit_down() -> str:
        names = {"table": arguments.table, "seat": arguments.seat, "kind": arguments.kind, "role": arguments.role}
        async with TableHost(arguments.url) as host:
            return await host.join(key, owner=owner, card=card, **names)

    with tickets.reserve(path) as file:
        file.write(SeatTicket(arguments.url, arguments.table, arguments.seat, asyncio.run(sit_down())))
    sys.stdout.write(f"{whole(str(path))}\n")
    say_line(f"{arguments.seat} sits at {arguments.table}; its token is in {path}")
    return 0


def _watch(parser: Parser) -> None:
    _seat(parser)
    parser.add_argument("--once", action="store_true", help="print what there is, and end")


def watch(arguments: argparse.Namespace) -> int:
    """Show a table as it goes."""

    async def show() -> None:
        async with _sitting(arguments) as seat:
            await watching.watch(seat, once=arguments.once)

    asyncio.run(show())
    return 0


def _say(parser: Parser) -> None:
    _seat(parser)
    parser.add_argument("text", metavar="TEXT", help="what to say, or - to read it")
    parser.add_argument("--to", action="append", metavar="WHOM", help="@SEAT, role:ROLE or * (default); may repeat")
    _deny(parser)


def speak(arguments: argparse.Namespace) -> int:
    """Say something."""
    text = sys.stdin.read() if arguments.text == "-" else arguments.text

    async def post() -> dict[str, Any]:
        async with _sitting(arguments, owners.rules(arguments.deny)) as seat:
            return await seat.say(text, arguments.to or ["*"])

    sys.stdout.write(f"{entries.line(asyncio.run(post()))}\n")
    return 0


def _run(parser: Parser) -> None:
    _seat(parser)
    parser.add_argument("bot", nargs="+", metavar="COMMAND", help="a program that reads a prompt and prints an answer")
    parser.add_argument("--verifies", action="store_true", help="also let it judge what other seats have executed")
    parser.add_argument("--seconds", type=_seconds, default=SECONDS, metavar="S", help="what one answer may take (120)")
    _deny(parser)


def run(arguments: argparse.Namespace) -> int:
    """Let a command be the bot in a seat, until the table is closed and its tasks are done."""
    bot, rules = command(arguments.bot, seconds=arguments.seconds), owners.rules(arguments.deny)

    async def sit() -> None:
        async with _sitting(arguments, rules) as seat:
            options = {"verifies": arguments.verifies, "bot_seconds": arguments.seconds}
            await Runner(seat, bot, on_event=say_line, **options).run()

    asyncio.run(sit())
    return 0


# --- approvals -------------------------------------------------------------------------------------


def _approve(parser: Parser) -> None:
    _seat(parser)
    parser.add_argument("task", metavar="TASK", help="the task's id, such as task-7")
    _key(parser)
    parser.add_argument("--reject", action="store_true", help="reject it instead")
    parser.add_argument("--reason", metavar="TEXT")
    parser.add_argument("--yes", action="store_true", help="sign without asking")


def approve(arguments: argparse.Namespace) -> int:
    """Show a task to its affected owner, and sign the decision on it once it is typed."""
    owner, key = owners.key(arguments.key, arguments.owner)
    word = WORDS["reject" if arguments.reject else "approve"]
    if not arguments.yes and not sys.stdin.isatty():
        raise UsageError("a decision is typed by a person: run this in a terminal, or add --yes")

    async def decide() -> dict[str, Any] | None:
        async with _sitting(arguments) as seat:
            say("\n".join(_shown(await seat.task(arguments.task))))
            if not arguments.yes and not _typed(word, owner):
                return None
            ticket = tickets.read(SeatTicket, arguments.seat)
            async with TableHost(ticket.url) as host:
                names = {"table": ticket.table, "task": arguments.task, "decision": word}
                return await host.decide(key, owner=owner, reason=arguments.reason, **names)

    entry = asyncio.run(decide())
    if entry is None:
        say("nothing was signed")
        return 1
    sys.stdout.write(f"{entries.line(entry)}\n")
    return 0


def _shown(task: Task) -> list[str]:
    """A task as an owner sees it before deciding: everything that would change, in printable ASCII."""
    effects = [f"  {ascii_json(effect)}" for effect in task.effects]
    return [f"{task.id} is {task.state}", "effects:", *(effects or ["  (the host does not say)"])]


def _typed(word: str, owner: str) -> bool:
    say(f"type `{word}` to {word} exactly this as {ascii_json(owner)}:")
    return sys.stdin.readline().strip() == word


# --- the example -----------------------------------------------------------------------------------


def _example(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print the ledger as JSON, one entry a line")


def example(arguments: argparse.Namespace) -> int:
    """Let two bots and a judge debate, decide and act at a table of this process, and print the ledger."""
    from harness.byhand import example as worked  # here, because it brings a whole table host

    found = asyncio.run(worked.play(say))
    return _print_ledger(found, arguments.json)


# --- arguments that several commands have ----------------------------------------------------------


def _sitting(arguments: argparse.Namespace, rules: Rules | None = None) -> Seat:
    ticket = tickets.read(SeatTicket, arguments.seat)
    return TableHost(ticket.url, rules=rules or Rules()).seat(ticket.table, ticket.seat, ticket.seat_token)


def _url(parser: Parser) -> None:
    default = os.environ.get("BYOB_URL", URL)
    parser.add_argument("--url", default=default, metavar="URL", help=f"the table host (default BYOB_URL, or {URL})")


def _admin(parser: Parser) -> None:
    parser.add_argument("admin", type=Path, metavar="FILE", help="the file that `table create` made")


def _seat(parser: Parser) -> None:
    parser.add_argument("seat", type=Path, metavar="SEAT", help="the file that `join` made")


def _key(parser: Parser) -> None:
    parser.add_argument("--key", type=Path, required=True, metavar="F", help="the owner's key file")
    parser.add_argument("--owner", metavar="ID", help="the owner's id, for a key file that names none")


def _deny(parser: Parser) -> None:
    parser.add_argument("--deny", type=Path, metavar="F", help="the owner's disclosure rules: a file with deny = […]")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86400:
        raise argparse.ArgumentTypeError("must be a number of seconds above 0")
    return seconds


PARSERS: dict[str, tuple[str, Callable[[Parser], None], Run]] = {
    "example": ("two bots and a judge debate, decide and act, in this process", _example, example),
    "keys": ("make an owner's key", _keys, keys),
    "table": ("make a table, or close one", _table, table),
    "join": ("take a seat at a table", _join, join),
    "watch": ("see a table as it goes", _watch, watch),
    "say": ("say something from a seat", _say, speak),
    "run": ("let a command be the bot in a seat", _run, run),
    "approve": ("see what a task would change, and sign the owner's decision on it", _approve, approve),
    "ledger": ("print every entry of a table", _ledger, ledger),
}
