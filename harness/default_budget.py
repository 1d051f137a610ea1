"""The budget of a request without one: how a reply to it is told from replies under other budgets (YEA 3, 8)."""

from typing import Any

from harness.context import Context
from harness.cuts import more_of
from harness.errors import Untested
from harness.expanding import Reader, reader
from harness.targets.base import Exchange

DEFAULT_BUDGET = 2000


def cut_of(exchange: Exchange) -> dict[str, Any]:
    """Return what a reply kept and what it says it left out, without the handles, which are new each time."""
    kept = [(entry.path, entry.remaining, entry.est) for entry in more_of(exchange.reply)]
    return {"kind": exchange.kind, "code": exchange.code, "data": exchange.reply.get("data"), "more": kept}


async def default_cut(t: Context) -> tuple[Reader, dict[str, Any]]:
    """Return a reader of the role big-ask, and its cut under a budget of 2000.

    Raises Untested unless that cut is steady, and another one than under half and twice the budget: otherwise the
    budget of a reply could not be told from its cut.
    """
    asking = await reader(t, "big-ask")
    cut = cut_of(await asking.ask(DEFAULT_BUDGET))
    if cut != cut_of(await asking.ask(DEFAULT_BUDGET)):
        raise Untested("the answer of the role big-ask changes from one ASK to the next")
    others = [cut_of(await asking.ask(budget)) for budget in (DEFAULT_BUDGET // 2, 2 * DEFAULT_BUDGET)]
    if cut in others:
        raise Untested("the answer of the role big-ask is cut alike under 1000, 2000 and 4000 tokens")
    return asking, cut


def expect_default(t: Context, clause: str, cut: dict[str, Any], exchange: Exchange, what: str) -> None:
    """Expect the reply to be cut as under a budget of 2000."""
    got = cut_of(exchange)
    left = ", ".join(f"{remaining} more at {path}" for path, remaining, _ in got["more"]) or "nothing left out"
    t.expect(
        clause, got == cut, wanted=f"the reply to {what} as under budget 2000", got=f"{exchange.seen()} with {left}"
    )
