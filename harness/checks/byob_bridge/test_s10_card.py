"""Whose card it is that a join signs, and what the agent may choose (BYOB 10)."""

from collections.abc import Iterator
from typing import Any

from harness.bridges.arguments import SYNONYMS, innermost, suited
from harness.bridges.context import CARD, SEAT, Agent, BridgeContext
from harness.byob import owners
from harness.byob.recipes import Config
from harness.check import check
from harness.errors import Untested

WIDE: list[Config] = [{"resource": "*", "actions": ["*"], "auto_approve": True, "requires_approval": False}]
WIDENED: dict[str, Any] = {
    "card": {"bot": "another", "proxy": True, "capabilities": WIDE},
    "capabilities": WIDE,
    "capability": WIDE[0],
    "actions": ["*"],
    "resource": "*",
    "resources": ["*"],
    "auto_approve": True,
    "proxy": True,
    "bot": "another",
}
"""What an agent may try: members of a card, by their own names. A tool that has no such argument ignores or refuses."""


def signed_card(t: BridgeContext, agent: Agent) -> Config:
    """Return the card of the join that the host has accepted; raises Untested when there was none."""
    accepted = [each for each in agent.sent("seats") if each.status == 200]
    if not accepted:
        raise Untested("the bridge took no seat")
    members = accepted[-1].members
    t.note(f"the card that was signed: {members.get('card')}")
    return members["card"] if isinstance(members.get("card"), dict) else {}


def capabilities(card: Config) -> Any:
    """Return a card's capabilities; a card without any grants none (BYOB-Q113)."""
    return card.get("capabilities", [])


def covers(value: Any, given: Any) -> bool:
    """Whether a value says what was given; further members of an object may say that something is not so."""
    if isinstance(given, dict):
        same = isinstance(value, dict) and all(name in value and covers(value[name], given[name]) for name in given)
        return same and all(not each for name, each in value.items() if name not in given)
    if isinstance(given, list):
        return isinstance(value, list) and len(value) == len(given) and all(map(covers, value, given))
    return bool(value == given)


@check("byob-bridge/10/signs-the-card-of-the-file", "BYOB-10-16", "BYOB-10-03")
async def card_of_the_file(t: BridgeContext) -> None:
    """byob_join signs the card that is in the file of BYOB_CARD_FILE, whole."""
    async with t.seated() as agent:
        card = signed_card(t, agent)
        t.expect("BYOB-10-16", covers(card, CARD), wanted=f"the card of the file: {CARD}", got=card)
        request = next(each for each in agent.sent("seats") if each.status == 200).members
        covered = owners.signed(owners.JOIN_MEMBERS, agent.table.id, request)
        valid = agent.table.owner("B").verifies(covered, request.get("signature"))
        t.expect("BYOB-10-03", valid, wanted="a join with a signature of the owner's key", got=request)


@check("byob-bridge/10/without-a-card-file-talks-only", "BYOB-10-17")
async def default_card(t: BridgeContext) -> None:
    """Without BYOB_CARD_FILE the card that byob_join signs has no capability."""
    async with t.at(card=None) as agent:
        await agent.call("byob_join", {"owner": "B", "kind": "bot", "table": agent.table.id}, seat=SEAT)
        if not agent.sent("seats"):
            raise Untested("the bridge sent no join")
        card = agent.sent("seats")[-1].members.get("card") or {}  # the host need not take one without capabilities
        wanted = "a card without capabilities: none, or an empty list"
        t.expect("BYOB-10-17", not capabilities(card), wanted=wanted, got=card)


@check("byob-bridge/10/the-agent-chooses-seat-and-role", "BYOB-10-18")
async def seat_and_role(t: BridgeContext) -> None:
    """The join has the seat id that the agent chose, and its role."""
    async with t.at() as agent:
        takes_role = agent.takes("byob_join", "role")
        await agent.joins("chosen", role="critic")
        request = next(each for each in agent.sent("seats") if each.status == 200).members
        wanted = "the seat that the agent chose: chosen"
        t.expect("BYOB-10-18", request.get("seat") == "chosen", wanted=wanted, got=request)
        if takes_role:
            wanted = "the role that the agent chose: critic"
            t.expect("BYOB-10-18", request.get("role") == "critic", wanted=wanted, got=request)
        else:
            t.lacks("BYOB-10-18", "byob_join has no argument that is known for a role (BYOB-Q109)")


@check("byob-bridge/10/the-agent-cannot-choose-capabilities", "BYOB-10-19", deadline=120)
async def no_widening(t: BridgeContext) -> None:
    """Capabilities that the agent passes to byob_join change nothing: the card is the file's, or there is no join."""
    async with t.seated():
        pass  # the control: a join with nothing beside the seat
    for card in (CARD, None):
        async with t.at(card=card) as agent:
            tries = [*_tries(agent.talk.schemas.get("byob_join"))]
            joined = await _try(t, agent, card, tries.pop(0))
        while tries and not joined:  # it refuses what it does not know, so each by itself
            async with t.at(card=card) as agent:
                joined_now = False
                while tries and not joined_now:
                    joined_now = await _try(t, agent, card, tries.pop(0))


def _tries(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield what an agent passes beside the seat: everything at once, then one thing at a time."""
    known = {word for member in ("seat", "role", "owner", "table", "kind") for word in SYNONYMS[member]}
    own = {name: suited(WIDE, each) for name, each in innermost(schema).items() if name.lower() not in known}
    whole = {**own, **WIDENED}
    yield whole
    for name, value in whole.items():
        yield {name: value}


async def _try(t: BridgeContext, agent: Agent, card: Config | None, more: dict[str, Any]) -> bool:
    """Join with more than a seat, and judge the card of the join, if there is one; returns whether there is."""
    where = {"owner": "B", "kind": "bot", "table": agent.table.id}
    await agent.call_with("byob_join", more, where, seat=SEAT)
    joins = [each for each in agent.sent("seats") if each.status == 200]
    wide = [each for each in joins if not _unchanged(each.members.get("card"), card)]
    wanted = "the card of the file, a card without capabilities where there is no file, or no join"
    got = f"with {', '.join(more)} passed: {wide[0].members.get('card')}" if wide else "that"
    t.expect("BYOB-10-19", not wide, wanted=wanted, got=got)
    return bool(joins)


def _unchanged(card: Any, file: Config | None) -> bool:
    inside = card if isinstance(card, dict) else {}
    return not capabilities(inside) if file is None else covers(capabilities(inside), capabilities(file))
