"""`naysayer init TARGET`: a first profile from the target's BRIEF, with keys for its principals."""

import argparse
import asyncio
import os
import secrets
import sys
from pathlib import Path

from harness import keyfiles, profile, session
from harness.draft import draft
from harness.errors import HarnessError
from harness.session import Options
from harness.targets.addresses import parse
from reference.yea.keys import KeyPair

PRINCIPALS = ("a", "b")


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "init",
        help="begin a profile for a service of your own",
        description="Asks the target for its BRIEF and writes a profile with a guess for every role, all commented "
        "out, and two key files beside it. Nothing on the target is changed.",
    )
    parser.add_argument("target", metavar="TARGET")
    parser.add_argument("--output", type=Path, default=Path("naysayer.toml"), metavar="F", help="default naysayer.toml")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the profile and its keys and say what to do next."""
    _refuse(arguments.output)
    options = Options()
    targets = session.make_targets([parse(arguments.target)], profile.EMPTY, options)
    facts = asyncio.run(session.reach(targets, options))
    seeds = {name: arguments.output.with_name(f"{arguments.output.stem}-{name}.seed") for name in PRINCIPALS}
    for path in (arguments.output, *seeds.values()):
        _refuse(path)
    publics = {}
    for name, path in seeds.items():
        seed = secrets.token_bytes(keyfiles.SEED_BYTES)
        keyfiles.write_seed(path, seed)
        publics[name] = KeyPair(seed).public
    text = draft(arguments.target, facts, {name: path.name for name, path in seeds.items()}, publics)
    _write(arguments.output, text)
    sys.stdout.write(
        f"wrote {arguments.output}\n"
        f"principal a: {publics['a']}\n"
        f"principal b: {publics['b']}\n"
        "Next: let the service trust these keys, uncomment the roles that fit, then\n"
        f"  naysayer certify --profile {arguments.output}\n"
    )
    return 0


def _refuse(path: Path) -> None:
    """Refuse a file that exists already, or a name that no file can have, before anything is asked or written."""
    try:
        taken = not path.name or os.path.lexists(path)
    except ValueError:
        taken = True
    if taken:
        raise HarnessError(f"{path} exists already; move it away or choose another name with --output")


def _write(path: Path, text: str) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except OSError as problem:
        raise HarnessError(f"{path} cannot be written: {problem.strerror}") from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
