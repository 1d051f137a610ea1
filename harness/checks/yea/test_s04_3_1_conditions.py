"""YEA 4.3.1, auto-commit: that it happens when the three conditions hold, and that no grant short of that will do."""

from typing import Any

from harness.autos import REFUSED_INTENT, Held, committed_auto, held_back, send_auto
from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.encoding import shown
from harness.errors import NotApplicable
from harness.people import Agent


@check(
    "yea/4.3.1/auto-commits-in-one-round-trip",
    "YEA-4.3.1-02",
    "YEA-4.3.1-03",
    needs=("undoable",),
    commits=1,
)
async def auto_commits(t: Context) -> None:
    """An auto INTENT for which all conditions hold is committed, and its one reply is a RECEIPT with auto true."""
    instance = await t.role("undoable")
    before = await instance.state()
    made = await send_auto(t, instance)
    reply = made.exchange.reply
    if not t.expect_kind("YEA-4.3.1-02", made.exchange, "RECEIPT"):
        return
    if instance.watched:
        after = await instance.state()
        wanted = f"another state than {shown(before)}"
        t.expect("YEA-4.3.1-02", not same(after, before), wanted=wanted, got=f"state {shown(after)}", of=instance)
    flag, replay = reply.get("auto"), reply.get("replay")
    t.expect("YEA-4.3.1-03", flag is True, wanted="auto true on the reply frame", got=f"auto {shown(flag)}")
    t.expect("YEA-4.3.1-03", replay in (None, False), wanted="replay absent or false", got=f"replay {shown(replay)}")


@check(
    "yea/4.3.1/auto-events-come-before-the-receipt",
    "YEA-2.2-04",
    "YEA-2.2-05",
    "YEA-4.3.1-03",
    needs=("slow-commit",),
    commits=1,
)
async def auto_events(t: Context) -> None:
    """An auto-commit that takes a while gets its EVENTs, if any, then one RECEIPT with auto true, and nothing more."""
    conn = await t.conn()
    made = await send_auto(t, "slow-commit", conn=conn)
    if made.exchange.kind == "PROPOSALS":
        raise NotApplicable("the role slow-commit is not auto-committed: it cannot be undone, or one is in doubt")
    flag = made.exchange.reply.get("auto")
    ok = made.exchange.kind == "RECEIPT" and flag is True
    t.expect("YEA-4.3.1-03", ok, wanted="RECEIPT with auto true", got=f"{made.exchange.seen()}, auto {shown(flag)}")
    await t.hello(conn)
    late = await conn.settle(made.exchange, 1.0)
    events, finals = [f for f in late if not f.final], [f for f in late if f.final]
    t.expect("YEA-2.2-04", not events, wanted="no EVENT after the RECEIPT", got=f"{len(events)} EVENTs after it")
    got = f"RECEIPT, then {finals[0].kind}" if finals else "RECEIPT alone"
    t.expect("YEA-2.2-05", not finals, wanted="the RECEIPT as the one final reply", got=got)


@check("yea/4.3.1/auto-receipt-can-be-undone", "YEA-4.3.1-32", needs=("undoable",), commits=1)
async def auto_can_be_undone(t: Context) -> None:
    """An auto-committed receipt has an undo window, and UNDO reverses it."""
    made = await committed_auto(t, "undoable")
    undo = made.receipt.get("undo")
    until = undo.get("until") if isinstance(undo, dict) else None
    t.expect("YEA-4.3.1-32", until is not None, wanted="undo with an until on the receipt", got=f"undo {shown(undo)}")
    name = made.receipt["id"]
    proof = made.agent.proof("UNDO", name)
    undone = await t.send(t.frame("UNDO", receipt=name, grants=made.frame["grants"], proof=proof))
    if t.expect_kind("YEA-4.3.1-32", undone, "RECEIPT"):
        receipt = undone.reply.get("receipt")
        undoes = receipt.get("undoes") if isinstance(receipt, dict) else None
        t.expect("YEA-4.3.1-32", undoes == name, wanted=f"undoes {name}", got=f"undoes {shown(undoes)}")


@check(
    "yea/4.3.1/intent-must-be-authorized",
    "YEA-4.3.1-04",
    "YEA-4.3.1-14",
    "YEA-4.3.1-02",
    needs=("undoable",),
    commits=8,
    deadline=180.0,
)
async def intent_must_be_authorized(t: Context) -> None:
    """An auto INTENT that no grant authorizes stops for review, even when one would authorize the COMMIT."""
    other, hour_ago = f"naysayer.{t.unique()}", int(t.now()) - 3600

    def one(**caveats: Any) -> Any:
        return lambda agent: [t.grant(agent, **caveats)]

    def split(agent: Agent) -> list[str]:
        return [t.grant(agent, verbs=["INTENT"], can=[other]), t.grant(agent, verbs=["COMMIT"])]

    cases = [
        Held("a grant for COMMIT only", "YEA-4.3.1-04", one(verbs=["COMMIT"]), REFUSED_INTENT),
        Held("a grant for another capability", "YEA-4.3.1-04", one(can=[other]), REFUSED_INTENT),
        Held("an expired grant", "YEA-4.3.1-04", one(exp=hour_ago), REFUSED_INTENT),
        Held("a grant of a principal that is not trusted", "YEA-4.3.1-04", one(by="x"), REFUSED_INTENT),
        Held("grants for COMMIT, and for INTENT of another capability", "YEA-4.3.1-14", split, REFUSED_INTENT),
        Held("two grants for COMMIT only", "YEA-4.3.1-14", lambda a: split(a)[1:] * 2, REFUSED_INTENT),
    ]
    await held_back(t, "undoable", cases, control=one(), accept="YEA-4.3.1-02")


@check(
    "yea/4.3.1/commit-must-be-authorized",
    "YEA-4.3.1-05",
    "YEA-4.3.1-02",
    needs=("undoable",),
    commits=10,
    deadline=180.0,
)
async def commit_must_be_authorized(t: Context) -> None:
    """An auto INTENT whose grants do not authorize the COMMIT gets PROPOSALS and changes nothing."""
    unknown, hour_ago = {"naysayer-unknown": 1}, int(t.now()) - 3600

    def with_commit(*more: dict[str, Any], **caveats: Any) -> Any:
        """A grant for INTENT, and one for COMMIT with these caveats."""
        return lambda a: [t.grant(a, verbs=["INTENT"]), t.grant(a, *more, **{"verbs": ["COMMIT"], **caveats})]

    def for_somebody_else(agent: Agent) -> list[str]:
        return [t.grant(agent, verbs=["INTENT"]), t.grant(t.agent())]

    cases = [
        Held("a grant for INTENT and ASK", "YEA-4.3.1-05", lambda a: [t.grant(a, verbs=["INTENT", "ASK"])]),
        Held("COMMIT of another capability", "YEA-4.3.1-05", with_commit(can=[f"naysayer.{t.unique()}"])),
        Held("COMMIT at another service", "YEA-4.3.1-05", with_commit(svc=["elsewhere.example"])),
        Held("an expired grant for COMMIT", "YEA-4.3.1-05", with_commit(exp=hour_ago)),
        Held("COMMIT of another proposal only", "YEA-4.3.1-05", with_commit({"only": "A" * 43})),
        Held("an unknown caveat on COMMIT", "YEA-4.3.1-05", with_commit(unknown)),
        Held("another agent's grant for COMMIT", "YEA-4.3.1-05", for_somebody_else, REFUSED_INTENT),
        Held("UNDO in place of COMMIT", "YEA-4.3.1-05", with_commit(verbs=["UNDO"])),
    ]
    await held_back(t, "undoable", cases, control=with_commit(), accept="YEA-4.3.1-02")


@check("yea/4.3.1/two-grants-of-one-principal-will-do", "YEA-4.3.1-06", needs=("undoable",), commits=2)
async def two_grants(t: Context) -> None:
    """One grant may authorize the INTENT and another of the same principal the COMMIT, in either order."""
    for order in (("INTENT", "COMMIT"), ("COMMIT", "INTENT")):
        agent = t.agent()
        made = await send_auto(t, "undoable", agent=agent, grants=[t.grant(agent, verbs=[verb]) for verb in order])
        wanted = f"RECEIPT under grants for {order[0]} and then {order[1]}"
        t.expect("YEA-4.3.1-06", made.exchange.kind == "RECEIPT", wanted=wanted, got=made.exchange)


@check(
    "yea/4.3.1/commit-grant-is-the-principals",
    "YEA-4.3.1-07",
    "YEA-4.3.1-06",
    needs=("undoable",),
    principals=2,
    commits=6,
)
async def grants_of_two_principals(t: Context) -> None:
    """Another principal's grant cannot commit what the first grant that covers the INTENT was for."""

    def intent_only(agent: Agent) -> str:
        return t.grant(agent, verbs=["INTENT"])

    cases = [
        Held("A's grant for INTENT, then B's", "YEA-4.3.1-07", lambda a: [intent_only(a), t.grant(a, by="b")]),
        Held(
            "B's grant for INTENT, then A's",
            "YEA-4.3.1-07",
            lambda a: [t.grant(a, by="b", verbs=["INTENT"]), t.grant(a)],
        ),
    ]
    b_first = await is_committed(t, lambda a: [t.grant(a, by="b"), intent_only(a)])
    t.expect("YEA-4.3.1-07", b_first, wanted="RECEIPT with B's grant first and A's for INTENT after it", got="none")
    past_b = await is_committed(t, lambda a: [intent_only(a), t.grant(a, by="b"), t.grant(a)])
    t.expect("YEA-4.3.1-06", past_b, wanted="RECEIPT with A's grant for INTENT, B's, then A's", got="none")
    await held_back(t, "undoable", cases, control=lambda a: [t.grant(a)], accept="YEA-4.3.1-06")


async def is_committed(t: Context, grants: Any) -> bool:
    """Send an auto INTENT under these grants and return whether it was committed."""
    agent = t.agent()
    return (await send_auto(t, "undoable", agent=agent, grants=grants(agent))).exchange.kind == "RECEIPT"


@check("yea/4.3.1/first-grant-names-the-principal", "YEA-4.3.1-08", needs=("undoable",), principals=2, commits=6)
async def first_grant_names_the_principal(t: Context) -> None:
    """The issuer of the earliest listed grant that covers an INTENT, auto or not, is its principal."""
    for first, second in (("a", "b"), ("b", "a")):
        agent = t.agent()
        tokens = {name: t.grant(agent, by=name) for name in "ab"}
        idle = t.grant(agent, by=second, verbs=["COMMIT"])
        instance = await t.role("undoable")
        order = f"grants of {second} for COMMIT, {first}, {second}"
        offered = await t.offer(instance, agent=agent, grants=[idle, tokens[first], tokens[second]])
        refused = await t.send(offered.commit(grants=[tokens[second]]))
        wanted = f"ERROR forbidden to a COMMIT under {second}'s grant alone after an INTENT with {order}"
        t.expect("YEA-4.3.1-08", refused.code == "forbidden", wanted=wanted, got=refused)
        accepted = await t.send(offered.commit(grants=[tokens[first]]))
        wanted = f"RECEIPT for {first}'s grant alone after an INTENT with {order}"
        t.expect("YEA-4.3.1-08", accepted.kind == "RECEIPT", wanted=wanted, got=accepted)

        made = await committed_auto(t, "undoable", agent=agent, grants=[idle, tokens[first], tokens[second]])
        name = made.receipt["id"]
        for ago, (presented, expected) in enumerate(((second, "forbidden"), (first, "RECEIPT"))):
            proof = agent.proof("UNDO", name, ts=int(t.now()) - ago)  # YEA-Q72: no proof is sent twice
            undone = await t.send(t.frame("UNDO", receipt=name, grants=[tokens[presented]], proof=proof))
            wanted = f"{expected} to an UNDO under {presented}'s grant after an auto INTENT with {order}"
            t.expect("YEA-4.3.1-08", expected in (undone.kind, undone.code), wanted=wanted, got=undone)
