"""The default budget: a reply's cut without its handles, and when cuts tell budgets apart."""

from typing import Any

import pytest

from harness.context import Context
from harness.default_budget import default_cut, expect_default, kept_tokens
from harness.targets.base import Exchange, Frame
from reports.model import Outcome
from tests.harness.peers import answering, target
from tests.harness.plans import RULE, profile, run_one


def answer(kept: int, handle: str = "h") -> dict[str, Any]:
    """An ANSWER that keeps so many of two thousand items."""
    more = [{"handle": handle, "path": "data", "remaining": 2000 - kept, "est": 2000 - kept}]
    return {"kind": "ANSWER", "data": ["x"] * kept, **({"more": more} if kept < 2000 else {})}


def test_the_tokens_of_a_reply_are_those_of_its_data_whatever_the_handles() -> None:
    sizes = [kept_tokens(Exchange({}, [Frame(answer(40, handle), 1, 0.0)])) for handle in ("h1", "h" * 50)]
    assert sizes == [83, 83]
    assert kept_tokens(Exchange({}, [Frame({"kind": "ERROR", "code": "limit"}, 1, 0.0)])) == -1


async def body(t: Context) -> None:
    asking, usual = await default_cut(t)
    await expect_default(t, RULE, asking, usual, await asking.ask(None), "an ASK without budget")


async def moved(t: Context) -> None:
    asking, usual = await default_cut(t)
    GROWN.append(1)
    await expect_default(t, RULE, asking, usual, await asking.ask(None), "an ASK without budget")


GROWN: list[int] = []


def test_a_list_that_changed_meanwhile_is_sampled_again() -> None:
    at = target(answering(lambda frame: answer((frame.get("budget") or 2000) // (8 if GROWN else 4))))
    assert run_one(moved, targets=[at], profile=profile("big-ask")).outcome == Outcome.PASSED


COUNT = iter(range(1_000_000))
PEERS: dict[str, tuple[Any, Outcome, str]] = {
    "2000 by default": (lambda budget: answer((budget or 2000) // 4), Outcome.PASSED, ""),
    "a little more than 2000": (lambda budget: answer((budget or 2040) // 4), Outcome.PASSED, ""),
    "1000 by default": (lambda budget: answer((budget or 1000) // 4), Outcome.FAILED, "1750 more at data"),
    "no default": (lambda budget: answer((budget or 8000) // 4), Outcome.FAILED, "nothing left out"),
    "no budget at all": (lambda budget: answer(2000), Outcome.NOT_APPLICABLE, "cut nothing at budget 1000"),
    "changing": (lambda budget: answer(next(COUNT) % 3 * 100), Outcome.UNTESTED, "tokens under 1000 and 4000"),
    "refused": (lambda budget: {"kind": "ERROR", "code": "limit", "message": "no"}, Outcome.UNTESTED, "a right ASK"),
}


@pytest.mark.parametrize("name", PEERS)
def test_the_default_is_seen_only_where_budgets_show(name: str) -> None:
    say, outcome, words = PEERS[name]
    at = target(answering(lambda frame: say(frame.get("budget"))))
    row = run_one(body, targets=[at], profile=profile("big-ask"))
    assert (row.outcome, words in row.why) == (outcome, True), row.why
