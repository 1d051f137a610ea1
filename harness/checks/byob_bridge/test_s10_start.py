"""What the bridge starts with, and what it offers (BYOB 10)."""

from harness.bridges.context import SEAT, BridgeContext
from harness.byob.recipes import DUO
from harness.check import check

TOOLS = (
    "byob_join",
    "byob_read_projection",
    "byob_say",
    "byob_pass",
    "byob_raise_hand",
    "byob_propose",
    "byob_decide",
    "byob_approve",
    "byob_status",
    "byob_receipt",
    "byob_verify",
    "byob_memory",
)


@check("byob-bridge/10/starts-with-three-variables", "BYOB-10-01")
async def three_variables(t: BridgeContext) -> None:
    """With BYOB_URL, BYOB_TABLE and BYOB_OWNER_KEY_FILE alone the bridge starts, and reaches the table."""
    async with t.at(card=None) as agent:
        result = await agent.call("byob_join", {"owner": "B", "kind": "bot", "table": agent.table.id}, seat=SEAT)
        reached = bool(agent.requests)
        wanted = "a request to the host about the table, once a tool is called"
        t.expect("BYOB-10-01", reached, wanted=wanted, got="one" if reached else f"none; {t.masked(result.seen())}")


@check("byob-bridge/10/offers-the-twelve-tools", "BYOB-10-02")
async def twelve_tools(t: BridgeContext) -> None:
    """The bridge lists all twelve tools, by their names."""
    async with t.at() as agent:
        for tool in TOOLS:
            listed = ", ".join(agent.talk.schemas)
            t.expect("BYOB-10-02", agent.offers(tool), wanted=f"a tool named {tool}", got=f"the tools {listed}")


@check("byob-bridge/10/uses-a-seat-that-was-taken-before", "BYOB-10-15")
async def preset_seat(t: BridgeContext) -> None:
    """With BYOB_SEAT and BYOB_SEAT_TOKEN the bridge posts as that seat, and does not join."""
    table = await t.table(DUO)
    async with t.bridge(table, seat=SEAT) as agent:
        result = await agent.call("byob_raise_hand")
        hands = await t.posts(agent, "raise_hand")
        wanted = "a raise_hand of the seat in BYOB_SEAT, without a join"
        t.expect("BYOB-10-15", len(hands) == 1, wanted=wanted, got=f"{len(hands)} of them; {t.masked(result.seen())}")
        joins = agent.sent("seats")
        t.expect("BYOB-10-15", not joins, wanted="no join", got=f"{len(joins)} joins")
