"""YEA 4.3.1, if and only if: an auto INTENT for which the conditions hold is committed, whatever else it is like."""

from typing import Any

from harness.autos import send_auto
from harness.check import check
from harness.context import Context
from harness.errors import NotApplicable
from harness.people import Agent, delegate

UNDOABLE = ("undoable", "uses", "risky", "multi", "short-undo", "short-ttl")


@check(
    "yea/4.3.1/auto-commits-whatever-can-be-undone",
    "YEA-4.3.1-02",
    needs=("undoable",),
    also=UNDOABLE[1:],
    commits=len(UNDOABLE),
    deadline=180.0,
)
async def whatever(t: Context) -> None:
    """A proposal of any risk, one of several, with uses or a short window is committed, as long as it can be undone."""
    doubtful = t.profile.roles["doubt"].capability if t.has("doubt") else None  # condition 3 may stop its autos
    for role in filter(t.has, UNDOABLE):
        if t.profile.roles[role].capability == doubtful:
            continue
        if not (await t.offer(role)).undoable:
            t.note(f"the proposal for the role {role} cannot be undone")
            continue
        made = await send_auto(t, role)
        wanted = f"RECEIPT to an auto INTENT for the role {role} under an unrestricted grant"
        t.expect("YEA-4.3.1-02", made.exchange.kind == "RECEIPT", wanted=wanted, got=made.exchange)
    if not t.findings:
        raise NotApplicable("no proposal for these roles can be undone")


@check(
    "yea/4.3.1/auto-commits-under-any-grant-that-covers-it",
    "YEA-4.3.1-02",
    "YEA-4.3.1-08",
    needs=("undoable",),
    commits=7,
    deadline=180.0,
)
async def under_any(t: Context) -> None:
    """A delegated grant commits, and so does a good one behind or before others that are no good."""

    def delegated(agent: Agent) -> list[str]:
        first = t.agent()
        return [delegate(t.grant(first), first, agent, iat=int(t.now()))]

    def with_bad(agent: Agent, *, last: bool) -> list[str]:
        bad = [
            "pg1.junk",
            t.grant(agent, by="x"),
            t.grant(t.agent()),
            t.grant(agent, exp=int(t.now()) - 3600),
            t.grant(agent, {"naysayer": 1}),
        ]
        return [t.grant(agent), *bad] if last else [*bad, t.grant(agent)]

    ways: dict[str, Any] = {
        "a delegated grant": delegated,
        "a good grant behind five that are no good": lambda agent: with_bad(agent, last=False),
        "a good grant before five that are no good": lambda agent: with_bad(agent, last=True),
    }
    for what, grants in ways.items():
        agent = t.agent()
        made = await send_auto(t, "undoable", agent=agent, grants=grants(agent))
        wanted = f"RECEIPT to an auto INTENT with {what}"
        t.expect("YEA-4.3.1-02", made.exchange.kind == "RECEIPT", wanted=wanted, got=made.exchange)
        agent = t.agent()
        tokens = grants(agent)
        offer = await t.offer("undoable", agent=agent, grants=tokens)
        committed = await t.send(offer.commit(grants=tokens))
        wanted = f"RECEIPT to a COMMIT with {what}, after an INTENT with the same"
        t.expect("YEA-4.3.1-08", committed.kind == "RECEIPT", wanted=wanted, got=committed)
