"""The owner's key: what it signs, and that nobody sees it (BYOB 10)."""

from typing import Any

from harness.bridges.calling import Result
from harness.bridges.context import SEAT, BridgeContext, Person
from harness.bridges.person import ACCEPT, DECLINE
from harness.byob import reading
from harness.check import check
from harness.checks.byob_bridge.test_s10_approve import CHANGE, waiting

LONGEST_OTHER = 85
"""Characters of a text that is too short for a signature in base64."""


@check("byob-bridge/10/signs-nothing-else", "BYOB-10-26", deadline=120)
async def nothing_else(t: BridgeContext) -> None:
    """While the owner confirms nothing, the bridge sends nothing signed but its join, and shows no other signature."""
    async with t.seated(person=Person(DECLINE), floor={"decision_by": [SEAT]}) as agent:
        task = await waiting(t, agent)
        await agent.table.turn()
        words = t.words()
        results = [
            await agent.tries("byob_read_projection"),
            await agent.tries("byob_raise_hand", {"body": words}),
            await agent.tries("byob_propose", body=words, effects=[CHANGE]),
            await agent.tries("byob_decide", body=words),
            await agent.tries("byob_say", {"to": ["*"]}, body=words),
            await agent.tries("byob_approve", {"decision": "approve", "reason": "fine"}, task=task.id),
            await agent.tries("byob_status", {"body": words}, task=task.id, state="running"),
            await agent.tries("byob_receipt", {"body": words}, task=task.id, artifact={"done": True}),
            await agent.tries("byob_verify", {"body": words}, task=task.id, result="pass"),
            await agent.tries("byob_memory"),
        ]
        signed = [each for each in agent.requests if _signatures(each.value)]
        others = [each for each in signed if each.endpoint != "seats"]
        wanted = "no signature but that of the join, since the owner has confirmed nothing"
        t.expect("BYOB-10-26", not others, wanted=wanted, got=", ".join(each.seen() for each in others) or "none")
        known = {text for each in signed for text in _signatures(each.value)}
        shown = [result.tool for result in results if result is not None and _shows(result, known)]
        wanted = "no result that holds a signature of its own"
        t.expect("BYOB-10-26", not shown, wanted=wanted, got=f"one in that of {', '.join(shown)}" if shown else "none")


def _signatures(value: Any) -> list[str]:
    found = reading.members(value, "signature")
    return [each for each in found if isinstance(each, str) and len(each) > LONGEST_OTHER]


def _shows(result: Result, known: set[str]) -> bool:
    """Whether a result holds a signature, as a member of that name, that is not the one of the join."""
    return any(text not in known for value in result.values for text in _signatures(value))


@check("byob-bridge/10/no-call-shows-the-key", "BYOB-10-25", deadline=120)
async def no_key(t: BridgeContext) -> None:
    """Neither a tool that succeeds or fails, nor a resource or prompt that the bridge offers, shows the owner's key."""
    async with t.seated(person=Person(ACCEPT)) as agent:
        task = await waiting(t, agent)
        results = {
            "an approval": await agent.tries("byob_approve", {"decision": "approve", "reason": "fine"}, task=task.id),
            "a projection": await agent.tries("byob_read_projection"),
            "a join that fails": await agent.tries("byob_join", {"owner": "B", "kind": "bot"}, seat="a"),
            "a say that fails": await agent.tries("byob_say", {"to": ["@nobody"]}, body=t.words()),
        }
        texts = {what: result.text for what, result in results.items() if result is not None}
        texts["the resources and prompts"] = "\n".join(await agent.talk.everything())
        for what, text in texts.items():
            shown = any(trace in text for trace in t.traces)
            wanted = f"no private key in {what}"
            t.expect("BYOB-10-25", not shown, wanted=wanted, got="the owner's private key" if shown else "none")
