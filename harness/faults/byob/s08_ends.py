"""BYOB 8: tables that count bot says wrongly, and close too early, too late or for another reason."""

from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.tables import writing
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.state import State
from reference.byob.table import Table
from reference.byob.topologies import Grant, Turn
from reference.byob.types import Entry, Seat

HUMAN = "byob/8/depth-limit-gives-a-human-the-floor"
RESUMES = "byob/8/policy-resumes-in-every-topology"
RESETS = "byob/8/human-say-resets-the-depth"
CLOSES = "byob/8/depth-limit-closes-without-a-human"
DEFAULT = "byob/8/depth-is-32-unless-configured"
PASSES = "byob/8/only-says-count-towards-the-depth"
DECISION = "byob/8/decision-closes-if-it-is-a-condition"
ROUNDS = "byob/8/exhausted-rounds-close"
BUDGET = "byob/8/budget-closes-when-it-is-exceeded"
ESTIMATED = "byob/8/estimates-exceed-budgets-too"
ENTRIES = "byob/8/max-entries-closes"
ANY = "byob/8/conditions-are-alternatives"
ADMIN = "byob/8/admin-closes-at-any-time"
Method = Callable[..., Any]


def tabled(says: str, **members: Any) -> type[Table]:
    """Make a table with other members."""
    return type("Tabled", (Table,), {"__doc__": says, **members})


def stated(says: str, **members: Any) -> type[Table]:
    """Make a table whose state is folded otherwise."""
    return tabled(says, state_class=type("Stated", (State,), members))


def rows(*rows: tuple[str, str, tuple[str, ...], type[Table]]) -> None:
    for words, says, kills, made in rows:
        add(Fault(f"byob/{words}", says, kills, made))


def _limit(change: Callable[[Table, int], int]) -> Method:
    return lambda self: change(self, Table.max_bot_depth(self))


def _unconfigured(limit: int) -> Method:
    return lambda self: self.state.config.get("floor", {}).get("max_bot_depth", limit)


def _no_reset(state: State, entry: Entry) -> None:
    if state.seats[entry["seat"]].kind != "human":
        state.depth += 1
    elif state.asked == entry["seat"]:
        state.depth = 0


def _passes_count(state: State, entry: Entry) -> None:
    state.depth += 1
    State.on_pass(state, entry)


def _hands_count(state: State, entry: Entry) -> None:
    state.depth += 1
    State.on_raise_hand(state, entry)


def _restarts(table: Table) -> Grant | None:
    asked = table.state.asked is not None
    return table.state.policy.opening(table.state.config) if asked else Table.next_grant(table)


def _skips(table: Table) -> Grant | None:
    """Return the turn after the one that is due, when a human has just been asked and has spoken."""
    grant, state = Table.next_grant(table), table.state
    if state.asked is None or grant is None or table.is_too_deep():
        return grant
    return state.policy.after(state.config, grant.state, Turn(grant.holder, "say"))


rows(
    ("no-depth-limit", "Lets bots say as often as they like.", (HUMAN, RESUMES, RESETS, CLOSES, DEFAULT),
     tabled("Has no limit.", is_too_deep=lambda self: False)),
    ("depth-limit-is-one-late", "Takes the depth limit for the last number allowed.", (HUMAN, RESUMES, CLOSES),
     tabled("Is late.", max_bot_depth=_limit(lambda table, limit: limit + 1))),
    ("depth-limit-is-one-early", "Applies the depth limit a say early.", (HUMAN, CLOSES, DEFAULT),
     tabled("Is early.", max_bot_depth=_limit(lambda table, limit: limit - 1))),
    ("depth-is-33-unless-configured", "Allows for 33 bot says by default.", (DEFAULT,),
     tabled("Knows another default.", max_bot_depth=_unconfigured(33))),
    ("depth-is-31-unless-configured", "Allows for 31 bot says by default.", (DEFAULT,),
     tabled("Knows another default.", max_bot_depth=_unconfigured(31))),
    ("depth-is-endless-unless-configured", "Has no depth limit by default.", (DEFAULT,),
     tabled("Knows no default.", max_bot_depth=_unconfigured(10_000))),
    ("human-says-reset-no-depth", "Counts on when a human says something out of turn.", (RESETS,),
     stated("Counts on.", count_depth=_no_reset)),
    ("passes-count-towards-the-depth", "Counts passes as says.", (PASSES,), stated("Counts.", on_pass=_passes_count)),
    ("hands-count-towards-the-depth", "Counts raised hands as says.", (PASSES,),
     stated("Counts.", on_raise_hand=_hands_count)),
    ("policy-starts-anew-after-the-human", "Starts the policy anew after the human.", (HUMAN, RESUMES),
     tabled("Starts anew.", next_grant=_restarts)),
    ("policy-skips-a-turn-after-the-human", "Charges the human's turn to the policy.", (HUMAN, RESUMES),
     tabled("Skips.", next_grant=_skips)),
    ("depth-limit-ignores-humans", "Closes the table at the depth limit although a human is there.", (HUMAN, RESUMES),
     tabled("Asks nobody.", human_to_ask=lambda self: None)),
    ("depth-limit-asks-a-bot", "Goes on with a bot at the depth limit when no human is there.", (CLOSES, DEFAULT),
     tabled("Asks a bot.", human_to_ask=lambda self: Table.human_to_ask(self) or next(iter(self.state.seats)))),
    ("depth-limit-closes-for-another-reason", "Gives another reason for the close at the depth limit.",
     (CLOSES, DEFAULT), tabled("Gives another reason.", DEPTH_EXHAUSTED="too many words")),
)  # fmt: skip


@fault("byob/bots-say-while-a-human-is-asked", HUMAN)
class BotsGoOn(Table):
    """Lets bots say while a human holds the floor on the depth limit."""

    def check_floor(self, seat: Seat, kind: str) -> None:
        """Let them."""
        if self.state.asked is None or kind != "say":
            super().check_floor(seat, kind)


# Conditions


def _only_listed(table: Table, now: int) -> bool:
    listed = [name for name, _ in table.end_conditions(table.state.config)]
    if table.next_grant() is None and table.ROUNDS_EXHAUSTED not in listed:
        return False
    return Table.advance(table, now)


def _never_exhausted(table: Table, now: int) -> bool:
    return table.next_grant() is not None and Table.advance(table, now)


rows(
    ("decisions-close-nothing", "Keeps a table open that a decision should close.", (DECISION, ANY),
     tabled("Stays open.", is_decided=lambda self, limit: False)),
    ("every-decision-closes", "Closes a table by a decision that is no condition.", (DECISION,),
     tabled("Closes.", reason_to_close=lambda s: "decision" if s.state.decisions else Table.reason_to_close(s))),
    ("rounds-close-nothing", "Keeps a table open whose turns have run out.", (ROUNDS,),
     tabled("Stays open.", advance=_never_exhausted)),
    ("rounds-close-if-listed", "Closes a table without turns only if rounds_exhausted is listed.", (ROUNDS,),
     tabled("Looks at the list.", advance=_only_listed)),
    ("budget-closes-when-reached", "Closes a table that has just reached its budget.", (BUDGET, ESTIMATED),
     tabled("Is early.", is_over_budget=lambda self, limit: self.state.tokens_used >= limit)),
    ("budget-closes-nothing", "Looks at no budget.", (BUDGET, ESTIMATED, ANY),
     tabled("Stays open.", is_over_budget=lambda self, limit: False)),
    ("max-entries-closes-nothing", "Looks at no max_entries.", (ENTRIES,),
     tabled("Stays open.", is_long=lambda self, limit: False)),
    ("max-entries-closes-early", "Closes at half of max_entries.", (ENTRIES,),
     tabled("Is early.", is_long=lambda self, limit: len(self.state.entries) >= limit // 2)),
    ("max-entries-closes-late", "Closes at twice max_entries posts.", (ENTRIES,),
     tabled("Is late.", is_long=lambda self, limit: len(self.state.entries) >= 4 * limit)),
    ("all-conditions-have-to-be-met", "Closes a table when all its conditions are met.", (ANY,),
     tabled("Waits for all.", reason_to_close=lambda self: _all(self))),
    ("reasons-are-not-told", "Gives no reason for a close.", (ADMIN, CLOSES),
     writing(lambda entry: {**entry, "reason": ""}, events=("table_closed",))),
)  # fmt: skip


def _all(table: Table) -> str | None:
    conditions = [(n, limit) for n, limit in table.end_conditions(table.state.config) if n != table.ROUNDS_EXHAUSTED]
    met = [getattr(table, table.conditions[name])(limit) for name, limit in conditions]
    return conditions[0][0] if met and all(met) else None


@fault("byob/posts-over-the-budget-are-refused", BUDGET)
class OverRefused(Table):
    """Refuses the post that goes over the budget, and closes without it."""

    def post(self, seat: str, body: Any, now: int) -> Entry:
        """Look ahead."""
        used = body.get("budget", {}).get("tokens_used", 0) if isinstance(body, dict) else 0
        limits = [limit for name, limit in self.end_conditions(self.state.config) if name == "budget_tokens"]
        if any(self.state.tokens_used + used > limit for limit in limits):
            raise ByobError("E_TABLE_CLOSED", "that is more than is left")
        return super().post(seat, body, now)


@fault("byob/over-budget-closes-before-the-post", BUDGET)
class ClosesFirst(Table):
    """Shows the post that goes over the budget behind the close."""

    def ledger(self) -> dict[str, Any]:
        """Put the close first."""
        entries = super().ledger()["entries"]
        closed = [entry for entry in entries if entry.get("event") == "table_closed"]
        rest = [entry for entry in entries if entry.get("event") != "table_closed"]
        return {"entries": [*rest[:1], *closed, *rest[1:]]}


@fault("byob/admin-closes-between-turns-only", ADMIN)
class BetweenTurns(Table):
    """Refuses the admin's close while somebody holds the floor."""

    def close(self, body: Any, now: int) -> dict[str, Any]:
        """Look at the floor."""
        if self.state.holder is not None:
            raise ByobError("E_NOT_FLOOR", "somebody is speaking")
        return super().close(body, now)


@fault("byob/admin-closes-nothing", ADMIN)
class ClosesNothing(Host):
    """Answers the admin's close and leaves the table open."""

    def close(self, table: str, token: str | None, body: Any, now: float) -> dict[str, Any]:
        """Show the memory only."""
        self.check_admin(table, token)
        return self._awake(table, now).memory()
