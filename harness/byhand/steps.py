"""How to go on from a reply: ready-made commands, quoted for a shell."""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from harness.byhand.hands import Hand
from harness.byhand.printing import ascii_json
from reference.yea.client import Clarify, ConsentRequired, Proposals, Receipt, Refused, Reply
from reference.yea.client.frames import short

LONGEST = 100_000
"""Characters that a ready-made command may have; systems stop at 128 KiB an argument."""

MOST = 20
"""How many ways to go on are told."""

ANONYMOUS = (
    "nobody can commit this, for no grant came with it: add --key FILE, and --principal FILE, --as NAME or --grant"
)
FLEETING = "its key was made for this command alone: to commit, make one (naysayer keys new FILE) and add --key FILE"
TOO_LONG = "the proposal is too long for an argument: take it from --json, and give it to commit on standard input (-)"
APPROVED = "then commit again with --key FILE and --grant TOKEN, the token being what approve prints"


@dataclass(frozen=True)
class Asked:
    """What a command asked: its target and verb; for ASK and INTENT the capability, the params and its own options."""

    target: str
    verb: str
    capability: str = ""
    params: dict[str, Any] | None = None
    options: tuple[str, ...] = ()


def steps(hand: Hand, asked: Asked, outcome: Reply | Refused) -> Iterator[str]:
    """Yield what to tell a person about how to go on, each with its command on a line of its own."""
    # A command that a terminal would not show as it is, is none to copy.
    found = [
        (words, line) for words, line in _ways(hand, asked, outcome) if line.isprintable() and len(line) <= LONGEST
    ]
    for words, line in found[:MOST]:
        yield f"{words}\n  {line}"
    if isinstance(outcome, ConsentRequired):
        yield APPROVED
    if isinstance(outcome, Proposals) and outcome.proposals and not (hand.lasting and found):
        yield ANONYMOUS if hand.key is None else TOO_LONG if hand.lasting else FLEETING


def command(hand: Hand, verb: str, *arguments: str, options: tuple[str, ...] = ()) -> str:
    """Return a command of this hand. An argument that begins with a dash is kept from being an option."""
    guard = ["--"] if any(argument.startswith("-") for argument in arguments) else []
    flags = [*hand.flags, *hand.principal_flags, *options]
    return shlex.join(["naysayer", "yea", verb, *flags, *guard, *arguments])


def _ways(hand: Hand, asked: Asked, outcome: Reply | Refused) -> Iterator[tuple[str, str]]:
    """Yield each way to go on, in words, and its command."""
    if isinstance(outcome, ConsentRequired):
        approver = Hand(principal_flags=hand.principal_flags or ("--principal", "FILE"))
        yield "the principal can approve this:", command(approver, "approve", ascii_json(outcome.request.as_json()))
    if isinstance(outcome, Refused):
        patches = [fix.get("params") for fix in outcome.fixes]
        yield from _patched(hand, asked, "to apply fix", patches, outcome.fixed)
        return
    if isinstance(outcome, Clarify):
        patches = [option.get("params") for option in outcome.frame["options"]]
        yield from _patched(hand, asked, "to pick", patches, outcome.picked)
    if isinstance(outcome, Proposals) and hand.lasting:
        for proposal in outcome.proposals:
            told = ascii_json(proposal.without_data())
            yield f"to commit {short(proposal.id)}:", command(hand, "commit", asked.target, told)
    if isinstance(outcome, Receipt) and outcome.undo_until is not None:
        yield "to undo it:", command(hand, "undo", asked.target, outcome.id)
    if hand.lasting or hand.key is None:  # a handle is bound to the key
        for more in outcome.more:
            yield f"for the rest of {short(more.path)}:", command(hand, "expand", asked.target, more.handle)


def _patched(
    hand: Hand, asked: Asked, words: str, patches: list[Any], apply: Callable[[int, dict[str, Any]], dict[str, Any]]
) -> Iterator[tuple[str, str]]:
    """Yield the same request with each patch that there is applied to its params."""
    if asked.verb not in ("ask", "intent"):
        return
    for number, patch in enumerate(patches, 1):
        if isinstance(patch, dict) and asked.params is not None:
            told = ascii_json(apply(number, asked.params))
            again = command(hand, asked.verb, asked.target, asked.capability, told, options=asked.options)
            yield f"{words} {number}:", again
