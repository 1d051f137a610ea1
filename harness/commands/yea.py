"""`naysayer yea`: talk to any YEA service by hand, with the reference client."""

import argparse
import asyncio
import secrets
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from harness import profile
from harness.byhand.hands import Hand, Who, hand, principal
from harness.byhand.printing import Printer, ascii_json, say, say_line
from harness.byhand.steps import Asked, steps
from harness.errors import HarnessError, UsageError
from harness.profile import EMPTY, Profile
from harness.targets.tls import trusting
from reference.yea import jsontext
from reference.yea.client import (
    BadReply,
    Client,
    ClientError,
    ConsentRequired,
    Misuse,
    Proposal,
    Proposals,
    Refused,
    Reply,
    Unreachable,
    consent,
    open_link,
    proposals,
)
from reference.yea.client.principal import sign_consent
from reference.yea.grants import GrantError

TIMEOUT = 30.0
APPROVAL = "approve"
"""What a person types to approve."""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "yea",
        help="talk to a YEA service by hand",
        description="Sends one request to a YEA service and prints the reply as Lens, or as frames with --json. "
        "How to go on from there is said on standard error.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="VERB")
    for verb, (says, add) in PARSERS.items():
        action = actions.add_parser(verb, help=says, description=f"{says[0].upper()}{says[1:]}.")
        add(action)
        _add_who(action)
        if verb != "approve":
            _add_how(action)
        action.set_defaults(run=approve if verb == "approve" else run)


def _add_who(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("who acts").add_argument
    add("--principal", type=Path, metavar="FILE", help="a principal's key file, to issue a grant for just this command")
    add("--as", choices=profile.PRINCIPALS, dest="as_", help="for the same, a principal of the profile (or a test one)")
    add("--profile", type=Path, metavar="F", help="a profile: its principals, ca and headers")


def _add_how(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--key", type=Path, metavar="FILE", help="the agent's key file; without it one is made for this command")
    add("--grant", action="append", default=[], metavar="TOKEN", help="a grant to the agent's key; may repeat")
    add("--budget", type=_budget, metavar="N", help="estimated tokens that the reply may take")
    add("--whole", action="store_true", help="EXPAND what was left out, until nothing is missing")
    add("--json", action="store_true", help="print frames, not Lens")
    add("--timeout", type=_seconds, default=TIMEOUT, metavar="S", help=f"seconds a reply may take ({TIMEOUT:g})")
    add("--ca", type=Path, metavar="FILE", help="the authority to trust for TLS (PEM)")


def _target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help="yea://HOST:PORT, yeas://…, http(s)://…/yea or stdio:CMD")


def _capability(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    parser.add_argument("capability", metavar="CAPABILITY")
    parser.add_argument("params", nargs="?", default="{}", metavar="PARAMS", help="a JSON object, or - to read one")


def _intent(parser: argparse.ArgumentParser) -> None:
    _capability(parser)
    parser.add_argument("--goal", metavar="TEXT", help="the purpose, in words")
    parser.add_argument("--auto", action="store_true", help="commit in the same round trip, where policy allows it")


def _commit(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    parser.add_argument("proposal", metavar="PROPOSAL", help="the proposal as JSON, or - to read it")


def _undo(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    parser.add_argument("receipt", metavar="RECEIPT", help="the receipt's id")


def _expand(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    parser.add_argument("handle", metavar="HANDLE")


def _approve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("request", metavar="REQUEST", help="the approval that a commit asked for, as JSON")


PARSERS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "hello": ("what the service can do", _target),
    "ask": ("read, without side effects", _capability),
    "intent": ("say what you want and get proposals", _intent),
    "commit": ("make a proposal happen", _commit),
    "undo": ("reverse a receipt", _undo),
    "expand": ("get what a reply left out", _expand),
    "approve": ("the principal's side: see a proposal, and sign an approval of it", _approve),
}


def run(arguments: argparse.Namespace) -> int:
    """Send one request and print its reply; returns the exit code."""
    try:
        who, given = _who(arguments)
        acting = hand(who, given)
        _check_needs(arguments.action, acting)
        return asyncio.run(_talk(arguments, _asked(arguments), acting, given))
    except (Misuse, Unreachable) as problem:
        raise HarnessError(str(problem)) from None


async def _talk(arguments: argparse.Namespace, asked: Asked, acting: Hand, given: Profile) -> int:
    printer, ca = Printer(arguments.json), arguments.ca or given.ca
    link = await open_link(
        asked.target,
        context=trusting(ca) if ca is not None else None,
        headers=given.headers,
        on_error_line=lambda line: say_line(f"its standard error: {line}"),
    )
    async with Client(
        link,
        key=acting.key,
        grants=acting.tokens,
        name="naysayer yea",
        budget=arguments.budget,
        timeout=arguments.timeout,
        on_event=printer.event,
    ) as client:
        try:
            outcome: Reply | Refused = await _outcome(client, arguments, asked, acting)
        except Refused as refusal:
            outcome = refusal
        except (Misuse, Unreachable):
            raise
        except ClientError as problem:
            if isinstance(problem, BadReply) and problem.frame is not None:
                printer.frame(problem.frame)
            say_line(f"naysayer: {problem}")
            return 1
    return _show(printer, acting, asked, outcome)


async def _outcome(client: Client, arguments: argparse.Namespace, asked: Asked, acting: Hand) -> Reply:
    """The reply. What is signed has to be for somebody, so HELLO comes first."""
    if acting.key is not None and asked.verb != "hello":
        token = _scoped(asked, acting, (await client.hello()).service_id)
        if token is not None:
            client.hold(token)
    reply = await VERBS[asked.verb](client, arguments, asked)
    return await client.whole(reply) if arguments.whole else reply


def _scoped(asked: Asked, acting: Hand, service: str) -> str | None:
    """A grant for this one request: its service, its verb, what it is about, ten minutes."""
    about: dict[str, Any] = {"can": [asked.capability]} if asked.capability else {}
    about |= {"only": Proposal(asked.params).hash} if asked.verb == "commit" and asked.params else {}
    verbs = [asked.verb.upper()]
    if "--auto" in asked.options:
        verbs, about = [*verbs, "COMMIT"], {**about, "risk": "low"}
    return acting.grant(service, verbs, time.time(), *({name: value} for name, value in about.items()))


VERBS: dict[str, Callable[[Client, argparse.Namespace, Asked], Awaitable[Reply]]] = {
    "hello": lambda client, arguments, asked: client.hello(),
    "ask": lambda client, arguments, asked: client.ask(asked.capability, asked.params),
    "intent": lambda client, arguments, asked: client.intent(
        asked.capability, asked.params, goal=arguments.goal, auto=arguments.auto
    ),
    "commit": lambda client, arguments, asked: client.commit(proposals.read(asked.params)),
    "undo": lambda client, arguments, asked: client.undo(arguments.receipt),
    "expand": lambda client, arguments, asked: client.expand(arguments.handle),
}


def _show(printer: Printer, acting: Hand, asked: Asked, outcome: Reply | Refused) -> int:
    """Print a reply, what was wrong with it, and how to go on."""
    printer.reply(outcome.reply if isinstance(outcome, Refused) else outcome)
    if isinstance(outcome, Proposals):
        for problem in outcome.invalid:
            say_line(f"left out: {problem}")
    if isinstance(outcome, ConsentRequired):
        say(outcome.request.text())
    for step in steps(acting, asked, outcome):
        say(step)
    return 1 if isinstance(outcome, Refused) else 0


def _asked(arguments: argparse.Namespace) -> Asked:
    """What a command line asks. The capability of a COMMIT is its proposal's own."""
    verb, target = arguments.action, arguments.target
    if verb == "commit":
        proposal = proposals.read(_json(arguments.proposal))
        return Asked(target, verb, proposal.capability, proposal.body)
    if verb not in ("ask", "intent"):
        return Asked(target, verb)
    params = _json(arguments.params)
    if not isinstance(params, dict):
        raise UsageError(f"PARAMS is a JSON object, not {ascii_json(params)[:60]}")
    options: tuple[str, ...] = ()
    if verb == "intent":
        options += ("--goal", arguments.goal) if arguments.goal is not None else ()
        options += ("--auto",) if arguments.auto else ()
    return Asked(target, verb, arguments.capability, params, options)


def _json(text: str) -> Any:
    """The JSON value of an argument; `-` stands for standard input."""
    name = "standard input" if text == "-" else repr(text[:60])
    try:
        return jsontext.loads(sys.stdin.buffer.read() if text == "-" else text)
    except jsontext.JsonError as problem:
        raise UsageError(f"{name} is not JSON: {problem}") from None


def _who(arguments: argparse.Namespace) -> tuple[Who, Profile]:
    given = profile.load(arguments.profile) if arguments.profile else EMPTY
    named = {name: getattr(arguments, name, None) for name in ("key", "principal", "as_", "profile", "ca")}
    return Who(tokens=tuple(getattr(arguments, "grant", ())), **named), given


def _check_needs(verb: str, acting: Hand) -> None:
    if verb == "commit" and not acting.lasting:
        raise UsageError("commit needs --key FILE: only the key that was on the INTENT can commit its proposals")
    if verb in ("commit", "undo") and not acting.tokens and acting.principal is None:
        raise UsageError(f"{verb} needs a grant: --principal FILE, --as NAME, or --key FILE and --grant TOKEN")


def approve(arguments: argparse.Namespace) -> int:
    """Show a person what is asked of the principal, and print the token of an approval once it is typed."""
    if arguments.request == "-" or not sys.stdin.isatty():
        raise UsageError("an approval is typed by a person: give REQUEST as an argument, and run this in a terminal")
    key = principal(*_who(arguments))
    if key is None:
        raise UsageError("approve needs the principal's key: --principal FILE or --as NAME")
    try:
        request = consent.from_json(_json(arguments.request))
        say(f"{request.text()}\ntype `{APPROVAL}` to approve exactly this:")
        if sys.stdin.readline().strip() != APPROVAL:
            say("not approved")
            return 1
        token = sign_consent(key, request, iat=int(time.time()), nonce=secrets.token_urlsafe(12))
    except (ClientError, GrantError) as problem:
        raise UsageError(str(problem)) from None
    sys.stdout.write(f"{token}\n")
    return 0


def _budget(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not len(text) < 16 or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number above 0")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86400:
        raise argparse.ArgumentTypeError("must be a number of seconds above 0")
    return seconds
