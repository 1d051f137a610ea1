"""BYOB 9: decisions that count twice, leave no trace, or change something although they were refused."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.byob.s05_speaking import recoding
from harness.faults.tables import without, writing
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.table import Table
from reference.byob.types import Entry, Task

NONCES = "byob/9/decision-nonces-serve-once"
UNKNOWN = "byob/9/decisions-are-about-tasks-there-are"
NOTHING = "byob/9/refused-decisions-change-nothing"
RECORDED = "byob/9/decisions-are-recorded-and-done"

Body = Mapping[str, Any]


class _Lenient(Table):
    """Lets some decisions use a nonce again."""

    body: Body = MappingProxyType({})

    def decide(self, body: Any, now: int) -> Entry:
        """Remember what is decided."""
        self.body = body if isinstance(body, dict) else {}
        return super().decide(body, now)

    def check_nonce(self, owner: str, nonce: str) -> None:
        """Ask whether this one may."""
        if not self.may():
            super().check_nonce(owner, nonce)

    def may(self) -> bool:
        """Whether a nonce serves again."""
        return True


@fault("byob/decision-nonces-serve-again", NONCES, NOTHING)
class NoncesAgain(_Lenient):
    """Looks at no nonce."""


@fault("byob/rejections-use-nonces-again", NONCES)
class RejectionsAgain(_Lenient):
    """Looks at no nonce of a rejection."""

    def may(self) -> bool:
        """Whether it is one."""
        return self.body.get("decision") == "reject"


@fault("byob/nonces-of-rejections-are-free", NONCES)
class FreeRejections(Table):
    """Spends no nonce by a rejection."""

    def record_decision(self, body: Body, now: int) -> Entry:
        """Keep approvals only."""
        spent = set(self.kept.nonces)
        entry = super().record_decision(body, now)
        if body["decision"] == "reject":
            self.kept.nonces = spent
        return entry


@fault("byob/nonces-serve-once-a-task", NONCES, NOTHING)
class OnceATask(Table):
    """Takes a nonce once for each task."""

    again = True

    def decide(self, body: Any, now: int) -> Entry:
        """Look at the entries."""
        used = {(each.get("task"), each.get("nonce")) for each in self.state.entries}
        self.again = (body.get("task"), body.get("nonce")) in used
        return super().decide(body, now)

    def check_nonce(self, owner: str, nonce: str) -> None:
        """Look at the task."""
        if self.again:
            super().check_nonce(owner, nonce)


add(Fault("byob/replayed-decisions-are-task-states", "Says E_TASK_STATE to a decision whose nonce was used.",
          (NONCES, NOTHING), recoding("check_nonce", "E_TASK_STATE", "E_REPLAY")))  # fmt: skip
add(Fault("byob/decisions-on-unknown-tasks-are-schema-faults", "Says E_SCHEMA to a decision about an unknown task.",
          (UNKNOWN, NOTHING), recoding("find_task", "E_SCHEMA", "E_NOT_FOUND")))  # fmt: skip


@fault("byob/decisions-on-unknown-tasks-go-to-the-last", UNKNOWN)
class ToTheLast(Table):
    """Takes a decision about an unknown task for one about the last task."""

    def find_task(self, id: str) -> Task:
        """Find another."""
        return self.state.tasks.get(id) or next(reversed(self.state.tasks.values()))


class _Marking(Host):
    """Does something to the table when a decision is refused."""

    codes: tuple[str, ...] = ()

    def approve(self, table: str, body: Any, now: float) -> Entry:
        """Do it."""
        try:
            return super().approve(table, body, now)
        except ByobError as error:
            if error.code in self.codes:
                self.mark(self.tables[table], body)
                self._commit(self.tables[table])
            raise

    def mark(self, table: Table, body: Body) -> None:
        """Record the decision all the same."""
        table.write(f"owner:{body['owner']}", "approval", {"task": body.get("task")}, table.state.now)


for _code in ("E_SCHEMA", "E_BAD_SIGNATURE", "E_NOT_OWNER", "E_REPLAY", "E_NOT_FOUND"):
    _word = _code.removeprefix("E_").lower().replace("_", "-")
    add(
        Fault(
            f"byob/records-decisions-refused-by-{_word}",
            f"Records a decision that it refuses with {_code}.",
            (NOTHING,),
            type("Marking", (_Marking,), {"__doc__": "Records what it refuses.", "codes": (_code,)}),
        )
    )


@fault("byob/forged-decisions-move-the-task", NOTHING)
class Forged(_Marking):
    """Sets a task to approved, and then sees that the signature is wrong."""

    codes = ("E_BAD_SIGNATURE",)

    def mark(self, table: Table, body: Body) -> None:
        """Set it."""
        table.system("task_state", {"task": body["task"], "state": "approved"}, table.state.now)


@fault("byob/decisions-leave-no-entry", RECORDED)
class NoEntry(Table):
    """Shows no approvals and rejections in its ledger."""

    def ledger(self) -> dict[str, Any]:
        """Leave them out."""
        return {"entries": [e for e in super().ledger()["entries"] if e["kind"] not in ("approval", "rejection")]}


@fault("byob/decisions-are-recorded-twice", RECORDED)
class Twice(Table):
    """Records a decision twice."""

    def record_decision(self, body: Body, now: int) -> Entry:
        """Write it twice."""
        super().record_decision(body, now)
        return super().record_decision(body, now)


@fault("byob/rejections-are-recorded-as-approvals", RECORDED)
class AsApprovals(Table):
    """Records a rejection as an approval."""

    def write(self, seat: str, kind: str, members: Body, now: int) -> Entry:
        """Know one kind."""
        return super().write(seat, "approval" if kind == "rejection" else kind, members, now)


for _name, _says, _outcome, _made in (
    ("decisions-name-no-task", "Names no task in the entry of a decision.", "failed",
     writing(without("task"), "approval", "rejection")),
    ("decisions-name-the-first-task", "Names the first task in the entry of every decision.", "failed",
     writing(lambda m: {**m, "task": "task-6"}, "approval", "rejection")),
    ("reasons-are-lost", "Keeps no reason of a decision.", "warned",
     writing(without("reason"), "approval", "rejection")),
):  # fmt: skip
    add(Fault(f"byob/{_name}", _says, (RECORDED,), _made, outcome=_outcome))


class _Settling(Table):
    """Does something else than to set the task that was decided about."""

    def set_task_state(self, task: Task, state: str, now: int) -> None:
        """Do something else."""


@fault("byob/decisions-set-nothing", RECORDED)
class SetsNothing(_Settling):
    """Records a decision, and leaves the task waiting."""


@fault("byob/decisions-set-the-first-task", RECORDED)
class SetsFirst(_Settling):
    """Sets the task that has waited longest."""

    def set_task_state(self, task: Task, state: str, now: int) -> None:
        """Set another."""
        waiting = [each for each in self.state.tasks.values() if each.state == "awaiting_approval"]
        super(_Settling, self).set_task_state(waiting[0], state, now)


@fault("byob/rejected-tasks-are-failed", RECORDED)
class RejectedFailed(_Settling):
    """Fails a task that is rejected."""

    def set_task_state(self, task: Task, state: str, now: int) -> None:
        """Fail it."""
        super(_Settling, self).set_task_state(task, "failed" if state == "rejected" else state, now)


@fault("byob/approved-tasks-have-no-executor", RECORDED)
class NoExecutor(Table):
    """Shows no executor of a task."""

    def task(self, id: str) -> dict[str, Any]:
        """Leave it out."""
        return {name: value for name, value in super().task(id).items() if name != "executor"}


@fault("byob/approvals-name-no-executor", RECORDED, outcome="warned")
class Unnamed(Table):
    """Names no executor in the task_state entry of an approval."""

    def system(self, event: str, members: Body, now: int) -> Entry:
        """Leave it out."""
        kept = {name: value for name, value in members.items() if name != "executor" or event != "task_state"}
        return super().system(event, kept, now)
