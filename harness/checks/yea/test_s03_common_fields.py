"""YEA 3, common request fields: the default budget, and when grants and a proof are needed."""

from collections.abc import Callable
from typing import Any

from harness.check import check
from harness.context import Context
from harness.default_budget import default_cut, expect_default
from harness.offers import Instance
from harness.refusals import Refusal, refused_commits, refused_requests, refused_undos, with_member, without

Change = Callable[[dict[str, Any]], dict[str, Any]]


@check("yea/3/budget-is-2000-when-absent", "YEA-3-01", needs=("big-ask",))
async def default_budget(t: Context) -> None:
    """A request without a budget is answered as one with budget 2000."""
    asking, cut = await default_cut(t)
    await expect_default(t, "YEA-3-01", asking, cut, await asking.ask(None), "an ASK without budget")


# How to send no grants: what it is called, the clause, and what becomes of the frame.
NO_GRANTS: tuple[tuple[str, str, Change], ...] = (
    ("no grants and no proof", "", lambda frame: without(frame, "grants", "proof")),
    ("a proof and no grants", "", lambda frame: without(frame, "grants")),
    ("a proof and grants []", "", lambda frame: with_member(frame, "grants", [])),
    ("a proof and grants null", "YEA-3.1-07", lambda frame: with_member(frame, "grants", None)),
)


@check("yea/3/commit-needs-grants", "YEA-3-02", "YEA-3.1-07", "YEA-4.4-01", needs=("undoable",), commits=6)
async def commit_needs_grants(t: Context) -> None:
    """A COMMIT without grants is unauthorized, with a proof and without one; null and [] are none."""
    cases = [
        Refusal(name, clause or "YEA-3-02", lambda offer, change=change: change(offer.commit()), ("unauthorized",))
        for name, clause, change in NO_GRANTS
    ]
    await refused_commits(t, "undoable", cases)


@check("yea/3/undo-needs-grants", "YEA-3-03", "YEA-3.1-07", "YEA-4.5-01", needs=("undoable",), commits=6)
async def undo_needs_grants(t: Context) -> None:
    """An UNDO without grants is unauthorized, with a proof and without one; null and [] are none."""
    cases = [
        Refusal(
            name,
            clause or "YEA-3-03",
            lambda offer, receipt, change=change: change(offer.undo(receipt)),
            ("unauthorized",),
        )
        for name, clause, change in NO_GRANTS
    ]
    await refused_undos(t, "undoable", cases)


@check("yea/3/grants-need-a-proof", "YEA-3-05", "YEA-4.4-01", "YEA-4.5-01", needs=("undoable",), commits=7)
async def grants_need_a_proof(t: Context) -> None:
    """COMMIT and UNDO with grants and without a proof are unauthorized."""
    absent = Refusal("grants and no proof", "YEA-3-05", lambda o: without(o.commit(), "proof"), ("unauthorized",))
    null = Refusal("grants and proof null", "YEA-3-05", lambda o: {**o.commit(), "proof": None}, ("unauthorized",))
    await refused_commits(t, "undoable", [absent, null])
    await refused_undos(
        t,
        "undoable",
        [Refusal("grants and no proof", "YEA-3-05", lambda o, r: without(o.undo(r), "proof"), ("unauthorized",))],
    )


@check("yea/3/grants-need-a-proof-on-ask-and-intent", "YEA-3-05", "YEA-3-04", needs=("ask", "undoable"), principals=1)
async def grants_need_a_proof_to_read(t: Context) -> None:
    """ASK and INTENT with grants and without a proof are unauthorized, also where they need no grants."""
    case = Refusal("grants and no proof", "YEA-3-05", lambda frame: without(frame, "proof"), ("unauthorized",))
    for verb, name, kind in (("ASK", "ask", "ANSWER"), ("INTENT", "undoable", "PROPOSALS")):
        role = await t.role(name)
        bare = await t.send(t.frame(verb, capability=role.capability, params=role.params))
        if bare.kind == kind:
            t.lacks("YEA-3-04", "the service demands no grants for ASK and INTENT, as it may")
        else:
            ok = bare.code == "unauthorized"
            t.expect("YEA-3-04", ok, wanted=f"{kind} or ERROR unauthorized to {verb} without grants", got=bare)

        def control(verb: str = verb, role: Instance = role) -> dict[str, Any]:
            return t.with_grants(verb, role.capability, t.agent(), params=role.params)

        await refused_requests(t, control, [case], kind, accept="YEA-3-05")
