"""BYOB 5: hosts that lose something when they start again, and ledgers from which the table does not follow."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from harness.faults import Fault, add
from harness.faults.tables import answering
from reference.byob.store import Batch
from reference.byob.table import Table
from reference.byob.types import Entry

STEPS = "byob/5/a-restart-between-any-two-steps"
TURNS = "byob/5/turns-go-on-after-a-restart"
TASKS = "byob/5/tasks-outlast-a-restart"
NONCES = "byob/5/nonces-outlast-a-restart"
CHILDREN = "byob/5/sub-tables-outlast-a-restart"
FOLLOWS = "byob/5/state-follows-from-the-ledger"
FLOOR = "byob/5/floor-follows-from-the-ledger"

Loss = Callable[[Table], Any]


def _losing(loss: Loss) -> type[Table]:
    """Make a table that loses something when it is read back."""

    class Losing(Table):
        """Loses something at a restart."""

        def replay(self, batches: Iterable[Batch]) -> None:
            """Read it back, and lose it."""
            super().replay(batches)
            loss(self)

    return Losing


def _reading(change: Callable[[list[Batch]], list[Batch]]) -> type[Table]:
    """Make a table that reads back something else than was written."""

    class Reading(Table):
        """Reads something else."""

        def replay(self, batches: Iterable[Batch]) -> None:
            """Change what is read."""
            super().replay(change(list(batches)))

    return Reading


def _set(**members: Any) -> Loss:
    """Return a loss that sets members of the state."""
    return lambda table: vars(table.state).update(members)


def _tasks_as(state: str) -> Loss:
    def lose(table: Table) -> None:
        for id, task in table.state.tasks.items():
            table.state.tasks[id] = replace(task, state=state)

    return lose


def _floor_to_the_opening(table: Table) -> None:
    if table.state.position is not None and table.state.status == "open":
        opening = table.state.policy.opening(table.state.config)
        table.state.holder = opening.holder if opening is not None else None


def _position_of_the_opening(table: Table) -> None:
    opening = table.state.policy.opening(table.state.config)
    if table.state.position is not None and opening is not None:
        table.state.position = opening.state


def _no_nonces(batch: Batch) -> Batch:
    return replace(batch, kept={name: each for name, each in batch.kept.items() if name != "nonce"})


LOST: tuple[tuple[str, str, tuple[str, ...], type[Table]], ...] = (
    ("restart-loses-seat-tokens", "Forgets seat tokens when it starts again.", (STEPS, TASKS, NONCES),
     _losing(lambda table: table.kept.tokens.clear())),
    ("restart-loses-the-admin-token", "Forgets admin tokens when it starts again.", (STEPS, NONCES, CHILDREN),
     _losing(lambda table: vars(table.kept).update(admin=""))),
    ("restart-loses-nonces", "Forgets nonces when it starts again.", (NONCES,),
     _reading(lambda batches: [_no_nonces(batch) for batch in batches])),
    ("restart-loses-the-last-step", "Loses what was written last when it is killed.", (STEPS, TURNS, NONCES),
     _reading(lambda batches: batches[:-1] if len(batches) > 1 else batches)),
    ("restart-gives-the-floor-to-the-first", "Begins with the first holder when it starts again.", (STEPS, TURNS),
     _losing(_floor_to_the_opening)),
    ("restart-loses-the-floor", "Has no holder when it starts again.", (STEPS, TURNS),
     _losing(_set(holder=None, grant_seq=None))),
    ("restart-loses-the-policy-position", "Begins its turns anew when it starts again.", (TURNS,),
     _losing(_position_of_the_opening)),
    ("restart-lowers-hands", "Forgets raised hands when it starts again.", (TURNS,),
     _losing(lambda table: table.state.hands.clear())),
    ("restart-forgets-bot-depth", "Counts consecutive says from zero when it starts again.", (TURNS,),
     _losing(_set(depth=0))),
    ("restart-forgets-the-budget", "Counts tokens from zero when it starts again.", (STEPS, TURNS),
     _losing(_set(tokens_used=0))),
    ("restart-loses-tasks", "Forgets tasks when it starts again.", (STEPS,),
     _losing(lambda table: table.state.tasks.clear())),
    ("restart-lets-tasks-wait", "Lets every task wait again when it starts again.", (TASKS,),
     _losing(_tasks_as("awaiting_approval"))),
    ("restart-approves-tasks", "Takes every task for approved when it starts again.", (TASKS,),
     _losing(_tasks_as("approved"))),
    ("restart-loses-decisions", "Forgets decisions when it starts again.", (STEPS, CHILDREN),
     _losing(lambda table: table.state.decisions.clear())),
    ("restart-opens-closed-tables", "Opens closed tables when it starts again.", (STEPS,),
     _losing(_set(status="open"))),
    ("restart-forgets-seats", "Forgets who has joined when it starts again.", (STEPS,),
     _losing(lambda table: table.state.seats.clear())),
    ("restart-frees-seats", "Lets a taken seat be taken again when it was started again.", (NONCES,),
     _losing(lambda table: vars(table).update(check_seat_free=lambda seat: None))),
    ("restart-ends-the-watch", "Watches no task from before it was started again.", (TASKS,),
     _losing(lambda table: table.state.watched.clear())),
    ("restart-reports-again", "Reports sub-tables again when it starts again.", (CHILDREN,),
     _losing(lambda table: table.state.results.clear())),
    ("restart-lets-anybody-in", "Takes any token for the first seat's when it was started again.", (NONCES,),
     _losing(lambda table: vars(table.kept).update(seat=lambda token: next(iter(table.state.seats), None)))),
)  # fmt: skip
for _id, _says, _claims, _made in LOST:
    add(Fault(f"byob/{_id}", _says, _claims, _made))


def _ledger(change: Callable[[list[Entry]], list[Entry]]) -> type[Any]:
    return answering(lambda ledger: {"entries": change([dict(each) for each in ledger["entries"]])}, "ledger")


def _less(event: str, kind: str = "system") -> Callable[[list[Entry]], list[Entry]]:
    def change(entries: list[Entry]) -> list[Entry]:
        found = [each for each in entries if each["kind"] == kind and each.get("event", event) == event]
        return [each for each in entries if not found or each is not found[-1]]

    return change


def _to_the_first(entries: list[Entry]) -> list[Entry]:
    return [{**each, "holder": "a"} if each.get("event") == "floor_granted" else each for each in entries]


APART: tuple[tuple[str, str, tuple[str, ...], type[Any]], ...] = (
    ("last-grant-is-not-written", "Leaves the last grant out of the ledger.", (FOLLOWS, FLOOR),
     _ledger(_less("floor_granted"))),
    ("ledger-names-seat-a-in-grants", "Names seat a in every grant of the ledger.", (FOLLOWS, FLOOR),
     _ledger(_to_the_first)),
    ("last-join-is-not-written", "Leaves the last join out of the ledger.", (FOLLOWS,), _ledger(_less("seat_joined"))),
    ("receipts-are-not-written", "Leaves receipts out of the ledger.", (FOLLOWS,), _ledger(_less("", "receipt"))),
    ("verdicts-are-not-written", "Leaves verdicts out of the ledger.", (FOLLOWS,), _ledger(_less("", "verify"))),
    ("proposals-are-not-written", "Leaves proposals out of the ledger.", (FOLLOWS,), _ledger(_less("", "proposal"))),
    ("the-close-is-not-written", "Leaves the close out of the ledger.", (FOLLOWS,), _ledger(_less("table_closed"))),
    ("prefix-swaps-owners", "Names the owner of the first seat for all of them.", (FOLLOWS,),
     answering(lambda p: _owned(p), "projection")),
    ("projections-stay-open", "Says open in projections after the close.", (FOLLOWS,),
     answering(lambda p: {**p, "status": "open"}, "projection")),
    ("grant-seq-is-behind", "Names the entry before the grant as grant_seq.", (FOLLOWS, FLOOR),
     answering(lambda p: {**p, "floor": _behind(p["floor"])}, "projection")),
)  # fmt: skip


def _behind(floor: dict[str, Any]) -> dict[str, Any]:
    return {**floor, "grant_seq": (floor["grant_seq"] or 1) - 1}


def _owned(projection: dict[str, Any]) -> dict[str, Any]:
    seats = projection["prefix"]["seats"]
    owned = [{**each, "owner": seats[0]["owner"]} for each in seats]
    return {**projection, "prefix": {**projection["prefix"], "seats": owned}}


for _id, _says, _claims, _made in APART:
    add(Fault(f"byob/{_id}", _says, _claims, _made))
