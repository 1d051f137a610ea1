"""What every check has, whatever its protocol: what it found, its identities, its choices and its time.

A check says what it found with `t.expect`; how that counts is the catalogue's business, not the check's. The contexts
of the protocols add people, connections and requests to it.
"""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from harness.catalogue import Catalogue
from harness.check import Check
from harness.encoding import shown
from harness.errors import Untested
from harness.targets.base import Target
from harness.transcript import Transcript
from reports.model import Finding, Level, Outcome
from reports.transcript import BROKEN

SHOWN = 600
LONGEST, LONGEST_SLOW = 180.0, 3700.0
"""Seconds that a check waits for the clock at most, without and with --slow: a target may name any time."""
FAR = 1e18
MARKED = 5
"""Broken expectations of one check that are marked in its transcript."""


@dataclass
class Bench:
    """What the runner sets up for one check over one transport.

    Args:
        check: the running check.
        target: the transport it runs over; `others` are the target's other transports by name, none of them where each
            connection has a state of its own.
        catalogue: gives the levels of the clauses.
        transcript: records and masks what passes.
        run_id: new in every run, part of every identity.
        seed: decides choices, together with the check's id.
        pause: gives the check's slot back while it awaits; see `BaseContext.until`.
        answered: told of each answer that came how many seconds it took.
        aside: awaits something that takes none of the check's time.
    """

    check: Check
    target: Target
    catalogue: Catalogue
    transcript: Transcript
    run_id: str
    seed: int
    pause: Callable[[float], Awaitable[None]]
    others: dict[str, Target] = field(default_factory=dict)
    answered: Callable[[float], None] = lambda seconds: None
    aside: Callable[[Awaitable[None]], Awaitable[None]] = lambda work: work


class BaseContext:
    """What a check of any protocol may use.

    `used` are the transports that it opened a connection over. `untold` says what could not be told apart from somebody
    else's use of the target, if anything.
    """

    def __init__(self, bench: Bench) -> None:
        self.check, self.target, self.others = bench.check, bench.target, bench.others
        self.transcript = bench.transcript
        self.findings: list[Finding] = []
        self.lacking: dict[str, str] = {}
        self.used: set[str] = set()
        self.untold = ""
        self.rng = random.Random(f"{bench.seed}/{bench.check.id}@{bench.target.transport}")
        self._catalogue, self._run_id, self._pause = bench.catalogue, bench.run_id, bench.pause
        self._answered, self._aside = bench.answered, bench.aside
        self._ids = 0

    def expect(self, clause: str, ok: bool, *, wanted: str, got: Any, open_question: str | None = None) -> bool:
        """Record whether a clause was obeyed, and return that.

        Args:
            clause: a clause id that the check declared.
            ok: whether what was seen obeys it.
            wanted: every acceptable outcome, in words.
            got: what was seen; what has a `seen()` is put in words by it, JSON is shown as JSON.
            open_question: the id of an open question on which this rests (`YEA-Q07`): it can then only warn.
        """
        if clause not in self.check.clauses:
            raise ValueError(f"{self.check.id} does not declare {clause}")
        entry = self._catalogue.clause(clause)
        outcome = Outcome.PASSED if ok else self._breach(entry.strict, open_question)
        note = f" (the text is open: {open_question})" if open_question and not ok else ""
        text = self.masked(in_words(got))[:SHOWN]
        self.findings.append(Finding(clause, Level(entry.level), bool(ok), wanted + note, text, outcome))
        if not ok and sum(not found.ok for found in self.findings) <= MARKED:
            self.transcript.note(f"{BROKEN}{clause}, wanted {wanted}")
        return bool(ok)

    def _breach(self, strict: bool, open_question: str | None) -> Outcome:
        soft = open_question is not None or self.check.basis == "open" or not strict
        return Outcome.WARNED if soft else Outcome.FAILED

    def masked(self, text: str) -> str:
        """Return a text without what this check knows to be secret."""
        return text

    def lacks(self, clause: str, why: str) -> None:
        """Say why this check could not look at one of its clauses: something that the target or its profile lacks."""
        self.lacking[clause] = why

    def note(self, text: str) -> None:
        """Put a remark into the transcript; it decides nothing."""
        self.transcript.note(text)

    @property
    def transport(self) -> str:
        """The transport's name: tcp, tls, stdio, http or mcp."""
        return self.target.transport

    def now(self) -> float:
        """Return the target's time in unix seconds, as far as its clock is known."""
        return self.target.clock()

    async def until(self, when: float) -> None:
        """Wait until the target's clock has passed `when` (unix seconds); other checks run meanwhile.

        Raises Untested when that is longer than a check waits.
        """
        seconds = max(0.0, min(when, FAR) - self.now())
        longest = LONGEST_SLOW if self.check.slow else LONGEST
        if seconds > longest:
            raise Untested(
                f"what it would wait for is {seconds:.6g} s away, and a check waits {longest:,.0f} s at most"
            )
        await self._pause(seconds)

    def unique(self) -> str:
        """Return a word that no other check, transport or run uses."""
        self._ids += 1
        words = self.check.id.replace("/", "-").replace(".", "-")
        return f"{self._run_id}-{words[-40:]}-{self.transport}-{self._ids}"

    async def close(self) -> None:
        """Close everything that the check opened."""


def in_words(got: Any) -> str:
    """Return what was seen as a finding shows it."""
    if hasattr(got, "seen"):
        return str(got.seen())
    return shown(got, SHOWN) if isinstance(got, (dict, list)) else str(got)
