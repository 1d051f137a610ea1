"""YEA 4.1, HELLO: who gets a BRIEF, that `agent` only informs, and that service.id is stable."""

from typing import Any

from harness.check import check
from harness.context import BIG_BUDGET, Context
from harness.cuts import objects_in, same
from harness.encoding import exact, shown
from harness.expanding import brief, every_slice, listed
from harness.offers import Offer
from harness.people import new_key
from harness.refusals import Refusal, refused_commits, unchanged
from harness.targets.base import Exchange
from harness.targets.http import HttpConnection
from reference.yea import jsontext

SMALL_BUDGETS = (1, 50, 200)


@check("yea/4.1/hello-gets-a-brief", "YEA-4.1-01", "YEA-4.1-02")
async def hello_gets_a_brief(t: Context) -> None:
    """HELLO with nothing but an id is answered by a BRIEF: it needs no budget, agent, grants or proof."""
    t.expect_kind("YEA-4.1-01", await t.hello(), "BRIEF")
    t.expect_kind("YEA-4.1-02", await t.hello(await t.connect()), "BRIEF")


@check("yea/4.1/agent-only-informs", "YEA-4.1-05")
async def agent_only_informs(t: Context) -> None:
    """HELLO with an `agent` of any kind gets the same BRIEF as without one."""
    plain = _offered(await t.hello(budget=BIG_BUDGET))
    agents: dict[str, Any] = {
        "a name": {"name": "naysayer"},
        "a name and a key": {"name": "naysayer", "key": new_key().public},
        "the key of a principal": {"name": "naysayer", "key": t.principal("a" if t.profile.seeds else "x").public},
        "no members": {},
    }
    for what, agent in agents.items():
        exchange = await t.hello(agent=agent, budget=BIG_BUDGET)
        alike = exchange.kind == "BRIEF" and same(_offered(exchange), plain)
        wanted = f"the same service and capabilities for an agent with {what}"
        t.expect("YEA-4.1-05", alike, wanted=wanted, got=_offered(exchange) or exchange)
    for agent in (5, "naysayer", [], {"key": "x"}, {"name": 5}):
        exchange = await t.hello(agent=agent)
        wanted = f"BRIEF for agent {agent!r}"
        t.expect("YEA-4.1-05", exchange.kind == "BRIEF", wanted=wanted, got=exchange, open_question="YEA-Q30")


def _offered(exchange: Exchange) -> list[Any]:
    """Return the service's id and the names of its capabilities."""
    service = exchange.reply.get("service")
    names = [exact(entry.get("name")) for entry in listed(exchange.reply, "capabilities")]
    return [exact(service.get("id")), *names] if isinstance(service, dict) else []


@check("yea/4.1/agent-authorizes-nothing", "YEA-4.1-06", needs=("undoable",), commits=5)
async def agent_authorizes_nothing(t: Context) -> None:
    """After a HELLO in a principal's name, COMMIT still needs that principal's grant."""
    for key in (t.principal("x").public, t.principal("a").public):
        t.expect_kind("YEA-4.1-06", await t.hello(agent={"name": "principal", "key": key}), "BRIEF")
    member = {"name": "principal", "key": t.principal("a").public}
    cases = [
        Refusal(
            "neither grants nor proof, after a HELLO with the principal's key",
            "YEA-4.1-06",
            lambda offer: offer.commit(grants=None, proof=None),
            ("unauthorized",),
        ),
        Refusal(
            "no grants, and an `agent` that names the principal's key",
            "YEA-4.1-06",
            lambda offer: offer.commit(grants=None, agent=offer.agent) | {"agent": member},
            ("unauthorized",),
        ),
    ]
    await refused_commits(t, "undoable", cases, accept="YEA-4.1-06")
    await _stranger(t)
    if t.facts.demands_grants and t.has("ask"):
        instance = await t.role("ask")
        exchange = await t.send(t.frame("ASK", capability=instance.capability, params=instance.params, agent=member))
        t.expect_error("YEA-4.1-06", exchange, "unauthorized")


async def _stranger(t: Context) -> None:
    """A principal that the target does not trust is not trusted for having named itself in a HELLO either."""
    instance, agent = await t.role("undoable"), t.agent()
    token = t.grant(agent, by="x")
    before = await instance.state()
    planned = await t.send(t.intent(instance, agent, [token]))
    if planned.kind != "PROPOSALS":
        return  # YEA-Q43: an INTENT under no valid grant may be refused
    offer = Offer(instance, agent, token, planned, listed(planned.reply, "proposals"))
    if not offer.proposals or not isinstance(offer.proposal.get("hash"), str):
        return
    exchange = await t.send(offer.commit())
    wanted = "ERROR to a COMMIT under the grant of a stranger whose key a HELLO named"
    t.expect("YEA-4.1-06", exchange.kind == "ERROR", wanted=wanted, got=exchange)
    await unchanged(t, "YEA-4.1-06", offer, before, "a COMMIT under a stranger's grant")


@check("yea/4.1/service-id-is-stable", "YEA-4.1-07")
async def service_id_is_stable(t: Context) -> None:
    """service.id is the same in every BRIEF: again, on a new connection, over every transport, by GET."""
    first = _id(await t.hello())
    t.expect("YEA-4.1-07", isinstance(first, str), wanted="a service.id that is a string", got=shown(first))
    again = {
        "again": await t.hello(),
        "to an agent": await t.hello(agent={"name": "naysayer", "key": new_key().public}),
        "under budget 1": await t.hello(budget=1),
        "on a new connection": await t.hello(await t.connect()),
    }
    for transport in sorted(t.others):
        again[f"over {transport}"] = await t.hello(await t.connect(transport))
    for when, exchange in again.items():
        got = _id(exchange)
        t.expect(
            "YEA-4.1-07", same(got, first), wanted=f"service.id {shown(first)} {when}", got=f"service.id {shown(got)}"
        )
    conn = await t.conn()
    if isinstance(conn, HttpConnection):
        got = _discovered(bytes((await conn.get()).body))
        ok = got is None or same(got, first)
        t.expect("YEA-4.1-07", ok, wanted=f"service.id {shown(first)} by GET", got=f"service.id {shown(got)}")


def _id(exchange: Exchange) -> Any:
    service = exchange.reply.get("service")
    return service.get("id") if isinstance(service, dict) else None


def _discovered(body: bytes) -> Any:
    """Return the service.id of a discovery document, None when it is none: what it must be is section 2.4's."""
    try:
        document = jsontext.loads(body)
    except ValueError:
        return None
    service = document.get("service") if isinstance(document, dict) else None
    return service.get("id") if isinstance(service, dict) else None


@check("yea/4.1/left-out-params-can-be-expanded", "YEA-4.1-08", "YEA-4.1-09")
async def params_can_be_expanded(t: Context) -> None:
    """Whatever a small BRIEF leaves out of the capabilities' params, EXPAND of its handles brings back."""
    full = _params(await brief(t, BIG_BUDGET))
    shrunk = False
    for budget in SMALL_BUDGETS:
        small = await brief(t, budget)
        lost = {name for name, params in full.items() if not same(_params(small).get(name), params)}
        shrunk = shrunk or bool(lost)
        bare = sorted(lost & set(_names(small)))
        if bare and small.get("more"):
            t.expect("YEA-4.1-08", True, wanted="params only left out beside a `more`", got=f"{', '.join(bare)}")
        slices = await every_slice(small, lambda handle: t.send(t.frame("EXPAND", handle=handle, budget=BIG_BUDGET)))
        for reply in slices:
            lost -= {name for name, params in _params(reply).items() if same(full.get(name), params)}
        wanted = f"the params of every capability in the BRIEF under budget {budget} or through its `more`"
        got = f"nothing of {', '.join(sorted(lost))} in {len(slices)} slices" if lost else "all of them"
        t.expect("YEA-4.1-09", not lost, wanted=wanted, got=got)
    if not shrunk:
        t.lacks("YEA-4.1-08", "the target leaves no params out of its BRIEF")


def _params(reply: dict[str, Any]) -> dict[str, Any]:
    """Return the params of every capability entry that has some, wherever in a reply the entry is."""
    return {
        entry["name"]: entry["params"]
        for entry in objects_in({name: member for name, member in reply.items() if name != "more"})
        if isinstance(entry.get("name"), str) and isinstance(entry.get("params"), dict) and "kind" in entry
    }


def _names(reply: dict[str, Any]) -> list[str]:
    entries = listed(reply, "capabilities")
    return [entry["name"] for entry in entries if isinstance(entry.get("name"), str)]
