"""YEA 4.4, 4.3.1: what becomes of a commit that is cut off, in a process that goes on or in one that is killed.

The laboratory interrupts a commit in a process that lives on; what a killed process finds again shows in live trials.
"""

import dataclasses
from collections.abc import Callable, Generator
from typing import Any

from harness.faults import fault
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.service import Request, Service, Step
from reference.yea.service.executing import Authorized, Ends, Receipt
from reference.yea.service.steps import Job
from reference.yea.service.store import OPEN, RUNNING, ProposalRecord

AGAIN = "yea/4.4/interrupted-commit-is-never-applied-again"
COUNTS = "yea/4.4/interrupted-commit-counts-for-limits"
STOPS = "yea/4.3.1/auto-stops-after-a-doubt"
ENDS = "yea/4.3.1/doubt-ends-after-900-s"


class _AppliesFirst(Service):
    """Applies a job and then takes its time, so that one that is cut off has had its effect."""

    def applied_first(self, start: Callable[[], Job], request: Request, ends: Ends) -> Generator[Step, float, Receipt]:
        """Run the job to its end, and make its steps only then."""
        steps: list[Step] = []
        driving = self.drive(start(), request)
        try:
            step = next(driving)
            while True:
                steps.append(step)
                step = driving.send(request.now)
        except StopIteration as end:
            result = end.value
        for step in steps:
            request.now = (yield step) or request.now
        return ends.done(result)


@fault("yea/interrupted-commits-start-anew", AGAIN)
class StartAnew(_AppliesFirst):
    """Applies a job, and forgets that it did when it is interrupted."""

    def run_job(self, start: Callable[[], Job], request: Request, ends: Ends) -> Generator[Step, float, Any]:
        """Give everything back when it is cut off."""
        try:
            return (yield from self.applied_first(start, request, ends))
        except BaseException:
            ends.give_back()
            raise


@fault("yea/commits-in-doubt-are-given-back", COUNTS)
class GivenBack(Service):
    """Gives back what a commit in doubt reserved."""

    def run_job(self, start: Callable[[], Job], request: Request, ends: Ends) -> Generator[Step, float, Any]:
        """Give it back, and leave the commit in doubt all the same."""

        def doubt() -> None:
            ends.give_back()
            ends.doubt()

        return (yield from super().run_job(start, request, Ends(ends.done, ends.give_back, doubt)))


@fault("yea/killed-commits-start-anew", AGAIN, transports=("tcp",), live=True)
class KilledStartAnew(_AppliesFirst):
    """Takes a commit that was running when the process was killed for one that never began."""

    def run_job(self, start: Callable[[], Job], request: Request, ends: Ends) -> Generator[Step, float, Any]:
        """Apply first and wait after."""
        return (yield from self.applied_first(start, request, ends))

    def recover(self, now: float) -> None:
        """Open them all again."""
        for name, proposal in self.store.proposals.items():
            if proposal.state == RUNNING:
                self.store.proposals.put(name, dataclasses.replace(proposal, state=OPEN, acting=None))
        super().recover(now)


@fault("yea/totals-end-with-the-process", COUNTS, transports=("tcp",), live=True)
class TotalsEnd(Service):
    """Forgets what was used up when its process is killed."""

    def recover(self, now: float) -> None:
        """Begin at nothing."""
        super().recover(now)
        for name in self.store.totals.oldest(len(self.store.totals)):
            self.store.totals.remove(name)


@fault("yea/doubts-end-with-the-process", STOPS, transports=("tcp",), live=True)
class DoubtsEnd(Service):
    """Does not remember for auto-commits what it found in doubt after it was killed."""

    def recover(self, now: float) -> None:
        """Hold the commits in doubt, and nothing more."""
        super().recover(now)
        for name in self.store.doubts.oldest(len(self.store.doubts)):
            self.store.doubts.remove(name)


@fault("yea/doubts-do-not-stop-autos", STOPS)
class AutosGoOn(Service):
    """Commits auto INTENTs whatever is in doubt."""

    def lately_in_doubt(self, principal: str, capability: str, now: float) -> bool:
        """Never."""
        return False


@fault("yea/doubts-stop-autos-of-all-principals", STOPS)
class AllPrincipals(Service):
    """Stops the auto INTENTs of every principal when a commit of one is in doubt."""

    def found_in_doubt(self, principal: str, capability: str, now: float) -> None:
        """Whoever it was."""
        super().found_in_doubt("", capability, now)

    def lately_in_doubt(self, principal: str, capability: str, now: float) -> bool:
        """Whoever it is."""
        return super().lately_in_doubt("", capability, now)


@fault("yea/doubts-stop-autos-of-all-capabilities", STOPS)
class AllCapabilities(Service):
    """Stops the auto INTENTs of a principal for every capability when a commit of one is in doubt."""

    def found_in_doubt(self, principal: str, capability: str, now: float) -> None:
        """Whatever it was."""
        super().found_in_doubt(principal, "", now)

    def lately_in_doubt(self, principal: str, capability: str, now: float) -> bool:
        """Whatever it is."""
        return super().lately_in_doubt(principal, "", now)


@fault("yea/doubts-stop-commits-too", STOPS)
class CommitsStop(Service):
    """Refuses the COMMITs of a principal for a capability of which one is in doubt."""

    def authorize(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> Authorized:
        """Look for a doubt."""
        authorized = super().authorize(record, request, grants)
        if self.lately_in_doubt(authorized.principal, str(record.proposal["capability"]), request.now):
            raise YeaError("unavailable", "a commit like this is in doubt", retry=900)
        return authorized


@fault("yea/doubts-last-300-s", ENDS)
class ShortDoubts(Service):
    """Forgets after 300 s that a commit was found in doubt."""

    DOUBT_MEMORY = 300.0


@fault("yea/doubts-last-an-hour", ENDS)
class LongDoubts(Service):
    """Remembers for an hour that a commit was found in doubt."""

    DOUBT_MEMORY = 3600.0
