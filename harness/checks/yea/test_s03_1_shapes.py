"""YEA 3.1, reading a request: the shapes of grants, params, budget, goal and proof, judged before anything else."""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.default_budget import default_cut, expect_default
from harness.encoding import shown
from harness.errors import NotApplicable, Untested
from harness.expanding import reader
from harness.refusals import Refusal, refused_commits, refused_requests, refused_undos, with_member
from harness.targets.base import Exchange

NOWHERE = "no.such.capability"
BAD_GRANTS: tuple[Any, ...] = (
    "pg1.x", "", {}, {"0": "pg1.x"}, 5, 0, True, False, [1], ["pg1.x", None], [["pg1.x"]], [{}],
)  # fmt: skip
BAD_PARAMS: tuple[Any, ...] = ([], [{}], "x", "", "{}", 5, 0, True, False)
BAD_BUDGETS: tuple[Any, ...] = (
    0, -5, -2000, -300.0, 1.5, 0.5, "800", "", True, False, None, [], [800], {}, {"budget": 800},
)  # fmt: skip


def _grants(value: Any, clause: str) -> Refusal:
    name = f"grants {shown(value, 40)}"
    return Refusal(name, clause, lambda frame: with_member(frame, "grants", value), ("bad_frame",))


def _params(value: Any, clause: str) -> Refusal:
    name = f"params {shown(value, 40)}"
    return Refusal(name, clause, lambda frame: with_member(frame, "params", value), ("invalid_params",))


@check("yea/3.1/shapes-come-before-names", "YEA-3.1-01", "YEA-3.1-12")
async def shapes_before_names(t: Context) -> None:
    """An ASK or INTENT of an unknown capability with bad grants or params is refused for its shape."""
    for verb in ("ASK", "INTENT"):
        control = await t.send(t.with_grants(verb, NOWHERE, None))
        t.expect_error("YEA-3.1-12", control, "unknown_capability")
        for value in BAD_GRANTS:
            exchange = await t.send(t.frame(verb, capability=NOWHERE, grants=value))
            _coded(t, "YEA-3.1-01", exchange, "bad_frame", f"an unknown {verb} with grants {shown(value, 40)}")
        for value in BAD_PARAMS:
            exchange = await t.send(t.frame(verb, capability=NOWHERE, params=value))
            _coded(t, "YEA-3.1-01", exchange, "invalid_params", f"an unknown {verb} with params {shown(value, 40)}")


def _coded(t: Context, clause: str, exchange: Exchange, code: str, what: str) -> None:
    t.expect(clause, exchange.code == code, wanted=f"ERROR {code} to {what}", got=exchange)


@check("yea/3.1/shapes-come-before-grants", "YEA-3.1-02", needs=("undoable",), commits=1)
async def shapes_before_grants(t: Context) -> None:
    """Bad params beside grants that do not verify, or bad grants without a proof, are refused for their shape."""
    role = await t.role("undoable")
    await t.offer(role)
    frame = t.frame("INTENT", capability=role.capability, params=[], grants=["pg1.junk"])
    _coded(t, "YEA-3.1-02", await t.send(frame), "invalid_params", "an INTENT with params [] and a junk grant")
    offer = await t.offer(role)
    frame = offer.commit(grants=[1], proof=None)
    _coded(t, "YEA-3.1-02", await t.send(frame), "bad_frame", "a COMMIT with grants [1] and no proof")


@check("yea/3.1/bad-grants-on-ask-and-intent", "YEA-3.1-03", "YEA-3.1-10", needs=("ask", "undoable"))
async def bad_grants_to_read(t: Context) -> None:
    """ASK and INTENT with grants that are no list of strings get bad_frame, also when params are wrong as well."""
    cases = [_grants(value, "YEA-3.1-03") for value in BAD_GRANTS]
    both = Refusal(
        "grants 5 and params []", "YEA-3.1-10", lambda frame: {**frame, "grants": 5, "params": []}, ("bad_frame",)
    )
    for verb, name, kind in (("ASK", "ask", "ANSWER"), ("INTENT", "undoable", "PROPOSALS")):
        role = await t.role(name)

        def control(verb: str = verb, role: Any = role) -> dict[str, Any]:
            return t.with_grants(verb, role.capability, None, params=role.params)

        await refused_requests(t, control, [*cases, both], kind, accept="YEA-3.1-03")


@check("yea/3.1/bad-grants-and-params-are-bad-frame", "YEA-3.1-10")
async def both_bad(t: Context) -> None:
    """Of bad grants and bad params in one frame, the grants decide: bad_frame."""
    for verb in ("ASK", "INTENT"):
        for grants in BAD_GRANTS[:4]:
            for params in BAD_PARAMS[:4]:
                exchange = await t.send(t.frame(verb, capability=NOWHERE, grants=grants, params=params))
                what = f"{verb} with grants {shown(grants, 20)} and params {shown(params, 20)}"
                _coded(t, "YEA-3.1-10", exchange, "bad_frame", what)


@check("yea/3.1/bad-grants-on-unknown-commit-and-undo", "YEA-3.1-04")
async def bad_grants_on_unknown(t: Context) -> None:
    """COMMIT and UNDO of unknown names with grants that are no list of strings get bad_frame."""
    for value in BAD_GRANTS:
        for verb, members in (("COMMIT", {"proposal": "p_none", "hash": "A" * 43}), ("UNDO", {"receipt": "r_none"})):
            exchange = await t.send(t.frame(verb, grants=value, **members))
            _coded(t, "YEA-3.1-04", exchange, "bad_frame", f"{verb} of nothing with grants {shown(value, 40)}")


@check("yea/3.1/bad-grants-on-commit", "YEA-3.1-04", "YEA-4.4-01", needs=("undoable",), commits=4 + len(BAD_GRANTS))
async def bad_grants_on_commit(t: Context) -> None:
    """A COMMIT with grants that are no list of strings gets bad_frame and changes nothing."""
    cases = [
        Refusal(
            f"grants {shown(value, 40)}",
            "YEA-3.1-04",
            lambda offer, value=value: {**offer.commit(), "grants": value},
            ("bad_frame",),
        )
        for value in BAD_GRANTS
    ]
    mixed = {
        "a good grant and null": lambda offer: offer.commit(grants=[offer.grant, None]),
        "a number and a good grant": lambda offer: offer.commit(grants=[5, offer.grant]),
    }
    cases += [Refusal(f"grants of {name}", "YEA-3.1-04", change, ("bad_frame",)) for name, change in mixed.items()]
    await refused_commits(t, "undoable", cases)


@check("yea/3.1/bad-grants-on-undo", "YEA-3.1-04", "YEA-4.5-01", needs=("undoable",), commits=2 + len(BAD_GRANTS))
async def bad_grants_on_undo(t: Context) -> None:
    """An UNDO with grants that are no list of strings gets bad_frame and changes nothing."""
    cases = [
        Refusal(
            f"grants {shown(value, 40)}",
            "YEA-3.1-04",
            lambda offer, receipt, value=value: {**offer.undo(receipt), "grants": value},
            ("bad_frame",),
        )
        for value in BAD_GRANTS
    ]
    await refused_undos(t, "undoable", cases)


@check("yea/3.1/hello-ignores-grants", "YEA-3.1-05")
async def hello_ignores_grants(t: Context) -> None:
    """HELLO is answered by BRIEF whatever its grants are, and without a proof."""
    for value in (*BAD_GRANTS, ["pg1.junk"], []):
        exchange = await t.send(t.frame("HELLO", grants=value))
        t.expect("YEA-3.1-05", exchange.kind == "BRIEF", wanted=f"BRIEF with grants {shown(value, 40)}", got=exchange)


@check("yea/3.1/expand-ignores-grants", "YEA-3.1-06")
async def expand_ignores_grants(t: Context) -> None:
    """EXPAND of an unknown handle gets expired whatever its grants are."""
    for value in (*BAD_GRANTS, ["pg1.junk"], []):
        exchange = await t.send(t.frame("EXPAND", handle="h_none", grants=value))
        _coded(t, "YEA-3.1-06", exchange, "expired", f"an unknown handle with grants {shown(value, 40)}")


@check("yea/3.1/expand-of-a-handle-ignores-grants", "YEA-3.1-06", needs=("big-ask",))
async def expand_of_a_handle(t: Context) -> None:
    """EXPAND of a handle is answered whatever its grants are."""
    asking = await reader(t, "big-ask")
    for value in ("x", 5, [1], ["pg1.junk"], []):
        _, entries = await asking.cut()
        exchange = await t.send({**asking.frame(entries[0].handle), "grants": value})
        wanted = f"ANSWER with grants {shown(value, 40)}"
        t.expect("YEA-3.1-06", exchange.kind == "ANSWER", wanted=wanted, got=exchange)


@check("yea/3.1/null-grants-are-none", "YEA-3.1-07", needs=("ask",))
async def null_grants(t: Context) -> None:
    """An ASK with grants null is answered as one without grants."""
    role = await t.role("ask")
    plain = await t.send(t.frame("ASK", capability=role.capability, params=role.params))
    if plain.kind != "ANSWER" and plain.code != "unauthorized":
        raise Untested(f"an ASK without grants got {plain.seen()}")
    null = await t.send({**t.frame("ASK", capability=role.capability, params=role.params), "grants": None})
    same = (null.kind, null.code) == (plain.kind, plain.code)
    t.expect("YEA-3.1-07", same, wanted=f"{plain.seen()}, as without grants", got=null)


@check("yea/3.1/bad-params-are-invalid", "YEA-3.1-08", needs=("ask", "undoable"))
async def bad_params(t: Context) -> None:
    """ASK and INTENT with params that are no object get invalid_params."""
    for verb, name, kind in (("ASK", "ask", "ANSWER"), ("INTENT", "undoable", "PROPOSALS")):
        role = await t.role(name)

        def control(verb: str = verb, role: Any = role) -> dict[str, Any]:
            return t.with_grants(verb, role.capability, None, params=role.params)

        cases = [_params(value, "YEA-3.1-08") for value in BAD_PARAMS]
        await refused_requests(t, control, cases, kind, accept="YEA-3.1-08")


@check("yea/3.1/null-params-are-empty", "YEA-3.1-09", needs=("ask",))
async def null_params(t: Context) -> None:
    """ASK and INTENT with params null, {} or none are answered alike."""
    names = [name for name in ("ask", "undoable") if t.has(name)]
    for name in names:
        role = await t.role(name)
        verb = "ASK" if name == "ask" else "INTENT"
        empty = await t.send(t.with_grants(verb, role.capability, None, params={}))
        if empty.kind not in ("ANSWER", "PROPOSALS", "CLARIFY", "ERROR"):
            raise Untested(f"{verb} with params {{}} got {empty.seen()}")
        absent = await t.send(t.with_grants(verb, role.capability, None))
        null = await t.send({**t.with_grants(verb, role.capability, None), "params": None})
        for what, exchange in (("no params", absent), ("params null", null)):
            same = (exchange.kind, exchange.code) == (empty.kind, empty.code)
            t.expect("YEA-3.1-09", same, wanted=f"{empty.seen()} to {verb} with {what}, as with {{}}", got=exchange)


@check("yea/3.1/bad-budgets-are-none", "YEA-3.1-11", needs=("big-ask",))
async def bad_budgets(t: Context) -> None:
    """A budget that is no positive whole number is taken for none: the reply is cut to 2000 tokens."""
    asking, cut = await default_cut(t)
    for value in BAD_BUDGETS:
        frame = t.with_grants("ASK", asking.instance.capability, asking.agent, params=asking.instance.params)
        exchange = await t.send({**frame, "budget": value})
        await expect_default(t, "YEA-3.1-11", asking, cut, exchange, f"an ASK with budget {shown(value)}")


@check("yea/3.1/bad-budgets-do-not-fail", "YEA-3.1-11")
async def bad_budgets_on_hello(t: Context) -> None:
    """HELLO with a budget that is no positive whole number is answered by BRIEF."""
    for value in BAD_BUDGETS:
        exchange = await t.send({**t.frame("HELLO"), "budget": value})
        t.expect("YEA-3.1-11", exchange.kind == "BRIEF", wanted=f"BRIEF with budget {shown(value)}", got=exchange)


@check("yea/3.1/goal-that-is-no-string-is-ignored", "YEA-3.1-22", needs=("undoable",))
async def odd_goal(t: Context) -> None:
    """An INTENT whose goal is no string is answered as one without a goal."""
    role = await t.role("undoable")
    plain = await t.send(t.with_grants("INTENT", role.capability, None, params=role.params))
    if plain.kind != "PROPOSALS":
        raise Untested(f"a right INTENT got {plain.seen()}")
    goals: tuple[Any, ...] = (5, 0, True, None, {}, {"say": "x"}, [], ["push it"])
    for goal in goals:
        frame = {**t.with_grants("INTENT", role.capability, None, params=role.params), "goal": goal}
        exchange = await t.send(frame)
        wanted = f"PROPOSALS with goal {shown(goal)}, as without one"
        t.expect("YEA-3.1-22", exchange.kind == "PROPOSALS", wanted=wanted, got=exchange)


def _bad_proofs(proof: dict[str, Any]) -> dict[str, Any]:
    """Return malformed proofs made from a right one."""
    return {
        "a string": "x",
        "a list": [proof],
        "an empty object": {},
        "a number": 5,
        "a numeric key": {**proof, "key": 5},
        "no key": {name: value for name, value in proof.items() if name != "key"},
        "ts as a string": {**proof, "ts": str(proof["ts"])},
        "ts with a fraction": {**proof, "ts": proof["ts"] + 0.5},
        "ts null": {**proof, "ts": None},
        "ts true": {**proof, "ts": True},
        "sig null": {**proof, "sig": None},
        "sig in a list": {**proof, "sig": [proof["sig"]]},
        "no sig": {name: value for name, value in proof.items() if name != "sig"},
    }


BAD_PROOFS = tuple(_bad_proofs({"key": "", "ts": 0, "sig": ""}))


@check("yea/3.1/malformed-proof-is-none", "YEA-3.1-23", "YEA-4.4-01", needs=("undoable",), commits=2 + len(BAD_PROOFS))
async def malformed_proof(t: Context) -> None:
    """A COMMIT with grants and a malformed proof is unauthorized, as one without a proof is."""
    cases = [
        Refusal(
            f"a proof that is {name}",
            "YEA-3.1-23",
            lambda offer, name=name: offer.commit(proof=_bad_proofs(offer.commit()["proof"])[name]),
            ("unauthorized",),
        )
        for name in BAD_PROOFS
    ]
    await refused_commits(t, "undoable", cases)


@check("yea/3.1/malformed-proof-without-grants-is-ignored", "YEA-3.1-24", needs=("ask",))
async def malformed_proof_alone(t: Context) -> None:
    """An ASK without grants is answered whatever malformed proof it carries."""
    role = await t.role("ask")
    plain = await t.send(t.frame("ASK", capability=role.capability, params=role.params))
    if plain.code == "unauthorized":
        raise NotApplicable("the service demands grants for ASK")
    if plain.kind != "ANSWER":
        raise Untested(f"an ASK without grants got {plain.seen()}")
    good = t.agent().proof("ASK", role.capability)
    for name, proof in _bad_proofs(good).items():
        exchange = await t.send(t.frame("ASK", capability=role.capability, params=role.params, proof=proof))
        wanted = f"{plain.seen()} with a proof that is {name}, as without one"
        t.expect("YEA-3.1-24", exchange.kind == plain.kind, wanted=wanted, got=exchange)
