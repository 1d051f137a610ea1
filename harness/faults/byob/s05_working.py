"""BYOB 5: reports that the wrong seat may post, entries that keep less than was posted, and ledgers that change."""

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from harness.faults import Fault, add, fault
from harness.faults.byob.s05_speaking import recoding
from harness.faults.tables import setting, without, writing
from reference.byob import answers
from reference.byob.errors import ByobError
from reference.byob.http import Api
from reference.byob.table import Table
from reference.byob.types import Entry, Seat, Task

BY_CORE = "byob/5/owner-decisions-are-written-by-the-core"
EXECUTOR = "byob/5/only-the-executor-reports"
NO_FLOOR = "byob/5/reports-need-no-floor"
STATES = "byob/5/status-states-and-verdicts"
NAMED = "byob/5/reports-name-their-task"
ARTIFACT = "byob/5/receipt-keeps-its-artifact"
VERIFIERS = "byob/5/anybody-else-verifies"
EFFECTS = "byob/5/effects-name-owner-resource-and-action"
ROUTING = "byob/5/effects-route-not-words"
KEPT = "byob/5/entries-keep-refs-reply-and-budget"
FOLLOWED = "byob/5/cut-entries-can-be-followed"
UNCHANGEABLE = "byob/5/no-way-to-change-an-entry"


@fault("byob/decisions-are-written-as-the-executor", BY_CORE)
class WrittenAsExecutor(Table):
    """Writes an owner's decision in the name of the executor."""

    def write(self, seat: str, kind: str, members: Mapping[str, Any], now: int) -> Entry:
        """Name the executor."""
        if kind in ("approval", "rejection"):
            seat = self.state.tasks[members["task"]].executor
        return super().write(seat, kind, members, now)


@fault("byob/rejections-are-approvals-in-the-ledger", BY_CORE)
class RejectionsAsApprovals(Table):
    """Records a rejection as an approval entry."""

    def write(self, seat: str, kind: str, members: Mapping[str, Any], now: int) -> Entry:
        """Know approvals only."""
        return super().write(seat, "approval" if kind == "rejection" else kind, members, now)


def _reporting(kind: str, who: str) -> type[Table]:
    """Make a table on which others than the executor may post a status, or a receipt."""

    class Reporting(Table):
        """Lets others report."""

        def check_report(self, seat: Seat, body: Mapping[str, Any]) -> None:
            """Take the report of others for the executor's."""
            task = self.state.tasks.get(body["task"])
            if task is not None and body["kind"] == kind and self.may(seat, task):
                seat = self.state.seats[task.executor]
            super().check_report(seat, body)

        def may(self, seat: Seat, task: Task) -> bool:
            """Whether the seat may report."""
            return {"anybody": True, "owner": seat.owner == task.owner, "human": seat.kind == "human"}[who]

    return Reporting


for _kind in ("status", "receipt"):
    for _who, _says in (("anybody", "anybody"), ("owner", "any seat of the owner"), ("human", "humans")):
        add(Fault(f"byob/{_kind}-by-{_who}", f"Takes a {_kind} from {_says}.", (EXECUTOR,), _reporting(_kind, _who)))
add(Fault("byob/strangers-reports-are-task-states", "Refuses a stranger's report with E_TASK_STATE.", (EXECUTOR,),
          recoding("check_executor", "E_TASK_STATE", "E_NOT_OWNER")))  # fmt: skip


def _needing_floor(kind: str) -> type[Table]:
    class NeedingFloor(Table):
        """Asks for the floor on the work plane."""

        def check_report(self, seat: Seat, body: Mapping[str, Any]) -> None:
            """Ask for it."""
            if body["kind"] == kind:
                self.check_floor(seat, kind)
            super().check_report(seat, body)

    return NeedingFloor


for _kind in ("status", "receipt", "verify"):
    add(
        Fault(
            f"byob/{_kind}-needs-the-floor", f"Refuses a {_kind} without the floor.", (NO_FLOOR,), _needing_floor(_kind)
        )
    )


def _defaulting(kind: str, member: str, value: str) -> type[Table]:
    class Defaulting(Table):
        """Fills in what a report lacks, or what it does not know."""

        def post(self, seat: str, body: Any, now: int) -> Entry:
            """Fill it in."""
            if body.get("kind") == kind and body.get(member) not in ("running", "failed", "pass", "fail"):
                body = {**body, member: value}
            return super().post(seat, body, now)

    return Defaulting


add(
    Fault(
        "byob/any-status-is-running",
        "Takes any status for running.",
        (STATES,),
        _defaulting("status", "state", "running"),
    )
)
add(
    Fault(
        "byob/any-verdict-passes", "Takes any verdict for a pass.", (STATES,), _defaulting("verify", "result", "pass")
    )
)


@fault("byob/status-never-fails", STATES)
class StatusNeverFails(Table):
    """Knows no failed status."""

    def check_report(self, seat: Seat, body: Mapping[str, Any]) -> None:
        """Refuse it."""
        if body.get("state") == "failed":
            raise ByobError("E_SCHEMA", "state must be running")
        super().check_report(seat, body)


@fault("byob/reports-go-to-the-last-task", NAMED)
class LastTask(Table):
    """Takes a report without a task for the last one."""

    def post(self, seat: str, body: Any, now: int) -> Entry:
        """Name it."""
        if body.get("kind") in ("status", "receipt", "verify") and "task" not in body:
            body = {**body, "task": next(reversed(self.state.tasks))}
        return super().post(seat, body, now)


add(Fault("byob/unknown-tasks-are-task-states", "Refuses a report on an unknown task with E_TASK_STATE.", (NAMED,),
          recoding("find_task", "E_TASK_STATE", "E_NOT_FOUND")))  # fmt: skip
for _name, _says, _change in (
    ("artifacts-are-strings", "Keeps an artifact as text.", lambda m: {**m, "artifact": str(m["artifact"])}),
    ("artifacts-are-lost", "Keeps no artifact.", without("artifact")),
    (
        "artifacts-are-ascii",
        "Keeps only what of an artifact is ASCII.",
        lambda m: {**m, "artifact": _ascii(m["artifact"])},
    ),
    ("artifacts-lose-nulls", "Drops nulls from an artifact.", lambda m: {**m, "artifact": _no_nulls(m["artifact"])}),
    ("artifacts-are-cut", "Cuts long texts in an artifact.", lambda m: {**m, "artifact": _cut(m["artifact"])}),
):
    add(Fault(f"byob/{_name}", _says, (ARTIFACT,), writing(_change, "receipt")))


def _ascii(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("ascii", "ignore").decode()
    return _inside(_ascii, value)


def _no_nulls(value: Any) -> Any:
    if isinstance(value, list):
        return [_no_nulls(each) for each in value if each is not None]
    return _inside(_no_nulls, value)


def _cut(value: Any) -> Any:
    return value[:1000] if isinstance(value, str) else _inside(_cut, value)


def _inside(change: Any, value: Any) -> Any:
    if isinstance(value, dict):
        return {name: change(each) for name, each in value.items()}
    return [change(each) for each in value] if isinstance(value, list) else value


def _verifying(refused: str) -> type[Table]:
    class Verifying(Table):
        """Lets fewer seats verify than may."""

        def check_verifier(self, seat: Seat, task: Task) -> None:
            """Refuse some."""
            super().check_verifier(seat, task)
            proposer = self.state.entries[int(task.id.removeprefix("task-")) - 1]["seat"]
            out = {"proposer": seat.id == proposer, "owner": seat.owner == task.owner, "human": seat.kind == "human"}
            if out[refused]:
                raise ByobError("E_SELF_VERIFY", "somebody independent has to")

    return Verifying


for _name, _says in (
    ("proposer", "Lets the proposer verify nothing."),
    ("owner", "Lets no seat of the executor's owner verify."),
    ("human", "Lets no human verify."),
):
    add(Fault(f"byob/{_name}-may-not-verify", _says, (VERIFIERS,), _verifying(_name)))


def _effect_without(name: str) -> type[Table]:
    class EffectWithout(Table):
        """Fills in what an effect lacks."""

        def post(self, seat: str, body: Any, now: int) -> Entry:
            """Fill it in."""
            whole = {"owner": "B", "resource": "board", "action": "move"}
            if body.get("effects"):
                body = {**body, "effects": [{name: whole[name], **each} for each in body["effects"]]}
            return super().post(seat, body, now)

    return EffectWithout


for _name in ("owner", "resource", "action"):
    add(
        Fault(
            f"byob/effects-may-lack-{_name}", f"Guesses the {_name} of an effect.", (EFFECTS,), _effect_without(_name)
        )
    )


@fault("byob/effects-lose-their-arguments", EFFECTS)
class WithoutArguments(Table):
    """Keeps no args of an effect."""

    def write(self, seat: str, kind: str, members: Mapping[str, Any], now: int) -> Entry:
        """Drop them."""
        if kind == "proposal":
            members = {**members, "effects": [{**each, "args": {}} for each in members["effects"]]}
        return super().write(seat, kind, members, now)


@fault("byob/words-route-approvals", ROUTING)
class WordsRoute(Table):
    """Believes a proposal that says it is approved."""

    said_approved = False

    def check_addresses(self, body: Mapping[str, Any]) -> None:
        """Read the text."""
        self.said_approved = "approved it already" in body.get("body", "")
        super().check_addresses(body)

    def is_auto_approved(self, wanted: Sequence[Mapping[str, Any]], proposer: Seat, executor: Seat) -> bool:
        """Believe it."""
        return self.said_approved or super().is_auto_approved(wanted, proposer, executor)


@fault("byob/proposer-owner-approves", ROUTING)
class ProposerApproves(Table):
    """Lets the proposer's owner approve."""

    def check_affected(self, task: Task, owner: str) -> None:
        """Take any registered owner."""
        self.owner_key(owner)


for _name, _says, _change in (
    ("refs-are-lost", "Keeps no refs.", without("refs")),
    ("opaque-refs-are-lost", "Keeps only refs to entries.", lambda m: {**m, "refs": m.get("refs", [])[:2]}),
    ("refs-are-sorted", "Sorts refs.", lambda m: {**m, "refs": sorted(m.get("refs", []), reverse=True)}),
    ("reply-to-is-lost", "Keeps no reply_to.", without("reply_to")),
    ("reply-to-is-a-string", "Keeps reply_to as text.", lambda m: {**m, "reply_to": str(m.get("reply_to"))}),
    ("budget-is-lost", "Keeps no reported budget.", without("budget")),
    ("budget-is-counted-anew", "Replaces a reported budget by its own count.", setting(budget={"tokens_used": 7})),
):
    add(Fault(f"byob/{_name}", _says, (KEPT,), writing(_change, "say")))


@fault("byob/references-to-cut-entries-lead-nowhere", FOLLOWED)
class LeadNowhere(Table):
    """Answers not found for an entry that it has cut."""

    def read(self, seat: str, seq: str) -> Entry:
        """Lose long ones."""
        entry = super().read(seat, seq)
        if len(entry.get("body", "")) > 100:
            raise ByobError("E_NOT_FOUND", "no such entry")
        return entry


class _Changing(Api):
    """Offers a way to change the ledger."""

    async def undefined(self, request: Request, problem: Exception) -> Response:
        """Take what is not defined for an order."""
        table = next(iter(self.host.tables.values()))
        self.change(table, request)
        return Response(answers.encoded({}), 200, answers.HEADERS, answers.JSON)

    def change(self, table: Table, request: Request) -> None:
        """Carry the order out."""


@fault("byob/put-is-accepted", UNCHANGEABLE)
class PutAccepted(_Changing):
    """Answers 200 to PUT, PATCH and DELETE, and does nothing."""


@fault("byob/entries-can-be-deleted", UNCHANGEABLE)
class Deleting(_Changing):
    """Deletes the last entry on DELETE."""

    def change(self, table: Table, request: Request) -> None:
        """Delete it."""
        if request.method == "DELETE" and len(table.state.entries) > 1:
            table.state.entries.pop()
