"""BYOB 9: tasks that open approved where their owner was to be asked, and the other way round."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.faults import Fault, add, fault
from reference.byob import effects
from reference.byob.table import Table
from reference.byob.table.tasking import Plan
from reference.byob.types import Seat

AT_ONCE = "byob/9/approved-at-once-or-not"
DECIDED = "byob/9/decisions-are-approved-as-proposals-are"
UNSIGNED = "byob/9/no-approval-in-the-owners-name"

Effects = Sequence[Mapping[str, Any]]
Rule = Callable[[Effects, Seat, Seat], bool]


def _flags(seat: Seat, each: Mapping[str, Any], flag: str, *, resource: bool = False) -> list[bool]:
    """How each capability of a card that covers an effect's action, or just its resource, sets a flag."""
    return [
        bool(capability.get(flag))
        for capability in seat.card["capabilities"]
        if capability["resource"] == each["resource"] and (resource or each["action"] in capability["actions"])
    ]


def _free(seat: Seat, each: Mapping[str, Any], *, resource: bool = False) -> bool:
    return any(_flags(seat, each, "auto_approve", resource=resource))


def _guarded(seat: Seat, each: Mapping[str, Any]) -> bool:
    return any(_flags(seat, each, "requires_approval", resource=True))


def _own(proposer: Seat, executor: Seat) -> bool:
    return proposer.owner == executor.owner


RULES: tuple[tuple[str, str, Rule], ...] = (
    ("approves-everything", "Approves every task at once.", lambda wanted, proposer, executor: True),
    ("approves-nothing", "Approves no task at once.", lambda wanted, proposer, executor: False),
    ("asks-its-own-owner", "Lets an owner's own proposals wait unless they are marked auto_approve.",
     lambda wanted, proposer, executor: effects.card_approval(wanted, executor)),
    ("minds-no-auto-approve", "Lets everything wait that is not proposed by the owner's seats.",
     lambda wanted, proposer, executor: effects.own_approval(wanted, proposer, executor)),
    ("trusts-the-executor-only", "Approves at once only what the executor itself proposes.",
     lambda wanted, proposer, executor: (proposer == executor and effects.own_approval(wanted, proposer, executor))
     or effects.card_approval(wanted, executor)),
    ("trusts-other-seats-only", "Lets the executor's own proposals wait.",
     lambda wanted, proposer, executor: (proposer != executor and effects.own_approval(wanted, proposer, executor))
     or (proposer != executor and effects.card_approval(wanted, executor))),
    ("minds-no-requires-approval", "Approves at once whatever the owner's own seats propose.",
     lambda wanted, proposer, executor: _own(proposer, executor) or effects.card_approval(wanted, executor)),
    ("auto-approve-wins", "Lets auto_approve win over requires_approval.",
     lambda wanted, proposer, executor: effects.own_approval(wanted, proposer, executor)
     or all(_free(executor, each) for each in wanted)),
    ("one-free-effect-frees-all", "Approves a task one of whose effects is marked auto_approve.",
     lambda wanted, proposer, executor: effects.own_approval(wanted, proposer, executor)
     or any(effects.card_approval([each], executor) for each in wanted)),
    ("the-first-effect-frees-all", "Looks at the first effect's auto_approve only.",
     lambda wanted, proposer, executor: effects.own_approval(wanted, proposer, executor)
     or effects.card_approval(wanted[:1], executor)),
    ("the-last-effect-frees-all", "Looks at the last effect's auto_approve only.",
     lambda wanted, proposer, executor: effects.own_approval(wanted, proposer, executor)
     or effects.card_approval(wanted[-1:], executor)),
    ("a-free-action-frees-its-resource", "Takes auto_approve for the whole resource.",
     lambda wanted, proposer, executor: effects.own_approval(wanted, proposer, executor)
     or all(_free(executor, each, resource=True) and not _guarded(executor, each) for each in wanted)),
    ("a-free-action-frees-its-card", "Takes auto_approve for the whole card.",
     lambda wanted, proposer, executor: effects.own_approval(wanted, proposer, executor)
     or (any(map(_any_free, executor.card["capabilities"])) and not any(_guarded(executor, each) for each in wanted))),
    ("the-proposers-card-frees", "Looks at the proposer's card for auto_approve.",
     lambda wanted, proposer, executor: effects.auto_approved(wanted, proposer, executor)
     or effects.card_approval(wanted, proposer)),
    ("only-the-first-effect-is-guarded", "Looks at the first effect's requires_approval only.",
     lambda wanted, proposer, executor: effects.own_approval(wanted[:1], proposer, executor)
     or effects.card_approval(wanted, executor)),
    ("one-unguarded-effect-is-enough", "Approves an own task one of whose effects is not guarded.",
     lambda wanted, proposer, executor: any(effects.own_approval([each], proposer, executor) for each in wanted)
     or effects.card_approval(wanted, executor)),
    ("stated-flags-guard", "Takes a requires_approval that is false for one that is true.",
     lambda wanted, proposer, executor: effects.auto_approved(wanted, proposer, executor)
     and not any(_states(executor, each) for each in wanted)),
    ("several-effects-wait", "Lets every task of several effects wait.",
     lambda wanted, proposer, executor: len(wanted) == 1 and effects.auto_approved(wanted, proposer, executor)),
)  # fmt: skip


def _any_free(capability: Mapping[str, Any]) -> bool:
    return bool(capability.get("auto_approve")) and not capability.get("requires_approval")


def _states(seat: Seat, each: Mapping[str, Any]) -> bool:
    return any("requires_approval" in c for c in seat.card["capabilities"] if c["resource"] == each["resource"])


def _ruled(rule: Rule) -> type[Table]:
    class Ruled(Table):
        """Approves by another rule."""

        def is_auto_approved(self, wanted: Effects, proposer: Seat, executor: Seat) -> bool:
            """Ask the rule."""
            return rule(wanted, proposer, executor)

    return Ruled


for _id, _says, _rule in RULES:
    add(Fault(f"byob/{_id}", _says, (AT_ONCE, DECIDED), _ruled(_rule)))


def _by_kind(approved: bool) -> type[Table]:
    class ByKind(Table):
        """Treats the effects of decisions otherwise."""

        def open_task(self, plan: Plan, opened_by: int, now: int) -> None:
            """Look at the post."""
            if self.state.entries[opened_by - 1]["kind"] == "decision":
                state = "approved" if approved else "awaiting_approval"
                plan = Plan(plan.effects, plan.owner, plan.executor, state)
            super().open_task(plan, opened_by, now)

    return ByKind


add(Fault("byob/decisions-are-approvals", "Approves whatever is decided.", (DECIDED,), _by_kind(approved=True)))
add(Fault("byob/decisions-always-wait", "Lets every task of a decision wait.", (DECIDED,), _by_kind(approved=False)))


@fault("byob/approves-in-the-owners-name", UNSIGNED, outcome="warned")
class InTheName(Table):
    """Writes an approval of the owner when a card has approved."""

    def open_task(self, plan: Plan, opened_by: int, now: int) -> None:
        """Write it."""
        super().open_task(plan, opened_by, now)
        if plan.state == "approved":
            self.write(f"owner:{plan.owner}", "approval", {"task": self.task_id(opened_by)}, now)
