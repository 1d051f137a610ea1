"""Faults of `grant.check` in how the outcomes of all caveats become one decision (YEA 6.3, 6.6)."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from harness.faults.adapter.covering import INHERITED, Decide, Table, decider
from harness.faults.adapter.tools import register
from reference.yea import caveats
from reference.yea.caveats import CAVEATS, Context, Outcome
from reference.yea.grants import Grant


def judged(grant: Grant, asked: Context, table: Table = CAVEATS) -> list[tuple[Any, Outcome]]:
    """Every caveat of a grant with its outcome, in the order of the chain."""
    return [
        (caveat, caveats.judge(caveat, asked, block_id, table=table))
        for block_id, block in zip(grant.block_ids, grant.caveats, strict=True)
        for caveat in block
    ]


def _worst(outcomes: Collection[Outcome], order: tuple[Outcome, ...] = ("hard", "soft")) -> str:
    words = {"hard": "forbidden", "soft": "consent_required"}
    return next((words[outcome] for outcome in order if outcome in outcomes), "ok")


def _blocks(pick: slice) -> Decide:
    """Evaluates some of the blocks only."""

    def decide(grant: Grant, asked: Context) -> str:
        part = replace(grant, block_ids=grant.block_ids[pick], caveats=grant.caveats[pick])
        return caveats.evaluate(part, asked).decision

    return decide


def _unknown_pass(grant: Grant, asked: Context) -> str:
    return _worst(
        [
            out
            for caveat, out in judged(grant, asked)
            if not isinstance(caveat, dict) or any(n in CAVEATS for n in caveat)
        ]
    )


def _inherited_pass(grant: Grant, asked: Context) -> str:
    return _worst(
        [out for caveat, out in judged(grant, asked) if not (isinstance(caveat, dict) and INHERITED & caveat.keys())]
    )


def _no_objects_pass(grant: Grant, asked: Context) -> str:
    return _worst([out for caveat, out in judged(grant, asked) if isinstance(caveat, dict) and caveat])


def _many_keys(grant: Grant, asked: Context) -> str:
    """Takes every key of a caveat for one of its own."""
    split = [
        tuple({n: v} for caveat in block if isinstance(caveat, dict) for n, v in caveat.items())
        for block in grant.caveats
    ]
    odd = [caveat for block in grant.caveats for caveat in block if not isinstance(caveat, dict) or not caveat]
    return "forbidden" if odd else caveats.evaluate(replace(grant, caveats=tuple(split)), asked).decision


def _well_formed(caveat: Any) -> bool:
    if not isinstance(caveat, dict) or len(caveat) != 1:
        return True
    [(name, value)] = caveat.items()
    return name not in CAVEATS or CAVEATS[name].well_formed(value)


def _malformed(word: Outcome) -> Decide:
    """Gives malformed values of known caveats another outcome."""

    def decide(grant: Grant, asked: Context) -> str:
        return _worst([outcome if _well_formed(caveat) else word for caveat, outcome in judged(grant, asked)])

    return decide


def _first_of_a_name(grant: Grant, asked: Context) -> str:
    firsts: dict[str, Outcome] = {}
    for caveat, outcome in judged(grant, asked):
        firsts.setdefault(next(iter(caveat), "") if isinstance(caveat, dict) else "", outcome)
    return _worst(firsts.values())


def _first_failure(grant: Grant, asked: Context) -> str:
    return next((_worst([outcome]) for _, outcome in judged(grant, asked) if outcome != "satisfied"), "ok")


DECIDERS: tuple[tuple[str, str, str, Decide], ...] = (
    (
        "soft-first",
        "Asks for consent although a hard caveat fails as well.",
        "soft-and-then-hard hard-and-then-soft soft-in-the-root-and-hard-in-a-child",
        lambda grant, asked: _worst([out for _, out in judged(grant, asked)], ("soft", "hard")),
    ),
    (
        "first-failure",
        "Answers the first failure and looks no further.",
        "soft-and-then-hard soft-in-the-root-and-hard-in-a-child",
        _first_failure,
    ),
    (
        "all-hard",
        "Refuses where it has to ask for consent.",
        "two-soft-failures each-one-over risk-high-under-low",
        lambda grant, asked: "forbidden" if any(out != "satisfied" for _, out in judged(grant, asked)) else "ok",
    ),
    (
        "any-caveat",
        "Is content with one caveat that holds.",
        "failing-caveat-first-in-a-root can-of-nothing",
        lambda grant, asked: (
            "ok" if "satisfied" in [o for _, o in judged(grant, asked)] else caveats.evaluate(grant, asked).decision
        ),
    ),
    (
        "last-block-only",
        "Evaluates the last block's caveats only.",
        "failing-caveat-in-the-root-of-three-blocks expired-root-whose-child-ends-later",
        _blocks(slice(-1, None)),
    ),
    (
        "root-caveats-only",
        "Evaluates the root's caveats only.",
        "failing-caveat-in-the-last-of-three-blocks wide-root-whose-child-covers-another-capability",
        _blocks(slice(0, 1)),
    ),
    (
        "first-of-a-name",
        "Evaluates the first caveat of each name only.",
        "two-cans-one-does-not-hold total-of-the-second-measure-exceeded",
        _first_of_a_name,
    ),
    (
        "unknown-passes",
        "Passes caveats that it does not know.",
        "unknown-caveat-named-zone unknown-caveat-300-deep soft-and-an-unknown-caveat",
        _unknown_pass,
    ),
    (
        "inherited-passes",
        "Passes caveats named like what objects inherit.",
        "unknown-caveat-named-constructor unknown-caveat-named-proto",
        _inherited_pass,
    ),
    (
        "no-objects-pass",
        "Passes caveats that are no objects, or empty.",
        "caveat-that-is-null caveat-without-a-key",
        _no_objects_pass,
    ),
    ("many-keys", "Takes a caveat of two keys for two caveats.", "caveat-with-two-known-keys", _many_keys),
    (
        "malformed-pass",
        "Passes malformed caveats.",
        "exp-caveat-that-is-null can-caveat-that-is-null each-caveat-that-is-below-0",
        _malformed("satisfied"),
    ),
    (
        "malformed-softly",
        "Asks for consent where a caveat is malformed.",
        "exp-caveat-that-is-null risk-caveat-that-is-a-number",
        _malformed("soft"),
    ),
)


register("grant.check", *(decider(*entry) for entry in DECIDERS))
