"""YEA 1: what an ask capability can do, and what it cannot."""

from harness.check import check
from harness.context import Context
from harness.errors import Untested
from harness.targets.base import Exchange

CHANGES = ("PROPOSALS", "RECEIPT")


@check("yea/1/ask-capabilities-only-read", "YEA-1-02", needs=("ask",))
async def asks_only_read(t: Context) -> None:
    """No INTENT that names an ask capability gets proposals or a receipt, with grants and auto or without."""
    role = await t.role("ask")
    control = await t.ask(role.capability, role.params)
    if control.kind != "ANSWER":
        raise Untested(f"a right ASK got {control.seen()}")
    plain = t.with_grants("INTENT", role.capability, None, params=role.params)
    _no_plan(t, await t.send(plain), "an INTENT")
    if "a" in t.profile.seeds:
        agent = t.agent()
        token = t.grant(agent)
        _no_plan(t, await t.send(t.intent(role, agent, [token])), "an INTENT with a grant")
        _no_plan(t, await t.send(t.intent(role, agent, [token], auto=True)), "an auto INTENT with a grant")


def _no_plan(t: Context, exchange: Exchange, what: str) -> None:
    """Expect an ERROR; the spec gives no code (YEA-Q34), and only a plan or a commit is surely wrong."""
    wanted = f"neither proposals nor a receipt for {what} that names an ask"
    if t.expect("YEA-1-02", exchange.kind not in CHANGES, wanted=wanted, got=exchange):
        t.expect_error("YEA-1-02", exchange, "unknown_capability", open_question="YEA-Q34")
