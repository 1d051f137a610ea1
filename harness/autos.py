"""Auto INTENTs (YEA 4.3.1): sending one, and the table of those that must stop for review.

An auto INTENT that is not committed proves something only if the same one without its one fault is; so `held_back`
has the order of `refusals`: a control is committed, each case is not and changes nothing, a control is committed again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from harness.context import Context
from harness.errors import Untested
from harness.offers import Instance
from harness.people import Agent
from harness.refusals import unchanged
from harness.targets.base import Connection, Exchange

Frame = dict[str, Any]
REFUSED_INTENT = ("forbidden", "unauthorized")  # YEA-Q43: an INTENT that its grants do not authorize


@dataclass
class Auto:
    """An auto INTENT that was sent: who sent it for which object, its frame, and its exchange."""

    instance: Instance
    agent: Agent
    frame: Frame
    exchange: Exchange

    @property
    def receipt(self) -> Frame:
        """The receipt, or an empty object when there is none."""
        receipt = self.exchange.reply.get("receipt")
        return receipt if self.exchange.kind == "RECEIPT" and isinstance(receipt, dict) else {}

    def again(self, *, ts: int | None = None, **changes: Any) -> Frame:
        """Return the frame with a proof signed anew, by the time `ts` or now, and with members replaced."""
        proof = self.agent.proof("INTENT", auto_target(self.frame), ts=ts)
        return {**self.frame, "proof": proof, **changes}


def auto_target(frame: Frame) -> str:
    """Return what the proof of an auto INTENT is over."""
    return f"auto:{frame['capability']}:{frame['id']}"


async def send_auto(
    t: Context,
    role: str | Instance,
    *,
    agent: Agent | None = None,
    grants: list[str] | None = None,
    conn: Connection | None = None,
    **members: Any,
) -> Auto:
    """Send a right auto INTENT for a role: by default from a fresh agent, under an unrestricted grant of A."""
    instance = await t.role(role) if isinstance(role, str) else role
    agent = agent or t.agent()
    tokens = [t.grant(agent)] if grants is None else grants
    frame = t.intent(instance, agent, tokens, auto=True, **members)
    return Auto(instance, agent, frame, await t.send(frame, conn))


async def committed_auto(t: Context, role: str | Instance, **options: Any) -> Auto:
    """Send a right auto INTENT that must be committed; raises Untested when it is not."""
    made = await send_auto(t, role, **options)
    if not isinstance(made.receipt.get("id"), str):
        name = made.instance.role.name
        raise Untested(f"a right auto INTENT for the role {name} got {made.exchange.seen()}, no RECEIPT with an id")
    return made


@dataclass(frozen=True)
class Held:
    """An auto INTENT that must not be committed.

    Args:
        name: what is special about it, as it reads after "an auto INTENT with".
        clause: the clause that this proves.
        grants: returns the tokens that it presents, for the agent that sends it.
        also: ERROR codes that are as good as PROPOSALS.
    """

    name: str
    clause: str
    grants: Callable[[Agent], list[str]]
    also: tuple[str, ...] = ()


async def held_back(
    t: Context, role: str, cases: Sequence[Held], *, control: Callable[[Agent], list[str]], accept: str
) -> None:
    """Run cases for a role, each for an object of its own.

    Sends 2 auto INTENTs that are committed, and one for each case.

    Args:
        control: returns the tokens under which an auto INTENT of the role is committed.
        accept: the clause of the closing control, declared by the check.
    """
    agent = t.agent()
    await committed_auto(t, role, agent=agent, grants=control(agent))
    for case in cases:
        await _held(t, role, case)
    agent = t.agent()
    closing = await send_auto(t, role, agent=agent, grants=control(agent))
    t.expect(accept, closing.exchange.kind == "RECEIPT", wanted="RECEIPT to the control again", got=closing.exchange)


async def _held(t: Context, role: str, case: Held) -> None:
    instance, agent = await t.role(role), t.agent()
    before = await instance.state()
    made = await send_auto(t, instance, agent=agent, grants=case.grants(agent))
    ok = made.exchange.kind == "PROPOSALS" or made.exchange.code in case.also
    errors = "".join(f" or ERROR {code}" for code in case.also)
    wanted = f"PROPOSALS{errors} to an auto INTENT with {case.name}"
    t.expect(case.clause, ok, wanted=wanted, got=made.exchange)
    await unchanged(t, case.clause, instance, before, f"an auto INTENT with {case.name}")
