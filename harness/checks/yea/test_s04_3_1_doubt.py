"""YEA 4.3.1, condition 3: after a commit in doubt, the same principal's auto INTENTs stop for review."""

import asyncio
from typing import Any

from harness.autos import send_auto
from harness.check import check
from harness.context import Context
from harness.doubts import brought_about, seen
from harness.errors import NotApplicable


@check(
    "yea/4.3.1/auto-stops-after-a-doubt",
    "YEA-4.3.1-13",
    "YEA-4.3.1-02",
    "YEA-4.4-01",
    needs=("doubt",),
    also=("undoable",),
    commits=8,
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
    await asyncio.gather(_another_capability(t), _another_principal(t), _commit_goes_on(t))


async def _commit_goes_on(t: Context) -> None:
    planned = await t.send((await t.offer("doubt")).commit())
    wanted = "RECEIPT to a COMMIT of another proposal: what is in doubt stops auto-commits alone"
    t.expect("YEA-4.4-01", planned.kind == "RECEIPT", wanted=wanted, got=planned)


@check(
    "yea/4.3.1/doubt-ends-after-900-s",
    "YEA-4.3.1-13",
    "YEA-4.3.1-02",
    needs=("doubt",),
    principals=2,
    commits=6,
    restarts=True,
    waits=True,
    slow=True,
    deadline=120,
)
async def doubt_ends(t: Context) -> None:
    """Auto INTENTs stop for review for 900 s after a commit was found in doubt, and no longer."""
    control = await send_auto(t, "doubt", **_by_b(t))
    if control.exchange.kind != "RECEIPT":
        raise NotApplicable(f"an auto INTENT for the role doubt got {control.exchange.seen()} before any interruption")
    await brought_about(t, by="b")
    found = t.now()
    for seconds, clause, kind in ((800, "YEA-4.3.1-13", "PROPOSALS"), (1000, "YEA-4.3.1-02", "RECEIPT")):
        await t.until(found + seconds)
        made = await send_auto(t, "doubt", **_by_b(t))
        wanted = f"{kind} to an auto INTENT {seconds} s after a commit of its principal was in doubt"
        t.expect(clause, made.exchange.kind == kind, wanted=wanted, got=made.exchange)


def _by_b(t: Context) -> dict[str, Any]:
    """Return an agent and its grant by principal b, for whom no other check brings a commit into doubt."""
    agent = t.agent()
    return {"agent": agent, "grants": [t.grant(agent, by="b")]}


async def _another_capability(t: Context) -> None:
    if not t.has("undoable") or t.profile.roles["undoable"].capability == t.profile.roles["doubt"].capability:
        return
    made = await send_auto(t, "undoable")
    wanted = "RECEIPT to an auto INTENT of the same principal for another capability than the one in doubt"
    t.expect("YEA-4.3.1-02", made.exchange.kind == "RECEIPT", wanted=wanted, got=made.exchange)


async def _another_principal(t: Context) -> None:
    if "b" not in t.profile.seeds:
        return
    made = await send_auto(t, "doubt", **_by_b(t))
    wanted = "RECEIPT to an auto INTENT of another principal than the one whose commit is in doubt"
    t.expect("YEA-4.3.1-02", made.exchange.kind == "RECEIPT", wanted=wanted, got=made.exchange)
