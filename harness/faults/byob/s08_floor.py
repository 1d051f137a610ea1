"""BYOB 8: tables that let others write, grant the floor silently or for too long, or cut bodies wrongly."""

from collections.abc import Callable, Mapping
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.byob.s05_speaking import recoding
from harness.faults.tables import answering, setting, without, writing
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.table import Table
from reference.byob.topologies import Grant
from reference.byob.types import Entry, Seat

HOLDER = "byob/8/only-the-holder-writes"
EVERY = "byob/8/only-the-holder-writes-in-every-topology"
ONE = "byob/8/one-grant-one-say"
HAND = "byob/8/refused-seat-may-raise-its-hand"
HUMANS = "byob/8/humans-say-at-any-time"
REST = "byob/8/humans-need-the-floor-for-the-rest"
GRANTS = "byob/8/every-grant-is-an-entry"
NAMED = "byob/8/floor-of-a-projection-names-its-grant"
CUT = "byob/8/over-long-say-is-cut"
WHOLE = "byob/8/body-within-max-chars-is-whole"
OTHERS = "byob/8/over-long-proposals-and-decisions-are-cut"


def free(when: Callable[[Table, Seat, str], bool]) -> type[Table]:
    """Make a table that asks for the floor only where `when(table, seat, kind)` is not true."""

    class Free(Table):
        """Lets some write without the floor."""

        def check_floor(self, seat: Seat, kind: str) -> None:
            """Let them."""
            if not when(self, seat, kind):
                super().check_floor(seat, kind)

    return Free


def _one(member: str, kind: str) -> Callable[[Table, Seat, str], bool]:
    return lambda table, seat, posted: seat.kind == member and posted == kind


for _kind, _kills in (
    ("say", (HOLDER, EVERY)),
    ("pass", (HOLDER, EVERY)),
    ("proposal", (HOLDER,)),
    ("decision", (HOLDER,)),
):
    add(Fault(f"byob/{_kind}-needs-no-floor", f"Takes a {_kind} of a bot without the floor.", _kills,
              free(_one("bot", _kind))))  # fmt: skip
add(Fault("byob/no-floor-is-forbidden", "Refuses a post without the floor with E_NOT_OWNER.", (HOLDER, EVERY, HAND),
          recoding("check_floor", "E_NOT_OWNER", "E_NOT_FLOOR")))  # fmt: skip
add(Fault("byob/no-floor-is-closed", "Refuses a post without the floor with E_TABLE_CLOSED.", (HOLDER, EVERY, HAND),
          recoding("check_floor", "E_TABLE_CLOSED", "E_NOT_FLOOR")))  # fmt: skip


def _spoke_last(table: Table, seat: Seat, kind: str) -> bool:
    says = [entry["seat"] for entry in table.state.entries if entry["kind"] == "say"]
    return kind == "say" and says[-1:] == [seat.id]


add(Fault("byob/a-grant-is-good-for-more", "Lets a bot say again after its turn.", (ONE,), free(_spoke_last)))


@fault("byob/refused-posts-are-written", HOLDER)
class RefusedWritten(Host):
    """Writes a raised hand for every post that is refused for lack of the floor."""

    def post(self, table: str, token: str | None, body: Any, now: float) -> Entry:
        """Refuse it, and write all the same."""
        try:
            return super().post(table, token, body, now)
        except ByobError as error:
            if error.code == "E_NOT_FLOOR":
                found, seat = self._table(table), self.seat_of(table, token)
                self._run(found, lambda: found.write(seat, "raise_hand", {}, round(now * 1000)))
            raise


@fault("byob/refused-seats-are-muted", HAND)
class Muted(Table):
    """Takes no raised hand from a seat that was refused."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.muted: set[str] = set()

    def check_floor(self, seat: Seat, kind: str) -> None:
        """Remember who was refused."""
        try:
            super().check_floor(seat, kind)
        except ByobError:
            self.muted.add(seat.id)
            raise

    def check_speech(self, author: Seat, body: Mapping[str, Any]) -> Any:
        """Refuse the hand."""
        if body["kind"] == "raise_hand" and author.id in self.muted:
            raise ByobError("E_NOT_FLOOR", "not again")
        return super().check_speech(author, body)


@fault("byob/humans-need-the-floor", HUMANS)
class HumansNeedFloor(Table):
    """Asks humans for the floor as well."""

    def may_interject(self, seat: Seat, kind: str) -> bool:
        """Let nobody."""
        return False


for _kind in ("proposal", "decision"):
    add(Fault(f"byob/humans-need-no-floor-for-a-{_kind}", f"Takes a {_kind} of a human without the floor.", (REST,),
              free(_one("human", _kind))))  # fmt: skip


@fault("byob/human-says-end-the-turn", HUMANS)
class HumansEnd(Table):
    """Ends the turn of the holder when a human says something."""

    def is_free(self) -> bool:
        """Pass for the holder."""
        last, holder = self.state.entries[-1], self.state.holder
        human = last["kind"] == "say" and self.state.seats[last["seat"]].kind == "human"
        if human and holder not in (None, last["seat"]):
            self.write(str(holder), "pass", {}, self.state.now)
        return super().is_free()


@fault("byob/human-says-take-the-floor", HUMANS)
class HumansTake(Table):
    """Gives the floor to a human who says something."""

    def is_free(self) -> bool:
        """Give it."""
        last = self.state.entries[-1]
        if last["kind"] == "say" and self.state.seats[last["seat"]].kind == "human" and self.state.holder is not None:
            self.state.holder = last["seat"]
        return super().is_free()


# Grants


def _ledger(keep: Callable[[Entry], bool]) -> Any:
    return answering(lambda value: {"entries": [entry for entry in value["entries"] if keep(entry)]}, "ledger")


def _granted(change: Callable[[Entry], Entry]) -> Any:
    def changed(value: dict[str, Any]) -> dict[str, Any]:
        return {"entries": [change(e) if e.get("event") == "floor_granted" else e for e in value["entries"]]}

    return answering(changed, "ledger")


@fault("byob/grants-are-written-twice", GRANTS)
class GrantsTwice(Table):
    """Writes every grant twice."""

    def grant(self, grant: Grant, now: int) -> None:
        """Write it again."""
        super().grant(grant, now)
        super().grant(grant, now)


for _words, _says, _made, _kills in (
    ("grants-are-silent", "Shows no grant in the ledger.", _ledger(lambda e: e.get("event") != "floor_granted"),
     (GRANTS, NAMED)),
    ("grants-name-the-first-seat", "Names the same seat in every grant.", _granted(lambda e: {**e, "holder": "a"}),
     (GRANTS, NAMED)),
    ("grants-carry-no-policy", "Shows no policy state in a grant.", _granted(without("policy")), (GRANTS,)),
    ("grants-carry-an-empty-policy", "Shows an empty policy state.", _granted(setting(policy={})), (GRANTS,)),
    ("grants-carry-no-budget", "Writes no max_chars into a grant.",
     writing(without("max_chars"), events=("floor_granted",)), (GRANTS,)),
    ("grants-carry-another-budget", "Writes another max_chars into a grant.",
     writing(setting(max_chars=1500), events=("floor_granted",)), (GRANTS,)),
    ("grant-seq-is-the-last-seq", "Names the last entry of the ledger as the grant.",
     answering(lambda p: {**p, "floor": {**p["floor"], "grant_seq": 1}}, "projection"), (NAMED,)),
):  # fmt: skip
    add(Fault(f"byob/{_words}", _says, _kills, _made))


# Cutting


@fault("byob/over-long-bodies-are-refused", CUT)
class Refused(Table):
    """Refuses an over-long body."""

    def truncated(self, kind: str, members: dict[str, Any]) -> dict[str, Any]:
        """Refuse it."""
        if len(members.get("body", "")) > (self.max_chars() or 10_000):
            raise ByobError("E_SCHEMA", "that is too long")
        return members


def cutting(cut: Callable[[str, int], dict[str, Any] | None], *kinds: str) -> type[Table]:
    """Make a table that cuts bodies otherwise: `cut(body, limit)` returns members, or None for what the rules say."""

    class Cutting(Table):
        """Cuts otherwise."""

        def truncated(self, kind: str, members: dict[str, Any]) -> dict[str, Any]:
            """Ask the change."""
            body, limit = members.get("body"), self.max_chars()
            changed = cut(body, limit) if kind in kinds and isinstance(body, str) and limit is not None else None
            return super().truncated(kind, members) if changed is None else {**members, **changed}

    return Cutting


def _over(members: Callable[[str, int], dict[str, Any]]) -> Callable[[str, int], dict[str, Any] | None]:
    return lambda body, limit: members(body, limit) if len(body) > limit else None


for _words, _says, _cut, _kills in (
    ("over-long-bodies-stay", "Stores an over-long body whole.", _over(lambda body, limit: {}), (CUT,)),
    ("over-long-bodies-stay-flagged", "Flags an over-long body without cutting it.",
     _over(lambda body, limit: {"truncated": True}), (CUT,)),
    ("cuts-are-not-flagged", "Cuts an over-long body without saying so.",
     _over(lambda body, limit: {"body": body[:limit]}), (CUT,)),
    ("cuts-are-flagged-false", "Cuts an over-long body and says that it did not.",
     _over(lambda body, limit: {"body": body[:limit], "truncated": False}), (CUT,)),
    ("cuts-keep-the-end", "Keeps the end of an over-long body instead of its beginning.",
     _over(lambda body, limit: {"body": body[-limit:], "truncated": True}), (CUT,)),
    ("cuts-keep-the-rest", "Stores what it cut off in another member.",
     _over(lambda body, limit: {"body": body[:limit], "truncated": True, "rest": body[limit:]}), (CUT,)),
    ("cuts-leave-a-mark-behind", "Appends a mark that makes the body longer than the limit.",
     _over(lambda body, limit: {"body": body[:limit] + " [cut]", "truncated": True}), (CUT,)),
    ("bodies-of-max-chars-are-cut", "Cuts a body of exactly max_chars.",
     lambda body, limit: {"body": body[: limit - 1], "truncated": True} if len(body) == limit else None, (WHOLE,)),
    ("every-body-is-flagged", "Flags every body as truncated.",
     lambda body, limit: {"truncated": True} if len(body) <= limit else None, (WHOLE,)),
):  # fmt: skip
    add(Fault(f"byob/{_words}", _says, _kills, cutting(_cut, "say")))
add(Fault("byob/only-says-are-cut", "Cuts no proposal and no decision.", (OTHERS,),
          cutting(lambda body, limit: {}, "proposal", "decision"), outcome="warned"))  # fmt: skip
