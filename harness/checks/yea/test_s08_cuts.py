"""YEA 8, budgets: that replies fit, and that what is left out is announced and counted."""

from typing import Any

from harness.check import check
from harness.context import BIG_BUDGET, Context
from harness.cuts import ODD_PATH, Loss, Spot, locate, losses, more_of, odd_keys, still_cuttable
from harness.encoding import shown
from harness.errors import NotApplicable
from harness.expanding import NOTHING_CUT, brief, plan, reader, slice_of
from reference.yea.estimate import est
from reference.yea.lens import lens_reply

BIG_ROLES = ("big-ask", "big-text")
TAILS = {"big-ask": "YEA-8-13", "big-text": "YEA-8-14"}  # which clause the tail of each is for
BUDGETS = (200, 500, 2000)

Reply = dict[str, Any]


def tokens(reply: Reply) -> int:
    """Return the estimated tokens of a reply's Lens."""
    return est(lens_reply(reply))


def expect_fit(t: Context, reply: Reply, budget: int, what: str) -> None:
    """Expect that a reply is within its budget, or has nothing left that may be cut (YEA-Q78)."""
    size = tokens(reply)
    ok = size <= budget or not still_cuttable(reply)
    wanted = f"at most {budget} estimated tokens, or nothing left to cut, for {what} with budget {budget}"
    t.expect("YEA-8-09", ok, wanted=wanted, got=f"{size} estimated tokens")


@check("yea/8/answers-fit-their-budget", "YEA-8-09", needs=("big-ask",))
async def answers_fit(t: Context) -> None:
    """The Lens of an ANSWER is within the request's budget as long as something may be cut."""
    for role in filter(t.has, BIG_ROLES):
        reading = await reader(t, role)
        for budget in (1, *BUDGETS):
            expect_fit(t, (await reading.ask(budget)).reply, budget, f"an ASK for the role {role}")


@check("yea/8/briefs-fit-their-budget", "YEA-8-09")
async def briefs_fit(t: Context) -> None:
    """The Lens of a BRIEF is within the request's budget as long as something may be cut."""
    for budget in (1, 50, *BUDGETS):
        expect_fit(t, await brief(t, budget), budget, "a HELLO")


@check("yea/8/proposals-fit-their-budget", "YEA-8-09", needs=("multi",), principals=1)
async def proposals_fit(t: Context) -> None:
    """The Lens of PROPOSALS is within the request's budget as long as something may be cut."""
    for budget in (1, 100, *BUDGETS):
        exchange = await plan(t, await t.role("multi"), t.agent(), budget)
        expect_fit(t, exchange.reply, budget, "an INTENT for the role multi")


@check("yea/8/fitting-replies-are-whole", "YEA-8-09", needs=("ask",), basis="open")
async def fitting_replies_are_whole(t: Context) -> None:
    """A reply that fits its budget is not cut (YEA-Q78)."""
    replies = {"HELLO": await brief(t, BIG_BUDGET)}
    for role in filter(t.has, ("ask", *BIG_ROLES)):
        replies[f"ASK for the role {role}"] = (await (await reader(t, role)).ask(BIG_BUDGET)).reply
    for what, reply in replies.items():
        more = reply.get("more")
        wanted = f"no more in the reply to a {what} with budget {BIG_BUDGET}"
        t.expect("YEA-8-09", not more, wanted=wanted, got=f"more {shown(more)}")


@check(
    "yea/8/what-is-left-out-is-announced",
    "YEA-8-10",
    "YEA-8-12",
    "YEA-8-13",
    "YEA-8-14",
    needs=("big-ask",),
)
async def left_out_is_announced(t: Context) -> None:
    """Each list or string that lost its tail has a `more` entry with its path and how much is missing."""
    cut = False
    for role, clause in TAILS.items():
        if not t.has(role):
            t.lacks(clause, f"the profile offers no role {role}")
    for role in filter(t.has, BIG_ROLES):
        reading = await reader(t, role)
        whole = {"data": await reading.whole()}
        for budget in BUDGETS:
            exchange = await reading.ask(budget)
            await reading.steady(whole["data"])
            gone = losses(whole, {"data": exchange.reply.get("data")})
            cut = cut or bool(gone)
            _compare(t, exchange.reply, gone, f"an ASK for the role {role} with budget {budget}")
    if not cut:
        raise NotApplicable(NOTHING_CUT.format(BUDGETS[0]))


def _compare(t: Context, reply: dict[str, Any], gone: list[Loss], what: str) -> None:
    entries = {entry: locate(reply, entry.path) for entry in more_of(reply)}
    odd = any(odd_keys({str(key): None}) for loss in gone for key in loss.path)
    for loss in gone:
        spot = _walk(reply, loss.path)
        found = next((entry for entry, place in entries.items() if place is not None and _same_spot(place, spot)), None)
        missing = f"{loss.missing} {'items' if loss.what == 'items' else 'characters'}"
        if loss.what == "changed":
            wanted = f"nothing altered in the reply to {what}"
            t.expect("YEA-8-10", False, wanted=wanted, got=f"another value at {loss.dotted}")
            continue
        if found is None and odd:
            t.lacks("YEA-8-10", ODD_PATH)
            continue
        wanted = f"a more entry for the {missing} missing at {loss.dotted} of {what}"
        t.expect("YEA-8-10", found is not None, wanted=wanted, got=f"paths {_paths(reply)}")
        if found is not None:
            clause = "YEA-8-13" if loss.what == "items" else "YEA-8-14"
            wanted = f"remaining {loss.missing} at {loss.dotted} of {what}"
            t.expect(clause, found.remaining == loss.missing, wanted=wanted, got=f"remaining {found.remaining}")
    cut = [_walk(reply, loss.path) for loss in gone]
    for entry, place in entries.items():
        if place is None and odd:
            continue
        known = place is not None and any(_same_spot(place, spot) for spot in cut)
        wanted = f"a path to something that was cut in the reply to {what}"
        t.expect("YEA-8-12", known, wanted=wanted, got=f"path {shown(entry.path)}")


def _walk(reply: dict[str, Any], path: tuple[str | int, ...]) -> Spot:
    holder: Any = reply
    for key in path[:-1]:
        holder = holder[key]
    return Spot(holder, path[-1])


def _same_spot(first: Spot, second: Spot) -> bool:
    return first.holder is second.holder and first.key == second.key


def _paths(reply: dict[str, Any]) -> str:
    return ", ".join(shown(entry.path) for entry in more_of(reply)) or "none"


@check("yea/8/est-is-what-the-rest-costs", "YEA-8-15", needs=("big-ask",))
async def est_is_right(t: Context) -> None:
    """`est` is above zero, and about what fetching the rest costs."""
    for role in filter(t.has, BIG_ROLES):
        reading = await reader(t, role)
        for budget in BUDGETS:
            _, entries = await reading.cut(budget)
            entry = entries[0]
            where = f"at {entry.path} of the role {role} with budget {budget}"
            t.expect("YEA-8-15", entry.est > 0, wanted=f"est above 0 {where}", got=f"est {entry.est}")
            answer = await reading.expand(entry.handle)
            if answer.kind == "ANSWER" and not answer.reply.get("more"):
                cost = tokens(answer.reply)
                near = cost <= 2 * entry.est and entry.est <= 2 * max(cost, 1)
                wanted = f"est {cost} or at most a factor 2 off {where}"
                t.expect("YEA-8-15", near, wanted=wanted, got=f"est {entry.est}", open_question="YEA-Q79")


@check("yea/8/expand-gives-items-or-text", "YEA-8-22", "YEA-8-23", needs=("big-ask",))
async def items_or_text(t: Context) -> None:
    """EXPAND of a list's handle gives data.items, of a string's handle data.text."""
    for role in filter(t.has, BIG_ROLES):
        reading = await reader(t, role)
        for budget in (200, BIG_BUDGET):
            exchange, entries = await reading.cut(200)
            for entry in entries[:3]:
                place = locate(exchange.reply, entry.path)
                if place is None and odd_keys(exchange.reply):
                    t.lacks("YEA-8-22", ODD_PATH)
                    continue
                a_list = place is not None and isinstance(place.value, list)
                name, kind, clause = ("items", list, "YEA-8-22") if a_list else ("text", str, "YEA-8-23")
                answer = await reading.expand(entry.handle, budget)
                ok = isinstance(slice_of(answer.reply, name), kind)
                wanted = f'data {{"{name}": …}} for the handle at {entry.path} with budget {budget}'
                got = f"data {shown(answer.reply.get('data'))}" if answer.kind == "ANSWER" else answer
                t.expect(clause, ok, wanted=wanted, got=got)
    if not t.has("big-text"):
        t.lacks("YEA-8-23", "the profile offers no role big-text")
