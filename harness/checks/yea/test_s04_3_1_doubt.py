"""YEA 4.3.1, condition 3: after a commit in doubt, the same principal's auto INTENTs stop for review."""

import asyncio

from harness.autos import send_auto
from harness.check import check
from harness.context import Context
from harness.doubts import brought_about, seen
from harness.errors import NotApplicable


@check(
    "yea/4.3.1/auto-stops-after-a-doubt",
    "YEA-4.3.1-13",
    "YEA-4.3.1-02",
    needs=("doubt",),
    also=("undoable",),
    commits=7,
    restarts=True,
    deadline=120,
)
async def auto_stops(t: Context) -> None:
    """After a commit in doubt an auto INTENT of its principal and capability gets PROPOSALS; others are committed."""
    control = await send_auto(t, "doubt")
    if control.exchange.kind != "RECEIPT":
        raise NotApplicable(f"an auto INTENT for the role doubt got {control.exchange.seen()} before any interruption")
    again = await brought_about(t)
    stopped = await send_auto(t, "doubt")
    wanted = f"PROPOSALS: the COMMIT before it is in doubt, as sent again it got {seen(again)}"
    t.expect("YEA-4.3.1-13", stopped.exchange.kind == "PROPOSALS", wanted=wanted, got=stopped.exchange)
    await asyncio.gather(_another_capability(t), _another_principal(t))


async def _another_capability(t: Context) -> None:
    if not t.has("undoable") or t.profile.roles["undoable"].capability == t.profile.roles["doubt"].capability:
        return
    made = await send_auto(t, "undoable")
    wanted = "RECEIPT to an auto INTENT of the same principal for another capability than the one in doubt"
    t.expect("YEA-4.3.1-02", made.exchange.kind == "RECEIPT", wanted=wanted, got=made.exchange)


async def _another_principal(t: Context) -> None:
    if "b" not in t.profile.seeds:
        return
    agent = t.agent()
    made = await send_auto(t, "doubt", agent=agent, grants=[t.grant(agent, by="b")])
    wanted = "RECEIPT to an auto INTENT of another principal than the one whose commit is in doubt"
    t.expect("YEA-4.3.1-02", made.exchange.kind == "RECEIPT", wanted=wanted, got=made.exchange)
