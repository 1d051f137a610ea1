"""BYOB 9: state machines with an arrow too many, one too few, or one that leads elsewhere."""

from collections.abc import Callable, Mapping
from typing import Any

from harness.checks.byob.test_s09_transitions import ALLOWED, FORBIDDEN, UNNAMED, WATCHED
from harness.faults import Fault, add, fault
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.table import Table
from reference.byob.tasks import TRANSITIONS
from reference.byob.types import Entry, Seat, Task

WITHIN = {"": "byob/9/allowed-transitions", WATCHED: "byob/9/a-stalled-task-runs-on"}
AGAINST = {"": "byob/9/forbidden-transitions", WATCHED: "byob/9/forbidden-while-stalled"}
SELF_VERIFY = "byob/9/no-executor-verifies-itself"
SPEECH = "byob/9/speech-changes-no-task"
RECEIPT = "byob/9/a-receipt-verifies-nothing"
FAILING = "byob/9/a-running-task-fails-by-its-status"
AGAIN = "byob/9/running-twice-is-still-running"
GIVES_UP = "byob/9/a-stalled-task-does-not-fail"

LEADS_TO = {
    "approve": "approved",
    "reject": "rejected",
    "status:running": "running",
    "status:failed": "failed",
    "receipt": "reported",
    "verify:pass": "verified",
    "verify:fail": "failed",
}
"""Where an arrow leads wherever it is drawn."""
ELSEWHERE = {"approved": "running", "running": "approved", "reported": "verified", "verified": "reported"}


def _words(event: str) -> str:
    return event.replace(":", "-")


def _machine(changes: Mapping[tuple[str, str], str | None]) -> type[Table]:
    """Make a table with another state machine: None takes an arrow away."""
    changed = {at: to for at, to in {**TRANSITIONS, **changes}.items() if to is not None}

    class Machine(Table):
        """Has a state machine of its own."""

        transitions = changed

    return Machine


for _state, _rows in FORBIDDEN.items():
    for _, _events in _rows:
        for _event in _events:
            add(
                Fault(
                    f"byob/{_state.replace('_', '-')}-takes-{_words(_event)}",
                    f"Takes {_event} on a task that is {_state}.",
                    (AGAINST.get(_state, AGAINST[""]),),
                    _machine({(_state, _event): LEADS_TO[_event]}),
                )
            )
for _state, _arrows in ALLOWED.items():
    for _, _event, _following in _arrows:
        _claim = (WITHIN.get(_state, WITHIN[""]),)
        _at = f"byob/{_state.replace('_', '-')}"
        add(
            Fault(
                f"{_at}-refuses-{_words(_event)}",
                f"Refuses {_event} on a task that is {_state}.",
                _claim,
                _machine({(_state, _event): None}),
            )
        )
        add(
            Fault(
                f"{_at}-goes-astray-by-{_words(_event)}",
                f"Brings a task that is {_state} by {_event} to another state than {_following}.",
                _claim,
                _machine({(_state, _event): ELSEWHERE.get(_following, "stalled")}),
            )
        )


def _recoding(to: str, *, when: Callable[[Task], bool] = lambda task: True) -> type[Table]:
    class Recoding(Table):
        """Refuses what a state does not allow with another code."""

        def transition(self, task: Task, event: str) -> str:
            """Change the code."""
            try:
                return super().transition(task, event)
            except ByobError as error:
                if when(task):
                    raise ByobError(to, error.message) from None
                raise

    return Recoding


add(Fault("byob/task-states-are-schema-faults", "Refuses what a state does not allow with E_SCHEMA.",
          (AGAINST[""], AGAINST[WATCHED]), _recoding("E_SCHEMA")))  # fmt: skip
add(Fault("byob/unnamed-executors-are-no-owners", "Calls the executor of a task that is not approved a stranger.",
          (AGAINST[""],), _recoding("E_NOT_OWNER", when=lambda task: task.state in UNNAMED)))  # fmt: skip


@fault("byob/refused-reports-leave-a-trace", AGAINST[""], SELF_VERIFY)
class Trace(Host):
    """Leaves a task_state entry in the ledger when it refuses a report."""

    def post(self, table: str, token: str | None, body: Any, now: float) -> Entry:
        """Write what the state still is."""
        try:
            return super().post(table, token, body, now)
        except ByobError:
            found = self.tables[table]
            task = found.state.tasks.get(body.get("task"))
            if task is not None:
                found.system("task_state", {"task": task.id, "state": task.state}, found.state.now)
                self._commit(found)
            raise


@fault("byob/refused-decisions-end-the-task", AGAINST[""], "byob/9/refused-decisions-change-nothing")
class EndsRefused(Host):
    """Fails a task when an owner decides wrongly about it."""

    def approve(self, table: str, body: Any, now: float) -> Entry:
        """Fail it."""
        try:
            return super().approve(table, body, now)
        except ByobError:
            found = self.tables[table]
            task = found.state.tasks.get(body.get("task"))
            if task is not None:
                found.system("task_state", {"task": task.id, "state": "failed"}, found.state.now)
                self._commit(found)
            raise


for _name, _says, _claims, _changes, _outcome in (
    ("running-tasks-do-not-fail", "Refuses failed on a running task.", FAILING, {("running", "status:failed"): None},
     "warned"),
    ("failing-stalls", "Stalls a running task that says that it failed.", FAILING,
     {("running", "status:failed"): "stalled"}, "failed"),
    ("running-twice-is-approved", "Takes a running task back by a second running.", AGAIN,
     {("running", "status:running"): "approved"}, "failed"),
    ("running-twice-is-reported", "Takes a second running for the report.", AGAIN,
     {("running", "status:running"): "reported"}, "failed"),
    ("stalled-tasks-fail", "Takes failed on a stalled task.", GIVES_UP, {("stalled", "status:failed"): "failed"},
     "warned"),
    ("stalled-tasks-run-by-failing", "Resumes a stalled task by its failed status.", GIVES_UP,
     {("stalled", "status:failed"): "running"}, "failed"),
    ("receipts-verify", "Takes a receipt for the verdict.", RECEIPT, {("running", "receipt"): "verified"}, "failed"),
):  # fmt: skip
    add(Fault(f"byob/{_name}", _says, (_claims,), _machine(_changes), outcome=_outcome))


def _refusing(event: str, code: str) -> type[Table]:
    class Refusing(Table):
        """Refuses an event of a running or stalled task with a wrong code."""

        def transition(self, task: Task, event_: str) -> str:
            """Refuse it."""
            if event_ == event and task.state in ("running", "stalled"):
                raise ByobError(code, "not now")
            return super().transition(task, event_)

    return Refusing


add(Fault("byob/failing-is-a-schema-fault", "Refuses failed on a running task with E_SCHEMA.", (FAILING,),
          _refusing("status:failed", "E_SCHEMA")))  # fmt: skip
add(Fault("byob/giving-up-is-a-schema-fault", "Refuses failed on a stalled task with E_SCHEMA.", (GIVES_UP,),
          _refusing("status:failed", "E_SCHEMA")))  # fmt: skip
add(Fault("byob/running-twice-is-a-schema-fault", "Refuses a second running with E_SCHEMA.", (AGAIN,),
          _refusing("status:running", "E_SCHEMA")))  # fmt: skip


def _self_verifying(results: tuple[str, ...], code: str = "") -> type[Table]:
    class SelfVerifying(Table):
        """Takes some verdicts of the executor, or refuses them with another code."""

        def check_report(self, seat: Seat, body: Mapping[str, Any]) -> None:
            """Look away."""
            task = self.state.tasks.get(body["task"])
            mine = body["kind"] == "verify" and task is not None and seat.id == task.executor
            if task is None or not mine or body["result"] not in results:
                super().check_report(seat, body)
            elif code:
                raise ByobError(code, "not you")
            else:
                self.transition(task, self.event_of(body))

    return SelfVerifying


for _result in ("pass", "fail"):
    add(
        Fault(
            f"byob/executors-verify-a-{_result}",
            f"Takes the verdict {_result} of the executor.",
            (SELF_VERIFY,),
            _self_verifying((_result,)),
        )
    )
for _code in ("E_NOT_OWNER", "E_TASK_STATE"):
    _word = _code.removeprefix("E_").lower().replace("_", "-")
    add(Fault(f"byob/self-verdicts-are-{_word}", f"Refuses the executor's verdict with {_code}.", (SELF_VERIFY,),
              _self_verifying(("pass", "fail"), _code)))  # fmt: skip


def _hearing(state: str, to: str, when: Callable[[Seat, Mapping[str, Any], str], bool]) -> type[Table]:
    class Hearing(Table):
        """Believes what is said about a task."""

        def record(self, author: Seat, body: Mapping[str, Any], now: int) -> Entry:
            """Move the tasks that are spoken of."""
            entry = super().record(author, body, now)
            spoken = body["kind"] in ("say", "decision")
            for id, task in list(self.state.tasks.items()) if spoken else ():
                if task.state == state and when(author, body, id):
                    self.system("task_state", {"task": id, "state": to}, now)
            return entry

    return Hearing


for _name, _says, _state, _to, _when in (
    ("executors-say-done", "Believes the executor that says done.", "running", "reported",
     lambda seat, body, task: seat.id == "b" and f"{task} is done" in body["body"]),
    ("owners-approve-by-word", "Believes the owner's human that says approved.", "awaiting_approval", "approved",
     lambda seat, body, task: seat.kind == "human" and f"{task} is approved" in body["body"]),
    ("owners-reject-by-word", "Believes the owner's human that says reject.", "awaiting_approval", "rejected",
     lambda seat, body, task: seat.kind == "human" and f"reject {task}" in body["body"]),
    ("anybody-verifies-by-word", "Believes anybody that says verified.", "reported", "verified",
     lambda seat, body, task: f"{task} verified" in body["body"]),
    ("decisions-verify", "Takes a decision that says so for the verdict.", "reported", "verified",
     lambda seat, body, task: body["kind"] == "decision" and f"{task} is verified" in body["body"]),
    ("running-by-word", "Believes the executor that says running.", "approved", "running",
     lambda seat, body, task: seat.id == "b" and f"{task} is running" in body["body"]),
    ("says-with-a-state-count", "Takes the state that a say has beside it.", "running", "failed",
     lambda seat, body, task: body.get("task") == task and body.get("state") == "failed"),
    ("the-verified-are-undone-by-word", "Takes a verified task back when it is rejected in words.", "verified",
     "awaiting_approval", lambda seat, body, task: f"reject {task}" in body["body"]),
):  # fmt: skip
    add(Fault(f"byob/{_name}", _says, (SPEECH,), _hearing(_state, _to, _when)))
add(
    Fault(
        "byob/stalled-tasks-run-by-word",
        "Resumes a stalled task that is spoken of.",
        ("byob/9/speech-resumes-nothing",),
        _hearing("stalled", "running", lambda seat, body, task: task in body["body"]),
    )
)


@fault("byob/receipts-that-say-so-verify", RECEIPT)
class SaysVerified(Table):
    """Takes a receipt whose artifact says verified for the verdict."""

    def record(self, author: Seat, body: Mapping[str, Any], now: int) -> Entry:
        """Read the artifact."""
        entry = super().record(author, body, now)
        if body["kind"] == "receipt" and "verified" in str(body):
            self.system("task_state", {"task": body["task"], "state": "verified"}, now)
        return entry
