"""BYOB 5: posts on the floor plane that are taken, refused, kept or acted on wrongly."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from harness.faults import Fault, add, fault
from harness.faults.tables import setting, without, writing
from reference.byob.errors import ByobError
from reference.byob.table import Table
from reference.byob.table.tasking import Plan
from reference.byob.types import Entry, Seat

CORE = "byob/5/core-gives-seq-table-seat-and-ts"
CHOSEN = "byob/5/seats-choose-no-core-members"
KINDS = "byob/5/seats-write-no-core-kinds"
SAY = "byob/5/say-comes-back-as-sent"
ADDRESS = "byob/5/unknown-address-is-refused"
PASSING = "byob/5/pass-yields-the-floor"
HANDS = "byob/5/raising-a-hand-needs-no-floor"
NO_EFFECTS = "byob/5/proposal-needs-effects"
KEEPS = "byob/5/proposal-keeps-the-turn"
DECISIONS = "byob/5/decisions-with-and-without-effects"
DECIDERS = "byob/5/only-deciders-decide"


def reading_posts(change: Callable[[dict[str, Any]], dict[str, Any]]) -> type[Table]:
    """Make a table that changes each post before it reads it."""

    class ReadingPosts(Table):
        """Reads another post than was sent."""

        def post(self, seat: str, body: Any, now: int) -> Entry:
            """Change it first."""
            return super().post(seat, change(dict(body)) if isinstance(body, dict) else body, now)

    return ReadingPosts


def recoding(method: str, wrong: str, code: str) -> type[Table]:
    """Make a table that refuses with another code what one of its methods refuses with E_…."""

    def refuse(self: Table, *given: Any) -> Any:
        try:
            return getattr(Table, method)(self, *given)
        except ByobError as error:
            raise ByobError(wrong if error.code == code else error.code, str(error)) from None

    return type("Recoding", (Table,), {method: refuse})


class _Sent(Table):
    """Remembers the request that it is at."""

    sent: Mapping[str, Any]

    def post(self, seat: str, body: Any, now: int) -> Entry:
        """Remember it."""
        self.sent = body if isinstance(body, dict) else {}
        return super().post(seat, body, now)


def _taking(name: str) -> type[Table]:
    """Make a table that takes a core member of an entry from the post."""

    class Taking(_Sent):
        """Takes a core member from the post."""

        def write(self, seat: str, kind: str, members: Mapping[str, Any], now: int) -> Entry:
            """Put it into the entry, and keep the ledger's own beside it."""
            entry = super().write(seat, kind, members, now)
            if kind == "say" and name in self.sent:
                entry[name] = self.sent[name]
            return entry

    return Taking


for _name in ("seq", "table", "ts", "truncated"):
    add(Fault(f"byob/{_name}-is-the-posters", f"Takes {_name} from the post.", (CHOSEN,), _taking(_name)))


@fault("byob/seat-is-the-posters", CHOSEN)
class SeatIsThePosters(_Sent):
    """Writes an entry in the name of the seat that the post gives."""

    def record(self, author: Seat, body: Mapping[str, Any], now: int) -> Entry:
        """Look into the post for the author."""
        return super().record(self.state.seats.get(str(self.sent.get("seat")), author), body, now)


def _core_kind(kind: str) -> type[Table]:
    class CoreKind(Table):
        """Lets seats write a kind that is the core's."""

        def post(self, seat: str, body: Any, now: int) -> Entry:
            """Write it."""
            if body.get("kind") != kind:
                return super().post(seat, body, now)
            return self.write(seat, kind, {name: value for name, value in body.items() if name != "kind"}, now)

    return CoreKind


for _name in ("system", "approval", "rejection"):
    add(Fault(f"byob/seats-write-{_name}-entries", f"Lets seats write {_name} entries.", (KINDS,), _core_kind(_name)))


@fault("byob/entries-without-the-poster", CORE)
class WithoutPoster(Table):
    """Writes a say in the core's name."""

    def record(self, author: Seat, body: Mapping[str, Any], now: int) -> Entry:
        """Forget who it was."""
        entry = super().record(author, body, now)
        if body["kind"] == "say":
            entry["seat"] = "core"
        return entry


for _name, _says, _change in (
    ("bodies-are-capitals", "Puts the body of a say into capitals.", lambda say: {**say, "body": say["body"].upper()}),
    ("says-lose-their-address", "Keeps no `to` of a say.", without("to")),
    ("says-are-to-everybody", "Addresses every say to everybody.", setting(to=["*"])),
):
    add(Fault(f"byob/{_name}", _says, (SAY,), writing(_change, "say")))


@fault("byob/roles-are-no-address", SAY)
class RolesNoAddress(Table):
    """Refuses a say to a role."""

    def check_addresses(self, body: Mapping[str, Any]) -> None:
        """Know seats only."""
        if any(word.startswith("role:") for word in body.get("to", ())):
            raise ByobError("E_ADDRESS", "no such seat")
        super().check_addresses(body)


@fault("byob/any-address", ADDRESS)
class AnyAddress(Table):
    """Takes a say to a seat that there is not."""

    def is_addressable(self, seat: str) -> bool:
        """Take any."""
        return True


add(Fault("byob/unknown-address-is-not-found", "Refuses an unknown address with E_NOT_FOUND.", (ADDRESS,),
          recoding("check_addresses", "E_NOT_FOUND", "E_ADDRESS")))  # fmt: skip


@fault("byob/passes-keep-the-floor", PASSING)
class PassesKeep(Table):
    """Leaves the floor with a seat that passes."""

    def is_free(self) -> bool:
        """Let it stay after a pass."""
        last = self.state.entries[-1]
        if last["kind"] == "pass":
            self.state.holder = last["seat"]
        return super().is_free()


@fault("byob/passes-need-a-body", PASSING)
class PassesNeedBody(Table):
    """Refuses a pass without a body."""

    def check_speech(self, author: Seat, body: Mapping[str, Any]) -> Plan | None:
        """Look for it."""
        if body["kind"] == "pass" and "body" not in body:
            raise ByobError("E_SCHEMA", "body is missing")
        return super().check_speech(author, body)


@fault("byob/hands-need-the-floor", HANDS)
class HandsNeedFloor(Table):
    """Lets only the holder raise a hand."""

    def check_speech(self, author: Seat, body: Mapping[str, Any]) -> Plan | None:
        """Ask for the floor."""
        if body["kind"] == "raise_hand":
            self.check_floor(author, "pass")
        return super().check_speech(author, body)


@fault("byob/hands-take-the-floor", HANDS)
class HandsTake(Table):
    """Gives the floor to a raised hand at once."""

    def is_free(self) -> bool:
        """Give it."""
        last = self.state.entries[-1]
        if last["kind"] == "raise_hand":
            self.state.holder = last["seat"]
        return super().is_free()


def _proposal_as_say(post: dict[str, Any]) -> dict[str, Any]:
    return {**post, "kind": "say"} if post.get("kind") == "proposal" and not post.get("effects") else post


add(Fault("byob/empty-proposals-are-says", "Takes a proposal without effects as a say.", (NO_EFFECTS,),
          reading_posts(_proposal_as_say)))  # fmt: skip


@fault("byob/empty-proposals-have-no-executor", NO_EFFECTS)
class EmptyHasNoExecutor(Table):
    """Refuses a proposal without effects with E_NO_EXECUTOR."""

    def post(self, seat: str, body: Any, now: int) -> Entry:
        """Look for an executor first."""
        if body.get("kind") == "proposal" and not body.get("effects"):
            raise ByobError("E_NO_EXECUTOR", "nobody does nothing")
        return super().post(seat, body, now)


@fault("byob/proposals-end-the-turn", KEEPS)
class ProposalsEnd(Table):
    """Takes the floor from a seat that proposes."""

    def is_free(self) -> bool:
        """Let a proposal end the turn, as a pass does."""
        last = self.state.entries[-1]
        if last.get("event") == "task_opened" and self.state.holder is not None:
            self.write(self.state.holder, "pass", {}, self.state.now)
        return super().is_free()


@fault("byob/decisions-need-effects", DECISIONS)
class DecisionsNeedEffects(Table):
    """Refuses a decision without effects."""

    def effects(self, body: Mapping[str, Any]) -> list[Any]:
        """Look for them."""
        if body["kind"] == "decision" and not body.get("effects"):
            raise ByobError("E_SCHEMA", "effects are missing")
        return super().effects(body)


@fault("byob/decisions-open-no-tasks", DECISIONS)
class DecisionsOpenNothing(Table):
    """Opens no task for a decision with effects."""

    def effects(self, body: Mapping[str, Any]) -> list[Any]:
        """Look at proposals only."""
        return [] if body["kind"] == "decision" else super().effects(body)


@fault("byob/says-open-tasks", "byob/5/other-kinds-open-no-tasks")
class SaysOpenTasks(Table):
    """Opens a task for a say with effects."""

    stored_of: ClassVar[Mapping[str, tuple[str, ...]]] = {**Table.stored_of, "say": ("effects",)}


@fault("byob/anybody-decides", DECIDERS)
class AnybodyDecides(Table):
    """Lets any holder decide."""

    def check_decider(self, seat: Seat) -> None:
        """Let it."""


@fault("byob/nobody-decides", DECIDERS)
class NobodyDecides(Table):
    """Lets nobody decide, whatever the config says."""

    def deciders(self) -> tuple[str, ...]:
        """Name nobody."""
        return ()


add(Fault("byob/wrong-decider-has-no-floor", "Refuses a wrong decider with E_NOT_FLOOR.", (DECIDERS,),
          recoding("check_decider", "E_NOT_FLOOR", "E_NOT_DECIDER")))  # fmt: skip
