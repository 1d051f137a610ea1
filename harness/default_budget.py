"""The budget of a request without one: how a reply to it is told from replies under other budgets (YEA 3, 8)."""

from harness.context import Context
from harness.cuts import more_of, same
from harness.errors import NotApplicable, Untested
from harness.expanding import NOTHING_CUT, Reader, cut_nothing, reader
from harness.targets.base import Exchange
from reference.yea.estimate import est
from reference.yea.lens import lens_reply

DEFAULT_BUDGET = 2000
SAMPLES = 3
SLACK = 64  # tokens; a handle counts in the Lens and no two need cost the same, so neither need two cuts


def kept_tokens(exchange: Exchange) -> int:
    """Return the estimate of an ANSWER's data alone, and -1 for any other reply."""
    return est(lens_reply({"kind": "ANSWER", "data": exchange.reply.get("data")})) if exchange.kind == "ANSWER" else -1


async def default_cut(t: Context) -> tuple[Reader, range]:
    """Return a reader of the role big-ask, and how many tokens of it are kept under a budget of 2000.

    Raises NotApplicable when nothing is cut, and Untested unless half and twice the budget keep other numbers:
    otherwise the budget of a reply could not be told from its size.
    """
    asking = await reader(t, "big-ask")
    sizes = await _sizes(asking)
    usual = _around(sizes)
    replies = [await asking.ask(budget) for budget in (DEFAULT_BUDGET // 2, 2 * DEFAULT_BUDGET)]
    others = [kept_tokens(exchange) for exchange in replies]
    if cut_nothing(replies[0], DEFAULT_BUDGET // 2):
        raise NotApplicable(NOTHING_CUT.format(DEFAULT_BUDGET // 2))
    if any(size in usual for size in others):
        raise Untested(
            f"the answer of the role big-ask has {others} tokens under 1000 and 4000, and {sizes} under 2000"
        )
    return asking, usual


async def _sizes(asking: Reader) -> list[int]:
    return [kept_tokens(await asking.ask(DEFAULT_BUDGET)) for _ in range(SAMPLES)]


def _around(sizes: list[int]) -> range:
    return range(max(0, min(sizes) - SLACK), max(sizes) + SLACK + 1)


async def expect_default(t: Context, clause: str, asking: Reader, usual: range, exchange: Exchange, what: str) -> None:
    """Expect the reply to be cut as under a budget of 2000; what that is now is asked again when it is not.

    Raises Untested when the answer under one budget is another each time.
    """
    if kept_tokens(exchange) not in usual:
        usual = _around(await _sizes(asking))
        first, second = [(await asking.ask(2 * DEFAULT_BUDGET)).reply.get("data") for _ in range(2)]
        if not same(first, second):
            raise Untested("the answer for the role big-ask changed while it was read")
    left = ", ".join(f"{entry.remaining} more at {entry.path}" for entry in more_of(exchange.reply))
    size = kept_tokens(exchange)
    got = f"{exchange.seen()} of {size} tokens with {left or 'nothing left out'}"
    wanted = f"the reply to {what} as under budget 2000, {usual.start} to {usual.stop - 1} tokens"
    t.expect(clause, size in usual, wanted=wanted, got=got)
