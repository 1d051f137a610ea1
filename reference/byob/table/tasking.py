"""Tasks: opened by a post with effects, decided by the affected owner, carried out and verified by seats (BYOB 9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reference.byob import effects, tasks
from reference.byob.errors import ByobError
from reference.byob.kept import kept_nonce
from reference.byob.keys import verify
from reference.byob.signing import decision_payload
from reference.byob.table.floor import FloorControl
from reference.byob.types import Entry, Seat, Task
from reference.byob.validating import validate

APPROVE = "approve"
APPROVED, AWAITING_APPROVAL = "approved", "awaiting_approval"


@dataclass(frozen=True, slots=True)
class Plan:
    """What becomes of effects that are posted: the task they open."""

    effects: Sequence[Mapping[str, Any]]
    owner: str
    executor: str
    state: str


class Tasking(FloorControl):
    """The work plane."""

    # --- opening -------------------------------------------------------------------------------

    def plan(self, proposer: Seat, wanted: Sequence[Mapping[str, Any]]) -> Plan:
        """The task that effects would open. Raises ByobError E_MIXED_OWNERS or E_NO_EXECUTOR."""
        owner = self.affected_owner(wanted)
        executor = self.choose_executor(wanted)
        state = APPROVED if self.is_auto_approved(wanted, proposer, executor) else AWAITING_APPROVAL
        return Plan(wanted, owner, executor.id, state)

    def affected_owner(self, wanted: Sequence[Mapping[str, Any]]) -> str:
        """BYOB 9: all effects in one entry MUST name the same owner."""
        return effects.affected_owner(wanted)

    def choose_executor(self, wanted: Sequence[Mapping[str, Any]]) -> Seat:
        """BYOB 9: a bot seat of that owner whose card declares every resource:action."""
        return effects.executor(wanted, self.state.seats.values())

    def is_auto_approved(self, wanted: Sequence[Mapping[str, Any]], proposer: Seat, executor: Seat) -> bool:
        """BYOB 4, 9: whether the owner need not be asked."""
        return effects.auto_approved(wanted, proposer, executor)

    def task_id(self, opened_by: int) -> str:
        """BYOB 9: task-<seq>, the seq of the proposal or decision."""
        return f"task-{opened_by}"

    def open_task(self, plan: Plan, opened_by: int, now: int) -> None:
        """BYOB 9: the core appends system/task_opened."""
        members = {
            "task": self.task_id(opened_by),
            "opened_by": opened_by,
            "owner": plan.owner,
            "executor": plan.executor,
            "effects": plan.effects,
            "state": plan.state,
        }
        self.system("task_opened", members, now)

    # --- the owner's decision ------------------------------------------------------------------

    def decide(self, body: Any, now: int) -> Entry:
        """POST approvals: an owner-decision. Returns the approval or rejection."""
        validate("owner-decision", body)
        self.check_room()
        task = self.find_task(body["task"])
        self.check_affected(task, body["owner"])
        self.check_decision_signature(body)
        self.check_nonce(body["owner"], body["nonce"])
        state = self.transition(task, body["decision"])
        entry = self.record_decision(body, now)
        self.set_task_state(task, state, now)
        self.settle(now)
        return entry

    def find_task(self, id: str) -> Task:
        """Raises ByobError E_NOT_FOUND."""
        task = self.state.tasks.get(id)
        if task is None:
            raise ByobError("E_NOT_FOUND", "there is no such task on this table")
        return task

    def check_affected(self, task: Task, owner: str) -> None:
        """BYOB 9: only the affected owner decides. Raises ByobError E_NOT_OWNER."""
        self.owner_key(owner)
        if owner != task.owner:
            raise ByobError("E_NOT_OWNER", f"{task.id} affects {task.owner}, so only that owner decides on it")

    def owner_key(self, owner: str) -> Any:
        """The registered public key of an owner. Raises ByobError E_NOT_OWNER."""
        known = self.state.config["owners"].get(owner)
        if known is None:
            raise ByobError("E_NOT_OWNER", f"owner {owner} is not registered on this table")
        return known["public_key"]

    def check_decision_signature(self, body: Mapping[str, Any]) -> None:
        """BYOB 9: signed over table, owner, task, decision, reason and nonce. Raises ByobError E_BAD_SIGNATURE."""
        self.check_signature(body, self.decision_payload(body))

    def decision_payload(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """What the owner signed."""
        return decision_payload(self.id, body)

    def check_signature(self, body: Mapping[str, Any], signed: dict[str, Any]) -> None:
        """Raises ByobError E_BAD_SIGNATURE unless the request's owner signed this object."""
        if not verify(self.owner_key(body["owner"]), signed, body["signature"]):
            wanted = ", ".join(signed)
            text = f"signature must be {body['owner']}'s Ed25519 signature over the canonical JSON of {{{wanted}}}"
            raise ByobError("E_BAD_SIGNATURE", text)

    def check_nonce(self, owner: str, nonce: str) -> None:
        """BYOB 4, 9: a nonce serves once. Raises ByobError E_REPLAY."""
        if self.kept.is_spent(owner, nonce):
            raise ByobError("E_REPLAY", f"owner {owner} has used this nonce on this table before; sign with a new one")

    def record_decision(self, body: Mapping[str, Any], now: int) -> Entry:
        """BYOB 5, 9: approval or rejection, written by the core as owner:<id>. Spends the nonce."""
        kind = "approval" if body["decision"] == APPROVE else "rejection"
        members = {name: body[name] for name in ("task", "reason", "nonce", "signature") if name in body}
        entry = self.write(f"owner:{body['owner']}", kind, members, now)
        self.remember(kept_nonce(body["owner"], body["nonce"]))
        return entry

    def set_task_state(self, task: Task, state: str, now: int) -> None:
        """BYOB 9: the core sets the task to approved (executor named) or rejected."""
        members = {"task": task.id, "state": state}
        self.system("task_state", {**members, "executor": task.executor} if state == APPROVED else members, now)

    # --- execution and verification ------------------------------------------------------------

    def check_report(self, seat: Seat, body: Mapping[str, Any]) -> None:
        """A status, receipt or verify: of a task that exists, by who may, in a state that allows it."""
        task = self.find_task(body["task"])
        if body["kind"] == "verify":
            self.check_verifier(seat, task)
        else:
            self.check_executor(seat, task)
        self.transition(task, self.event_of(body))

    def check_executor(self, seat: Seat, task: Task) -> None:
        """BYOB 5: only the executor reports. Raises ByobError E_NOT_OWNER."""
        if seat.id != task.executor:
            raise ByobError(
                "E_NOT_OWNER", f"{task.id} is carried out by {task.executor}, so only that seat reports on it"
            )

    def check_verifier(self, seat: Seat, task: Task) -> None:
        """BYOB 5: any seat except the executor. Raises ByobError E_SELF_VERIFY."""
        if seat.id == task.executor:
            raise ByobError("E_SELF_VERIFY", f"{seat.id} carries {task.id} out, so another seat verifies it")

    def event_of(self, body: Mapping[str, Any]) -> str:
        """What a report does to its task, in the words of the state machine."""
        return tasks.event_of(body)

    def transition(self, task: Task, event: str) -> str:
        """The state that follows (BYOB 9). Raises ByobError E_TASK_STATE."""
        return tasks.after(task.state, event, self.transitions)
