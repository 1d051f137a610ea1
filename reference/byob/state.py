"""The state of a table: a fold over its ledger, and nothing else (BYOB 5).

`State.apply` takes one entry after the other; what a live table is and what a replay makes of its ledger is therefore
the same. Each kind of entry and each event has a method of its own.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from reference.byob import tasks
from reference.byob.timestamps import milliseconds
from reference.byob.tokens import tokens_of
from reference.byob.topologies import POLICIES, Policy, Turn
from reference.byob.types import Config, Entry, Seat, Status, Task

BOT_DEPTH = "max_bot_depth"
"""The `reason` of a grant that asks a human because of bot depth; other grants have none (BYOB 8)."""


class State:
    """What the entries so far amount to. Only `apply` changes it."""

    def __init__(
        self,
        policies: Mapping[str, Policy] = POLICIES,
        transitions: Mapping[tuple[str, str], str] = tasks.TRANSITIONS,
    ) -> None:
        """The state before the first entry. policies: by topology kind. transitions: the task state machine."""
        self.policies = policies
        self.transitions = transitions
        self.entries: list[Entry] = []
        self.now = 0  # the time of the last entry, in milliseconds
        self.config: Config = {}
        self.status: Status = "open"
        self.closed_at = 0  # in milliseconds, once it is closed
        self.seats: dict[str, Seat] = {}  # in the order in which they joined
        self.decisions: list[Entry] = []
        self.tokens_used = 0
        self.results: dict[str, int] = {}  # sub-table → seq of its result
        # The floor
        self.holder: str | None = None
        self.grant_seq: int | None = None
        self.position: Mapping[str, object] | None = None  # the policy state, None before the first grant
        self.turn: Turn | None = None  # the policy's turn that has ended, until the policy's next one begins
        self.hands: dict[str, int] = {}  # seat → seq of its raised hand, as long as it is not served
        self.depth = 0  # consecutive bot says
        self.asked: str | None = None  # the human who was last given the floor because of bot depth
        # Tasks
        self.tasks: dict[str, Task] = {}
        self.unfinished: dict[str, dict[str, Task]] = {}  # owner → its tasks that have not ended
        self.watched: dict[str, int] = {}  # task → milliseconds of its last progress, the oldest first

    @property
    def policy(self) -> Policy:
        """The policy of the configured topology."""
        return self.policies[self.config["topology"]["kind"]]

    def apply(self, entry: Entry) -> None:
        """Takes in the next entry of the ledger."""
        self.entries.append(entry)
        self.now = milliseconds(entry["ts"])
        word = entry["event"] if entry["kind"] == "system" else entry["kind"]
        getattr(self, f"on_{word}")(entry)

    # --- what seats post -----------------------------------------------------------------------

    def on_say(self, entry: Entry) -> None:
        """Speech: it counts, and ends the holder's turn."""
        self.count_tokens(entry)
        self.count_depth(entry)
        self.end_turn(entry, "say")

    def on_pass(self, entry: Entry) -> None:
        """A pass ends the holder's turn."""
        self.end_turn(entry, "pass")

    def on_raise_hand(self, entry: Entry) -> None:
        """A hand stays up until its seat has the floor."""
        self.hands.setdefault(entry["seat"], entry["seq"])

    def on_proposal(self, entry: Entry) -> None:
        """BYOB 5: a proposal does not end the turn."""
        self.count_tokens(entry)

    def on_decision(self, entry: Entry) -> None:
        """A decision is in force from now on."""
        self.count_tokens(entry)
        self.decisions.append(entry)

    def on_status(self, entry: Entry) -> None:
        """What a post of the work plane does to its task follows from the state machine."""
        self.move_task(entry["task"], tasks.event_of(entry))

    on_receipt = on_status
    on_verify = on_status

    def on_approval(self, entry: Entry) -> None:
        """The task_state entry that follows says what becomes of the task."""

    on_rejection = on_approval

    # --- what the core writes ------------------------------------------------------------------

    def on_table_opened(self, entry: Entry) -> None:
        """The config of the whole life."""
        self.config = entry["config"]

    def on_seat_joined(self, entry: Entry) -> None:
        """A seat, for good."""
        seat = entry["joined"]
        self.seats[seat] = Seat(seat, entry["owner"], entry["member"], entry["card"], entry.get("role"))

    def on_floor_granted(self, entry: Entry) -> None:
        """A new holder. A grant because of bot depth interrupts the policy, which goes on from the same turn later."""
        self.holder, self.grant_seq, self.position = entry["holder"], entry["seq"], entry["policy"]
        self.hands.pop(entry["holder"], None)
        self.asked = entry["holder"] if entry.get("reason") == BOT_DEPTH else None
        if self.asked is None:
            self.turn = None

    def on_task_opened(self, entry: Entry) -> None:
        """A task in its first state."""
        effects = tuple(entry["effects"])
        self.keep_task(
            Task(entry["task"], entry["state"], entry["owner"], entry["executor"], effects, entry["opened_by"])
        )

    def on_task_state(self, entry: Entry) -> None:
        """The core says which state a task is in."""
        self.keep_task(replace(self.tasks[entry["task"]], state=entry["state"]))

    def on_table_closed(self, entry: Entry) -> None:
        """BYOB 8: nobody has the floor any more."""
        self.status, self.closed_at = "closed", self.now
        self.holder = self.grant_seq = None

    def on_note(self, entry: Entry) -> None:
        """A remark changes nothing."""

    def on_subtable_result(self, entry: Entry) -> None:
        """A sub-table has reported."""
        self.results[entry["subtable"]] = entry["seq"]

    # --- rules of the fold ---------------------------------------------------------------------

    def count_tokens(self, entry: Entry) -> None:
        """BYOB 8: the sum over say, proposal and decision."""
        self.tokens_used += tokens_of(entry)

    def count_depth(self, entry: Entry) -> None:
        """BYOB 8: consecutive bot says; any human say resets the count."""
        self.depth = 0 if self.seats[entry["seat"]].kind == "human" else self.depth + 1

    def end_turn(self, entry: Entry, kind: Literal["say", "pass"]) -> None:
        """The holder has had its turn. A human's say out of turn ends none."""
        if entry["seat"] != self.holder:
            return
        if self.turn is None:
            self.turn = Turn(entry["seat"], kind, tuple(entry.get("to", ())))
        self.holder = self.grant_seq = None

    def move_task(self, task: str, event: str) -> None:
        """BYOB 9: the state machine."""
        known = self.tasks[task]
        self.keep_task(replace(known, state=tasks.after(known.state, event, self.transitions)))

    def keep_task(self, task: Task) -> None:
        """A task as it is now: listed as unfinished until it ends, and watched while it should go on."""
        self.tasks[task.id] = task
        unfinished = self.unfinished.setdefault(task.owner, {})
        if task.state in tasks.ENDED:
            unfinished.pop(task.id, None)
        else:
            unfinished[task.id] = task
        self.watched.pop(task.id, None)
        if task.state in tasks.WATCHED:
            self.watched[task.id] = self.now

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]
