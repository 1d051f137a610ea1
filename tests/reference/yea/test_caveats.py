from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.yea import caveats, grants
from reference.yea.caveats import CAVEATS, WITHOUT_LIMITS, Context, Rule, Verdict, check, evaluate, judge
from reference.yea.consent import consent_caveats
from reference.yea.grants import Grant
from reference.yea.keys import KeyPair
from reference.yea.types import Json

PRINCIPAL, AGENT, SUB, MALLORY = (KeyPair(bytes([number]) * 32) for number in (1, 2, 3, 4))
NOW = 1790000000
VERBS = ["HELLO", "ASK", "INTENT", "COMMIT", "UNDO", "EXPAND"]
ASK = Context("shop.example", "ASK", "shop.order", NOW)
MOST = 2**53 - 1

Used = dict[str, dict[str, Json]]


def commit(**members: Json) -> Context:
    return replace(ASK, verb="COMMIT", proposal={"hash": "h", "risk": "low", **members})


def spending(amount: int, **members: Json) -> Context:
    return commit(uses={"spend": {"amount": amount, **members}})


COMMIT = commit()


def outcome(caveat: Json, context: Context) -> str:
    return judge(caveat, context, "block")


# --- which caveats are well-formed


def test_the_table_has_the_nine_caveats_of_section_6_3() -> None:
    assert list(CAVEATS) == ["svc", "verbs", "can", "exp", "nbf", "each", "total", "risk", "only"]
    assert [name for name, rule in CAVEATS.items() if rule.commit_only] == ["each", "total", "risk", "only"]


@pytest.mark.parametrize(
    "caveat",
    [
        {"zone": ["x"]},
        {"per": {"amount": 1}},
        {"spend": 5},
        {"EXP": NOW + 1},
        {"Exp": NOW + 1},
        {"exp ": NOW + 1},
        {"": 1},
        {"constructor": 1},
        {"__proto__": 1},
        {"toString": None},
        {},
        {"exp": NOW + 1, "nbf": 0},
        "exp",
        None,
        [],
        [{"exp": NOW + 1}],
        5,
        True,
    ],
    ids=str,
)
@pytest.mark.parametrize("verb", VERBS)
def test_an_unknown_caveat_fails_hard_for_every_verb(caveat: Json, verb: str) -> None:
    assert outcome(caveat, replace(COMMIT, verb=verb)) == "hard"


NOT_STRINGS: list[Json] = ["shop.example", "", {}, None, 5, True, [1], [None], ["ASK", 1], [["ASK"]], {"0": "ASK"}]
NOT_INTEGERS: list[Json] = [str(NOW + 9), None, True, False, [NOW + 9], {}, "", 1.5, 2**53, -(2**53)]
NOT_LIMITS: list[Json] = [
    5,
    "spend",
    None,
    [],
    {},
    {"of": "spend"},
    {"max": 1},
    {"of": "Spend", "max": 1},
    {"of": "spend\n", "max": 1},
    {"of": None, "max": 1},
    {"of": "spend", "max": "1"},
    {"of": "spend", "max": None},
    {"of": "spend", "max": True},
    {"of": "spend", "max": -1},
    {"of": "spend", "max": 2**53},
    {"of": "spend", "max": 9, "scale": -1},
    {"of": "spend", "max": 9, "scale": 19},
    {"of": "spend", "max": 9, "scale": None},
    {"of": "spend", "max": 9, "unit": ""},
    {"of": "spend", "max": 9, "unit": "u" * 33},
    {"of": "spend", "max": 9, "unit": "a b"},
    {"of": "spend", "max": 9, "unit": None},
    {"of": "spend", "max": 9, "note": "x"},
    {"of": "spend", "amount": 9},
]
NOT_RISKS: list[Json] = ["extreme", "Low", "", "low ", "low\n", None, 1, "toString", ["low"], {}, True]
NOT_HASHES: list[Json] = [5, None, ["h"], {}, True]
MALFORMED: list[dict[str, Json]] = [
    *({name: value} for name in ("svc", "verbs", "can") for value in NOT_STRINGS),
    *({name: value} for name in ("exp", "nbf") for value in NOT_INTEGERS),
    *({name: value} for name in ("each", "total") for value in NOT_LIMITS),
    *({"risk": value} for value in NOT_RISKS),
    *({"only": value} for value in NOT_HASHES),
]


@pytest.mark.parametrize("caveat", MALFORMED, ids=str)
def test_a_malformed_caveat_fails_hard_for_every_verb(caveat: Json) -> None:
    assert {outcome(caveat, replace(COMMIT, verb=verb)) for verb in VERBS} == {"hard"}


# --- svc, verbs, can, exp, nbf


@pytest.mark.parametrize(
    ("caveat", "holds"),
    [
        ({"svc": ["shop.example"]}, True),
        ({"svc": ["other", "shop.example"]}, True),
        ({"svc": ["shop.example", "shop.example"]}, True),
        ({"svc": ["other"]}, False),
        ({"svc": []}, False),
        ({"svc": ["shop.examplex"]}, False),
        ({"svc": ["shop"]}, False),
        ({"svc": ["Shop.example"]}, False),
        ({"svc": ["*"]}, False),
        ({"verbs": ["ASK"]}, True),
        ({"verbs": ["COMMIT", "ASK"]}, True),
        ({"verbs": ["COMMIT"]}, False),
        ({"verbs": []}, False),
        ({"verbs": ["ask"]}, False),
        ({"verbs": ["*"]}, False),
        ({"can": ["shop.order"]}, True),
        ({"can": ["x", "shop.order"]}, True),
        ({"can": ["*"]}, True),
        ({"can": ["shop.*"]}, True),
        ({"can": ["sho*"]}, True),
        ({"can": ["shop.order*"]}, True),
        ({"can": []}, False),
        ({"can": [""]}, False),
        ({"can": ["shop.orders"]}, False),
        ({"can": ["shop."]}, False),
        ({"can": ["shop"]}, False),
        ({"can": ["Shop.order"]}, False),
        ({"can": ["shop.order.*"]}, False),
        ({"can": ["*.order"]}, False),
        ({"can": ["s*order"]}, False),
        ({"can": ["shop.?rder"]}, False),
        ({"can": [".*"]}, False),
        ({"can": ["shop**"]}, False),
        ({"exp": NOW + 1}, True),
        ({"exp": NOW}, False),
        ({"exp": NOW - 1}, False),
        ({"exp": 0}, False),
        ({"exp": MOST}, True),
        ({"nbf": NOW}, True),
        ({"nbf": NOW - 1}, True),
        ({"nbf": NOW + 1}, False),
        ({"nbf": -MOST}, True),
    ],
    ids=str,
)
def test_a_caveat_on_the_request_holds_or_fails_hard(caveat: Json, holds: bool) -> None:
    assert outcome(caveat, ASK) == ("satisfied" if holds else "hard")


@pytest.mark.parametrize(
    ("capability", "covered"),
    [("shop.order", True), ("shop.a.b", True), ("shop.", True), ("shop", False), ("shopping.x", False), ("", False)],
)
def test_a_prefix_covers_the_names_that_start_with_it(capability: str, covered: bool) -> None:
    assert caveats.covers("shop.*", capability) is covered
    assert caveats.covers("*", capability)


def test_a_star_elsewhere_stands_for_itself() -> None:
    assert caveats.covers("s*p", "s*p")
    assert not caveats.covers("s*p", "shop")
    assert caveats.covers("s*p*", "s*p.x")


def test_parts_of_a_second_count() -> None:
    assert outcome({"exp": NOW}, replace(ASK, now=NOW - 0.001)) == "satisfied"
    assert outcome({"nbf": NOW}, replace(ASK, now=NOW - 0.001)) == "hard"


# --- each and total

SPEND: dict[str, Json] = {"of": "spend", "max": 100, "unit": "USD"}


@pytest.mark.parametrize("name", ["each", "total"])
@pytest.mark.parametrize(
    ("limit", "quantity", "wanted"),
    [
        (SPEND, {"amount": 100, "unit": "USD"}, "satisfied"),
        (SPEND, {"amount": 101, "unit": "USD"}, "soft"),
        (SPEND, {"amount": 0, "unit": "USD"}, "satisfied"),
        (SPEND, {"amount": 10000, "scale": 2, "unit": "USD"}, "satisfied"),
        (SPEND, {"amount": 10001, "scale": 2, "unit": "USD"}, "soft"),
        (SPEND, {"amount": 1, "unit": "EUR"}, "soft"),
        (SPEND, {"amount": 1, "unit": "usd"}, "soft"),
        (SPEND, {"amount": 0}, "soft"),
        (SPEND, {"amount": 1}, "soft"),
        ({"of": "spend", "max": 100}, {"amount": 1, "unit": "USD"}, "soft"),
        ({"of": "spend", "max": 100}, {"amount": 100}, "satisfied"),
        ({"of": "spend", "max": 0}, {"amount": 0}, "satisfied"),
        ({"of": "spend", "max": 0}, {"amount": 1, "scale": 18}, "soft"),
        ({"of": "spend", "max": 1}, {"amount": 10, "scale": 1}, "satisfied"),
        ({"of": "spend", "max": 1}, {"amount": 11, "scale": 1}, "soft"),
        ({"of": "spend", "max": 1, "scale": 18}, {"amount": 0}, "satisfied"),
        ({"of": "spend", "max": 25, "scale": 0}, {"amount": 25001, "scale": 3}, "soft"),
        ({"of": "spend", "max": MOST, "scale": 18}, {"amount": 1}, "soft"),
        ({"of": "spend", "max": MOST, "scale": 18}, {"amount": MOST - 1, "scale": 18}, "satisfied"),
        ({"of": "spend", "max": MOST}, {"amount": MOST, "scale": 0}, "satisfied"),
        ({"of": "spend", "max": MOST - 1}, {"amount": MOST}, "soft"),
        ({"of": "spend", "max": 3, "scale": 1}, {"amount": 30000000000000001, "scale": 17}, "hard"),
        ({"of": "spend", "max": 3, "scale": 1}, {"amount": 3000000000000001, "scale": 16}, "soft"),
    ],
    ids=str,
)
def test_a_quantity_is_compared_with_its_limit(name: str, limit: Json, quantity: Json, wanted: str) -> None:
    assert outcome({name: limit}, commit(uses={"spend": quantity, "emails": {"amount": 9}})) == wanted


@pytest.mark.parametrize("name", ["each", "total"])
def test_a_limit_binds_only_what_is_reported(name: str) -> None:
    caveat: Json = {name: {"of": "emails", "max": 0}}
    assert outcome(caveat, COMMIT) == "satisfied"
    assert outcome(caveat, commit(uses={})) == "satisfied"
    assert outcome(caveat, spending(5)) == "satisfied"
    assert outcome({name: {"of": "constructor", "max": 0}}, commit(uses={})) == "satisfied"
    assert outcome({name: {"of": "constructor", "max": 0}}, commit(uses={"constructor": {"amount": 1}})) == "soft"


@pytest.mark.parametrize("name", ["each", "total"])
@pytest.mark.parametrize(
    "uses",
    [
        None,
        [],
        "x",
        5,
        False,
        {"spend": {"amount": -1}},
        {"spend": None},
        {"Bad": {"amount": 1}},
        {"other": {"amount": 1, "note": "x"}},
        {"spend": {"amount": 1}, "other": {"amount": 1.5}},
    ],
    ids=str,
)
def test_a_malformed_uses_fails_every_limit_hard_and_nothing_else(name: str, uses: Json) -> None:
    assert outcome({name: {"of": "spend", "max": 9}}, commit(uses=uses)) == "hard"
    assert outcome({name: {"of": "emails", "max": 9}}, commit(uses=uses)) == "hard"
    assert outcome({"risk": "low"}, commit(uses=uses)) == "satisfied"
    assert outcome({name: {"of": "spend", "max": 9}}, replace(commit(uses=uses), verb="ASK")) == "satisfied"


@pytest.mark.parametrize(
    ("limit", "used", "quantity", "wanted"),
    [
        ({"max": 100}, {"amount": 60}, {"amount": 40}, "satisfied"),
        ({"max": 100}, {"amount": 60}, {"amount": 41}, "soft"),
        ({"max": 100}, {"amount": 6000, "scale": 2}, {"amount": 40}, "satisfied"),
        ({"max": 100}, {"amount": 6001, "scale": 2}, {"amount": 40}, "soft"),
        ({"max": 1}, {"amount": 1, "scale": 18}, {"amount": 1}, "soft"),
        ({"max": 3, "scale": 1}, {"amount": 1, "scale": 1}, {"amount": 2, "scale": 1}, "satisfied"),
        ({"max": MOST, "scale": 18}, {"amount": 1, "scale": 18}, {"amount": MOST - 1, "scale": 18}, "satisfied"),
        ({"max": MOST, "scale": 18}, {"amount": 2, "scale": 18}, {"amount": MOST - 1, "scale": 18}, "soft"),
        ({"max": MOST}, {"amount": MOST * 2}, {"amount": 0}, "soft"),
        ({"max": 0}, {"amount": 0}, {"amount": 0}, "satisfied"),
    ],
    ids=str,
)
def test_a_total_counts_what_is_used_under_its_block(
    limit: dict[str, Json], used: Json, quantity: Json, wanted: str
) -> None:
    context = replace(commit(uses={"spend": quantity}), used={"block": {"spend": used}})
    assert outcome({"total": {"of": "spend", **limit}}, context) == wanted
    elsewhere: list[Used] = [{"other": {"spend": used}}, {"block": {"emails": used}}, {"block": {}}, {}]
    for usage in elsewhere:
        assert outcome({"total": {"of": "spend", **limit}}, replace(context, used=usage)) == "satisfied"


def test_an_each_does_not_count_what_is_used() -> None:
    context = replace(spending(100), used={"block": {"spend": {"amount": 100}}})
    assert outcome({"each": {"of": "spend", "max": 100}}, context) == "satisfied"


# --- risk and only


@pytest.mark.parametrize("level", ["low", "medium", "high"])
@pytest.mark.parametrize("risk", ["low", "medium", "high"])
def test_a_risk_up_to_the_level_passes_and_one_above_fails_softly(risk: str, level: str) -> None:
    passes = (risk, level) in {
        ("low", "low"),
        ("low", "medium"),
        ("low", "high"),
        ("medium", "medium"),
        ("medium", "high"),
        ("high", "high"),
    }
    assert outcome({"risk": level}, commit(risk=risk)) == ("satisfied" if passes else "soft")


@pytest.mark.parametrize(
    "risk", [None, "extreme", "Low", "", "toString", "constructor", 1, True, [], {}, ["low"]], ids=str
)
def test_a_risk_that_is_none_of_the_three_fails_hard(risk: Json) -> None:
    assert outcome({"risk": "high"}, commit(risk=risk)) == "hard"


def test_a_missing_risk_fails_hard() -> None:
    assert outcome({"risk": "high"}, replace(COMMIT, proposal={"hash": "h"})) == "hard"


@pytest.mark.parametrize(("hash", "wanted"), [("h", "satisfied"), ("H", "hard"), ("", "hard"), ("h=", "hard")])
def test_only_its_own_hash_passes(hash: str, wanted: str) -> None:
    assert outcome({"only": hash}, COMMIT) == wanted


def test_a_commit_without_a_proposal_is_covered_by_nothing_that_looks_at_one() -> None:
    context = replace(COMMIT, proposal=None)
    assert outcome({"only": "h"}, context) == "hard"
    assert outcome({"risk": "high"}, context) == "hard"


@pytest.mark.parametrize("verb", ["ASK", "INTENT", "UNDO", "EXPAND", "HELLO"])
@pytest.mark.parametrize(
    "caveat",
    [{"each": {"of": "spend", "max": 0}}, {"total": {"of": "spend", "max": 0}}, {"risk": "low"}, {"only": "x"}],
    ids=str,
)
def test_caveats_on_the_proposal_bind_commit_only(caveat: Json, verb: str) -> None:
    context = replace(spending(5, unit="USD"), verb=verb, proposal={"hash": "h", "risk": "?", "uses": None})
    assert outcome(caveat, context) == "satisfied"


# --- grants


def grant(*blocks: list[Json]) -> Grant:
    """A grant with these caveats in its blocks."""
    signer, *holders = PRINCIPAL, AGENT, SUB, AGENT, SUB
    token = grants.issue(signer, sub=holders[0].public, caveats=blocks[0], iat=NOW, nonce="n")
    for more, key, holder in zip(blocks[1:], holders, holders[1:], strict=False):
        token = grants.delegate(token, key, sub=holder.public, caveats=more, iat=NOW)
    return grants.decode(token)


HARD: Json = {"svc": ["other"]}
SOFT: Json = {"risk": "low"}
GOOD: Json = {"can": ["*"]}
RISKY = commit(risk="high")


def test_no_caveat_covers_everything() -> None:
    verdict = evaluate(grant([]), RISKY)
    assert verdict == Verdict()
    assert (verdict.decision, verdict.blocking) == ("ok", ())


@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize(("caveat", "decision"), [(HARD, "forbidden"), (SOFT, "consent_required"), (GOOD, "ok")])
def test_every_caveat_of_every_block_counts(position: int, caveat: Json, decision: str) -> None:
    for before in ([], [GOOD, GOOD]):
        blocks: list[list[Json]] = [[GOOD], [GOOD], [GOOD]]
        blocks[position] = [*before, caveat, GOOD]
        verdict = evaluate(grant(*blocks), RISKY)
        assert (verdict.decision, verdict.blocking) == (decision, () if decision == "ok" else (caveat,))


@pytest.mark.parametrize("blocks", [[[HARD, SOFT]], [[SOFT, HARD]], [[SOFT], [HARD]], [[HARD], [SOFT]]], ids=str)
def test_a_hard_failure_beats_a_soft_one(blocks: list[list[Json]]) -> None:
    verdict = evaluate(grant(*blocks), RISKY)
    assert verdict == Verdict(hard=(HARD,), soft=(SOFT,))
    assert (verdict.decision, verdict.blocking) == ("forbidden", (HARD,))


def test_all_blocking_caveats_are_named_in_the_order_of_the_chain() -> None:
    each: Json = {"each": {"of": "spend", "max": 1}}
    context = replace(spending(5), proposal={"hash": "h", "risk": "medium", "uses": {"spend": {"amount": 5}}})
    assert evaluate(grant([each, GOOD, SOFT], [GOOD], [each]), context).blocking == (each, SOFT, each)


def test_a_delegation_can_only_restrict() -> None:
    narrow = grant([{"can": ["a.*"]}], [{"can": ["*"]}])
    assert evaluate(narrow, replace(ASK, capability="b.x")).decision == "forbidden"
    assert evaluate(narrow, replace(ASK, capability="a.x")).decision == "ok"
    assert evaluate(grant([{"risk": "low"}], [{"risk": "high"}]), commit(risk="medium")).decision == "consent_required"
    assert evaluate(grant([{"svc": ["shop.example"]}], [{"svc": ["other"]}]), ASK).decision == "forbidden"


def test_each_block_has_its_own_totals() -> None:
    total: Json = {"total": {"of": "spend", "max": 100}}
    chain = grant([total], [total])
    first, second = chain.block_ids
    for block_id in (first, second):
        context = replace(spending(41), used={block_id: {"spend": {"amount": 60}}})
        assert evaluate(chain, context).blocking == (total,)
        assert evaluate(chain, replace(spending(40), used=context.used)).decision == "ok"
    used: Used = {block_id: {"spend": {"amount": 60}} for block_id in (first, second)}
    assert evaluate(chain, replace(spending(41), used=used)).blocking == (total, total)


def test_the_same_total_twice_counts_the_quantity_once() -> None:
    twice = grant([{"total": {"of": "spend", "max": 100}}, {"total": {"of": "spend", "max": 100}}])
    context = replace(spending(40), used={twice.id: {"spend": {"amount": 60}}})
    assert evaluate(twice, context).decision == "ok"


def test_the_tightest_of_several_totals_decides() -> None:
    wide: Json = {"total": {"of": "spend", "max": 100}}
    tight: Json = {"total": {"of": "spend", "max": 10}}
    assert evaluate(grant([wide, tight]), spending(11)).blocking == (tight,)


def test_one_entry_of_the_table_can_be_replaced() -> None:
    lenient = {**CAVEATS, "exp": replace(CAVEATS["exp"], outcome=lambda value, context, block_id: "satisfied")}
    expired = grant([{"exp": 0}, {"zone": 1}])
    assert evaluate(expired, ASK).hard == ({"exp": 0}, {"zone": 1})
    assert evaluate(expired, ASK, table=lenient).hard == ({"zone": 1},)
    known = {**CAVEATS, "zone": Rule(lambda value: True, lambda value, context, block_id: "soft")}
    assert evaluate(expired, ASK, table=known) == Verdict(hard=({"exp": 0},), soft=({"zone": 1},))


def test_without_limits_only_malformed_limits_fail() -> None:
    context = replace(commit(risk="extreme", uses=None), used={})
    limits: list[Json] = [{"each": {"of": "spend", "max": 0}}, {"total": {"of": "spend", "max": 0}}, {"risk": "low"}]
    assert evaluate(grant(limits), context).decision == "forbidden"
    assert evaluate(grant(limits), context, table=WITHOUT_LIMITS).decision == "ok"
    assert evaluate(grant([{"risk": "extreme"}, {"each": 5}]), context, table=WITHOUT_LIMITS).decision == "forbidden"
    assert evaluate(grant([*limits, {"only": "x"}]), context, table=WITHOUT_LIMITS).hard == ({"only": "x"},)
    assert evaluate(grant([*limits, {"exp": NOW}]), context, table=WITHOUT_LIMITS).hard == ({"exp": NOW},)


# --- the whole check


def token(*blocks: list[Json]) -> str:
    return grants.encode_blocks(grant(*blocks).blocks)


def test_a_grant_that_verifies_and_covers_is_ok() -> None:
    assert check(token([GOOD]), {PRINCIPAL.public}, AGENT.public, ASK) == "ok"
    assert check(token([GOOD], [GOOD]), [MALLORY.public, PRINCIPAL.public], SUB.public, COMMIT) == "ok"


@pytest.mark.parametrize("caveat", [GOOD, HARD, SOFT], ids=str)
def test_unauthorized_comes_before_any_caveat(caveat: Json) -> None:
    trusted = {PRINCIPAL.public}
    text = token([caveat])
    assert check(text, set(), AGENT.public, RISKY) == "unauthorized"
    assert check(text, {AGENT.public, MALLORY.public}, AGENT.public, RISKY) == "unauthorized"
    assert check(text, trusted, SUB.public, RISKY) == "unauthorized"
    assert check(text, trusted, PRINCIPAL.public, RISKY) == "unauthorized"
    assert check(text, trusted, "", RISKY) == "unauthorized"
    assert check(text + "A", trusted, AGENT.public, RISKY) == "unauthorized"
    assert check(token([caveat], [GOOD]), trusted, AGENT.public, RISKY) == "unauthorized"


@pytest.mark.parametrize(("caveat", "decision"), [(HARD, "forbidden"), (SOFT, "consent_required")])
def test_then_the_caveats_decide(caveat: Json, decision: str) -> None:
    assert check(token([caveat]), {PRINCIPAL.public}, AGENT.public, RISKY) == decision


def test_a_check_can_use_another_table() -> None:
    lenient = {**CAVEATS, "svc": replace(CAVEATS["svc"], outcome=lambda value, context, block_id: "satisfied")}
    assert check(token([HARD]), {PRINCIPAL.public}, AGENT.public, ASK, table=lenient) == "ok"


CONSENT = consent_caveats("shop.example", "shop.order", "h", NOW + 60)


@pytest.mark.parametrize(
    ("changes", "decision"),
    [
        ({}, "ok"),
        ({"proposal": {"hash": "h", "risk": "high", "uses": {"spend": {"amount": MOST}}}}, "ok"),
        ({"proposal": {"hash": "other", "risk": "low"}}, "forbidden"),
        ({"verb": "ASK"}, "forbidden"),
        ({"verb": "INTENT"}, "forbidden"),
        ({"verb": "UNDO"}, "forbidden"),
        ({"service": "other.example"}, "forbidden"),
        ({"capability": "shop.orders"}, "forbidden"),
        ({"now": NOW + 60}, "forbidden"),
        ({"now": NOW + 59.9}, "ok"),
    ],
    ids=str,
)
def test_a_consent_covers_one_commit_and_nothing_else(changes: dict[str, Any], decision: str) -> None:
    assert check(token(CONSENT), {PRINCIPAL.public}, AGENT.public, replace(COMMIT, **changes)) == decision


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, NOW * 2)
    | st.text("al*.h", max_size=4)
    | st.sampled_from(["low", "ASK"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["of", "max", "unit", "spend"]), inner, max_size=3)
    ),
    max_leaves=6,
)
any_caveats = st.dictionaries(st.sampled_from([*CAVEATS, "x"]), json_values, max_size=2) | json_values


@given(any_caveats, json_values, json_values, st.sampled_from(VERBS))
def test_no_caveat_and_no_proposal_makes_the_check_fall_over(caveat: Json, uses: Json, risk: Json, verb: str) -> None:
    context = replace(commit(uses=uses, risk=risk), verb=verb)
    result = judge(caveat, context, "block")
    assert result in ("satisfied", "soft", "hard")
    if not isinstance(caveat, dict) or len(caveat) != 1 or not caveat.keys() <= CAVEATS.keys():
        assert result == "hard"


@given(
    st.lists(st.lists(st.sampled_from([HARD, SOFT, GOOD]), max_size=3), min_size=1, max_size=3),
    st.sampled_from([HARD, SOFT, GOOD]),
)
def test_a_further_block_never_widens_a_grant(blocks: list[list[Json]], more: Json) -> None:
    rank = ["ok", "consent_required", "forbidden"]
    before = evaluate(grant(*blocks), RISKY).decision
    after = evaluate(grant(*blocks, [more]), RISKY).decision
    assert rank.index(after) >= rank.index(before)
