"""BYOB 9: owners' decisions whose signature covers less than it must, is another's, or is not looked at."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from harness.faults import Fault, add, fault
from reference.byob.errors import ByobError
from reference.byob.keys import verify
from reference.byob.table import Table
from reference.byob.types import Task

BINDS = "byob/9/decision-signature-binds-what-it-covers"
SIX = "byob/9/decision-signature-is-over-these-six"
TABLE = "byob/9/decision-signature-binds-the-table"
AFFECTED = "byob/9/only-the-affected-owner-decides"
NOTHING = "byob/9/refused-decisions-change-nothing"

Payload = dict[str, Any]
Body = Mapping[str, Any]


def _also(others: Callable[[Table, Payload], list[Payload]]) -> type[Table]:
    """Make a table that takes a decision also when its signature fits another object."""

    class Also(Table):
        """Takes signatures over other objects as well."""

        def check_decision_signature(self, body: Body) -> None:
            """Try the others when the right one does not fit."""
            try:
                super().check_decision_signature(body)
            except ByobError:
                key = self.owner_key(body["owner"])
                if not any(verify(key, each, body["signature"]) for each in others(self, self.decision_payload(body))):
                    raise

    return Also


def _leaving_out(member: str, table: Table, signed: Payload) -> list[Payload]:
    return [{name: value for name, value in signed.items() if name != member}]


def _adding(more: Payload, table: Table, signed: Payload) -> list[Payload]:
    return [{**more, **signed}]


for _member in ("table", "owner", "task", "decision", "reason", "nonce"):
    add(
        Fault(
            f"byob/decision-signature-may-leave-out-{_member}",
            f"Takes a decision whose signature does not cover {_member}.",
            (SIX,),
            _also(partial(_leaving_out, _member)),
        )
    )
for _name, _says, _more in (
    ("protocol", "Takes a decision whose signature covers the protocol as well.", {"protocol": "byob/0.1"}),
    ("a-null-reason", "Takes a decision whose signature covers a null for its reason.", {"reason": None}),
):
    add(Fault(f"byob/decision-signature-may-cover-{_name}", _says, (SIX,), _also(partial(_adding, _more))))


def _trying(member: str, values: Callable[[Table], list[Any]]) -> type[Table]:
    """Make a table that does not bind a member: it takes a signature over any of these values of it, or over none."""

    def others(table: Table, signed: Payload) -> list[Payload]:
        rest = {name: value for name, value in signed.items() if name != member}
        return [rest, *({**rest, member: each} for each in values(table))]

    return _also(others)


add(Fault("byob/decisions-bind-no-task", "Takes a decision that was signed for another task.", (BINDS,),
          _trying("task", lambda table: list(table.state.tasks))))  # fmt: skip
add(Fault("byob/decisions-bind-no-decision", "Takes a decision that was signed the other way.", (BINDS,),
          _trying("decision", lambda table: ["approve", "reject"])))  # fmt: skip
add(Fault("byob/decisions-bind-no-reason", "Takes a decision with a reason that was not signed.", (BINDS,),
          _trying("reason", lambda table: ["the signed one"])))  # fmt: skip


def _unsigned(when: Callable[[Body], bool]) -> type[Table]:
    """Make a table that takes some decisions whatever their signature."""

    class Unsigned(Table):
        """Takes some decisions unsigned."""

        def check_decision_signature(self, body: Body) -> None:
            """Look at the signature of the others only."""
            if not when(body):
                super().check_decision_signature(body)

    return Unsigned


for _name, _says, _claims, _when in (
    ("decisions", "Looks at no decision's signature.", (BINDS, SIX, TABLE, AFFECTED, NOTHING), lambda body: True),
    ("rejections", "Takes a rejection unsigned.", (BINDS,), lambda body: body["decision"] == "reject"),
    ("approvals", "Takes an approval unsigned.", (BINDS, SIX, TABLE, AFFECTED, NOTHING),
     lambda body: body["decision"] == "approve"),
    ("reasons", "Takes a decision with a reason unsigned.", (BINDS, SIX), lambda body: "reason" in body),
    ("bare-decisions", "Takes a decision without a reason unsigned.", (BINDS, SIX, TABLE, AFFECTED),
     lambda body: "reason" not in body),
    ("zero-nonced-decisions", "Takes a decision with a nonce of zeros unsigned.", (BINDS,),
     lambda body: not body["nonce"].strip("0")),
    ("zero-signatures", "Takes a signature of zeros.", (AFFECTED,),
     lambda body: body["signature"].startswith("AAAAAA")),
):  # fmt: skip
    add(Fault(f"byob/unsigned-{_name}", _says, _claims, _unsigned(_when)))


@fault("byob/decision-signature-of-any-table", TABLE)
class AnyTable(Table):
    """Takes a decision that was signed for another table of the host."""

    known: ClassVar[list[str]] = []

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.known.append(id)

    def check_decision_signature(self, body: Body) -> None:
        """Try every table that there ever was."""
        key, signed = self.owner_key(body["owner"]), self.decision_payload(body)
        if not any(verify(key, {**signed, "table": each}, body["signature"]) for each in self.known):
            super().check_decision_signature(body)


def _deciding(may: Callable[[Table, Task, str], bool]) -> type[Table]:
    """Make a table on which other owners may decide as well."""

    class Deciding(Table):
        """Lets others decide."""

        def check_affected(self, task: Task, owner: str) -> None:
            """Ask who may."""
            if not may(self, task, owner):
                super().check_affected(task, owner)

        def owner_key(self, owner: str) -> Any:
            """Take a key for everybody's where the owner is unknown."""
            known = self.state.config["owners"]
            return known.get(owner, known[next(iter(known))])["public_key"]

    return Deciding


def _registered(table: Table, task: Task, owner: str) -> bool:
    return owner in table.state.config["owners"]


def _proposers(table: Table, task: Task, owner: str) -> bool:
    proposer = table.state.entries[task.opened_by - 1]["seat"]
    return table.state.seats[proposer].owner == owner


def _seated(table: Table, task: Task, owner: str) -> bool:
    return owner == "V"


for _name, _says, _may in (
    ("any-owner-decides", "Lets any registered owner decide.", _registered),
    ("the-proposers-owner-decides", "Lets the proposer's owner decide.", _proposers),
    ("a-third-owner-decides", "Lets an owner decide who has nothing to do with it.", _seated),
):
    add(Fault(f"byob/{_name}", _says, (AFFECTED,), _deciding(_may)))


@fault("byob/strangers-have-bad-signatures", AFFECTED, NOTHING)
class BadSignatures(Table):
    """Says E_BAD_SIGNATURE to an owner who is not registered, or not affected."""

    def check_affected(self, task: Task, owner: str) -> None:
        """Change the code."""
        try:
            super().check_affected(task, owner)
        except ByobError as error:
            raise ByobError("E_BAD_SIGNATURE", error.message) from None


@fault("byob/any-registered-key-decides", AFFECTED)
class AnyKey(Table):
    """Takes a decision in the owner's name that another registered owner has signed."""

    def check_decision_signature(self, body: Body) -> None:
        """Try every registered key."""
        keys = [owner["public_key"] for owner in self.state.config["owners"].values()]
        if not any(verify(key, self.decision_payload(body), body["signature"]) for key in keys):
            super().check_decision_signature(body)


@fault("byob/a-reason-is-needed", SIX)
class ReasonNeeded(Table):
    """Wants a null under the signature for a reason that is missing."""

    def decision_payload(self, body: Body) -> Payload:
        """Add it."""
        return {"reason": None, **super().decision_payload(body)}


@fault("byob/reasons-are-not-signed", SIX)
class ReasonUnsigned(Table):
    """Verifies without the reason."""

    def decision_payload(self, body: Body) -> Payload:
        """Leave it out."""
        return {name: value for name, value in super().decision_payload(body).items() if name != "reason"}
