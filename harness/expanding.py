"""Getting the rest: how checks read a role with a budget, and how they put a cut reply together again (YEA 4.6, 8)."""

from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from harness.context import BIG_BUDGET, Context
from harness.cuts import ODD_PATH, More, Spot, copied, kept_text, locate, more_of, odd_keys, same, still_cuttable
from harness.encoding import shown
from harness.errors import NotApplicable, Untested
from harness.offers import Instance
from harness.people import Agent
from harness.targets.base import Connection, Exchange
from reference.yea.estimate import est
from reference.yea.lens import lens_reply

MOST_EXPANDS = 1000
NOTHING_CUT = "the service cut nothing at budget {}, which it SHOULD (YEA 8)"

Expand = Callable[[str], Awaitable[Exchange]]


@dataclass
class Whole:
    """A cut reply with all its parts put back.

    `frame` is the reply, complete unless `problem` says why not; `replies` are those of the EXPANDs, in order.
    """

    frame: dict[str, Any]
    problem: str = ""
    replies: list[dict[str, Any]] = field(default_factory=list)

    @property
    def further(self) -> int:
        """How many EXPAND replies had `more` of their own."""
        return sum(1 for reply in self.replies if reply.get("more"))


@dataclass
class Reader:
    """Who reads, with which budget: ASK and EXPAND of one role for one agent, or for nobody.

    Where the target demands grants there is always an agent, and then handles are bound to its key.
    """

    t: Context
    instance: Instance
    agent: Agent | None

    async def ask(self, budget: Any, conn: Connection | None = None) -> Exchange:
        """ASK with a budget; raises Untested unless an ANSWER comes."""
        exchange = await self.t.ask(
            self.instance.capability, self.instance.params, agent=self.agent, conn=conn, budget=budget
        )
        if exchange.kind != "ANSWER":
            raise Untested(f"a right ASK for the role {self.instance.role.name} got {exchange.seen()}")
        return exchange

    async def whole(self) -> Any:
        """Return the whole data; raises Untested when it is cut even under a huge budget."""
        reply = (await self.ask(BIG_BUDGET)).reply
        if reply.get("more"):
            raise Untested(f"the answer is cut even under a budget of {BIG_BUDGET}")
        return reply.get("data")

    async def steady(self, whole: Any) -> None:
        """Read the whole data again; raises Untested when it is another by now, so that nothing compares with it."""
        if not same(await self.whole(), whole):
            raise Untested(f"the answer for the role {self.instance.role.name} changed while it was read")

    async def cut(self, budget: int = 200) -> tuple[Exchange, list[More]]:
        """ASK under a small budget.

        Raises NotApplicable when the service cut nothing, Untested when there was no need or no entry can be read.
        """
        exchange = await self.ask(budget)
        entries = more_of(exchange.reply)
        if cut_nothing(exchange, budget):
            raise NotApplicable(NOTHING_CUT.format(budget))
        if not entries:
            role = self.instance.role.name
            raise Untested(f"an ASK for the role {role} with budget {budget} got an ANSWER without more")
        return exchange, entries

    def frame(self, handle: str, **members: Any) -> dict[str, Any]:
        """Return a right EXPAND frame for a handle, with members replaced; None leaves one out."""
        proof = self.agent.proof("EXPAND", handle) if self.agent else None
        return self.t.frame("EXPAND", **{"handle": handle, "budget": BIG_BUDGET, "proof": proof, **members})

    async def expand(self, handle: str, budget: int = BIG_BUDGET) -> Exchange:
        """EXPAND a handle."""
        return await self.t.send(self.frame(handle, budget=budget))


def cut_nothing(exchange: Exchange, budget: int) -> bool:
    """Return whether a reply is over its budget, could be cut, and yet says that nothing of it was."""
    reply = exchange.reply
    return not reply.get("more") and still_cuttable(reply) and est(lens_reply(reply)) > budget


async def reader(t: Context, role: str, agent: Agent | None = None) -> Reader:
    """Return a reader of a role: for the agent given, else for nobody where the target allows that."""
    if agent is None and t.facts.demands_grants:
        agent = t.agent()
    return Reader(t, await t.role(role), agent)


async def plan(t: Context, instance: Instance, agent: Agent, budget: int) -> Exchange:
    """Send an INTENT with a budget, under an unrestricted grant; raises Untested unless PROPOSALS come."""
    exchange = await t.send(t.intent(instance, agent, [t.grant(agent)], budget=budget))
    if exchange.kind != "PROPOSALS":
        raise Untested(f"a right INTENT for the role {instance.role.name} got {exchange.seen()}")
    return exchange


async def brief(t: Context, budget: int) -> dict[str, Any]:
    """Return the BRIEF that a HELLO with a budget gets; raises Untested when it gets anything else."""
    exchange = await t.hello(budget=budget)
    if exchange.kind != "BRIEF":
        raise Untested(f"a HELLO with budget {budget} got {exchange.seen()}")
    return exchange.reply


async def put_together(frame: dict[str, Any], expand: Expand) -> Whole:
    """EXPAND every handle of a reply, and of the replies to that, and return it with the parts put back.

    Sends at most MOST_EXPANDS EXPANDs; whatever goes wrong stands in `problem`. Raises NotApplicable when a path leads
    nowhere in a reply with keys that a path can hardly name.
    """
    whole = Whole(copied(frame))
    waiting = deque(_places(whole, whole.frame, None, 0))
    while waiting and not whole.problem:
        if len(whole.replies) >= MOST_EXPANDS:
            whole.problem = f"there is still more after {MOST_EXPANDS} EXPANDs"
            break
        place, handle = waiting.popleft()
        exchange = await expand(handle)
        if exchange.kind != "ANSWER":
            whole.problem = f"EXPAND number {len(whole.replies) + 1} got {exchange.seen()}"
            break
        whole.replies.append(exchange.reply)
        waiting.extendleft(_put_back(whole, place, copied(exchange.reply)))
    whole.frame.pop("more", None)
    return whole


async def every_slice(frame: dict[str, Any], expand: Expand) -> list[dict[str, Any]]:
    """EXPAND every handle of a reply, and of the replies to that, wherever their paths lead; return what came.

    For a BRIEF, which may name the params that it left out as it likes (YEA-Q29). Sends at most MOST_EXPANDS EXPANDs.
    """
    replies: list[dict[str, Any]] = []
    waiting = deque(entry.handle for entry in more_of(frame))
    while waiting and len(replies) < MOST_EXPANDS:
        replies.append((await expand(waiting.popleft())).reply)
        waiting.extend(entry.handle for entry in more_of(replies[-1]))
    return replies


def listed(reply: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the objects in a list of a reply; [] when there is no such list."""
    items = reply.get(name)
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def slice_of(reply: dict[str, Any], name: str) -> Any:
    """Return `data.items` or `data.text` of an EXPAND's ANSWER, or None when it has no such member."""
    data = reply.get("data")
    return data.get(name) if isinstance(data, dict) else None


def _put_back(whole: Whole, place: Spot, reply: dict[str, Any]) -> list[tuple[Spot, str]]:
    """Append a slice at its place; returns the handles that the slice has itself, with their places."""
    kept = place.value
    if isinstance(kept, list):
        rest, start = slice_of(reply, "items"), len(kept)
        if isinstance(rest, list):
            kept.extend(rest)
            return _places(whole, reply, place, start)
        whole.problem = f"EXPAND of a list gave data {shown(reply.get('data'), 80)}"
    elif isinstance(kept, str):
        rest = slice_of(reply, "text")
        if isinstance(rest, str):
            place.holder[place.key] = kept_text(kept) + rest
            return _places(whole, reply, place, 0)
        whole.problem = f"EXPAND of a string gave data {shown(reply.get('data'), 80)}"
    return []


def _places(whole: Whole, reply: dict[str, Any], place: Spot | None, start: int) -> list[tuple[Spot, str]]:
    """Return where in the whole each handle of a reply continues, last one first.

    `place` is where the reply's own slice went, `start` the number of items that were there before.
    """
    found: list[tuple[Spot, str]] = []
    for entry in more_of(reply):
        spot = locate(reply, entry.path)
        if spot is None and odd_keys(reply):
            raise NotApplicable(ODD_PATH)
        if spot is None or not isinstance(spot.value, (list, str)):
            whole.problem = f"more has the path {shown(entry.path, 80)}, which leads to no list or string"
            break
        if place is not None and spot.holder is reply.get("data") and spot.key in ("items", "text"):
            spot = place
        elif place is not None and spot.holder is slice_of(reply, "items"):
            spot = Spot(place.value, start + int(spot.key))
        found.insert(0, (spot, entry.handle))
    return found
