"""YEA 4.3, INTENT: that it only proposes, and that CLARIFY can be resolved. Auto-commit has files of its own."""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.errors import Untested
from harness.offers import Instance
from harness.patches import merged
from harness.profile import INTENT_ROLES
from harness.refusals import unchanged
from harness.targets.base import Exchange


def intents(t: Context) -> list[str]:
    """Return the profile's roles that plan something."""
    return [role for role in t.profile.roles if role in INTENT_ROLES]


async def plan(t: Context, instance: Instance, **members: Any) -> Exchange:
    """Send an INTENT for an instance by a fresh agent under an unrestricted grant."""
    agent = t.agent()
    return await t.send(t.intent(instance, agent, [t.grant(agent)], **members))


@check("yea/4.3/goal-is-optional", "YEA-4.3-01", needs=("undoable",), principals=1)
async def goal_is_optional(t: Context) -> None:
    """An INTENT gets PROPOSALS without a goal, and with one."""
    for goal in (None, "Get this done, please."):
        exchange = await plan(t, await t.role("undoable"), goal=goal)
        wanted = f"PROPOSALS to an INTENT with goal {goal!r}" if goal else "PROPOSALS to an INTENT without a goal"
        t.expect("YEA-4.3-01", exchange.kind == "PROPOSALS", wanted=wanted, got=exchange)


@check(
    "yea/4.3/intent-without-auto-only-proposes",
    "YEA-4.3-02",
    "YEA-4.3-08",
    needs=("undoable",),
    principals=1,
    deadline=180.0,
    also=INTENT_ROLES,
)
async def only_proposes(t: Context) -> None:
    """Without auto, or with auto false, an INTENT gets PROPOSALS, CLARIFY or ERROR, and nothing is changed."""
    for role in intents(t):
        instance = await t.role(role)
        before = await instance.state()
        for auto in (None, False):
            exchange = await plan(t, instance, auto=auto)
            ok = exchange.kind in ("PROPOSALS", "CLARIFY", "ERROR")
            shown = "absent" if auto is None else "false"
            wanted = f"PROPOSALS, CLARIFY or ERROR for the role {role} with auto {shown}"
            t.expect("YEA-4.3-02", ok, wanted=wanted, got=exchange)
        await unchanged(t, "YEA-4.3-08", instance, before, f"two INTENTs for the role {role}")


@check("yea/4.3/intent-changes-nothing", "YEA-4.3-08", needs=("undoable", "state"), principals=1)
async def changes_nothing(t: Context) -> None:
    """Ten INTENTs for one object leave its state as it was."""
    instance = await t.role("undoable")
    before = await instance.state()
    for _ in range(10):
        await t.offer(instance)
    await unchanged(t, "YEA-4.3-08", instance, before, "ten INTENTs")


@check("yea/4.3/clarify-options-resolve-it", "YEA-4.3-06", needs=("clarify",), principals=1)
async def options_resolve(t: Context) -> None:
    """The INTENT again with an option's params merged in is no longer ambiguous in the same way."""
    instance = await t.role("clarify")
    asked = await plan(t, instance)
    options = asked.reply.get("options")
    if asked.kind != "CLARIFY" or not isinstance(options, list) or not options:
        raise Untested(f"an INTENT for the role clarify got {asked.seen()}, no CLARIFY with options")
    for number, option in enumerate(options[:20], start=1):
        patch = option.get("params") if isinstance(option, dict) else None
        if not isinstance(patch, dict):
            continue  # the monitors of CLARIFY say so
        params = merged(instance.params, patch)
        again = await plan(t, Instance(instance.role, instance.values, params, t))
        alike = again.kind == "CLARIFY" and same(_question(again), _question(asked))
        wanted = f"PROPOSALS, or another question, with the params of option {number} merged in"
        t.expect("YEA-4.3-06", not alike and again.code != "invalid_params", wanted=wanted, got=again)
    if not t.findings:
        raise Untested("no option of the CLARIFY has params that can be merged")


def _question(exchange: Exchange) -> list[Any]:
    return [exchange.reply.get("question"), exchange.reply.get("options")]
