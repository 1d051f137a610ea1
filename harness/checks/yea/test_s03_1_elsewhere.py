"""YEA 3.1, reading a request: the rules for budget, goal, proof and params hold on every verb that they name."""

from typing import Any

from harness.autos import send_auto
from harness.check import check
from harness.context import Context
from harness.encoding import shown
from harness.errors import Untested
from harness.offers import Offer, receipt_of
from harness.refusals import Refusal, refused_undos
from harness.targets.base import Exchange

NO_BUDGETS: tuple[Any, ...] = (0, -5, 1.5, "800", True, None, [], {})
NO_GOALS: tuple[Any, ...] = (5, True, None, {"say": "x"}, ["push it"])
NO_PARAMS: tuple[Any, ...] = ([], "x", 5, False)
BAD_PROOFS = ("a string", "null", "an empty object", "ts as a string", "sig in a list")


def _bad_proof(proof: dict[str, Any], how: str) -> Any:
    """Return a malformed proof made from a right one."""
    forms: dict[str, Any] = {
        "a string": "x",
        "null": None,
        "an empty object": {},
        "ts as a string": {**proof, "ts": str(proof["ts"])},
        "sig in a list": {**proof, "sig": [proof["sig"]]},
    }
    return forms[how]


def _as_without(t: Context, clause: str, plain: Exchange, got: Exchange, what: str) -> None:
    """Expect the reply to be of the same kind, with the same code, as the one to the request without that."""
    ok = (got.kind, got.code) == (plain.kind, plain.code)
    t.expect(clause, ok, wanted=f"{plain.seen()} to {what}, as without that", got=got)


@check("yea/3.1/bad-budgets-fail-no-verb", "YEA-3.1-11", needs=("undoable",), commits=3 + len(NO_BUDGETS))
async def bad_budgets(t: Context) -> None:
    """INTENT, COMMIT, UNDO and EXPAND with a budget that is no positive whole number are answered as without one."""
    await t.commit(await t.offer("undoable"))
    offer = await t.offer("undoable")
    for value in NO_BUDGETS:
        frame = t.intent(offer.instance, offer.agent, [offer.grant], budget=1)
        _as_without(t, "YEA-3.1-11", offer.exchange, await _with(t, frame, value), f"INTENT with budget {shown(value)}")
    committed = await _with(t, offer.commit(), NO_BUDGETS[0])
    wanted = f"RECEIPT to COMMIT with budget {shown(NO_BUDGETS[0])}"
    if not t.expect("YEA-3.1-11", committed.kind == "RECEIPT", wanted=wanted, got=committed):
        committed = await t.send(offer.commit())
    for value in NO_BUDGETS[1:]:
        again = await _with(t, offer.commit(), value)
        _as_without(t, "YEA-3.1-11", committed, again, f"COMMIT again with budget {shown(value)}")
    await _undone(t, offer, receipt_of(committed))
    unknown = await t.send(t.frame("EXPAND", handle="h_none"))
    for value in NO_BUDGETS:
        expanded = await _with(t, t.frame("EXPAND", handle="h_none"), value)
        _as_without(t, "YEA-3.1-11", unknown, expanded, f"EXPAND of nothing with budget {shown(value)}")


async def _undone(t: Context, offer: Offer, receipt: dict[str, Any]) -> None:
    for ago, value in enumerate(NO_BUDGETS):
        undone = await _with(t, offer.undo(receipt, ts=int(t.now()) - ago), value)  # YEA-Q72: no proof is sent twice
        wanted = f"RECEIPT to UNDO with budget {shown(value)}"
        t.expect("YEA-3.1-11", undone.kind == "RECEIPT", wanted=wanted, got=undone)


async def _with(t: Context, frame: dict[str, Any], budget: Any) -> Exchange:
    return await t.send({**frame, "budget": budget})


@check(
    "yea/3.1/odd-goals-are-ignored-on-ask-and-auto", "YEA-3.1-22", needs=("ask", "undoable"), commits=1 + len(NO_GOALS)
)
async def odd_goals(t: Context) -> None:
    """An ASK or an auto INTENT whose goal is no string is answered as one without a goal."""
    reading = await t.role("ask")
    plain = await t.ask(reading.capability, reading.params)
    if plain.kind != "ANSWER":
        raise Untested(f"a right ASK got {plain.seen()}")
    auto = await send_auto(t, "undoable")
    if auto.exchange.kind not in ("RECEIPT", "PROPOSALS"):
        raise Untested(f"a right auto INTENT got {auto.exchange.seen()}")
    for goal in NO_GOALS:
        frame = t.with_grants("ASK", reading.capability, None, params=reading.params)
        asked = await t.send({**frame, "goal": goal})
        _as_without(t, "YEA-3.1-22", plain, asked, f"ASK with goal {shown(goal)}")
        instance, agent = await t.role("undoable"), t.agent()
        frame = t.intent(instance, agent, [t.grant(agent)], auto=True)
        made = await t.send({**frame, "goal": goal})
        wanted = f"RECEIPT or PROPOSALS to an auto INTENT with goal {shown(goal)}"
        t.expect("YEA-3.1-22", made.kind in ("RECEIPT", "PROPOSALS"), wanted=wanted, got=made)


@check("yea/3.1/params-come-before-proof-and-grants", "YEA-3.1-02", needs=("ask", "undoable"))
async def params_first(t: Context) -> None:
    """An ASK or INTENT with bad params gets invalid_params, whether its proof is missing or its grants are junk."""
    for verb, role in (("ASK", "ask"), ("INTENT", "undoable")):
        instance, agent = await t.role(role), t.agent()
        for params in NO_PARAMS:
            ways: dict[str, dict[str, Any]] = {
                "a grant and no proof": {"grants": [t.grant(agent)]},
                "a junk grant and no proof": {"grants": ["pg1.junk"]},
                "a junk grant and a proof": {"grants": ["pg1.junk"], "proof": agent.proof(verb, instance.capability)},
            }
            for what, members in ways.items():
                exchange = await t.send(t.frame(verb, capability=instance.capability, params=params, **members))
                wanted = f"ERROR invalid_params to {verb} with params {shown(params)}, {what}"
                t.expect("YEA-3.1-02", exchange.code == "invalid_params", wanted=wanted, got=exchange)


@check("yea/3.1/malformed-proof-is-ignored-where-none-is-needed", "YEA-3.1-24", also=("undoable",))
async def unneeded_proofs(t: Context) -> None:
    """HELLO, INTENT without grants, and EXPAND of nothing are answered whatever malformed proof they carry."""
    frames: list[dict[str, Any]] = [t.frame("HELLO"), t.frame("EXPAND", handle="h_none")]
    if t.has("undoable"):
        instance = await t.role("undoable")
        frames.append(t.frame("INTENT", capability=instance.capability, params=instance.params))
    for frame in frames:
        verb = frame["verb"]
        plain = await t.send(frame)
        if plain.code == "unauthorized":
            continue  # YEA 3: it may demand grants for INTENT
        if plain.kind not in ("BRIEF", "PROPOSALS", "CLARIFY", "ERROR"):
            raise Untested(f"{verb} without a proof got {plain.seen()}")
        for how in BAD_PROOFS:
            proof = _bad_proof(t.agent().proof(verb, "h_none"), how)
            got = await t.send({**frame, "id": t.frame_id(), "proof": proof})
            _as_without(t, "YEA-3.1-24", plain, got, f"{verb} with a proof that is {how}")


@check("yea/3.1/malformed-proof-is-none-on-undo", "YEA-3.1-23", "YEA-4.5-01", needs=("undoable",), commits=7)
async def bad_proofs_on_undo(t: Context) -> None:
    """An UNDO with a malformed proof is unauthorized, as one without a proof is."""

    def case(how: str) -> Refusal:
        def change(offer: Offer, receipt: dict[str, Any]) -> dict[str, Any]:
            frame = offer.undo(receipt)
            return {**frame, "proof": _bad_proof(frame["proof"], how)}

        return Refusal(f"a proof that is {how}", "YEA-3.1-23", change, ("unauthorized",))

    await refused_undos(t, "undoable", [case(how) for how in BAD_PROOFS])
