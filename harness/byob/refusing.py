"""Cause-bound refusals: a refusal proves something only if the same request without its one fault is accepted.

    await t.refused(
        lambda: table.say("a"),
        Case("by a seat without the floor", "BYOB-8-01", lambda: table.say("b"), "E_NOT_FLOOR"),
        on=table,
    )

The order is always: the control is accepted; each case is refused with the code that the spec fixes, in the error
envelope, and appends nothing to the ledger; at the end the control is accepted again.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.byob import reading
from harness.byob.reading import Entry
from harness.byob.table import Table
from harness.errors import Untested
from harness.targets.hosts import Answer

if TYPE_CHECKING:
    from harness.byob.context import Context

Send = Callable[[], Awaitable[Answer]]


@dataclass(frozen=True)
class Case:
    """One fault in an otherwise right request.

    Args:
        name: the fault in a few words, as it reads after "a request".
        clause: the clause that the refusal proves.
        send: sends the faulty request and returns its answer.
        codes: acceptable codes (a string or several); none for any 4xx.
        softly: codes that are accepted with a warning, by `open_question`.
        open_question: see `Context.expect_refused`.
    """

    name: str
    clause: str
    send: Send
    codes: str | tuple[str, ...] = ()
    softly: tuple[str, ...] = ()
    open_question: str | None = None

    @property
    def wanted(self) -> tuple[str, ...]:
        """The acceptable codes."""
        return (self.codes,) if isinstance(self.codes, str) else self.codes


async def refused(t: "Context", control: Send, cases: Sequence[Case], *, on: Table | None, again: bool) -> None:
    """Run cases.

    Args:
        t: the check's context.
        control: sends a right request, a fresh one at each call.
        cases: the faults; a case that is wrongly accepted is a finding, and the rest go on.
        on: the table whose ledger must not grow by a refused request; None where there is none.
        again: whether the control can be sent once more at the end.

    Raises Untested when the first control is refused.
    """
    first = await control()
    if not first.ok:
        raise Untested(f"a right request, without the fault, got {first.seen()}")
    for case in cases:
        before = await on.entries() if on is not None else []
        answer = await case.send()
        t.expect_refused(case.clause, answer, *case.wanted, softly=case.softly, open_question=case.open_question)
        if on is not None:
            unchanged(t, case.clause, before, await on.entries(), f"a request {case.name}")
    if again and cases:
        last = await control()
        wanted = f"the same request without the fault to be accepted after one {cases[-1].name}"
        t.expect(cases[-1].clause, last.ok, wanted=wanted, got=last)


def unchanged(t: "Context", clause: str, before: list[Entry], after: list[Entry], what: str) -> bool:
    """Expect, by this clause, that a ledger has grown by nothing but notes (BYOB-Q043) and marks of the watchdog."""
    grown = [entry for entry in reading.without_notes(after[len(before) :]) if not _by_watchdog(entry)]
    return t.expect(clause, not grown, wanted=f"nothing appended to the ledger by {what}", got=grown)


def _by_watchdog(entry: Entry) -> bool:
    return entry.get("event") == "task_state" and reading.holds(entry, "stalled")
