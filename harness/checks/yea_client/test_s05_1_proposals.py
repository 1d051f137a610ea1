"""YEA 5.1 for clients: proposals that are malformed, and so are invalid."""

from collections.abc import Mapping
from typing import Any

from harness.check import check
from harness.clients.context import AUTO, COMMIT, ClientContext, proposals_reply, succeeded
from harness.clients.plays import Case, Frame, receipt

USES: dict[str, Any] = {
    "uses is an array": [],
    "uses is a string": "22.90 USD",
    "a name that begins with a digit": {"1spend": {"amount": 1}},
    "a name in upper case": {"Spend": {"amount": 1}},
    "a name of 65 characters": {"a" * 65: {"amount": 1}},
    "an empty name": {"": {"amount": 1}},
    "a quantity that is a number": {"spend": 2290},
    "a quantity that is null": {"spend": None},
    "no amount": {"spend": {"scale": 2, "unit": "USD"}},
    "a negative amount": {"spend": {"amount": -1}},
    "an amount that is a string": {"spend": {"amount": "2290"}},
    "an amount that is true": {"spend": {"amount": True}},
    "a negative scale": {"spend": {"amount": 1, "scale": -1}},
    "a scale of 19": {"spend": {"amount": 1, "scale": 19}},
    "a scale that is a string": {"spend": {"amount": 1, "scale": "2"}},
    "an empty unit": {"spend": {"amount": 1, "unit": ""}},
    "a unit of 33 characters": {"spend": {"amount": 1, "unit": "U" * 33}},
    "a unit with a space": {"spend": {"amount": 1, "unit": "US D"}},
    "a unit with a line break": {"spend": {"amount": 1, "unit": "USD\n"}},
    "a unit that is a number": {"spend": {"amount": 1, "unit": 5}},
    "a second measure that is malformed": {"emails": {"amount": 1}, "spend": {"amount": -1}},
}
"""Malformed uses. A quantity that cannot be hashed, as a fraction, is left out: it shows nothing about uses."""

RISKS: dict[str, Any] = {
    "no risk": ...,
    "risk is null": None,
    "risk is none": "none",
    "risk is LOW": "LOW",
    "risk is extreme": "extreme",
    "risk is empty": "",
    "risk is a number": 1,
    "risk is true": True,
    "risk is a list": ["low"],
    "risk is low and a space": "low ",
}


async def _rejected(t: ClientContext, clause: str, member: str, table: Mapping[str, Any]) -> None:
    """Expect that no proposal with one of these values is committed, where the same one with a right value is."""
    malformed = {name: t.proposal(**{member: value}) for name, value in table.items()}
    cases = [t.offers(name, proposal) for name, proposal in malformed.items()]
    beside = t.proposal(**{member: next(iter(table.values()))})
    cases.append(t.offers("a malformed one before a sound one", beside, t.proposal()))
    invalid = {proposal["id"] for proposal in (*malformed.values(), beside)}
    for job in await t.around(COMMIT, t.good, cases):
        bad = [frame for frame in job.commits if frame["proposal"] in invalid]
        t.expect(clause, not bad, wanted=f"{job.case.name}: the proposal is invalid, so it is not committed", got=job)


@check("yea-client/5.1/malformed-uses-is-invalid", "YEA-5.1-22", transports=("tcp",), deadline=180)
async def malformed_uses(t: ClientContext) -> None:
    """A proposal with a malformed uses is not committed."""
    await _rejected(t, "YEA-5.1-22", "uses", USES)


@check("yea-client/5.1/malformed-risk-is-invalid", "YEA-5.1-24", transports=("tcp",), deadline=180)
async def malformed_risk(t: ClientContext) -> None:
    """A proposal whose risk is none of low, medium and high is not committed."""
    await _rejected(t, "YEA-5.1-24", "risk", RISKS)


@check("yea-client/5.1/null-uses-is-invalid", "YEA-5.1-22", basis="open", transports=("tcp",))
async def null_uses(t: ClientContext) -> None:
    """A proposal whose uses is null is not committed."""
    for job in await t.around(COMMIT, t.good, [t.offers("uses is null", t.proposal(uses=None))]):
        wanted = "null is no `uses`, so the proposal is invalid and not committed"
        t.expect("YEA-5.1-22", not job.commits, wanted=wanted, got=job, open_question="YEA-Q60")


AFTER_AUTO: dict[str, tuple[str, dict[str, Any]]] = {
    "a negative amount": ("YEA-5.1-22", {"uses": {"spend": {"amount": -1}}}),
    "a quantity that is null": ("YEA-5.1-22", {"uses": {"spend": None}}),
    "a unit with a line break": ("YEA-5.1-22", {"uses": {"spend": {"amount": 1, "unit": "USD\n"}}}),
    "risk is extreme": ("YEA-5.1-24", {"risk": "extreme"}),
    "no risk": ("YEA-5.1-24", {"risk": ...}),
}


@check("yea-client/5.1/malformed-after-auto-is-invalid", "YEA-5.1-22", "YEA-5.1-24", transports=("tcp",), deadline=120)
async def malformed_after_auto(t: ClientContext) -> None:
    """A malformed proposal that answers an INTENT with auto is not committed either."""

    def control() -> Case:
        return Case("an auto commit", (receipt(t.proposal(), t.now(), auto=True),), control=True)

    cases = [t.offers(name, t.proposal(**members)) for name, (_, members) in AFTER_AUTO.items()]
    for job, (clause, _) in zip(await t.around(AUTO, control, cases), AFTER_AUTO.values(), strict=True):
        wanted = f"{job.case.name}, offered to an INTENT with auto: the proposal is invalid, so it is not committed"
        t.expect(clause, not job.commits, wanted=wanted, got=job)


SOUND: dict[str, dict[str, Any]] = {
    "no uses": {"uses": ...},
    "an empty uses": {"uses": {}},
    "an amount of 0": {"uses": {"spend": {"amount": 0}}},
    "the largest amount and scale": {"uses": {"spend": {"amount": (1 << 53) - 1, "scale": 18}}},
    "a name of 64 characters": {"uses": {"a" * 64: {"amount": 1}}},
    "a name of all signs": {"uses": {"a0_.-": {"amount": 1}}},
    "a unit of 32 characters": {"uses": {"spend": {"amount": 1, "unit": "aZ09_./%-" + "U" * 23}}},
    "a measure named like a method": {"uses": {"constructor": {"amount": 1}}},
}
"""Well-formed uses, at the edges of what is."""


@check("yea-client/5.1/sound-uses-are-taken", "YEA-5.1-20", "YEA-5.1-22", transports=("tcp",), deadline=120)
async def sound_uses(t: ClientContext) -> None:
    """A proposal without uses, or with any that is well-formed, is valid, beside another one too."""
    cases = [t.offers(name, t.proposal(**members)) for name, members in SOUND.items()]
    pair: Frame = proposals_reply(t.proposal(uses=...), t.proposal())
    cases.append(Case("one without uses before one with", (pair,)))
    for job in await t.around(COMMIT, t.good, cases):
        clause = "YEA-5.1-20" if "no uses" in job.case.name or "empty" in job.case.name else "YEA-5.1-22"
        wanted = f"{job.case.name}: that is well-formed, so the proposal is valid and committed"
        t.expect(clause, succeeded(job, COMMIT), wanted=wanted, got=job)
