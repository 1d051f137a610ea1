"""YEA 4.2, ASK: that it is answered, and that it changes nothing."""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.errors import Untested
from harness.profile import READ_ROLES
from harness.refusals import unchanged

BAD_PARAMS: tuple[Any, ...] = ({"naysayer_unknown": 1}, [], "text", {"day": 5})


def asks(t: Context) -> list[str]:
    """Return the profile's roles that only read."""
    return [role for role in t.profile.roles if role in READ_ROLES]


@check("yea/4.2/ask-gets-an-answer", "YEA-4.2-01", needs=("ask",))
async def ask_gets_an_answer(t: Context) -> None:
    """A right ASK is answered by an ANSWER with data, whatever the data is."""
    for role in asks(t):
        instance = await t.role(role)
        exchange = await t.ask(instance.capability, instance.params)
        if t.expect_kind("YEA-4.2-01", exchange, "ANSWER"):
            members = ", ".join(exchange.reply)
            t.expect("YEA-4.2-01", "data" in exchange.reply, wanted="a member data", got=f"members {members}")


@check("yea/4.2/ask-ends-in-answer-or-error", "YEA-4.2-02", needs=("ask",), deadline=180.0)
async def ask_ends_in_answer_or_error(t: Context) -> None:
    """ASK is answered by ANSWER or ERROR and nothing else, with good params and with bad ones."""
    for role in asks(t):
        instance = await t.role(role)
        for params in (instance.params, *BAD_PARAMS):
            t.expect_kind("YEA-4.2-02", await t.ask(instance.capability, params), "ANSWER", "ERROR")
    t.expect_kind("YEA-4.2-02", await t.ask(f"naysayer.{t.unique()}", {}), "ERROR")


@check("yea/4.2/ask-changes-nothing", "YEA-4.2-03", needs=("ask", "state", "undoable"), commits=1, deadline=180.0)
async def ask_changes_nothing(t: Context) -> None:
    """Every ask capability of the profile, asked three times, leaves the state of an object as it was."""
    offer = await t.offer("undoable")
    await t.commit(offer)
    before = await offer.state()
    for role in asks(t):
        for _ in range(3):
            instance = await t.role(role)
            await t.ask(instance.capability, instance.params)
        await unchanged(t, "YEA-4.2-03", offer, before, f"three ASKs for the role {role}")


@check("yea/4.2/ask-may-be-repeated", "YEA-4.2-04", needs=("ask",))
async def ask_may_be_repeated(t: Context) -> None:
    """The same ASK, five times with fresh ids, is answered each time."""
    instance = await t.role("ask")
    first = await t.ask(instance.capability, instance.params)
    if first.kind != "ANSWER":
        raise Untested(f"a right ASK for the role ask got {first.seen()}")
    for _ in range(4):
        t.expect_kind("YEA-4.2-04", await t.ask(instance.capability, instance.params), "ANSWER")


@check(
    "yea/4.2/ask-of-an-intent-changes-nothing",
    "YEA-4.2-05",
    needs=("undoable",),
    principals=1,
    also=("uses", "irreversible"),
)
async def ask_of_an_intent(t: Context) -> None:
    """An ASK that names an intent capability is refused and changes nothing."""
    agent = t.agent()
    for role in ("undoable", "uses", "irreversible"):
        if not t.has(role):
            continue
        instance = await t.role(role)
        await t.offer(instance, agent=agent)
        before = await instance.state()
        exchange = await t.ask(instance.capability, instance.params, agent=agent)
        refused = exchange.kind == "ERROR"
        wanted = f"ERROR to an ASK of the intent capability {instance.capability}"
        t.expect("YEA-4.2-05", refused, wanted=wanted, got=exchange, open_question="YEA-Q34")
        await unchanged(t, "YEA-4.2-05", instance, before, f"an ASK of {instance.capability}")
