"""BYOB 9: executors that are badly chosen, and tasks that are opened wrongly or not at all."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.tables import answering, without
from reference.byob import effects
from reference.byob.errors import ByobError
from reference.byob.table import Table
from reference.byob.table.tasking import Plan
from reference.byob.types import Entry, Seat, Task

ONE_OWNER = "byob/9/effects-name-one-owner"
NOBODY = "byob/9/no-executor-no-entry"
FITTING = "byob/9/executor-is-the-fitting-bot"
SEVERAL = "byob/9/one-of-several-executors"
UNION = "byob/9/capabilities-add-up"
ONE_TASK = "byob/9/one-task-for-one-post"

Effects = Sequence[Mapping[str, Any]]
Fits = Callable[[Seat, str, Effects], bool]


def declares(seat: Seat, wanted: Effects, *, every: bool = True, by: str = "both") -> bool:
    """Whether a card declares the effects: all or any of them, by resource and action or by one of the two."""
    part = {"both": slice(0, 2), "resource": slice(0, 1), "action": slice(1, 2)}[by]
    known = {(each["resource"], action)[part] for each in seat.card["capabilities"] for action in each["actions"]}
    found = [(each["resource"], each["action"])[part] in known for each in wanted]
    return all(found) if every else any(found)


def choosing(fits: Fits, *, last: bool = False) -> type[Table]:
    """Make a table that chooses its executors otherwise."""

    class Choosing(Table):
        """Chooses executors otherwise."""

        def choose_executor(self, wanted: Effects) -> Seat:
            """Choose by another rule."""
            owner = self.affected_owner(wanted)
            found = [seat for seat in self.state.seats.values() if fits(seat, owner, wanted)]
            if not found:
                raise ByobError("E_NO_EXECUTOR", "nobody")
            return found[-1 if last else 0]

    return Choosing


def _bot(seat: Seat, owner: str) -> bool:
    return seat.kind == "bot" and seat.owner == owner


EXECUTORS: tuple[tuple[str, str, tuple[str, ...], type[Table]], ...] = (
    ("executors-may-be-human", "Chooses humans as well.", (NOBODY, FITTING),
     choosing(lambda seat, owner, wanted: seat.owner == owner and declares(seat, wanted))),
    ("executors-of-any-owner", "Chooses a seat of any owner.", (NOBODY, FITTING),
     choosing(lambda seat, owner, wanted: seat.kind == "bot" and declares(seat, wanted))),
    ("executors-declare-some-effect", "Chooses a seat that declares one of the effects.", (NOBODY, FITTING),
     choosing(lambda seat, owner, wanted: _bot(seat, owner) and declares(seat, wanted, every=False))),
    ("executors-declare-the-first-effect", "Looks at the first effect only.", (NOBODY,),
     choosing(lambda seat, owner, wanted: _bot(seat, owner) and declares(seat, wanted[:1]))),
    ("executors-declare-the-action", "Looks at actions, not at resources.", (NOBODY, FITTING),
     choosing(lambda seat, owner, wanted: _bot(seat, owner) and declares(seat, wanted, by="action"))),
    ("executors-declare-the-resource", "Looks at resources, not at actions.", (NOBODY, FITTING),
     choosing(lambda seat, owner, wanted: _bot(seat, owner) and declares(seat, wanted, by="resource"))),
    ("executors-are-the-first-of-the-owner", "Chooses the first seat of the owner, whatever its card.",
     (NOBODY, FITTING), choosing(lambda seat, owner, wanted: _bot(seat, owner))),
    ("executors-are-the-last-of-the-owner", "Chooses the last seat of the owner, whatever its card.",
     (NOBODY, FITTING), choosing(lambda seat, owner, wanted: _bot(seat, owner), last=True)),
    ("executors-need-one-capability-for-all", "Wants one capability that declares every effect.", (UNION,),
     choosing(lambda seat, owner, wanted: _bot(seat, owner) and any(_alone(each, wanted) for each in _cards(seat)))),
    ("resources-begin-alike", "Takes a card's resource for every one that begins so.", (NOBODY,),
     choosing(lambda seat, owner, wanted: _bot(seat, owner) and all(_prefixed(seat, each) for each in wanted))),
)  # fmt: skip


def _cards(seat: Seat) -> list[Any]:
    return list(seat.card["capabilities"])


def _alone(capability: Mapping[str, Any], wanted: Effects) -> bool:
    return all(
        each["resource"] == capability["resource"] and each["action"] in capability["actions"] for each in wanted
    )


def _prefixed(seat: Seat, wanted: Mapping[str, Any]) -> bool:
    return any(
        wanted["resource"].startswith(each["resource"]) and wanted["action"] in each["actions"] for each in _cards(seat)
    )


for _id, _says, _claims, _made in EXECUTORS:
    add(Fault(f"byob/{_id}", _says, _claims, _made))


@fault("byob/one-resource-one-capability", UNION, outcome="warned")
class OneCapability(Table):
    """Wants all actions on one resource in one capability."""

    def choose_executor(self, wanted: Effects) -> Seat:
        """Look at each capability by itself."""
        seat = super().choose_executor(wanted)
        if len({each["resource"] for each in wanted}) == 1 and not any(_alone(each, wanted) for each in _cards(seat)):
            raise ByobError("E_NO_EXECUTOR", "nobody")
        return seat


@fault("byob/executor-is-named-otherwise", FITTING, SEVERAL)
class NamedOtherwise(Table):
    """Names another executor in the task than the one that it lets report."""

    def task(self, id: str) -> dict[str, Any]:
        """Name somebody else."""
        shown = super().task(id)
        seats = [seat.id for seat in self.state.seats.values() if seat.id != shown["executor"]]
        return {**shown, "executor": seats[-1]}


@fault("byob/any-fitting-seat-reports", SEVERAL)
class AnyFitting(Table):
    """Lets every seat report that could carry the task out."""

    def check_executor(self, seat: Seat, task: Task) -> None:
        """Look at the owner."""
        if seat.owner != task.owner:
            super().check_executor(seat, task)


def _mixing(kind: str) -> type[Table]:
    class Mixing(Table):
        """Takes the first owner for all of them."""

        kind_now = ""

        def check_speech(self, author: Seat, body: Mapping[str, Any]) -> Plan | None:
            """Remember the kind."""
            self.kind_now = body["kind"]
            return super().check_speech(author, body)

        def affected_owner(self, wanted: Effects) -> str:
            """Look at the first."""
            return str(wanted[0]["owner"]) if self.kind_now == kind else super().affected_owner(wanted)

        def choose_executor(self, wanted: Effects) -> Seat:
            """Let its executor do all."""
            owner = self.affected_owner(wanted)
            return effects.executor([{**each, "owner": owner} for each in wanted], self.state.seats.values())

    return Mixing


for _kind in ("proposal", "decision"):
    add(Fault(f"byob/{_kind}s-mix-owners", f"Takes a {_kind} on two owners for one on the first.", (ONE_OWNER,),
              _mixing(_kind)))  # fmt: skip
    add(Fault(f"byob/{_kind}s-need-no-executor", f"Records a {_kind} that nobody can carry out.", (NOBODY,),
              type("Unplanned", (Table,), {"__doc__": "Plans nothing.", "plan": lambda *_: None})))  # fmt: skip


@fault("byob/mixed-owners-lack-an-executor", ONE_OWNER)
class MixedLack(Table):
    """Says E_NO_EXECUTOR where effects name two owners."""

    def affected_owner(self, wanted: Effects) -> str:
        """Change the code."""
        try:
            return super().affected_owner(wanted)
        except ByobError as error:
            raise ByobError("E_NO_EXECUTOR", error.message) from None


@fault("byob/no-executor-is-no-owner", NOBODY)
class LacksOwner(Table):
    """Says E_NOT_OWNER where no seat declares the effects."""

    def choose_executor(self, wanted: Effects) -> Seat:
        """Change the code."""
        try:
            return super().choose_executor(wanted)
        except ByobError as error:
            raise ByobError("E_NOT_OWNER", error.message) from None


@fault("byob/a-task-for-each-effect", ONE_TASK)
class EachEffect(Table):
    """Opens a task for each effect."""

    def open_task(self, plan: Plan, opened_by: int, now: int) -> None:
        """Open several."""
        for number, each in enumerate(plan.effects):
            super().open_task(Plan([each], plan.owner, plan.executor, plan.state), opened_by + number, now)


@fault("byob/tasks-for-proposals-only", ONE_TASK)
class ProposalsOnly(Table):
    """Opens no task for the effects of a decision."""

    def open_task(self, plan: Plan, opened_by: int, now: int) -> None:
        """Look at the post."""
        if self.state.entries[opened_by - 1]["kind"] == "proposal":
            super().open_task(plan, opened_by, now)


def _naming(name: Callable[[int], str]) -> type[Table]:
    class Naming(Table):
        """Names tasks otherwise."""

        def task_id(self, opened_by: int) -> str:
            """Name it."""
            return name(opened_by)

    return Naming


for _id, _says, _name in (
    ("task-ids-are-bare", "Names a task by its number alone.", lambda seq: str(seq)),
    ("task-ids-have-another-word", "Names a task job-<seq>.", lambda seq: f"job-{seq}"),
    ("task-ids-count-tasks", "Names a task by a number that is no seq of its own.", lambda seq: f"task-{seq + 100}"),
    ("task-ids-are-padded", "Writes the seq with zeros before it.", lambda seq: f"task-{seq:06d}"),
):
    add(Fault(f"byob/{_id}", _says, (ONE_TASK,), _naming(_name)))


@fault("byob/task-is-opened-before-its-post", ONE_TASK)
class OpenedBefore(Table):
    """Shows the task_opened entry before the post that opens it."""

    def ledger(self) -> dict[str, Any]:
        """Swap them."""
        entries = [dict(each) for each in super().ledger()["entries"]]
        for at, each in enumerate(entries):
            if each.get("event") == "task_opened":
                entries[at - 1], entries[at] = {**each, "seq": at}, {**entries[at - 1], "seq": at + 1}
        return {"entries": entries}


add(Fault("byob/task-opened-names-no-task", "Names no task in the task_opened entry of the ledger.", (ONE_TASK,),
          answering(lambda ledger: {"entries": [_unnamed(each) for each in ledger["entries"]]}, "ledger")))  # fmt: skip


def _unnamed(entry: Entry) -> Entry:
    return without("task")(entry) if entry.get("event") == "task_opened" else entry
