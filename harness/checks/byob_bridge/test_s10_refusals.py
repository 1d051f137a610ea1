"""What the agent is told when the host refuses (BYOB 10, 11)."""

from collections.abc import Awaitable, Callable

from harness.bridges.calling import Result
from harness.bridges.context import SEAT, Agent, BridgeContext, Person
from harness.byob.recipes import effect
from harness.check import check
from harness.errors import Untested

Call = Callable[[Agent], Awaitable[Result]]
OPEN = "BYOB-Q112"
TASK = "task-1"
CALLS: dict[str, Call] = {
    "byob_join": lambda agent: agent.call("byob_join", {"owner": "B", "kind": "bot"}, seat="another"),
    "byob_read_projection": lambda agent: agent.call("byob_read_projection"),
    "byob_say": lambda agent: agent.call("byob_say", body="anything"),
    "byob_pass": lambda agent: agent.call("byob_pass", {"body": "anything"}),
    "byob_raise_hand": lambda agent: agent.call("byob_raise_hand", {"body": "anything"}),
    "byob_propose": lambda agent: agent.call("byob_propose", body="anything", effects=[effect()]),
    "byob_decide": lambda agent: agent.call("byob_decide", body="anything"),
    "byob_approve": lambda agent: agent.call("byob_approve", {"decision": "approve", "reason": "why not"}, task=TASK),
    "byob_status": lambda agent: agent.call("byob_status", {"body": "anything"}, task=TASK, state="running"),
    "byob_receipt": lambda agent: agent.call("byob_receipt", {"body": "anything"}, task=TASK, artifact={"a": 1}),
    "byob_verify": lambda agent: agent.call("byob_verify", {"body": "anything"}, task=TASK, result="pass"),
    "byob_memory": lambda agent: agent.call("byob_memory"),
}


def expect_failure(t: BridgeContext, result: Result, code: str) -> None:
    """Expect that a refusal of the host is told as a failure of the tool, with the code in its text (BYOB-Q112)."""
    told = not result.ok or result.mentions(code)
    got = t.masked(result.seen())
    wanted = f"{result.tool} fails, since the host said {code}: isError, or a JSON-RPC error"
    if t.expect("BYOB-10-14", told, wanted=wanted, got=got):
        whole = not result.ok and result.mentions(code)
        t.expect("BYOB-10-14", whole, wanted=f"{wanted}, with {code} in its text", got=got, open_question=OPEN)


@check("byob-bridge/10/refusals-are-failures-of-the-tool", "BYOB-10-14", deadline=120)
async def refusals(t: BridgeContext) -> None:
    """Whatever tool is called, a refusal by the host is told to the agent as a failure of that tool."""
    async with t.seated(person=Person()) as agent:
        await agent.need("byob_read_projection")
        await agent.need("byob_memory")
        missing = []
        with t.host_refuses(agent.table, "E_TABLE_CLOSED"):
            for tool, call in CALLS.items():
                before = len(agent.requests)
                try:
                    result = await call(agent)
                except Untested as problem:
                    missing.append(problem.why)
                    continue
                if len(agent.requests) > before:
                    expect_failure(t, result, "E_TABLE_CLOSED")
                else:
                    t.note(f"{tool} asked the host nothing, so this refusal shows nothing of it: {result.how}")
        if missing and not t.findings:
            raise Untested("; ".join(missing))


@check("byob-bridge/10/a-say-out-of-turn-fails", "BYOB-10-14")
async def out_of_turn(t: BridgeContext) -> None:
    """A say out of turn, which the host refuses with E_NOT_FLOOR, fails; in turn the same say succeeds."""
    async with t.seated() as agent:
        await agent.table.until_holds("a")
        early = await agent.call("byob_say", {"to": ["*"]}, body=t.words())
        if await t.posts(agent, "say"):
            raise Untested("the bridge waited for the floor, so nothing was refused")
        expect_failure(t, early, "E_NOT_FLOOR")
        await t.ours(agent, SEAT)
        late = await agent.call("byob_say", {"to": ["*"]}, body=t.words())
        t.expect("BYOB-10-14", late.ok, wanted="in turn the same tool succeeds", got=t.masked(late.seen()))
