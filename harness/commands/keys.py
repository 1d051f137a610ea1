"""`naysayer keys new FILE`: a principal's key, for a target to trust."""

import argparse
import secrets
import sys
from pathlib import Path

from harness import keyfiles
from reference.yea.keys import KeyPair


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "keys",
        help="make a principal's key",
        description="Makes keys. The file holds the seed (mode 0600, never overwritten); the public key that is "
        "printed is what the target has to trust.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    new = actions.add_parser("new", help="write a new seed to FILE and print its public key")
    new.add_argument("file", type=Path, metavar="FILE")
    new.set_defaults(run=run)
    show = actions.add_parser("show", help="print the public key of FILE")
    show.add_argument("file", type=Path, metavar="FILE")
    show.set_defaults(run=run_show)


def run(arguments: argparse.Namespace) -> int:
    """Write a new key file and print its public key."""
    seed = secrets.token_bytes(keyfiles.SEED_BYTES)
    keyfiles.write_seed(arguments.file, seed)
    sys.stdout.write(f"{KeyPair(seed).public}\n")
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """Print the public key of a key file."""
    sys.stdout.write(f"{KeyPair(keyfiles.read_seed(arguments.file)).public}\n")
    return 0
